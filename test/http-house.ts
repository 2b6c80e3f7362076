/** A gateway behind a real server on a free loopback port, with a credential for each of its people, for tests. */

import { connect, type Socket } from 'node:net'
import WebSocket from 'ws'
import { createSseParser, type SseMessage } from '../src/client/sse-parser.ts'
import type { ToolCall } from '../src/core/call.ts'
import { defined } from '../src/core/defined.ts'
import type { WireEvent, WireRequest, WireReview } from '../src/core/wire.ts'
import { ana, type House, type HouseOptions, openHouse } from '../src/gateway/fixtures/house.ts'
import type { Gateway } from '../src/gateway/gateway.ts'
import { createHttpApp } from '../src/http/app.ts'
import type { HttpParts } from '../src/http/parts.ts'
import { type HttpServer, startHttpServer } from '../src/http/start.ts'

/** The people of the house, and two agents. `ana` is the owner, `ben` may approve, `eve` may only look. */
export type Who = 'ana' | 'ben' | 'eve' | 'agent-1' | 'agent-2'

const ROLES = {
  ana: 'admin',
  ben: 'approver',
  eve: 'approver',
  'agent-1': 'agent',
  'agent-2': 'agent',
} as const

export interface HttpHouse {
  house: House
  server: HttpServer
  /** `127.0.0.1:port`. */
  host: string
  tokens: Record<Who, string>
  send(method: string, path: string, options?: SendOptions): Promise<Answer>
  /** Submits a call as `agent-1` and gives the request that was opened. */
  ask(call?: Partial<ToolCall>): Promise<WireRequest>
  events(who: Who, after?: string, path?: string): Promise<EventReader>
  socket(options?: { origin?: string; path?: string; protocols?: string[] }): SocketReader
  /** A connection that speaks by hand. */
  raw(): Socket
  close(): Promise<void>
}

export interface SendOptions {
  as?: Who
  body?: unknown
  /** Sent as it is, in place of `body`. */
  text?: string | Uint8Array
  headers?: Record<string, string>
  signal?: AbortSignal
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  json: any
}

export interface EventReader {
  headers: Headers
  /** The next message, keep-alives passed over. */
  next(): Promise<SseMessage>
  nextEvent(): Promise<WireEvent>
  /** All text from here to the end of the stream. */
  rest(): Promise<string>
  close(): Promise<void>
}

export interface SocketReader {
  socket: WebSocket
  // biome-ignore lint/suspicious/noExplicitAny: frames of every shape.
  next(): Promise<any>
  send(frame: unknown): void
  opened: Promise<void>
  closed: Promise<{ code: number; reason: string }>
}

export interface HttpHouseOptions {
  house?: Partial<HouseOptions>
  /** A house that is there already, in place of a new one; whoever opened it closes it. */
  around?: House
  http?: Partial<HttpParts>
  graceMs?: number
  /** Puts something between the app and its gateway. */
  wrap?: (gateway: Gateway) => Gateway
}

let calls = 0

export async function openHttpHouse(options: HttpHouseOptions = {}): Promise<HttpHouse> {
  const house = options.around ?? (await openHouse(options.house))
  const { gateway } = house
  const hosts: string[] = []
  const app = createHttpApp({
    gateway: options.wrap?.(gateway) ?? gateway,
    allowedHosts: hosts,
    version: '1.2.3',
    clock: house.clock,
    report: (fault) => house.faults.push(fault),
    ...options.http,
  })
  const { graceMs } = options
  const server = await startHttpServer(app, {
    host: '127.0.0.1',
    port: 0,
    ...defined({ graceMs }),
  })
  const { port, url } = server.address
  const host = `127.0.0.1:${port}`
  hosts.push(host, `localhost:${port}`)

  const tokens = {} as Record<Who, string>
  for (const [subject, role] of Object.entries(ROLES)) {
    tokens[subject as Who] = (await gateway.tokens.create({ subject, role }, ana)).secret
  }
  const authorization = (who: Who) => ({ authorization: `Bearer ${tokens[who]}` })

  async function send(
    method: string,
    path: string,
    { as, body, text, headers, signal }: SendOptions = {},
  ): Promise<Answer> {
    const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(as === undefined ? {} : authorization(as)),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content as string }),
      ...defined({ signal }),
    })
    const answer = await response.text()
    const isJson = /[/+]json$/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      headers: response.headers,
      text: answer,
      json: isJson && answer !== '' ? JSON.parse(answer) : undefined,
    }
  }

  return {
    house,
    server,
    host,
    tokens,
    send,
    async ask(call = {}) {
      const body = {
        tool: 'deploy',
        arguments: { to: 'staging' },
        callId: `c${++calls}`,
        session: 's1',
        ...call,
      }
      const { status, json, text } = await send('POST', '/v1/calls', { as: 'agent-1', body })
      if (status !== 200) throw new Error(`submitting gave ${status}: ${text}`)
      return (json as WireReview).request!
    },
    async events(who, after, path = '/v1/events') {
      const stop = new AbortController()
      const response = await fetch(`${url}${path}`, {
        headers: { ...authorization(who), ...defined({ 'last-event-id': after }) },
        signal: stop.signal,
      })
      if (response.status !== 200)
        throw new Error(`the stream gave ${response.status}: ${await response.text()}`)
      return readEvents(response, stop)
    },
    socket: ({ origin, path = '/v1/socket', protocols = [] } = {}) =>
      readSocket(`ws://${host}${path}`, origin, protocols),
    raw: () => connect(port, '127.0.0.1'),
    async close() {
      await server.close()
      if (options.around === undefined) await house.close()
    },
  }
}

function readEvents(response: Response, stop: AbortController): EventReader {
  const reader = response.body!.getReader()
  const parser = createSseParser()
  const waiting: SseMessage[] = []
  const next = async () => {
    while (waiting.length === 0) {
      const { done, value } = await reader.read()
      if (done) throw new Error('the stream has ended')
      waiting.push(...parser.push(value))
    }
    return waiting.shift()!
  }
  return {
    headers: response.headers,
    next,
    nextEvent: async () => JSON.parse((await next()).data) as WireEvent,
    async rest() {
      const decoder = new TextDecoder()
      let text = ''
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return text
        text += decoder.decode(value, { stream: true })
      }
    },
    async close() {
      stop.abort()
      await reader.closed.catch(() => {})
    },
  }
}

function readSocket(url: string, origin: string | undefined, protocols: string[]): SocketReader {
  const socket = new WebSocket(url, protocols, origin === undefined ? {} : { origin })
  const frames: unknown[] = []
  let wake = () => {}
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)))
    wake()
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      resolve({ code, reason: String(reason) })
      wake()
    })
  })
  const opened = new Promise<void>((resolve, reject) => {
    socket.on('open', () => resolve())
    socket.on('error', reject)
  })
  // Who looks at `closed` only need not look at this one too.
  opened.catch(() => {})
  return {
    socket,
    opened,
    closed,
    async next() {
      while (frames.length === 0) {
        if (socket.readyState === WebSocket.CLOSED) throw new Error('the socket was closed')
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return frames.shift()
    },
    send: (frame) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
  }
}
