import { type CodingAgentTable, file, options } from '../agent-table.ts'

export const CLAUDE_CODE: CodingAgentTable = {
  id: 'claude-code',
  name: 'Claude Code',
  files: [
    file('~/.claude/settings.json', 'user', 'hooks', 'plugins', 'rules', 'mcp'),
    file('~/.claude/settings.local.json', 'user', 'hooks', 'plugins', 'rules', 'mcp'),
    file('~/.claude/hooks/', 'user', 'hooks'),
    file('~/.claude/plugins/', 'user', 'plugins'),
    file('~/.claude/remote-settings.json', 'managed', 'hooks', 'rules'),
    // Its shell reads these in front of each command.
    file('~/.claude/shell-snapshots/', 'user', 'hooks'),
    file('~/.claude/session-env/', 'user', 'hooks'),
    file('~/.claude.json', 'user', 'trust', 'rules', 'mcp'),
    // There where CLAUDE_CONFIG_DIR has moved the folder.
    file('~/.claude/.claude.json', 'user', 'trust', 'rules', 'mcp'),
    file('.claude/settings.json', 'project', 'hooks', 'plugins', 'rules', 'mcp'),
    file('.claude/settings.local.json', 'local', 'hooks', 'plugins', 'rules', 'mcp'),
    file('.claude/hooks/', 'project', 'hooks'),
    file('.claude/plugins/', 'project', 'plugins'),
    file('.mcp.json', 'project', 'mcp'),
    ...['/etc/claude-code/', '/Library/Application Support/ClaudeCode/'].map((path) =>
      file(path, 'managed', 'hooks', 'plugins', 'rules', 'mcp'),
    ),
    ...['C:/Program Files/ClaudeCode/', 'C:/ProgramData/ClaudeCode/'].map((path) =>
      file(path, 'managed', 'hooks', 'plugins', 'rules', 'mcp'),
    ),
    file('/Library/Managed Preferences/com.anthropic.claudecode.plist', 'managed', 'hooks', 'rules'),
  ],
  moved: [{ variable: 'CLAUDE_CONFIG_DIR', from: '~/.claude/' }],
  programs: ['claude', 'claude-code', 'claude-agent-acp', 'claude-code-acp'],
  packages: [
    '@anthropic-ai/claude-code',
    '@agentclientprotocol/claude-agent-acp',
    '@zed-industries/claude-code-acp',
    '@zed-industries/claude-agent-acp',
  ],
  bypass: options(
    '--settings --setting-sources --managed-settings --bare --safe-mode --plugin-dir --plugin-url --mcp-config --strict-mcp-config ' +
      '--dangerously-skip-permissions --allow-dangerously-skip-permissions --permission-prompt-tool',
  ).concat({ option: '--permission-mode', value: /^bypassPermissions$/i }),
  bypassVariables: ['CLAUDE_CODE_SIMPLE', 'CLAUDE_CODE_SAFE_MODE', 'CLAUDE_CODE_MANAGED_SETTINGS_PATH'],
}
