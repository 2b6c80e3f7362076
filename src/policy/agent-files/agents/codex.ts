import { type CodingAgentTable, file, options } from '../agent-table.ts'

export const CODEX: CodingAgentTable = {
  id: 'codex',
  name: 'Codex',
  files: [
    file('~/.codex/config.toml', 'user', 'hooks', 'trust', 'rules', 'mcp'),
    file('~/.codex/hooks.json', 'user', 'hooks'),
    file('~/.codex/hooks/', 'user', 'hooks'),
    file('~/.codex/rules/', 'user', 'rules'),
    file('~/.codex/plugins/', 'user', 'plugins'),
    // Variables that it starts with, and its hooks too.
    file('~/.codex/.env', 'user', 'hooks'),
    file('~/.codex/shell_snapshots/', 'user', 'hooks'),
    file('~/.codex/requirements.toml', 'managed', 'hooks', 'rules'),
    file('~/.codex/managed_config.toml', 'managed', 'hooks', 'rules', 'mcp'),
    file('.codex/config.toml', 'project', 'hooks', 'rules', 'mcp'),
    file('.codex/hooks.json', 'project', 'hooks'),
    file('.codex/hooks/', 'project', 'hooks'),
    file('.codex/rules/', 'project', 'rules'),
    file('.codex/plugins/', 'project', 'plugins'),
    file('/etc/codex/', 'managed', 'hooks', 'rules', 'mcp'),
    file('C:/ProgramData/OpenAI/Codex/', 'managed', 'hooks', 'rules', 'mcp'),
    file('/Library/Managed Preferences/com.openai.codex.plist', 'managed', 'hooks', 'rules'),
  ],
  moved: [{ variable: 'CODEX_HOME', from: '~/.codex/' }],
  programs: ['codex', 'codex-acp'],
  packages: ['@openai/codex', '@zed-industries/codex-acp', '@openai/codex-sdk'],
  bypass: [
    ...options(
      '--dangerously-bypass-hook-trust --dangerously-bypass-approvals-and-sandbox --yolo --ignore-user-config --ignore-rules',
    ),
    ...['-c', '--config'].map((option) => ({
      option,
      value: /^\s*["']?(?:features|hooks|mcp_servers|projects|plugins|profiles?|rules|approvals_reviewer)\b/i,
    })),
    { option: '--disable', value: /^(?:hooks|codex_hooks|plugins|exec_policy)$/i },
  ],
  bypassVariables: ['CODEX_SQLITE_HOME'],
  typesUnseen: true,
}
