import { type CodingAgentTable, file } from '../agent-table.ts'

/** From its documents; not tried. */
export const WINDSURF: CodingAgentTable = {
  id: 'windsurf',
  name: 'Windsurf',
  files: [
    file('~/.codeium/windsurf/mcp_config.json', 'user', 'mcp'),
    file('~/.codeium/windsurf/hooks.json', 'user', 'hooks'),
    file('~/.codeium/mcp_config.json', 'user', 'mcp'),
    file('.windsurf/hooks.json', 'project', 'hooks'),
    ...['/etc/windsurf/', '/Library/Application Support/Windsurf/', 'C:/ProgramData/Windsurf/'].map((path) =>
      file(path, 'managed', 'hooks', 'rules', 'mcp'),
    ),
  ],
  moved: [],
  programs: [],
  packages: [],
  bypass: [],
  bypassVariables: [],
}
