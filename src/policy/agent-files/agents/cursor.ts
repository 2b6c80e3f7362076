import { type CodingAgentTable, file, options } from '../agent-table.ts'

/** From its documents; not tried. */
export const CURSOR: CodingAgentTable = {
  id: 'cursor',
  name: 'Cursor',
  files: [
    file('~/.cursor/hooks.json', 'user', 'hooks'),
    file('~/.cursor/hooks/', 'user', 'hooks'),
    file('~/.cursor/cli-config.json', 'user', 'rules'),
    file('~/.cursor/permissions.json', 'user', 'rules'),
    file('~/.cursor/mcp.json', 'user', 'mcp'),
    file('~/.cursor/plugins/', 'user', 'plugins'),
    file('~/.config/cursor/cli-config.json', 'user', 'rules'),
    file('.cursor/hooks.json', 'project', 'hooks'),
    file('.cursor/hooks/', 'project', 'hooks'),
    file('.cursor/cli.json', 'project', 'rules'),
    file('.cursor/permissions.json', 'project', 'rules'),
    file('.cursor/sandbox.json', 'project', 'rules'),
    file('.cursor/mcp.json', 'project', 'mcp'),
    file('.cursor/plugins/', 'project', 'plugins'),
    ...['/etc/cursor/', '/Library/Application Support/Cursor/hooks.json', 'C:/ProgramData/Cursor/'].map(
      (path) => file(path, 'managed', 'hooks'),
    ),
  ],
  moved: [
    { variable: 'CURSOR_CONFIG_DIR', from: '~/.cursor/' },
    { variable: 'XDG_CONFIG_HOME', from: '~/.config/' },
  ],
  programs: ['cursor-agent'],
  packages: ['cursor-agent'],
  bypass: options('--force -f --yolo --approve-mcps --trust --plugin-dir'),
  bypassVariables: [],
}
