/** The clients that `banksman connect --mcp` knows, with the places of their files. */
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import { isObject } from '../setup/hook-groups.ts'
import {
  type EntryLimit,
  type EntryShape,
  HOUR_S,
  type McpClient,
  type McpFile,
  type McpList,
  type McpPlace,
  type McpScope,
} from './mcp-client.ts'

const limitAt = (name: string, least: number, isShort: boolean): EntryLimit => ({
  at: () => [name],
  least,
  isShort,
})

const USUAL: EntryShape = { command: 'text', env: 'env', urls: ['url'], headers: 'headers' }

const TYPED: EntryShape = { ...USUAL, stdioType: 'stdio' }

/** On stdio Claude Code waits long enough, unless somebody has told it otherwise. */
const CLAUDE_CODE: EntryShape = {
  ...TYPED,
  limit: limitAt('timeout', HOUR_S * 1000, false),
}

/** In its own files Claude Code only warns of a variable that it doesn't know; the REPL leaves out such an entry of a project. */
const CLAUDE_PROJECT: EntryShape = { ...CLAUDE_CODE, leavesOutUnknown: true }

const GEMINI: EntryShape = {
  ...USUAL,
  urls: ['httpUrl', 'url'],
  limit: limitAt('timeout', HOUR_S * 1000, true),
  isSse: ({ httpUrl, type }) => httpUrl === undefined && type !== 'http',
}

const CODEX: EntryShape = {
  ...USUAL,
  headers: 'http_headers',
  limit: limitAt('tool_timeout_sec', HOUR_S, true),
}

const OPENCODE: EntryShape = {
  ...USUAL,
  command: 'list',
  env: 'environment',
  stdioType: 'local',
  limit: limitAt('timeout', HOUR_S * 1000, true),
}

/** Its second form has two limits; a number is for both. */
const OPENCODE_2: EntryShape = {
  ...OPENCODE,
  limit: {
    at: ({ timeout }) => (typeof timeout === 'number' ? ['timeout'] : ['timeout', 'request']),
    least: HOUR_S * 1000,
    isShort: true,
  },
}

export const MCP_CLIENTS: readonly McpClient[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    restart: 'Sessions of Claude Code that are open go on without Banksman: start them again.',
    files: (place) => [
      strict(jsonFile(claudeFile(place), (root) => claudeLists(root, place))),
      ...inProjects(place, '.mcp.json', 'mcpServers', CLAUDE_PROJECT).map(strict),
    ],
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    restart: 'Quit Claude Desktop and start it again; closing its window is not enough.',
    files: (place) => [
      strict(usualFile(`${applicationFolder(place)}/Claude/claude_desktop_config.json`, 'mcpServers', USUAL)),
    ],
  },
  {
    name: 'cursor',
    title: 'Cursor',
    restart: 'Start Cursor again, or switch the servers off and on in its settings.',
    files: (place) => [
      usualFile(`${place.home}/.cursor/mcp.json`, 'mcpServers', USUAL),
      ...inProjects(place, '.cursor/mcp.json', 'mcpServers', USUAL),
    ],
  },
  {
    name: 'vscode',
    title: 'VS Code',
    restart: 'Restart the servers in VS Code: the command "MCP: List Servers".',
    files(place) {
      const copilot = place.environment.COPILOT_HOME || `${place.home}/.copilot`
      return [
        usualFile(`${applicationFolder(place)}/Code/User/mcp.json`, 'servers', TYPED),
        usualFile(`${copilot}/mcp-config.json`, 'mcpServers', { ...USUAL, stdioType: 'local' }),
        ...inProjects(place, '.vscode/mcp.json', 'servers', TYPED),
      ]
    },
  },
  {
    name: 'codex',
    title: 'Codex',
    restart: 'Sessions of Codex that are open go on without Banksman: start them again.',
    files(place) {
      const folder = place.environment.CODEX_HOME || `${place.home}/.codex`
      return [
        usualFile(`${folder}/config.toml`, 'mcp_servers', CODEX),
        ...inProjects(place, '.codex/config.toml', 'mcp_servers', CODEX),
      ].map((file) => ({ ...file, format: 'toml' }))
    },
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    restart: 'Sessions of Gemini CLI that are open go on without Banksman: start them again.',
    files: (place) => [
      usualFile(
        `${place.environment.GEMINI_CLI_HOME || place.home}/.gemini/settings.json`,
        'mcpServers',
        GEMINI,
      ),
      ...inProjects(place, '.gemini/settings.json', 'mcpServers', GEMINI),
    ],
  },
  {
    name: 'opencode',
    title: 'opencode',
    restart: 'Sessions of opencode that are open go on without Banksman: start it again.',
    files({ environment, home, projects }) {
      const usual = `${environment.XDG_CONFIG_HOME || `${home}/.config`}/opencode`
      const folders = [usual, environment.OPENCODE_CONFIG_DIR].filter((folder) => folder)
      const named = environment.OPENCODE_CONFIG ? [environment.OPENCODE_CONFIG] : []
      const users = folders.flatMap((folder) =>
        [...OPENCODE_NAMES, 'config.json'].map((name) => `${folder}/${name}`),
      )
      const own = projects.flatMap((project) =>
        OPENCODE_NAMES.flatMap((name) => [`${project}/${name}`, `${project}/.opencode/${name}`]),
      )
      return [
        ...[...users, ...named].map((path) => jsonFile(path, (root) => opencodeLists(root, 'user'))),
        ...own.map((path) => jsonFile(path, (root) => opencodeLists(root, 'project'))),
      ]
    },
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    restart: 'Refresh the servers in the settings of Windsurf, or start it again.',
    files: ({ home }) => [
      usualFile(`${home}/.codeium/windsurf/mcp_config.json`, 'mcpServers', {
        ...USUAL,
        urls: ['serverUrl', 'url'],
      }),
    ],
  },
]

