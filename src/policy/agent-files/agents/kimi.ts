import { type CodingAgentTable, file, options } from '../agent-table.ts'

/** Kimi Code, and the older Kimi CLI in `~/.kimi`. From their documents; not tried. */
export const KIMI: CodingAgentTable = {
  id: 'kimi',
  name: 'Kimi Code',
  files: [
    ...['~/.kimi-code/', '~/.kimi/'].flatMap((folder) => [
      file(`${folder}config.toml`, 'user', 'hooks', 'rules', 'mcp'),
      file(`${folder}mcp.json`, 'user', 'mcp'),
      file(`${folder}plugins/`, 'user', 'plugins'),
      file(`${folder}hooks/`, 'user', 'hooks'),
    ]),
    file('~/.kimi/config.json', 'user', 'hooks', 'rules', 'mcp'),
    ...['.kimi-code/', '.kimi/'].flatMap((folder) => [
      file(`${folder}config.toml`, 'project', 'hooks', 'rules', 'mcp'),
      file(`${folder}mcp.json`, 'project', 'mcp'),
      file(`${folder}hooks/`, 'project', 'hooks'),
    ]),
  ],
  moved: [
    { variable: 'KIMI_CODE_HOME', from: '~/.kimi-code/' },
    { variable: 'KIMI_SHARE_DIR', from: '~/.kimi/' },
  ],
  programs: ['kimi', 'kimi-code', 'kimi-cli'],
  packages: ['@moonshot-ai/kimi-code', 'kimi-cli', 'kimi-code'],
  bypass: options(
    '--config --config-file --mcp-config --mcp-config-file --yolo --yes -y --auto-approve --afk',
  ),
  bypassVariables: [],
}
