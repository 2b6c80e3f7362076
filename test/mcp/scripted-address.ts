/**
 * An MCP server at an address, for tests, that insists on the rules of Streamable HTTP in both eras: what breaks one is answered as the protocol says, and
 * kept in `violations`. Tools do what the test says.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Any } from './proxy-driver.ts'

export interface ScriptedCall {
  message: Any
  from: IncomingMessage
  to: ServerResponse
  /** As JSON, or as the one event of a stream. */
  answer(text: string): void
  /** Opens the stream of this answer. */
  stream(): (message: object, id?: string) => void
  result(text: string): object
}

export interface ScriptedAddress {
  readonly url: string
  readonly effects: string[]
  readonly violations: string[]
  /** Each exchange: method, and what it was about. */
  readonly heard: { method: string; headers: IncomingMessage['headers']; body: Any }[]
  /** Tools as they are listed, beside their names. */
  listed: Record<string, object>
  tools: Record<string, (call: ScriptedCall) => void>
  /** In place of everything else. True: it was answered. */
  intercept?: ((from: IncomingMessage, to: ServerResponse, body: Any) => boolean) | undefined
  /** On the stream of what it says by itself, once somebody listens. */
  say(message: object, id?: string): Promise<void>
  /** Ends the streams that are open. */
  cutStreams(): void
  /** Forgets every session. */
  expire(): void
  isStreaming: boolean
  close(): Promise<void>
}

const MODERN = 'io.modelcontextprotocol/protocolVersion'
const NAMED: Record<string, string> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

