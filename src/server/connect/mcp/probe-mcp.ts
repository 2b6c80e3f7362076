/** A look at a server's tools, by starting what the client will start. No tool is called. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import type { FoundServer } from '../../../coding-agents/mcp-clients/find-servers.ts'
import type { McpPlace } from '../../../coding-agents/mcp-clients/mcp-client.ts'
import { isObject } from '../../../coding-agents/setup/hook-groups.ts'
import type { JsonObject, JsonValue } from '../../../core/json/json.ts'
import { parseJson } from '../../../core/json/parse-json.ts'
import type { McpChange } from './plan-mcp.ts'

export interface ProbedServer {
  file: string
  key: string
  name: string
  tools?: string[]
  /** Why it wasn't started. */
  skipped?: string
  failure?: string
}

/** A package may have to be fetched first. */
const WITHIN_MS = 90_000
const END_WITHIN_MS = 3000
const MAX_LINE = 64 * 1024 * 1024
const CLIENT_INFO = { name: 'banksman-connect', version: '1' }
const INITIALIZE = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: CLIENT_INFO }
/** What each request carries since 2026-07-28, where nothing is opened. */
const ENVELOPE = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
    'io.modelcontextprotocol/clientCapabilities': {},
  },
}

export async function probeMcp(
  { file, key, name, project, server }: McpChange,
  place: McpPlace,
  withinMs = WITHIN_MS,
): Promise<ProbedServer> {
  const named = { file, key, name }
  if (server.isOff) return { ...named, skipped: 'it is switched off' }
  const start = startOf(server, project, place)
  if (typeof start === 'string') return { ...named, skipped: start }
  try {
    return { ...named, tools: await listTools(start, withinMs) }
  } catch (error) {
    return { ...named, failure: (error as Error).message }
  }
}

export interface ServerStart {
  words: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
  folder: string
}

/** As the client would start it. A text: why we can't. */
function startOf({ way, entry, shape }: FoundServer, project: string, place: McpPlace): ServerStart | string {
  const own = entry[shape.env]
  const given = Object.entries(isObject(own) ? own : {}).map(
    ([name, value]) => [name, String(value)] as const,
  )
  const inherited = Object.entries(place.environment).filter(([name]) => !name.startsWith('BANKSMAN_'))
  const known: KnownVariables = { ...place.environment, workspaceFolder: project, userHome: place.home }
  const words = way.kind === 'stdio' ? way.words.map((word) => filledIn(word, known)) : []
  const values = given.map(([name, value]) => [name, filledIn(value, known)] as const)
  const folder = typeof entry.cwd === 'string' ? filledIn(entry.cwd, known) : project
  if ([...words, ...values.map(([, value]) => value), folder].includes(undefined))
    return 'it needs values that only the client knows'
  return {
    words: words as string[],
    environment: {
      ...Object.fromEntries(inherited),
      ...(Object.fromEntries(values) as Record<string, string>),
    },
    folder: folder!,
  }
}

type KnownVariables = Readonly<Record<string, string | undefined>>

/** As clients write variables: `${NAME}`, `${NAME:-value}`, `${env:NAME}`, `{env:NAME}`. Undefined: one is not known. */
function filledIn(text: string, known: KnownVariables): string | undefined {
  let isKnown = true
  const filled = text.replace(
    /\$\{(?:env:)?(\w+)(?::-([^}]*))?\}|\{env:(\w+)\}|\$\{[^}]*\}|\{file:[^}]*\}/g,
    (whole, name: string | undefined, otherwise: string | undefined, braced: string | undefined) => {
      const variable = name ?? braced
      // The proxy fills these in by itself.
      if (variable?.startsWith('BANKSMAN_HEADER_')) return whole
      const value = variable === undefined ? undefined : (known[variable] ?? otherwise)
      if (value === undefined) isKnown = false
      return value ?? ''
    },
  )
  return isKnown ? filled : undefined
}

/** The names of its tools, of all pages. Throws with what it said where it doesn't answer. */
export async function listTools(
  { words, environment, folder }: ServerStart,
  withinMs = WITHIN_MS,
): Promise<string[]> {
  const [program = '', ...rest] = words
  const child = spawn(program, rest, { cwd: folder, env: { ...environment }, stdio: 'pipe' })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2000)
  })
  const wire = lineWire(child)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it didn't answer within ${withinMs / 1000} s`)), withinMs)
  })
  try {
    return await Promise.race([ask(wire), late])
  } catch (error) {
    throw new Error(reasonOf((error as Error).message, said.trim().split('\n').at(-1) ?? ''))
  } finally {
    clearTimeout(timer)
    await end(child)
  }
}

