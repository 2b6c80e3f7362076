/** What the built-in tools are called, for who reads a configuration and runs none of them. */
export const TOOL_NAMES = [
  'read_file',
  'list_dir',
  'search_files',
  'write_file',
  'edit_file',
  'append_file',
  'exec',
  'fetch_url',
  'ask_user_question',
  'spawn',
] as const

export type BuiltInToolName = (typeof TOOL_NAMES)[number]
