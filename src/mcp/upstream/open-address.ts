/**
 * An MCP server at an address (Streamable HTTP), for a client that speaks lines. Each message of the client is one POST with its own bytes as the
 * body; answers and streams become lines. Both eras: with a session and a stream that the server writes to by itself, or with neither and the
 * headers that the newer one wants.
 *
 * Credentials come from `headers` and go to this address only: no redirect is followed.
 */
import { type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { asObject } from '../calls/gated-call.ts'
import { errorLine } from '../lines/answers.ts'
import { membersAt, skipSpace } from '../lines/json-members.ts'
import { type MessageId, messageId } from '../lines/message-id.ts'
import { readServerLine } from '../lines/server-message.ts'
import { createLineQueue } from './line-queue.ts'
import { readEvents } from './read-events.ts'
import type { Upstream, UpstreamEnd } from './upstream.ts'

export interface AddressOptions {
  url: URL
  /** Such as a credential. */
  headers: Readonly<Record<string, string>>
  maxLineBytes: number
  note(text: string): void
}

interface Sent {
  id?: MessageId
  method: string
  params: Record<string, unknown>
}

const UPSTREAM_FAILED = -32004
const GRACE_MS = 2_000
const RETRY_MS = 1_000
const MAX_RETRIES = 5
const VERSION = 'io.modelcontextprotocol/protocolVersion'

export function openAddress({ url, headers, maxLineBytes, note }: AddressOptions): Upstream {
  const queue = createLineQueue()
  const open = new Map<string, AbortController>()
  const closing = new AbortController()
  const underway = new Set<Promise<void>>()
  const start = url.protocol === 'https:' ? requestHttps : requestHttp
  let session: string | undefined
  let revision: string | undefined
  let isEnding = false
  let finish: (end: UpstreamEnd) => void
  const ended = new Promise<UpstreamEnd>((resolve) => (finish = resolve))

  function exchange(
    method: 'POST' | 'GET' | 'DELETE',
    own: OutgoingHttpHeaders,
    body: Buffer | undefined,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = start(url, {
        method,
        signal,
        headers: {
          ...headers,
          accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
          ...(session === undefined ? {} : { 'mcp-session-id': session }),
          ...(revision === undefined ? {} : { 'mcp-protocol-version': revision }),
          ...own,
        },
      })
      sent.once('response', resolve)
      sent.once('error', reject)
      sent.end(body)
    })
  }

  async function post(bytes: Buffer, sent: Sent, signal: AbortSignal): Promise<void> {
    const body = trimmed(bytes)
    const response = await exchange('POST', headersFor(sent, body), body, signal)
    const { statusCode = 0 } = response
    if (sent.method === 'initialize') session = single(response.headers['mcp-session-id']) ?? session
    if (statusCode < 200 || statusCode > 299) return refuse(sent, response, statusCode)
    if (statusCode === 200) await deliver(response, sent, signal)
    else response.resume()
    if (sent.method === 'notifications/initialized') track(listen())
  }

  /** What the server answers to a message, until it is whole. A stream that breaks off is taken up where it was. */
  async function deliver(response: IncomingMessage, sent: Sent, signal: AbortSignal): Promise<void> {
    const kind = response.headers['content-type'] ?? ''
    if (!kind.startsWith('text/event-stream')) {
      const bytes = await whole(response, maxLineBytes)
      await put(asLine(bytes), sent)
      return
    }
    let last: string | undefined
    let isAnswered = false
    let from = response
    for (let retries = 0; ; retries++) {
      try {
        for await (const event of readEvents(from, maxLineBytes)) {
          if (event.id !== undefined) last = event.id
          if (event.line === undefined) continue
          if (event.line.tooLong !== undefined) await queue.put(event.line)
          else isAnswered = (await put(event.line.bytes, sent)) || isAnswered
        }
      } catch (error) {
        if (signal.aborted) throw error
      }
      if (isAnswered || sent.id === undefined || signal.aborted) return
      if (last === undefined || retries >= MAX_RETRIES) throw new Error('its stream ended before it answered')
      await pause(RETRY_MS, signal)
      from = await exchange('GET', { 'last-event-id': last }, undefined, signal)
      if (from.statusCode !== 200)
        throw new Error(`its stream ended, and it answered ${from.statusCode} when it was asked to go on`)
    }
  }

  /** True: this answers the message. */
  async function put(bytes: Buffer, sent: Sent): Promise<boolean> {
    const message = readServerLine(bytes)
    const isAnswer = message.kind === 'response' && message.id?.key === sent.id?.key
    if (isAnswer && sent.method === 'initialize') revision = revisionIn(bytes)
    await queue.put({ bytes })
    return isAnswer
  }

  async function refuse({ id }: Sent, response: IncomingMessage, status: number): Promise<void> {
    const message = readServerLine(asLine(await whole(response, 1024 * 1024)))
    // Some say in the form of the protocol what was wrong.
    if (message.kind === 'response' && message.members.has('error') && message.id?.key === id?.key)
      return queue.put({ bytes: message.bytes })
    const hint = status === 401 || status === 403 ? ' Its credential is given with --header' : ''
    note(`${url.origin} answered ${status}.${hint}`)
    if (id !== undefined)
      await queue.put({
        bytes: errorLine(id, UPSTREAM_FAILED, `the MCP server at ${url.origin} answered ${status}.${hint}`),
      })
  }

  /** What the server says by itself, in the older era. Most have nothing to say, and answer 405. */
  async function listen(): Promise<void> {
    let last: string | undefined
    let waitMs = RETRY_MS
    for (let failures = 0; failures < MAX_RETRIES && !closing.signal.aborted; failures++) {
      try {
        const own = last === undefined ? {} : { 'last-event-id': last }
        const response = await exchange('GET', own, undefined, closing.signal)
        if (response.statusCode !== 200) return void response.resume()
        for await (const event of readEvents(response, maxLineBytes)) {
          failures = 0
          last = event.id ?? last
          waitMs = event.retryMs ?? waitMs
          if (event.line !== undefined) await queue.put(event.line)
        }
      } catch {
        // It is tried again.
      }
      await pause(waitMs, closing.signal)
    }
  }

  function track(work: Promise<void>): void {
    underway.add(work)
    void work.then(() => underway.delete(work))
  }

  async function answered(bytes: Buffer, sent: Sent, controller: AbortController): Promise<void> {
    try {
      await post(bytes, sent, controller.signal)
    } catch (error) {
      // Who cancelled it waits for nothing.
      if (controller.signal.aborted) return
      const why = error instanceof Error ? error.message : String(error)
      note(`${url.origin}: ${why}`)
      if (sent.id !== undefined)
        await queue.put({
          bytes: errorLine(sent.id, UPSTREAM_FAILED, `the MCP server at ${url.origin} failed: ${why}`),
        })
    } finally {
      if (sent.id !== undefined) open.delete(sent.id.key)
    }
  }

  async function close(): Promise<void> {
    await Promise.race([Promise.allSettled(underway), pause(GRACE_MS, undefined)])
    closing.abort()
    for (const controller of open.values()) controller.abort()
    if (session !== undefined)
      await exchange('DELETE', {}, undefined, AbortSignal.timeout(GRACE_MS)).then(
        (response) => response.resume(),
        () => {},
      )
    queue.close()
    finish({ code: 0 })
  }

  return {
    async send(bytes) {
      const sent = readSent(bytes)
      const cancelled = sent.method === 'notifications/cancelled' ? cancelledBy(bytes) : undefined
      // In the newer era closing the answer is how a call is cancelled.
      if (cancelled !== undefined && session === undefined && revision === undefined) {
        open.get(cancelled)?.abort()
        return
      }
      const controller = new AbortController()
      if (sent.id !== undefined) open.set(sent.id.key, controller)
      const work = answered(bytes, sent, controller)
      track(work)
      // The server must know the client before anything else comes.
      if (sent.method === 'initialize' || sent.method === 'notifications/initialized')
        await Promise.race([work, pause(10_000, undefined)])
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

function headersFor({ method, params }: Sent, body: Buffer): OutgoingHttpHeaders {
  const base = { 'content-type': 'application/json', 'content-length': body.byteLength }
  const version = asObject(params._meta)[VERSION]
  if (typeof version !== 'string' || method === '') return base
  const name = method === 'resources/read' ? params.uri : params.name
  const isNamed = ['tools/call', 'prompts/get', 'resources/read'].includes(method) && typeof name === 'string'
  return {
    ...base,
    'mcp-protocol-version': headerText(version),
    'mcp-method': headerText(method),
    ...(isNamed ? { 'mcp-name': headerText(name) } : {}),
  }
}

/** What a header can't carry as it is goes as base64. */
function headerText(text: string): string {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

function readSent(bytes: Buffer): Sent {
  const { id, method } = readServerLine(bytes)
  const { params } = JSON.parse(bytes.toString('utf8')) as { params?: unknown }
  return { ...(id === undefined ? {} : { id }), method, params: asObject(params) }
}

function cancelledBy(bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1')
  const params = membersAt(text, skipSpace(text, 0)).get('params')
  const id = params === undefined ? undefined : membersAt(text, params.from).get('requestId')
  return id === undefined ? undefined : messageId(text.slice(id.from, id.to))?.key
}

function revisionIn(bytes: Buffer): string | undefined {
  const { result } = JSON.parse(bytes.toString('utf8')) as { result?: { protocolVersion?: unknown } }
  const version = result?.protocolVersion
  return typeof version === 'string' && /^[\x21-\x7e]{1,64}$/.test(version) ? version : undefined
}

async function whole(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`its answer has more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  if (!response.complete) throw new Error('its answer was cut off')
  return Buffer.concat(chunks)
}

/** A message has no line break outside of its strings that means anything, and none in them. */
function asLine(bytes: Buffer): Buffer {
  return Buffer.from(`${bytes.toString('latin1').replace(/[\r\n]+/g, ' ')}\n`, 'latin1')
}

function trimmed(bytes: Buffer): Buffer {
  return bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    timer.unref()
    signal?.addEventListener('abort', () => resolve(), { once: true })
  })
}
