/**
 * A server on this machine that answers from a script as the servers of real models do, over the wires of OpenAI (both) and
 * Anthropic, so that what is tested is the code that talks to them. It can also do what such servers do on bad days.
 *
 * It is as strict as the real ones about what it is sent: calls without results, and thoughts that were tampered with, are
 * refused.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelRequest } from '../../agents/models/model.ts'
import { followScript, type ScriptedAnswer } from '../../agents/models/scripted/follow-script.ts'
import { type ModelScript, readScript } from '../../agents/models/scripted/script.ts'
import { createFailureCount } from '../../agents/models/scripted/scripted-model.ts'
import { waitFor } from '../../agents/models/wait-for.ts'
import { anthropicWire } from './anthropic-wire.ts'
import type { Misbehaviour, WireHabits } from './misbehaviour.ts'
import { openaiWire } from './openai-wire.ts'
import { responsesWire } from './responses-wire.ts'
import { sendFrames } from './send-frames.ts'
import { type Wire, WireError, type WireName } from './wire.ts'

export interface ModelServerOptions extends WireHabits {
  /** Absent: everyone is let in. */
  apiKey?: string
}

export interface ModelServer {
  /** `http://127.0.0.1:<port>/v1`, for all wires. */
  readonly baseUrl: string
  /** What it was asked, in order. */
  readonly requests: readonly RecordedRequest[]
  /** For the questions that follow; a good one after that. */
  misbehave(how: Misbehaviour, times?: number): void
  close(): Promise<void>
}

export interface RecordedRequest {
  wire: WireName
  headers: IncomingMessage['headers']
  body: unknown
  /** As it was understood; absent where it was not. */
  question?: ModelRequest
  /** `gone`: whoever asked went away before the end of the answer. */
  ended: Promise<'answered' | 'gone'>
}

export async function startModelServer(
  source: ModelScript | ModelScript['scenes'],
  options: ModelServerOptions = {},
): Promise<ModelServer> {
  const script = readScript(source)
  const failsNow = createFailureCount()
  const requests: RecordedRequest[] = []
  const orders: Misbehaviour[] = []

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(incoming.url ?? '/', 'http://localhost').pathname
    if (incoming.method === 'GET' && path === '/v1/models')
      return sendJson(response, 200, {
        object: 'list',
        data: [{ id: script.name ?? 'scripted', object: 'model' }],
      })
    const wire = WIRES[path]
    if (incoming.method !== 'POST' || wire === undefined)
      return sendJson(response, 404, openaiWire.error(404, `no such route: ${incoming.method} ${path}`))

    const stop = new AbortController()
    response.once('close', () => stop.abort(new Error('whoever asked went away')))
    const body = await readBody(incoming)
    const recorded: RecordedRequest = {
      wire: wire.name,
      headers: incoming.headers,
      body,
      ended: new Promise((resolve) =>
        response.once('close', () => resolve(response.writableFinished ? 'answered' : 'gone')),
      ),
    }
    requests.push(recorded)
    if (options.apiKey !== undefined && keyOf(incoming) !== options.apiKey)
      return sendJson(response, 401, wire.error(401, `invalid key: ${keyOf(incoming) ?? 'none'}`))
    const order = orders.shift()
    if (order !== undefined && refuses(order, wire, response)) return

    const request = wire.read(body)
    recorded.question = request.question
    const next = followScript(script, request.question)
    await waitFor(next.delayMs, stop.signal)
    const fails = next.fail !== undefined && failsNow(next, request.question)
    if (fails && next.fail?.midway !== true) return sendFailure(next, wire, response)
    if (!request.isStream) return sendJson(response, 200, wire.whole(next, request, options))
    const frames = fails
      ? [
          ...wire.stream({ ...next, calls: [] }, request, options).slice(0, -2),
          wire.errorFrame('api_error', 'failed'),
        ]
      : wire.stream(next, request, options)
    await sendFrames(response, frames, { order, wire, writeBytes: options.writeBytes, signal: stop.signal })
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) return response.destroy()
      const status = error instanceof WireError ? error.status : 500
      const wire = WIRES[incoming.url ?? ''] ?? openaiWire
      sendJson(response, status, wire.error(status, error instanceof Error ? error.message : String(error)))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    misbehave(how, times = 1) {
      for (let count = 0; count < times; count++) orders.push(how)
    },
    close() {
      return new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

const WIRES: Record<string, Wire> = {
  '/v1/chat/completions': openaiWire,
  '/v1/messages': anthropicWire,
  '/v1/responses': responsesWire,
}

/** Larger ones come from a mistake. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_BODY_BYTES) throw new WireError(413, `larger than ${MAX_BODY_BYTES} bytes`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    throw new WireError(400, 'the body is not JSON')
  }
}

function keyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers['x-api-key']
  return typeof key === 'string' ? key : /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
}

/** True when there is no answer to give any more. */
function refuses(order: Misbehaviour, wire: Wire, response: ServerResponse): boolean {
  switch (order.kind) {
    case 'hang':
      return true
    case 'status': {
      if (order.retryAfter !== undefined) response.setHeader('retry-after', order.retryAfter)
      const message = order.message ?? `told to answer ${order.status}`
      sendJson(response, order.status, wire.error(order.status, message, order.code))
      return true
    }
    case 'page':
      response.writeHead(order.status, { 'content-type': 'text/html' }).end('<h1>It works!</h1>')
      return true
    case 'redirect':
      response.writeHead(307, { location: order.to }).end()
      return true
    default:
      return false
  }
}

function sendFailure({ fail }: ScriptedAnswer, wire: Wire, response: ServerResponse): void {
  const status = fail?.status ?? (fail?.mayRetry === true ? 500 : 400)
  if (fail?.retryAfterMs !== undefined) response.setHeader('retry-after-ms', String(fail.retryAfterMs))
  sendJson(response, status, wire.error(status, fail?.message ?? ''))
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
