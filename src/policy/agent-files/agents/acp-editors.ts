import { type CodingAgentTable, file } from '../agent-table.ts'

/** Editors that start agents over the Agent Client Protocol: which command that is stands in their settings. Not tried. */
export const ACP_EDITORS: CodingAgentTable = {
  id: 'zed',
  name: 'Zed',
  files: [
    file('~/.config/zed/settings.json', 'user', 'plugins', 'rules', 'mcp'),
    file('~/.config/zed/tasks.json', 'user', 'hooks'),
    file('~/AppData/Roaming/Zed/settings.json', 'user', 'plugins', 'rules', 'mcp'),
    file('.zed/settings.json', 'project', 'plugins', 'rules', 'mcp'),
    file('.zed/tasks.json', 'project', 'hooks'),
    file('~/.jetbrains/acp.json', 'user', 'plugins'),
  ],
  moved: [{ variable: 'XDG_CONFIG_HOME', from: '~/.config/' }],
  programs: [],
  packages: [],
  bypass: [],
  bypassVariables: [],
}
