import { type CodingAgentTable, file, options } from '../agent-table.ts'

const MCP = 'globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'

/** From its documents; not tried. */
export const CLINE: CodingAgentTable = {
  id: 'cline',
  name: 'Cline',
  files: [
    file('~/.cline/hooks/', 'user', 'hooks'),
    file('~/.cline/plugins/', 'user', 'plugins'),
    file('~/.cline/data/settings/', 'user', 'mcp', 'rules'),
    file('~/Documents/Cline/Hooks/', 'user', 'hooks'),
    file('~/Documents/Cline/Plugins/', 'user', 'plugins'),
    file(`~/.config/Code/User/${MCP}`, 'user', 'mcp'),
    file(`~/Library/Application Support/Code/User/${MCP}`, 'user', 'mcp'),
    file(`~/AppData/Roaming/Code/User/${MCP}`, 'user', 'mcp'),
    file('.clinerules/hooks/', 'project', 'hooks'),
    file('.cline/hooks/', 'project', 'hooks'),
    file('.cline/plugins/', 'project', 'plugins'),
  ],
  moved: [
    { variable: 'CLINE_DIR', from: '~/.cline/' },
    { variable: 'CLINE_DATA_DIR', from: '~/.cline/data/' },
  ],
  programs: ['cline'],
  packages: ['cline'],
  bypass: options('--yolo -y --auto-approve-all --config --data-dir --hooks-dir'),
  bypassVariables: ['CLINE_COMMAND_PERMISSIONS'],
}
