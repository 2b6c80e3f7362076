import { type CodingAgentTable, file, options } from '../agent-table.ts'

/** Kiro CLI, and Amazon Q before it, whose hooks are in the description of each agent. From their documents; not tried. */
export const KIRO: CodingAgentTable = {
  id: 'kiro',
  name: 'Kiro',
  files: [
    file('~/.kiro/agents/', 'user', 'hooks', 'rules', 'mcp'),
    file('~/.kiro/hooks/', 'user', 'hooks'),
    file('~/.kiro/settings/', 'user', 'mcp', 'rules'),
    file('.kiro/agents/', 'project', 'hooks', 'rules', 'mcp'),
    file('.kiro/hooks/', 'project', 'hooks'),
    file('.kiro/settings/', 'project', 'mcp', 'rules'),
    file('~/.aws/amazonq/cli-agents/', 'user', 'hooks', 'rules', 'mcp'),
    file('~/.aws/amazonq/agents/', 'user', 'hooks', 'rules', 'mcp'),
    file('~/.aws/amazonq/mcp.json', 'user', 'mcp'),
    file('.amazonq/cli-agents/', 'project', 'hooks', 'rules', 'mcp'),
    file('.amazonq/agents/', 'project', 'hooks', 'rules', 'mcp'),
    file('.amazonq/mcp.json', 'project', 'mcp'),
  ],
  moved: [{ variable: 'KIRO_HOME', from: '~/.kiro/' }],
  programs: ['kiro-cli', 'kiro-cli-chat', 'q', 'qchat'],
  // A program that runs SQL on text files.
  others: /^\s*(?:select|with)\s/i,
  packages: [],
  bypass: options('--trust-all-tools -a --trust-tools'),
  bypassVariables: [],
}
