/**
 * Carries the page's streams (what changes, and the conversation that is open) over one WebSocket of this tab.
 *
 * Why: over HTTP/1.1 a browser keeps six connections to a server, for all of its tabs together. A stream that is read with
 * `fetch` takes one of them for as long as it is open, so the seventh tab would get none. Sockets are not counted among the six.
 *
 * Contract of `fetch`, which `createServerCalls` is given:
 * - What is no stream goes to the browser's own `fetch`, unchanged.
 * - A stream is answered as `fetch` would: with the route's status, and with a body that has the same bytes in the same
 *   order. It rejects, or its body breaks, when the socket does; the client then asks again from the last cursor, so nothing
 *   is lost and nothing comes twice.
 * - A socket carries one credential, the one of this tab. Nothing is handed from tab to tab, so nothing that one login may see
 *   can reach a tab with another (P6).
 * - Where sockets don't work (no such thing in this browser, or a proxy in between that lets none through), or where the server
 *   closes the socket over the credential or because there are too many, the stream is asked for over plain HTTP: then it works
 *   as in a single tab, and the server says by a status what is wrong.
 * - A socket on which nothing was heard for longer than the server is ever silent is not used again.
 */

import type { Fetch } from '../../../../src/client/transport/transport.ts'
import { parseJson } from '../../../../src/core/json/parse-json.ts'
import type { WireCarrierFrame } from '../../../../src/wire/types/answers.ts'

export interface StreamCarrier {
  readonly fetch: Fetch
  close(): void
}

export interface StreamCarrierParts {
  /** Where the server is, as the client is given it. */
  url: string
  token: string
  /** Undefined where the browser has no sockets. */
  openSocket: ((url: string) => WebSocket) | undefined
  /** For all that is no stream, and for streams where there is no socket. */
  fetch: Fetch
  now: () => number
}

interface CarriedStream {
  answer(frame: Extract<WireCarrierFrame, { type: 'answer' }>): void
  text(text: string): void
  end(): void
  /** The socket is gone. */
  fail(close: SocketEnd): void
}

/** How it ended: `code` is the server's, 1006 where it said nothing. */
interface SocketEnd {
  code: number
}

interface OpenSocket {
  readonly socket: WebSocket
  readonly streams: Map<string, CarriedStream>
  heardAt: number
}

/** A handshake takes milliseconds. What takes longer is something in between that doesn't know sockets. */
const OPEN_WITHIN_MS = 5000
/** A stream says something at least every 15 s. */
const SILENCE_MS = 40_000
/** A server that restarts refuses sockets for a moment too: one failure says nothing about what is in between. */
const FAILURES_UNTIL_HTTP = 2
/** The server has taken no offence at the socket as such: plain HTTP will be told what is wrong. */
const ASK_OVER_HTTP = [4401, 1013]

