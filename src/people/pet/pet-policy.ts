/**
 * The policy of a server whose pet channel is on and for which nobody has written one: the original's list of tools is
 * asked about by name, and so is every other tool, known or not. Only what reads files in the workspace, which the tools
 * themselves hold to, goes without asking.
 */
export const DEFAULT_PET_POLICY = {
  mode: 'default',
  ask: ['exec', 'write_file', 'edit_file', 'append_file', 'subagent', 'spawn'],
  allow: ['read_file', 'list_dir', 'search_files'],
} as const satisfies PetPolicyBlock

interface PetPolicyBlock {
  mode: string
  ask: readonly string[]
  allow: readonly string[]
}
