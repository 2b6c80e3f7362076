import { type CodingAgentTable, file, options } from '../agent-table.ts'

export const QWEN_CODE: CodingAgentTable = {
  id: 'qwen-code',
  name: 'Qwen Code',
  files: [
    file('~/.qwen/settings.json', 'user', 'hooks', 'rules', 'mcp'),
    file('~/.qwen/trustedFolders.json', 'user', 'trust'),
    file('~/.qwen/extensions/', 'user', 'plugins', 'hooks', 'mcp'),
    file('~/.qwen/hooks/', 'user', 'hooks'),
    file('.qwen/settings.json', 'project', 'hooks', 'rules', 'mcp'),
    file('.qwen/extensions/', 'project', 'plugins', 'hooks', 'mcp'),
    file('.qwen/hooks/', 'project', 'hooks'),
    file('.qwen/.env', 'project', 'trust'),
    ...['/etc/qwen-code/', '/Library/Application Support/QwenCode/', 'C:/ProgramData/qwen-code/'].map(
      (path) => file(path, 'managed', 'hooks', 'rules', 'mcp'),
    ),
  ],
  moved: [
    { variable: 'QWEN_HOME', from: '~/.qwen/' },
    { variable: 'QWEN_CODE_TRUSTED_FOLDERS_PATH', from: '~/.qwen/trustedFolders.json' },
  ],
  programs: ['qwen'],
  packages: ['@qwen-code/qwen-code'],
  bypass: [
    ...options('--yolo -y --allowed-tools --bare --safe-mode'),
    { option: '--approval-mode', value: /^yolo$/i },
    { option: '--extensions', value: /^none$/i },
    { option: '-e', value: /^none$/i },
  ],
  bypassVariables: ['QWEN_CODE_SYSTEM_SETTINGS_PATH', 'QWEN_CODE_SYSTEM_DEFAULTS_PATH'],
}
