import { type CodingAgentTable, file, options } from '../agent-table.ts'

/** From its package; not tried. */
export const OPENCLAW: CodingAgentTable = {
  id: 'openclaw',
  name: 'OpenClaw',
  files: [
    file('~/.openclaw/openclaw.json', 'user', 'plugins', 'hooks', 'rules', 'mcp'),
    file('~/.openclaw/exec-approvals.json', 'user', 'rules'),
    file('~/.openclaw/extensions/', 'user', 'plugins'),
    file('~/.openclaw/plugins/', 'user', 'plugins'),
    file('~/.openclaw/hooks/', 'user', 'hooks'),
    file('.openclaw/extensions/', 'project', 'plugins'),
    file('.openclaw/hooks/', 'project', 'hooks'),
  ],
  moved: [
    { variable: 'OPENCLAW_STATE_DIR', from: '~/.openclaw/' },
    { variable: 'OPENCLAW_CONFIG_PATH', from: '~/.openclaw/openclaw.json' },
  ],
  programs: ['openclaw'],
  packages: ['openclaw'],
  bypass: options('--profile --dev'),
  bypassVariables: ['OPENCLAW_HOME', 'OPENCLAW_PROFILE'],
}
