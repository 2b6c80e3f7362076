import { type CodingAgentTable, file, options } from '../agent-table.ts'

/** It has no hooks: its modes and rules say what it asks about. From its documents; not tried. */
export const GOOSE: CodingAgentTable = {
  id: 'goose',
  name: 'goose',
  files: [
    file('~/.config/goose/config.yaml', 'user', 'plugins', 'rules', 'mcp'),
    file('~/.config/goose/permission.yaml', 'user', 'rules'),
    file('~/.config/goose/permissions/', 'user', 'rules'),
    file('~/AppData/Roaming/Block/goose/config/', 'user', 'plugins', 'rules', 'mcp'),
  ],
  moved: [
    { variable: 'GOOSE_PATH_ROOT', from: '~/.config/goose/' },
    { variable: 'XDG_CONFIG_HOME', from: '~/.config/' },
  ],
  programs: ['goose'],
  // A program that migrates databases.
  others:
    /^(?:up|up-by-one|up-to|down|down-to|redo|reset|status|version|create|fix|validate|postgres|mysql|sqlite3|mssql|redshift|tidb|clickhouse|vertica|ydb|turso)$/,
  packages: [],
  bypass: options('--with-extension --with-builtin --with-streamable-http-extension'),
  bypassVariables: ['GOOSE_MODE', 'GOOSE_ALLOWLIST_BYPASS', 'GOOSE_ALLOWLIST'],
}