/** Once: the proxy answers with what it has said to its standard error too, and that it ended is only what follows from it. */
function reasonOf(message: string, last: string): string {
  const own = /^banksman mcp: (.+)/.exec(last)?.[1]
  const said = (own ?? last).slice(0, 300)
  if (said === '' || message.includes(said)) return message
  return own !== undefined && message.startsWith('it ended with code') ? said : `${message} (${said})`
}

async function ask(wire: LineWire): Promise<string[]> {
  const { capabilities, envelope } = await open(wire)
  // It has prompts or resources only.
  if (isObject(capabilities) && capabilities.tools === undefined) return []
  const tools: string[] = []
  let cursor: JsonValue | undefined
  // A server that always has one page more is not asked for ever.
  for (let page = 0; page < 100; page++) {
    const result = await wire.request('tools/list', {
      ...envelope,
      ...(cursor === undefined ? {} : { cursor }),
    })
    const found = Array.isArray(result.tools) ? result.tools : []
    tools.push(
      ...found.flatMap((tool) => (isObject(tool) && typeof tool.name === 'string' ? [tool.name] : [])),
    )
    cursor = result.nextCursor
    if (typeof cursor !== 'string') break
  }
  return tools
}

/** In the older form first, which most servers know. One that knows only the newer form refuses that. */
async function open({
  request,
  notify,
}: LineWire): Promise<{ capabilities: JsonValue | undefined; envelope: JsonObject }> {
  try {
    const { capabilities } = await request('initialize', INITIALIZE)
    notify('notifications/initialized')
    return { capabilities, envelope: {} }
  } catch (refused) {
    const { capabilities } = await request('server/discover', ENVELOPE).catch(() => {
      throw refused
    })
    return { capabilities, envelope: ENVELOPE }
  }
}

interface LineWire {
  request(method: string, params: JsonObject): Promise<JsonObject>
  notify(method: string): void
}

function lineWire(child: ChildProcessWithoutNullStreams): LineWire {
  const waiting = new Map<number, { resolve(result: JsonObject): void; reject(error: Error): void }>()
  let [left, ids] = ['', 0]
  let gone: Error | undefined
  const fail = (error: Error) => {
    gone ??= error
    for (const { reject } of waiting.values()) reject(gone)
    waiting.clear()
  }
  const send = (message: JsonObject) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  child.stdin.on('error', () => {})
  child.once('error', (error) => fail(new Error(`it can't be started: ${error.message}`)))
  child.once('close', (code, signal) => fail(new Error(`it ended with ${signal ?? `code ${code}`}`)))
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (left + text).split('\n')
    left = lines.pop() ?? ''
    if (left.length > MAX_LINE) fail(new Error('its answer is too long'))
    for (const line of lines) receive(line)
  })
  return {
    request: (method, params) =>
      new Promise((resolve, reject) => {
        if (gone !== undefined) return reject(gone)
        waiting.set(++ids, { resolve, reject })
        send({ id: ids, method, params })
      }),
    notify: (method) => send({ method }),
  }

  function receive(line: string): void {
    const message = parsed(line)
    if (message === undefined) return
    const { id, method, result, error } = message
    // It asks something of a client that can do nothing.
    if (typeof method === 'string') {
      if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } })
      return
    }
    const asked = typeof id === 'number' ? waiting.get(id) : undefined
    if (asked === undefined) return
    waiting.delete(id as number)
    if (isObject(result)) asked.resolve(result)
    else
      asked.reject(
        new Error(isObject(error) ? String(error.message) : 'it answered in no form that is known'),
      )
  }
}

function parsed(line: string): JsonObject | undefined {
  try {
    const value = parseJson(line)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Closing its input asks it to end; what doesn't is told to. */
async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  child.stdin.end()
  const timers = [
    setTimeout(() => child.kill('SIGTERM'), END_WITHIN_MS),
    setTimeout(() => child.kill('SIGKILL'), 2 * END_WITHIN_MS),
  ]
  await closed
  for (const timer of timers) clearTimeout(timer)
}
