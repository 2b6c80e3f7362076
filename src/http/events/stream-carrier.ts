/**
 * Several streams over one WebSocket, for pages. A browser opens six connections to a server over HTTP/1.1, for all of its tabs
 * together, and every stream keeps one of them: the seventh tab would wait for ever. Sockets are not counted among the six.
 *
 * The first frame is `{"type":"hello","token":"…"}`. Then `{"type":"open","ref":"1","path":"/v1/events?brief=true","after":"…"}`
 * is answered by `{"type":"answer","ref":"1","status":200,…}` and by the text of the stream in pieces, until `end` or until the
 * client sends `{"type":"close","ref":"1"}`. Each stream is the route's own, asked with the socket's credential: who may
 * see what is said there and nowhere else (P6).
 *
 * The next piece of a stream is read when the connection has taken the one before: who doesn't read costs one piece a stream.
 */
import type { WebSocket } from 'ws'
import { BanksmanError } from '../../core/errors.ts'
import { parseStrictJson } from '../../core/json/strict-json.ts'
import { carrierCommand, carrierHello } from '../../wire/answers.ts'
import type { WireCarrierFrame } from '../../wire/types/answers.ts'
import {
  CLOSE,
  openWebSocketConnection,
  type WebSocketConnectionOptions,
} from '../connection/websocket-connection.ts'
import type { SocketListener } from '../connection/websocket-upgrades.ts'
import { checkShape } from '../from-wire/check-shape.ts'
import { toProblem } from '../to-wire/problem.ts'

export interface StreamToOpen {
  token: string
  /** With the query. */
  path: string
  after: string | undefined
  language: string | undefined
  signal: AbortSignal
}

export interface StreamCarrierHost
  extends Omit<WebSocketConnectionOptions, 'via' | 'helloWithinMs' | 'helloReason' | 'isKnown'> {
  /** Asks the route, as if the client had. */
  open(stream: StreamToOpen): Promise<Response>
}

/** The routes that answer with a stream. */
const CARRIED = /^\/v1\/(?:events|sessions\/[^/?#]+\/conversation)(?:\?[^#]*)?$/
/** A page follows the requests and one conversation. */
const MAX_STREAMS = 8
/** More commands than that are not a page's. */
const MAX_WAITING = 64

export const MAX_CARRIER_FRAME_BYTES = 16 * 1024

export function carryStreams(socket: WebSocket, host: StreamCarrierHost): SocketListener {
  const connection = openWebSocketConnection(socket, {
    ...host,
    via: 'http',
    helloWithinMs: host.settings.helloWithinMs,
    helloReason: 'say hello with a token first',
  })
  if (connection === undefined) return { hear() {}, end() {} }
  const line = connection
  const streams = new Map<string, AbortController>()
  line.onEnd(() => {
    for (const stream of streams.values()) stream.abort()
  })
  let token: string | undefined
  let queue = Promise.resolve()
  let waiting = 0

  const send = (frame: WireCarrierFrame) => line.deliver(JSON.stringify(frame))

  async function take(text: string): Promise<void> {
    if (line.over.aborted) return
    if (token === undefined) await introduce(text)
    else await command(text, token)
  }

  async function introduce(text: string): Promise<void> {
    const said = read(text, carrierHello)
    if (said === undefined) {
      return line.close(CLOSE.unauthenticated, 'the first frame must be {"type":"hello","token":"…"}')
    }
    const named = await line.introduce(said.token)
    if (line.over.aborted) return
    if (named === undefined) return line.close(CLOSE.unauthenticated, 'unknown or revoked token')
    token = said.token
  }

  async function command(text: string, secret: string): Promise<void> {
    const said = read(text, carrierCommand)
    if (said === undefined) {
      return line.close(
        CLOSE.unsupported,
        'frames must be {"type":"open","ref":"1","path":"/v1/events"} or close',
      )
    }
    const { ref } = said
    if (said.type === 'close') {
      streams.get(ref)?.abort()
      return
    }
    const refusal = refusalOf(ref, said.path)
    if (refusal !== undefined) return refuse(ref, refusal)
    const over = new AbortController()
    streams.set(ref, over)
    carry(ref, { ...said, token: secret, after: said.after, language: said.language, signal: over.signal })
      .catch(line.fail)
      .finally(() => {
        over.abort()
        streams.delete(ref)
      })
  }

  function refusalOf(ref: string, path: string): BanksmanError | undefined {
    if (!CARRIED.test(path))
      return new BanksmanError(
        'unknown_route',
        'only /v1/events and /v1/sessions/{id}/conversation are carried here',
      )
    if (streams.has(ref))
      return new BanksmanError('invalid', `a stream with the ref ${JSON.stringify(ref)} is open`)
    if (streams.size >= MAX_STREAMS)
      return new BanksmanError('too_many_connections', `at most ${MAX_STREAMS} streams for one socket`)
    return undefined
  }

  async function refuse(ref: string, error: BanksmanError): Promise<void> {
    const { status, ...rest } = toProblem(error)
    const text = JSON.stringify({ status, ...rest })
    await send({ type: 'answer', ref, status, contentType: 'application/problem+json', text })
  }

  async function carry(ref: string, stream: StreamToOpen): Promise<void> {
    const { status, headers, body } = await host.open(stream)
    const contentType = headers.get('content-type') ?? ''
    const pieces = body === null ? [] : decoded(body, stream.signal)
    if (!contentType.startsWith('text/event-stream')) {
      let text = ''
      for await (const piece of pieces) text += piece
      await send({ type: 'answer', ref, status, contentType, text })
      return
    }
    await send({ type: 'answer', ref, status, contentType })
    for await (const text of pieces) await send({ type: 'text', ref, text })
    if (!stream.signal.aborted) await send({ type: 'end', ref })
  }

  return {
    hear(text) {
      if (text === undefined) return line.close(CLOSE.unsupported, 'frames must be text')
      if (waiting >= MAX_WAITING) return line.close(CLOSE.tooMany, `at most ${MAX_WAITING} commands may wait`)
      waiting++
      queue = queue
        .then(() => take(text))
        .catch(line.fail)
        .finally(() => {
          waiting--
        })
    },
    end: line.end,
  }
}

/** The text of the body, until it ends or the signal is aborted; then its source is told to stop. */
async function* decoded(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<string, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const cancel = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || signal.aborted) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}

function read<T>(text: string, schema: Parameters<typeof checkShape<T>>[0]): T | undefined {
  try {
    return checkShape(schema, parseStrictJson(text), 'invalid', 'the frame')
  } catch (error) {
    if (error instanceof BanksmanError) return undefined
    throw error
  }
}
