/**
 * Clients of MCP servers, and where each of them keeps the entries that say how a server is started or reached. Pure: texts in, texts out.
 * Reading, showing, asking, writing and proving are `server/connect/mcp/`.
 *
 * What MUST hold
 * - An entry keeps its key, its environment, its folder and every member that we don't know.
 * - Wrapping what is wrapped changes nothing, and unwrapping gives the entry as it was, to the byte while nobody else has changed it.
 * - What can't be wrapped without breaking it is left alone, and says why.
 */
import type { JsonObject, JsonValue } from '../../core/json/json.ts'

export interface McpPlace {
  home: string
  environment: Readonly<Record<string, string | undefined>>
  platform: string
  /** The folders whose own entries are looked at too; absolute. */
  projects: readonly string[]
}

export interface McpClient {
  /** As it is written in commands. */
  readonly name: string
  readonly title: string
  files(place: McpPlace): McpFile[]
  /** What its user has to do before a change counts. */
  readonly restart: string
}

export interface McpFile {
  path: string
  format: 'json' | 'toml'
  /** The client leaves out a file with comments or a comma at the end, as a whole. */
  isStrict: boolean
  /** Where in the file the entries stand: the members of each of these objects are servers. */
  lists(root: JsonValue): McpList[]
}

export interface McpList {
  at: readonly string[]
  /** `user`: in every folder. `project`: in a file of the project, which others may read. `local`: in one folder, for this user. */
  scope: McpScope
  shape: EntryShape
}

export type McpScope = 'user' | 'project' | 'local'

/** How this client writes an entry. */
export interface EntryShape {
  /** `list`: program and arguments are one list. */
  command: 'text' | 'list'
  env: 'env' | 'environment'
  /** What `type` says of a server that the client starts, where it wants to be told. */
  stdioType?: string
  /** The members that a remote server's address may be in. */
  urls: readonly string[]
  headers: string
  /** How long a call may take in this client. */
  limit?: EntryLimit
  /** It leaves out an entry whose arguments name a variable that its own environment doesn't have. */
  leavesOutUnknown?: true
  /** Whether a remote entry speaks the older HTTP with server-sent events. */
  isSse?(entry: JsonObject, url: string): boolean
}

export interface EntryLimit {
  at(entry: JsonObject): readonly string[]
  least: number
  /** Whether it has one of its own that is too short. Otherwise only what somebody has set is raised. */
  isShort: boolean
}

export const HOUR_S = 3600
