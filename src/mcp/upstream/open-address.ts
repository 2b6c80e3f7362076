/**
 * An MCP server at an address (Streamable HTTP), for a client that speaks lines. Each message of the client is one POST with its own bytes as the
 * body; answers and streams become lines. Both eras: with a session and a stream that the server writes to by itself, or with neither and the
 * headers that the newer one wants.
 *
 * What MUST hold
 * - A message is sent once. Where it failed after it was sent, nobody knows whether it had its effect, and its client is told so.
 * - Every request is answered once: by the server, or by a line that says why it won't be.
 * - Credentials come from `headers` and go to this address only: no redirect is followed.
 */

import type { IncomingMessage } from 'node:http'
import { messageOf } from '../../core/errors.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { errorLine } from '../lines/answers.ts'
import { readServerLine, type ServerMessage } from '../lines/server-message.ts'
import { CutOff, metered, wholeBody } from './answer-body.ts'
import { createHttpExchange, NotSent, WentSilent } from './http-exchange.ts'
import { createHttpSession, type StreamPlace } from './http-session.ts'
import { createLineQueue } from './line-queue.ts'
import { cancelledBy, readRequest, type UnansweredRequest } from './open-requests.ts'
import { createParamHeaders } from './param-headers.ts'
import { pause } from './pause.ts'
import { createReadBudget } from './read-budget.ts'
import { readEvents } from './read-events.ts'
import { requestHeaders } from './request-headers.ts'
import { turnedAway } from './turned-away.ts'
import type { Upstream, UpstreamEnd } from './upstream.ts'

export interface AddressOptions {
  url: URL
  /** Such as a credential. */
  headers: Readonly<Record<string, string>>
  maxLineBytes: number
  note(text: string): void
  /** How long an answer may be silent. */
  silenceMs?: number
}

const UPSTREAM_FAILED = -32004
const GRACE_MS = 2_000
const RETRY_MS = 1_000
const LONGEST_RETRY_MS = 60_000
const MAX_RETRIES = 5
const OPENING_MS = 10_000
/** As long as the official clients wait for the next byte. */
const SILENCE_MS = 5 * 60_000
const MAX_IN_MEMORY = 32 * 1024 * 1024
const MAX_REFUSAL_BYTES = 64 * 1024

