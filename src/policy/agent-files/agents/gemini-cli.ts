import { type CodingAgentTable, file, options } from '../agent-table.ts'

export const GEMINI_CLI: CodingAgentTable = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  files: [
    file('~/.gemini/settings.json', 'user', 'hooks', 'rules', 'mcp'),
    file('~/.gemini/trustedFolders.json', 'user', 'trust'),
    file('~/.gemini/trusted_hooks.json', 'user', 'trust'),
    file('~/.gemini/extensions/', 'user', 'plugins', 'hooks', 'mcp'),
    file('~/.gemini/policies/', 'user', 'rules'),
    file('~/.gemini/hooks/', 'user', 'hooks'),
    file('.gemini/settings.json', 'project', 'hooks', 'rules', 'mcp'),
    file('.gemini/extensions/', 'project', 'plugins', 'hooks', 'mcp'),
    file('.gemini/policies/', 'project', 'rules'),
    file('.gemini/hooks/', 'project', 'hooks'),
    // Variables of it hold for the agent, and some of them move its settings.
    file('.gemini/.env', 'project', 'trust'),
    ...['/etc/gemini-cli/', '/Library/Application Support/GeminiCli/', 'C:/ProgramData/gemini-cli/'].map(
      (path) => file(path, 'managed', 'hooks', 'rules', 'mcp'),
    ),
  ],
  moved: [
    { variable: 'GEMINI_CLI_HOME', from: '~/' },
    { variable: 'GEMINI_CLI_TRUSTED_FOLDERS_PATH', from: '~/.gemini/trustedFolders.json' },
  ],
  programs: ['gemini'],
  packages: ['@google/gemini-cli'],
  bypass: [
    ...options('--yolo -y --policy --admin-policy --allowed-tools --skip-trust'),
    { option: '--approval-mode', value: /^yolo$/i },
    { option: '--extensions', value: /^none$/i },
    { option: '-e', value: /^none$/i },
  ],
  bypassVariables: [
    'GEMINI_CLI_SYSTEM_SETTINGS_PATH',
    'GEMINI_CLI_SYSTEM_DEFAULTS_PATH',
    'GEMINI_CLI_TRUST_WORKSPACE',
  ],
}