export function createStreamCarrier(parts: StreamCarrierParts): StreamCarrier {
  const { url, token, openSocket, fetch, now } = parts
  const base = url.replace(/\/+$/, '')
  let line: OpenSocket | undefined
  let opening: Promise<OpenSocket | undefined> | undefined
  let failures = 0
  let refs = 0
  let isClosed = false

  /** Undefined: it could not be opened. */
  function connect(openNow: (url: string) => WebSocket): Promise<OpenSocket | undefined> {
    return new Promise((resolve) => {
      const socket = openNow(`${base.replace(/^http/, 'ws')}/v1/streams`)
      const opened: OpenSocket = { socket, streams: new Map(), heardAt: now() }
      const late = setTimeout(() => socket.close(), OPEN_WITHIN_MS)
      socket.onopen = () => {
        clearTimeout(late)
        failures = 0
        line = opened
        opened.heardAt = now()
        socket.send(JSON.stringify({ type: 'hello', token }))
        if (isClosed) socket.close()
        resolve(opened)
      }
      socket.onmessage = ({ data }) => {
        opened.heardAt = now()
        const frame = readFrame(data)
        const stream = frame === undefined ? undefined : opened.streams.get(frame.ref)
        if (frame === undefined || stream === undefined) return
        if (frame.type === 'answer') stream.answer(frame)
        else if (frame.type === 'text') stream.text(frame.text)
        else if (frame.type === 'end') stream.end()
      }
      socket.onclose = ({ code }) => {
        clearTimeout(late)
        drop(opened, code)
        resolve(undefined)
      }
    })
  }

  function drop(dropped: OpenSocket, code: number): void {
    if (line === dropped) line = undefined
    for (const stream of [...dropped.streams.values()]) stream.fail({ code })
  }

  /** The socket that is there, or a new one. Undefined: ask over plain HTTP. */
  async function socketOf(): Promise<OpenSocket | undefined> {
    if (openSocket === undefined) return undefined
    if (line !== undefined && now() - line.heardAt > SILENCE_MS) {
      line.socket.close()
      // The browser waits long for the farewell of somebody who is gone.
      drop(line, GONE)
    }
    if (line !== undefined) return line
    opening ??= connect(openSocket).then((opened) => {
      opening = undefined
      if (opened === undefined) failures++
      return opened
    })
    const opened = await opening
    if (opened === undefined && failures < FAILURES_UNTIL_HTTP) throw closedBy(GONE)
    return opened
  }

  async function openStream(input: string, init: RequestInit): Promise<Response> {
    const { signal } = init
    signal?.throwIfAborted()
    const carrying = await socketOf()
    if (carrying === undefined) return fetch(input, init)
    signal?.throwIfAborted()
    const { socket, streams } = carrying
    if (socket.readyState !== OPEN) throw closedBy(GONE)
    const headers = init.headers as Readonly<Record<string, string>>
    const ref = String(++refs)
    const answered = await new Promise<Response | SocketEnd>((resolve, reject) => {
      let body: ReadableStreamDefaultController<Uint8Array> | undefined
      const encoder = new TextEncoder()
      const stop = () => {
        streams.delete(ref)
        signal?.removeEventListener('abort', abort)
      }
      const abort = () => {
        stop()
        if (socket.readyState === OPEN) socket.send(JSON.stringify({ type: 'close', ref }))
        if (body === undefined) reject(signal?.reason)
        else body.error(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
      streams.set(ref, {
        answer({ status, contentType, text }) {
          const head = { status, headers: { 'content-type': contentType } }
          if (text !== undefined) {
            stop()
            resolve(new Response(text, head))
            return
          }
          const stream = new ReadableStream<Uint8Array>({
            start: (controller) => {
              body = controller
            },
            cancel: abort,
          })
          resolve(new Response(stream, head))
        },
        text: (text) => body?.enqueue(encoder.encode(text)),
        end() {
          stop()
          body?.close()
        },
        fail(end) {
          stop()
          if (body === undefined) resolve(end)
          else body.error(closedBy(end.code))
        },
      })
      const after = headers['last-event-id']
      const language = headers['accept-language']
      socket.send(JSON.stringify({ type: 'open', ref, path: input.slice(base.length), after, language }))
    })
    if (answered instanceof Response) return answered
    if (ASK_OVER_HTTP.includes(answered.code)) return fetch(input, init)
    throw closedBy(answered.code)
  }

  return {
    fetch: (input, init) =>
      isStream(init) && !isClosed && input.startsWith(`${base}/`)
        ? openStream(input, init)
        : fetch(input, init),
    close() {
      isClosed = true
      line?.socket.close()
    },
  }
}

const OPEN = 1
/** What the browser says of a connection that ended without a word. */
const GONE = 1006

/** As `fetch` fails: the client takes it for a server that can't be reached. */
function closedBy(code: number): TypeError {
  return new TypeError(`the socket was closed (${code})`)
}

function isStream({ headers }: RequestInit): boolean {
  return (headers as Readonly<Record<string, string>> | undefined)?.accept === 'text/event-stream'
}

/** What a newer server tells besides is not for us. */
function readFrame(data: unknown): WireCarrierFrame | undefined {
  try {
    return parseJson<WireCarrierFrame>(String(data))
  } catch {
    return undefined
  }
}
