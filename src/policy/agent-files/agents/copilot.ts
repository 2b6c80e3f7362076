import { type CodingAgentTable, file, options } from '../agent-table.ts'

/** The command line, and Copilot in VS Code, which reads the same hooks. */
export const COPILOT: CodingAgentTable = {
  id: 'copilot',
  name: 'GitHub Copilot',
  files: [
    file('~/.copilot/settings.json', 'user', 'hooks', 'plugins', 'rules'),
    file('~/.copilot/config.json', 'user', 'trust', 'plugins', 'rules'),
    file('~/.copilot/permissions-config.json', 'user', 'rules'),
    file('~/.copilot/mcp-config.json', 'user', 'mcp'),
    file('~/.copilot/hooks/', 'user', 'hooks'),
    file('~/.copilot/installed-plugins/', 'user', 'plugins'),
    file('.copilot/settings.json', 'project', 'hooks', 'plugins', 'rules'),
    file('.copilot/mcp-config.json', 'project', 'mcp'),
    file('.copilot/hooks/', 'project', 'hooks'),
    file('.github/hooks/', 'project', 'hooks'),
    file('.github/copilot/settings.json', 'project', 'hooks', 'plugins', 'rules'),
    file('.github/copilot/settings.local.json', 'local', 'hooks', 'plugins', 'rules'),
    file('.github/mcp.json', 'project', 'mcp'),
    file('.vscode/mcp.json', 'project', 'mcp'),
    ...['~/.config/', '~/Library/Application Support/', '~/AppData/Roaming/'].flatMap((folder) =>
      ['Code', 'Code - Insiders'].flatMap((name) => [
        file(`${folder}${name}/User/mcp.json`, 'user', 'mcp'),
        // Each profile has a folder, with settings of its own.
        file(`${folder}${name}/User/profiles/`, 'user', 'mcp', 'rules'),
      ]),
    ),
    file('/etc/github-copilot/', 'managed', 'hooks', 'rules'),
  ],
  moved: [
    { variable: 'COPILOT_HOME', from: '~/.copilot/' },
    { variable: 'XDG_CONFIG_HOME', from: '~/.config/' },
  ],
  programs: ['copilot'],
  // A program that deploys containers.
  others: /^(?:app|env|svc|job|task|pipeline|deploy|storage|secret)$/,
  packages: ['@github/copilot'],
  bypass: options(
    '--yolo --allow-all --allow-all-tools --allow-all-paths --config-dir --additional-mcp-config --plugin-dir --disable-builtin-mcps',
  ),
  bypassVariables: [
    'COPILOT_ALLOW_ALL',
    'COPILOT_HOOK_ALLOW_LOCALHOST',
    'COPILOT_HOOK_ALLOW_HTTP_AUTH_HOOKS',
  ],
}
