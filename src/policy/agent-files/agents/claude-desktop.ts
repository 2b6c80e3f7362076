import { type CodingAgentTable, file } from '../agent-table.ts'

/** An application with MCP servers and extensions, which no command starts. From its documents; not tried. */
export const CLAUDE_DESKTOP: CodingAgentTable = {
  id: 'claude-desktop',
  name: 'Claude Desktop',
  files: ['~/.config/Claude/', '~/Library/Application Support/Claude/', '~/AppData/Roaming/Claude/']
    .flatMap((folder) => [
      file(`${folder}claude_desktop_config.json`, 'user', 'mcp'),
      file(`${folder}Claude Extensions/`, 'user', 'mcp'),
      file(`${folder}Claude Extensions Settings/`, 'user', 'mcp'),
    ])
    .concat(
      file('/Library/Managed Preferences/com.anthropic.claudefordesktop.plist', 'managed', 'rules', 'mcp'),
    ),
  moved: [{ variable: 'XDG_CONFIG_HOME', from: '~/.config/' }],
  programs: [],
  packages: [],
  bypass: [],
  bypassVariables: [],
}