/** `port`: in place of one that went away. */
export async function startScriptedAddress(port = 0): Promise<ScriptedAddress> {
  const sessions = new Set<string>()
  let made = 0
  let listeners: ServerResponse[] = []
  const self: ScriptedAddress = {
    url: '',
    effects: [],
    violations: [],
    heard: [],
    listed: {},
    tools: {},
    isStreaming: false,
    async say(message, id) {
      for (let tries = 0; listeners.length === 0 && tries < 2000; tries++)
        await new Promise((resolve) => setTimeout(resolve, 5))
      listeners.at(-1)!.write(eventOf(message, id))
    },
    cutStreams() {
      for (const one of listeners) one.destroy()
      listeners = []
    },
    expire: () => sessions.clear(),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  const server = createServer(async (from, to) => {
    const parts: Buffer[] = []
    try {
      for await (const part of from) parts.push(part)
    } catch {
      return
    }
    const text = Buffer.concat(parts).toString('utf8')
    const body: Any = text === '' ? undefined : JSON.parse(text)
    self.heard.push({ method: from.method!, headers: from.headers, body })
    if (self.intercept?.(from, to, body) === true) return
    const refused = checkRules(from, body)
    if (refused !== undefined) {
      const [status, code, because] = refused
      if (status !== 404 && status !== 405) self.violations.push(`${from.method} ${body?.method}: ${because}`)
      sendJson(to, status, { jsonrpc: '2.0', id: body?.id ?? null, error: { code, message: because } })
    } else if (from.method === 'GET') listenTo(from, to)
    else if (from.method === 'DELETE') {
      sessions.delete(String(from.headers['mcp-session-id']))
      to.writeHead(200).end()
    } else take(from, to, body)
  })

  /** Status, code and why. */
  function checkRules({ method, headers }: IncomingMessage, body: Any): [number, number, string] | undefined {
    const session = headers['mcp-session-id']
    if (method === 'GET' && headers.accept !== 'text/event-stream') return [406, -32000, 'accept']
    if (method !== 'POST') {
      if (session === undefined) return [400, -32000, 'no session']
      return sessions.has(String(session)) ? undefined : [404, -32001, 'Session not found']
    }
    const accept = headers.accept ?? ''
    if (!accept.includes('application/json') || !accept.includes('text/event-stream'))
      return [406, -32000, 'accept']
    if (headers['content-type'] !== 'application/json') return [415, -32000, 'content type']
    if (Array.isArray(body)) return [400, -32600, 'a batch']
    const version = body.params?._meta?.[MODERN]
    if (version !== undefined) return checkModern(headers, body, version)
    if (body.method === 'initialize') return undefined
    if (session === undefined) return [400, -32000, 'no session']
    if (!sessions.has(String(session))) return [404, -32001, 'Session not found']
    if (headers['mcp-protocol-version'] !== '2025-11-25') return [400, -32000, 'no protocol version']
    return undefined
  }

  function checkModern(
    headers: IncomingMessage['headers'],
    { method, params }: Any,
    version: string,
  ): [number, number, string] | undefined {
    const wrong = (what: string): [number, number, string] => [400, -32020, `header mismatch: ${what}`]
    if (headers['mcp-session-id'] !== undefined) return wrong('a session')
    if (headers['mcp-protocol-version'] !== version) return wrong('version')
    if (decoded(headers['mcp-method']) !== method) return wrong('method')
    const named = NAMED[method]
    if (named !== undefined && decoded(headers['mcp-name']) !== params[named]) return wrong('name')
    const wanted: Any = self.listed[params.name] ?? {}
    for (const [key, schema] of Object.entries<Any>(wanted.inputSchema?.properties ?? {})) {
      const header = schema['x-mcp-header']
      const value = params.arguments?.[key]
      if (header === undefined) continue
      const written = value === undefined || value === null ? undefined : String(value)
      if (decoded(headers[`mcp-param-${header.toLowerCase()}`]) !== written) return wrong(header)
    }
    return undefined
  }

  function listenTo(from: IncomingMessage, to: ServerResponse): void {
    to.writeHead(200, { 'content-type': 'text/event-stream' })
    to.write(': here\n\n')
    const last = from.headers['last-event-id']
    const resumed = last === undefined ? undefined : resumable.get(String(last))
    if (resumed !== undefined) to.end(resumed)
    else listeners.push(to)
  }

  function take(from: IncomingMessage, to: ServerResponse, message: Any): void {
    const { id, method, params } = message
    const reply = (result: object, headers = {}) => sendJson(to, 200, { jsonrpc: '2.0', id, result }, headers)
    if (method === undefined || id === undefined) {
      to.writeHead(202).end()
      if (method === undefined) questions.get(JSON.stringify(id))?.(message)
    } else if (method === 'initialize') {
      const session = `session-${++made}`
      sessions.add(session)
      reply(
        {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 's', version: '1' },
        },
        { 'mcp-session-id': session },
      )
    } else if (method === 'tools/list') {
      const names = ['read', 'append', 'secret', ...Object.keys(self.tools), ...Object.keys(self.listed)]
      reply({
        tools: [...new Set(names)].map((name) => ({
          name,
          inputSchema: { type: 'object' },
          ...self.listed[name],
        })),
      })
    } else if (method === 'tools/call') call(from, to, message)
    else if (method === 'subscriptions/listen') {
      to.writeHead(200, { 'content-type': 'text/event-stream' })
      to.write(': here\n\n')
      listeners.push(to)
    } else reply({ echo: method, params })
  }

  function call(from: IncomingMessage, to: ServerResponse, message: Any): void {
    const { id, params } = message
    self.effects.push(`${params.name} ${JSON.stringify(params.arguments ?? {})}`)
    const result = (text: string) => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })
    const stream = () => {
      to.writeHead(200, { 'content-type': 'text/event-stream' })
      to.flushHeaders()
      return (one: object, eventId?: string) => void to.write(eventOf(one, eventId))
    }
    const answer = (text: string) => {
      if (!self.isStreaming) return sendJson(to, 200, result(text))
      stream()(result(text))
      to.end()
    }
    const own = self.tools[params.name]
    if (own === undefined) answer(`${params.name} done`)
    else own({ message, from, to, answer, stream, result })
  }

  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  Object.assign(self, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` })
  return self
}

/** What a stream goes on with behind an event, by the event's id. */
export const resumable = new Map<string, string>()
/** What becomes of an answer of the client, by the id of the question. */
export const questions = new Map<string, (message: Any) => void>()

export function eventOf(message: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${JSON.stringify(message)}\n\n`
}

function sendJson(to: ServerResponse, status: number, value: object, headers: object = {}): void {
  to.writeHead(status, { 'content-type': 'application/json', ...headers })
  to.end(JSON.stringify(value))
}

function decoded(header: string | string[] | undefined): string | undefined {
  const text = header?.toString()
  const base64 = /^=\?base64\?(.*)\?=$/.exec(text ?? '')?.[1]
  return base64 === undefined ? text : Buffer.from(base64, 'base64').toString('utf8')
}