const OPENCODE_NAMES = ['opencode.json', 'opencode.jsonc']

/** Where applications keep their files. */
function applicationFolder({ home, environment, platform }: McpPlace): string {
  if (platform === 'darwin') return `${home}/Library/Application Support`
  if (platform === 'win32') return environment.APPDATA || `${home}/AppData/Roaming`
  return environment.XDG_CONFIG_HOME || `${home}/.config`
}

function claudeFile({ home, environment }: McpPlace): string {
  return `${environment.CLAUDE_CONFIG_DIR || home}/.claude.json`
}

/** The user's servers, and those that they have added for one of the folders, or for one around it. */
function claudeLists(root: JsonValue, { projects }: McpPlace): McpList[] {
  const known = isObject(root) && isObject(root.projects) ? Object.keys(root.projects) : []
  const around = known.filter((folder) =>
    projects.some((project) => project === folder || project.startsWith(`${folder}/`)),
  )
  return [
    { at: ['mcpServers'], scope: 'user', shape: CLAUDE_CODE },
    ...around.map((folder) => ({
      at: ['projects', folder, 'mcpServers'],
      scope: 'local' as const,
      shape: CLAUDE_CODE,
    })),
  ]
}

/** In the first form a server may be called `servers`, but it says its type. */
function opencodeLists(root: JsonValue, scope: McpScope): McpList[] {
  const mcp = isObject(root) && isObject(root.mcp) ? root.mcp : ({} as JsonObject)
  const isSecond = isObject(mcp.servers) && typeof mcp.servers.type !== 'string'
  return [
    isSecond ? { at: ['mcp', 'servers'], scope, shape: OPENCODE_2 } : { at: ['mcp'], scope, shape: OPENCODE },
  ]
}

function inProjects({ projects }: McpPlace, name: string, list: string, shape: EntryShape): McpFile[] {
  return projects.map((project) =>
    jsonFile(`${project}/${name}`, () => [{ at: [list], scope: 'project', shape }]),
  )
}

function usualFile(path: string, list: string, shape: EntryShape): McpFile {
  return jsonFile(path, () => [{ at: [list], scope: 'user', shape }])
}

function jsonFile(path: string, lists: McpFile['lists']): McpFile {
  return { path, format: 'json', isStrict: false, lists }
}

function strict(file: McpFile): McpFile {
  return { ...file, isStrict: true }
}