export function openAddress(options: AddressOptions): Upstream {
  const { url, headers, maxLineBytes, note, silenceMs = SILENCE_MS } = options
  const queue = createLineQueue()
  const budget = createReadBudget(MAX_IN_MEMORY)
  const declared = createParamHeaders()
  const exchange = createHttpExchange({ url, headers })
  const open = new Map<string, UnansweredRequest>()
  const underway = new Set<Promise<void>>()
  const session = createHttpSession({
    exchange,
    note: (text) => note(`${url.origin}: ${text}`),
    read: readStream,
    renewed: () =>
      queue.put({ bytes: Buffer.from('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n') }),
  })
  let isEnding = false
  let finish: (end: UpstreamEnd) => void
  const ended = new Promise<UpstreamEnd>((resolve) => (finish = resolve))

  async function post(sent: UnansweredRequest): Promise<void> {
    const { method, params, bytes, controller, id } = sent
    const body = bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes
    const inSession = sent.isModern ? {} : await session.headers(method)
    const response = await exchange({
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': body.byteLength,
        ...inSession,
        ...requestHeaders(method, params, declared),
      },
      body,
      signal: controller.signal,
      silenceMs: method === 'subscriptions/listen' ? undefined : silenceMs,
    })
    const { statusCode = 0 } = response
    if (statusCode < 200 || statusCode > 299)
      return turnAway(sent, response, 'mcp-session-id' in inSession ? inSession['mcp-session-id'] : undefined)
    if (method === 'initialize') session.begin(bytes, response)
    if (id === undefined) {
      response.resume()
      if (method === 'notifications/initialized') session.initialized(bytes)
    } else if (statusCode === 200) await readAnswer(response, sent)
    else throw new Error(`it answered ${statusCode}, which is no answer to a request`)
  }

  /** What the server answers, until it is whole. */
  async function readAnswer(response: IncomingMessage, sent: UnansweredRequest): Promise<void> {
    const kind = response.headers['content-type'] ?? ''
    if (kind.startsWith('text/event-stream')) return readEventsFor(response, sent)
    const share = budget.open()
    try {
      const bytes = await wholeBody(metered(response, share), maxLineBytes)
      const message = readServerLine(bytes)
      if (message.kind !== 'response' || message.id?.key !== sent.id?.key || !isJson(bytes))
        throw new Error(`it answered with ${kindInWords(kind)} that is no answer to this request`)
      await answer(message, sent)
    } finally {
      share.close()
    }
  }

  /** A stream that breaks off before the answer is taken up where it was, in the older era. */
  async function readEventsFor(response: IncomingMessage, sent: UnansweredRequest): Promise<void> {
    const { signal } = sent.controller
    let from = response
    let last: string | undefined
    for (let retries = 0; ; retries++) {
      let waitMs = RETRY_MS
      let tooLong: number | undefined
      let because = 'its stream ended before it answered'
      const stop = () => from.destroy()
      // Whoever has answered has nothing more to say. Closing it at once would cost the connection.
      void sent.answered.then(() => pause(GRACE_MS, signal)).then(stop)
      const share = budget.open()
      try {
        for await (const event of readEvents(metered(from, share), maxLineBytes)) {
          if (event.id !== undefined && event.id !== last) retries = 0
          last = event.id ?? last
          waitMs = event.retryMs ?? waitMs
          if (event.line?.tooLong !== undefined) tooLong = event.line.tooLong
          if (event.line !== undefined) await take(event.line)
          share.gave()
        }
      } catch (error) {
        if (signal.aborted || !isLostConnection(error)) throw error
        if (error instanceof WentSilent) because = error.message
      } finally {
        share.close()
      }
      if (sent.isAnswered) return
      if (tooLong !== undefined)
        throw new Error(`a message of ${tooLong} bytes was left out: the limit is ${maxLineBytes}`)
      if (last === undefined || sent.isModern || retries >= MAX_RETRIES) throw new Error(because)
      await pause(betweenTries(waitMs), signal)
      from = await exchange({
        method: 'GET',
        headers: { ...(await session.headers('')), 'last-event-id': last },
        signal,
        silenceMs,
      })
      if (from.statusCode !== 200 || !from.headers['content-type']?.startsWith('text/event-stream')) {
        from.destroy()
        throw new Error(`its stream ended, and it answered ${from.statusCode} when it was asked to go on`)
      }
    }
  }

  /** The stream of what the server says by itself. Gives where it was left, and when to come back. */
  async function readStream(response: IncomingMessage, at: StreamPlace): Promise<StreamPlace> {
    const share = budget.open()
    const left = { ...at }
    try {
      for await (const event of readEvents(metered(response, share), maxLineBytes)) {
        if (event.id !== undefined) left.last = event.id
        if (event.retryMs !== undefined) left.waitMs = betweenTries(event.retryMs)
        if (event.line !== undefined) await take(event.line)
        share.gave()
      }
    } catch {
      // It is taken up again.
    } finally {
      share.close()
    }
    return left
  }

  async function take(line: { bytes: Buffer; tooLong?: number }): Promise<void> {
    const message = line.tooLong === undefined ? readServerLine(line.bytes) : undefined
    if (message?.kind !== 'response') return queue.put(line)
    const sent = message.id && open.get(message.id.key)
    if (sent === undefined || sent.isAnswered)
      return note(`${url.origin}: an answer that nobody waits for was left out`)
    if (!isJson(line.bytes)) return fail(sent, 'its answer is not JSON', false)
    await answer(message, sent)
  }

  async function answer(message: ServerMessage, sent: UnansweredRequest): Promise<void> {
    sent.settle()
    if (sent.id !== undefined) open.delete(sent.id.key)
    if (sent.method === 'initialize') session.agreed(message)
    if (sent.method === 'tools/list') declared.noteList(message)
    await queue.put({ bytes: message.bytes })
  }

  async function turnAway(sent: UnansweredRequest, response: IncomingMessage, used: unknown): Promise<void> {
    const share = budget.open()
    const said = await wholeBody(metered(response, share), MAX_REFUSAL_BYTES)
      .catch(() => Buffer.from('\n'))
      .finally(() => share.close())
    const message = readServerLine(said)
    const hadSession = typeof used === 'string'
    if (response.statusCode === 404 && hadSession) session.lost(used)
    // Some say in the form of the protocol what was wrong.
    else if (
      message.members.has('error') &&
      sent.id !== undefined &&
      message.id?.key === sent.id.key &&
      isJson(said)
    )
      return answer(message, sent)
    const hasCredential = Object.keys(headers).length > 0
    const { because, didNotRun } = turnedAway(response, message, { hasCredential, hadSession })
    await fail(sent, because, didNotRun)
  }

  /** Once, and only where nobody has answered. */
  async function fail(sent: UnansweredRequest, because: string, didNotRun: boolean): Promise<void> {
    const { id, isAnswered, isCancelled } = sent
    const text = `the MCP server at ${url.origin} failed: ${because}`
    if (!isCancelled && !isAnswered) note(text)
    if (isAnswered || id === undefined) return
    sent.settle()
    open.delete(id.key)
    await queue.put({
      bytes: errorLine(id, UPSTREAM_FAILED, text),
      failed: { because: text, didNotRun, isCancelled },
    })
  }

  async function exchangeFor(sent: UnansweredRequest): Promise<void> {
    try {
      await post(sent)
    } catch (error) {
      if (isEnding && sent.controller.signal.aborted) return
      const why = sent.isCancelled ? 'its client cancelled it' : messageOf(error)
      await fail(sent, why, error instanceof NotSent)
    } finally {
      sent.settle()
      if (sent.id !== undefined && open.get(sent.id.key) === sent) open.delete(sent.id.key)
    }
  }

  async function close(): Promise<void> {
    session.stopListening()
    await Promise.race([Promise.allSettled(underway), pause(GRACE_MS)])
    for (const { controller } of open.values()) controller.abort()
    await session.end(AbortSignal.timeout(GRACE_MS))
    queue.close()
    finish({ code: 0 })
  }

  return {
    async send(bytes) {
      if (isEnding) throw new Error('the MCP server is no longer connected')
      const sent = readRequest(bytes)
      const cancelled = cancelledBy(sent)
      const target = cancelled === undefined ? undefined : open.get(cancelled)
      if (target !== undefined) target.isCancelled = true
      // In the newer era closing the answer is how a call is cancelled.
      if (target?.isModern === true) return target.controller.abort()
      if (cancelled !== undefined && !session.isOpen()) return
      if (sent.id !== undefined) open.set(sent.id.key, sent)
      const work = exchangeFor(sent)
      if (sent.method !== 'subscriptions/listen') {
        underway.add(work)
        void work.then(() => underway.delete(work))
      }
      // The server must know the client before anything else comes.
      if (sent.method === 'initialize') await Promise.race([sent.answered, pause(OPENING_MS)])
      if (sent.method === 'notifications/initialized') await Promise.race([work, pause(OPENING_MS)])
    },
    lines: queue.lines,
    end() {
      if (isEnding) return
      isEnding = true
      void close()
    },
    signal() {
      this.end()
    },
    ended,
  }
}

/** A server may say when to come back, within reason. */
function betweenTries(ms: number): number {
  return Math.min(Math.max(ms, 100), LONGEST_RETRY_MS)
}

function isLostConnection(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' || error instanceof CutOff || error instanceof WentSilent
}

function isJson(bytes: Buffer): boolean {
  try {
    parseJson(bytes.toString('utf8'))
    return true
  } catch {
    return false
  }
}

function kindInWords(kind: string): string {
  return kind === '' ? 'something' : kind.slice(0, 100)
}
