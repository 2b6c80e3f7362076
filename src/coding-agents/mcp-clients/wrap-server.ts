/** An entry with the proxy in front, and without it again. */
import { BanksmanError } from '../../core/errors.ts'
import { canonicalize, type JsonObject, type JsonValue } from '../../core/json/json.ts'
import { isObject } from '../setup/hook-groups.ts'
import { configText } from './config-text.ts'
import { type FoundServer, findServers } from './find-servers.ts'
import type { McpFile } from './mcp-client.ts'
import { remoteWords } from './wrapper.ts'

/** An entry as it was written before us, and as we wrote it. */
export interface EntrySources {
  before: string
  after: string
}

const HEADER_VARIABLE = 'BANKSMAN_HEADER_'

/** The text with these words of ours in front of the server's own. */
export function wrapServer(
  file: McpFile,
  text: string,
  server: FoundServer,
  words: readonly string[],
): string {
  const { way, at, shape } = server
  const config = configText(file)
  let made: string
  if (way.kind === 'unfit') throw new BanksmanError('invalid', way.because)
  const all = [...words, ...holdWords(server)]
  if (way.kind === 'stdio') {
    const own = [...all, '--']
    if (shape.command === 'list') made = config.prepend(text, [...at, 'command'], own)
    else {
      const [program = '', ...rest] = own
      const moved = [...rest, way.words[0]!]
      const args = [...at, 'args']
      made = config.set(text, [...at, 'command'], program)
      made =
        server.entry.args === undefined ? config.set(made, args, moved) : config.prepend(made, args, moved)
    }
  } else made = wrapRemote(file, text, server, all)
  made = raiseLimit(file, made, server)
  const source = config.source(made, at)
  // Whatever is changed must be in what is kept of it.
  if (source === undefined || config.putSource(text, at, source) !== made)
    throw new BanksmanError('invalid', 'it is written in several places of the file')
  return made
}

/**
 * The text without the proxy. An entry that is as we wrote it gets its old text back. In one that somebody has changed, only ours is
 * changed back. Throws where that is not known.
 */
export function unwrapServer(file: McpFile, text: string, server: FoundServer, known?: EntrySources): string {
  const { wrapper, at, shape } = server
  const config = configText(file)
  if (wrapper === undefined) return text
  if (known !== undefined && config.source(text, at) === known.after)
    return config.putSource(text, at, known.before)
  const before = known === undefined ? undefined : entryIn(file, text, server, known.before)
  const after = known === undefined ? undefined : entryIn(file, text, server, known.after)
  if (wrapper.rest.length === 0) {
    if (before === undefined || after === undefined)
      throw new BanksmanError(
        'invalid',
        'what it was before is not on record: write its address there yourself',
      )
    const forced = {
      ...after,
      command: server.entry.command!,
      ...(server.entry.args === undefined ? {} : { args: server.entry.args }),
    }
    return revert(file, text, { at, before, after: forced, now: server.entry })
  }
  let left = text
  if (shape.command === 'list') left = config.cut(left, [...at, 'command'], wrapper.own.length)
  else {
    left = config.set(left, [...at, 'command'], wrapper.rest[0]!)
    // The program stands in front of the list, and the server's own is in it.
    left = config.cut(left, [...at, 'args'], wrapper.own.length)
    if (wrapper.rest.length === 1 && before !== undefined && before.args === undefined)
      left = config.remove(left, [...at, 'args'])
  }
  if (before === undefined || after === undefined) return left
  const { command: _c, args: _a, ...was } = before
  const { command: _d, args: _b, ...wrote } = after
  return revert(file, left, { at, before: was, after: wrote, now: server.entry })
}

function wrapRemote(file: McpFile, text: string, server: FoundServer, words: readonly string[]): string {
  const { way, at, shape, entry } = server
  if (way.kind !== 'remote') return text
  const config = configText(file)
  const env: JsonObject = {}
  const variables: string[] = []
  const headers = way.headers.map((header) => {
    if ('variable' in header) {
      variables.push(header.variable)
      return `${header.name}: ${header.before}\${${header.variable}}`
    }
    const variable = `${HEADER_VARIABLE}${Object.keys(env).length + 1}`
    env[variable] = header.value
    return `${header.name}: \${${variable}}`
  })
  const all = [...words, ...remoteWords({ url: way.url, headers })]
  const members: JsonObject = {
    ...(shape.stdioType === undefined ? {} : { type: shape.stdioType }),
    ...(shape.command === 'list' ? { command: all } : { command: all[0]!, args: all.slice(1) }),
    ...(variables.length === 0 ? {} : { env_vars: variables }),
    ...(Object.keys(env).length === 0
      ? {}
      : { [shape.env]: { ...(isObject(entry[shape.env]) ? (entry[shape.env] as JsonObject) : {}), ...env } }),
  }
  let made = text
  for (const [name, value] of Object.entries(members)) made = config.set(made, [...at, name], value)
  if (shape.stdioType === undefined) made = config.remove(made, [...at, 'type'])
  for (const name of [...shape.urls, shape.headers, 'bearer_token_env_var', 'env_http_headers'])
    made = config.remove(made, [...at, name])
  return made
}

function limitIn(entry: JsonObject, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (value, step) => (isObject(value) ? value[step] : undefined),
    entry,
  )
}

/** The proxy knows the client's own limit, and not that the entry has an hour or more: it is told, less a margin for the tool itself. */
function holdWords({ shape: { limit }, entry }: FoundServer): string[] {
  if (limit === undefined || !limit.isShort) return []
  const now = limitIn(entry, limit.at(entry))
  return now === undefined || typeof now === 'number' ? ['--hold', '58m'] : []
}

/** Never lowered. */
function raiseLimit(file: McpFile, text: string, { shape, at, entry }: FoundServer): string {
  const { limit } = shape
  if (limit === undefined) return text
  const path = limit.at(entry)
  const now = limitIn(entry, path)
  if (now === undefined ? !limit.isShort : typeof now !== 'number' || now >= limit.least) return text
  const config = configText(file)
  const [outer = '', inner] = path
  if (inner === undefined || isObject(entry[outer])) return config.set(text, [...at, ...path], limit.least)
  return config.set(text, [...at, outer], { [inner]: limit.least })
}

/** The entry that this source is. */
function entryIn(file: McpFile, text: string, { at }: FoundServer, source: string): JsonObject {
  const there = configText(file).putSource(text, at, source)
  const found = findServers(file, there).find((server) => server.at.join('\0') === at.join('\0'))
  return found?.entry ?? {}
}

interface Reverted {
  at: readonly string[]
  before: JsonObject
  after: JsonObject
  now: JsonObject
}

/** What is as we wrote it gets what was there before. What somebody else has written stays. */
function revert(file: McpFile, text: string, { at, before, after, now }: Reverted): string {
  const config = configText(file)
  let left = text
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, wrote, is] = [before[name], after[name], now[name]]
    if (isSame(was, wrote)) continue
    if (isSame(is, wrote))
      left = was === undefined ? config.remove(left, [...at, name]) : config.set(left, [...at, name], was)
    else if (isObject(is) && isObject(wrote))
      left = revert(file, left, {
        at: [...at, name],
        before: isObject(was) ? was : {},
        after: wrote,
        now: is,
      })
  }
  return left
}

function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return one === undefined || other === undefined ? one === other : canonicalize(one) === canonicalize(other)
}
