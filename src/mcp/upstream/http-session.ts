/**
 * The session with an address in the older era: it begins with what the server answers to `initialize`, has a stream on which the server speaks by
 * itself, and may be over at any time (404). Then a new one is begun in the client's name, with the client's own words: a client that speaks lines
 * knows nothing of sessions. The message that met the end is not sent again.
 */

import { randomBytes } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { skipSpace } from '../../core/json/json-text.ts'
import { asObject } from '../calls/gated-call.ts'
import { membersAt } from '../lines/json-members.ts'
import { parsedMember, readServerLine, type ServerMessage } from '../lines/server-message.ts'
import { spliced } from '../lines/splice.ts'
import { wholeBody } from './answer-body.ts'
import type { HttpExchange } from './http-exchange.ts'
import { pause } from './pause.ts'
import { readEvents } from './read-events.ts'

export interface HttpSession {
  /** What a message of this method carries. Waits while a new session is begun. */
  headers(method: string): Promise<OutgoingHttpHeaders>
  /** The server took the client's `initialize`. */
  begin(bytes: Buffer, response: IncomingMessage): void
  /** And answered it. */
  agreed(answer: ServerMessage): void
  /** The client has said that it is ready. */
  initialized(bytes: Buffer): void
  /** The server no longer knows this one. */
  lost(used: string): void
  isOpen(): boolean
  stopListening(): void
  end(signal: AbortSignal): Promise<void>
}

export interface StreamPlace {
  last?: string
  waitMs: number
}

export interface HttpSessionPorts {
  exchange: HttpExchange
  note(text: string): void
  /** Reads what the server says by itself, until the stream ends. */
  read(response: IncomingMessage, at: StreamPlace): Promise<StreamPlace>
  /** Another session: whatever was known of its tools may be otherwise. */
  renewed(): Promise<void>
}

const MAX_FAILURES = 5
const FIRST_WAIT_MS = 1_000
const RENEW_WITHIN_MS = 10_000
const MAX_ANSWER_BYTES = 1024 * 1024

export function createHttpSession({ exchange, note, read, renewed }: HttpSessionPorts): HttpSession {
  let id: string | undefined
  let revision: string | undefined
  let opening: Buffer | undefined
  let ready: Buffer | undefined
  let renewing: Promise<void> | undefined
  let listening = new AbortController()
  let isOver = false

  const current = (): OutgoingHttpHeaders => ({
    ...(id === undefined ? {} : { 'mcp-session-id': id }),
    ...(revision === undefined ? {} : { 'mcp-protocol-version': revision }),
  })

  function agreed({ text, members }: ServerMessage): void {
    const version = asObject(parsedMember(text, members.get('result'))).protocolVersion
    revision = typeof version === 'string' && /^[\x21-\x7e]{1,64}$/.test(version) ? version : undefined
  }

  /** Most servers have nothing to say by themselves, and answer 405. */
  async function listen(signal: AbortSignal): Promise<void> {
    let at: StreamPlace = { waitMs: FIRST_WAIT_MS }
    for (let failures = 0; failures < MAX_FAILURES && !signal.aborted; failures++) {
      try {
        const last = at.last === undefined ? {} : { 'last-event-id': at.last }
        const response = await exchange({ method: 'GET', headers: { ...current(), ...last }, signal })
        if (response.statusCode !== 200) return void response.resume()
        const left = await read(response, at)
        if (left.last !== at.last) failures = 0
        at = left
      } catch {
        // It is tried again.
      }
      await pause(at.waitMs, signal)
    }
    if (!signal.aborted) note('what it says by itself is no longer heard: its stream broke off too often')
  }

  function startListening(): void {
    listening.abort()
    if (isOver) return
    listening = new AbortController()
    void listen(listening.signal)
  }

  async function postOwn(body: Buffer, headers: OutgoingHttpHeaders): Promise<IncomingMessage> {
    const response = await exchange({
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': body.byteLength, ...headers },
      body,
      signal: AbortSignal.timeout(RENEW_WITHIN_MS),
    })
    const { statusCode = 0 } = response
    if (statusCode >= 200 && statusCode <= 299) return response
    response.destroy()
    throw new Error(`it answered ${statusCode}`)
  }

  async function renew(words: Buffer): Promise<void> {
    const own = `banksman-${randomBytes(8).toString('hex')}`
    const response = await postOwn(withId(words, own), {})
    const answer = await answerTo(response, JSON.stringify(own))
    if (answer.members.has('error')) throw new Error('it refused a new session')
    id = sessionIn(response)
    agreed(answer)
    if (ready !== undefined) (await postOwn(ready, current())).resume()
    startListening()
    await renewed()
  }

  return {
    async headers(method) {
      if (method !== 'initialize') await renewing
      return method === 'initialize' ? {} : current()
    },
    begin(bytes, response) {
      opening = trimmed(bytes)
      id = sessionIn(response)
    },
    agreed,
    initialized(bytes) {
      ready = trimmed(bytes)
      startListening()
    },
    lost(used) {
      if (used !== id || opening === undefined || renewing !== undefined) return
      listening.abort()
      // Where it fails, the next message finds out, and it is tried again then.
      renewing = renew(opening)
        .catch((error) => note(`a new session could not be begun (${String(error)})`))
        .finally(() => {
          renewing = undefined
        })
    },
    isOpen: () => id !== undefined || revision !== undefined,
    stopListening() {
      isOver = true
      listening.abort()
    },
    async end(signal) {
      if (id === undefined) return
      await exchange({ method: 'DELETE', headers: current(), signal }).then(
        (response) => response.resume(),
        () => {},
      )
    },
  }
}

/** The answer to a message of ours, as JSON or on a stream. Nothing else of it is passed on. */
async function answerTo(response: IncomingMessage, key: string): Promise<ServerMessage> {
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true
  if (!isStream) {
    const message = readServerLine(await wholeBody(response, MAX_ANSWER_BYTES))
    if (message.kind === 'response' && message.id?.key === key) return message
  } else
    for await (const { line } of readEvents(response, MAX_ANSWER_BYTES)) {
      const message =
        line === undefined || line.tooLong !== undefined ? undefined : readServerLine(line.bytes)
      if (message?.kind === 'response' && message.id?.key === key) return message
    }
  throw new Error('it did not answer')
}

function withId(bytes: Buffer, id: string): Buffer {
  const text = bytes.toString('latin1')
  const written = membersAt(text, skipSpace(text, 0)).get('id')!
  return spliced(bytes, [{ from: written.from, to: written.to, bytes: JSON.stringify(id) }])
}

function sessionIn({ headers }: IncomingMessage): string | undefined {
  const id = headers['mcp-session-id']
  return Array.isArray(id) ? id[0] : id
}

function trimmed(bytes: Buffer): Buffer {
  return Buffer.from(bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes)
}
