/** The servers in a client's file: how each is started or reached, whether it is wrapped, and why it can't be. */
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import { isObject } from '../setup/hook-groups.ts'
import { configText } from './config-text.ts'
import type { EntryShape, McpFile, McpScope } from './mcp-client.ts'
import { type FoundWrapper, findWrapper } from './wrapper.ts'

export interface FoundServer {
  key: string
  /** In the file. */
  at: readonly string[]
  scope: McpScope
  shape: EntryShape
  entry: JsonObject
  /** How it is reached. `unfit`: it can't be wrapped. */
  way: ServerWay
  /** It is wrapped already. */
  wrapper?: FoundWrapper
  /** The client doesn't start it. */
  isOff: boolean
}

export type ServerWay =
  | { kind: 'stdio'; words: readonly string[] }
  | { kind: 'remote'; url: string; member: string; headers: readonly HeaderSource[] }
  | { kind: 'unfit'; because: string }

/** A header's value, or the variable of the client's environment that has it. */
export type HeaderSource = { name: string } & ({ value: string } | { variable: string; before: string })

export function findServers(file: McpFile, text: string): FoundServer[] {
  const root = configText(file).read(text)
  return file.lists(root).flatMap(({ at, scope, shape }) =>
    Object.entries(membersAt(root, at)).flatMap(([key, entry]) => {
      if (!isObject(entry)) return []
      const way = wayOf(entry, shape)
      const wrapper = way.kind === 'stdio' ? findWrapper(way.words) : undefined
      const isOff = entry.disabled === true || entry.enabled === false
      const found = { key, at: [...at, key], scope, shape, entry, way, isOff }
      return [wrapper === undefined ? found : { ...found, wrapper }]
    }),
  )
}

function membersAt(root: JsonValue, path: readonly string[]): JsonObject {
  const found = path.reduce<JsonValue | undefined>(
    (at, step) => (isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined),
    root,
  )
  return isObject(found) ? found : {}
}

/** The client, or a program of its own, finds out who it is: we would come without that. */
const OWN_LOGIN = ['oauth', 'auth', 'authProviderType', 'headersHelper', 'scopes', 'oauth_resource']

function wayOf(entry: JsonObject, shape: EntryShape): ServerWay {
  const { command, type } = entry
  const member = shape.urls.find((name) => entry[name] !== undefined)
  if (command !== undefined && member === undefined) return commandOf(entry, shape)
  if (command !== undefined || member === undefined) return unfit('it has no form that is known')
  const url = entry[member]
  if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:/.test(url))
    return unfit('its address is none of the web, or has variables in it')
  if (type === 'sse' || shape.isSse?.(entry, url) === true || /\/sse\/?$/.test(new URL(url).pathname))
    return unfit('it speaks the older HTTP with server-sent events, and the proxy speaks Streamable HTTP')
  if (typeof type === 'string' && !['http', 'streamable-http', 'streamableHttp', 'remote'].includes(type))
    return unfit('its type is not known')
  const login = OWN_LOGIN.find((name) => ![undefined, false].includes(entry[name] as never))
  if (login !== undefined)
    return unfit(`the client logs in to it by itself (${login}), and that would be lost`)
  const headers = headersOf(entry, shape)
  if (typeof headers === 'string') return unfit(headers)
  if (shape.leavesOutUnknown && headers.length > 0)
    return unfit(
      'its headers would stand in variables that the client looks for in its own environment, and without them it leaves out the server',
    )
  return { kind: 'remote', url, member, headers }
}

function commandOf(entry: JsonObject, { command: form }: EntryShape): ServerWay {
  const { command, args = [], type } = entry
  const words = form === 'list' ? command : [command, ...(Array.isArray(args) ? args : [null])]
  if (typeof type === 'string' && !['stdio', 'local'].includes(type)) return unfit('its type is not known')
  if (entry.experimental_environment !== undefined && entry.experimental_environment !== 'local')
    return unfit('it is started on another machine')
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string') || !words[0])
    return unfit('its command is no list of texts')
  return { kind: 'stdio', words }
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/

/** A text: why they can't be taken over. */
function headersOf(entry: JsonObject, shape: EntryShape): HeaderSource[] | string {
  const found: HeaderSource[] = []
  const { bearer_token_env_var: bearer, env_http_headers: fromVariables = {} } = entry
  const fixed = entry[shape.headers] ?? {}
  if (!isObject(fixed) || !isObject(fromVariables)) return 'its headers have no form that is known'
  for (const [name, value] of Object.entries(fixed)) {
    if (typeof value !== 'string' || /[\r\n]/.test(value)) return 'its headers have no form that is known'
    found.push({ name, value })
  }
  if (bearer !== undefined) found.push({ name: 'Authorization', variable: String(bearer), before: 'Bearer ' })
  for (const [name, variable] of Object.entries(fromVariables))
    found.push({ name, variable: String(variable), before: '' })
  const isFit = found.every(
    (header) => HEADER_NAME.test(header.name) && (!('variable' in header) || VARIABLE.test(header.variable)),
  )
  return isFit ? found : 'its headers have no form that is known'
}

function unfit(because: string): ServerWay {
  return { kind: 'unfit', because }
}
