import { type CodingAgentTable, file, options } from '../agent-table.ts'

const CONFIG = ['opencode.json', 'opencode.jsonc'] as const
const FOLDERS = ['plugin/', 'plugins/', 'tool/', 'tools/'] as const

export const OPENCODE: CodingAgentTable = {
  id: 'opencode',
  name: 'opencode',
  files: [
    ...[...CONFIG, 'config.json'].map((name) =>
      file(`~/.config/opencode/${name}`, 'user', 'plugins', 'rules', 'mcp'),
    ),
    ...FOLDERS.map((name) => file(`~/.config/opencode/${name}`, 'user', 'plugins')),
    ...FOLDERS.map((name) => file(`~/.opencode/${name}`, 'user', 'plugins')),
    ...CONFIG.map((name) => file(name, 'project', 'plugins', 'rules', 'mcp')),
    ...CONFIG.map((name) => file(`.opencode/${name}`, 'project', 'plugins', 'rules', 'mcp')),
    ...FOLDERS.map((name) => file(`.opencode/${name}`, 'project', 'plugins')),
    ...['/etc/opencode/', '/Library/Application Support/opencode/', 'C:/ProgramData/opencode/'].map((path) =>
      file(path, 'managed', 'plugins', 'rules', 'mcp'),
    ),
  ],
  moved: [
    { variable: 'OPENCODE_CONFIG_DIR', from: '~/.config/opencode/' },
    { variable: 'OPENCODE_CONFIG', from: '~/.config/opencode/opencode.json' },
    { variable: 'XDG_CONFIG_HOME', from: '~/.config/' },
  ],
  programs: ['opencode'],
  packages: ['opencode-ai', 'opencode'],
  bypass: options('--pure --dangerously-skip-permissions --auto'),
  bypassVariables: [
    'OPENCODE_CONFIG_CONTENT',
    'OPENCODE_PERMISSION',
    'OPENCODE_PURE',
    'OPENCODE_DISABLE_DEFAULT_PLUGINS',
    'OPENCODE_DISABLE_PROJECT_CONFIG',
    'OPENCODE_TEST_MANAGED_CONFIG_DIR',
  ],
}
