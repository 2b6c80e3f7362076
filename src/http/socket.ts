/**
 * The socket: the same events as the stream, and decisions the other way.
 *
 * A browser can't send headers with a WebSocket, so the credential is in the first frame,
 * `{"type":"hello","token":"…","after":"…"}`, and nothing is told before it. After that come events, and
 * `{"type":"decide","ref":"1","id":"req_…",…}` is answered by `{"type":"result","ref":"1",…}`.
 *
 * Frames are sent one at a time, the next when the connection has taken the one before. Commands are done one at a
 * time too, and only so many may wait. So neither a reader who doesn't read nor a writer who doesn't stop costs memory.
 */
import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import type { Clock } from '../core/clock.ts'
import { BanksmanError } from '../core/errors.ts'
import type { JsonValue } from '../core/json.ts'
import { parseStrictJson } from '../core/strict-json.ts'
import type { WireEvent, WireSocketResult } from '../core/wire.ts'
import type { Locale } from '../display/index.ts'
import { type Caller, identify } from './authentication.ts'
import { checkShape } from './check-shape.ts'
import type { Connections } from './connections.ts'
import { every } from './every.ts'
import { liveEvents } from './live-events.ts'
import type { HttpParts, HttpSettings } from './parts.ts'
import { tellable, toProblem } from './problem.ts'
import { recordDecision } from './record-decision.ts'
import { decideCommand, helloCommand } from './schemas/commands.ts'

export interface SocketHost extends Pick<HttpParts, 'gateway' | 'report'> {
  clock: Pick<Clock, 'after'>
  connections: Connections
  settings: HttpSettings
  closing: AbortSignal | undefined
  locale: Locale
}

export interface Conversation {
  /** A frame has come; undefined for a binary one. */
  hear(text: string | undefined): void
  end(): void
}

/** The channel's name, for presence (P8). */
const SOCKET_CHANNEL = 'socket'
/** A decision with an edit of its arguments fits; a whole call goes over HTTP. */
export const MAX_FRAME_BYTES = 64 * 1024
/** Who lets this much pile up does not read. */
const MAX_BUFFERED_BYTES = 1024 * 1024
const MAX_WAITING = 64
/** No token has such an id. */
const UNNAMED = ''

const CLOSE = { restart: 1012, later: 1013, unsupported: 1003, tooMany: 1008, unauthenticated: 4401 } as const

export function converse(socket: WebSocket, host: SocketHost): Conversation {
  const { gateway, settings, report, connections, closing, clock } = host
  const over = new AbortController()
  const onEnd: (() => void)[] = []
  let caller: Caller | undefined
  let queue = Promise.resolve()
  let waiting = 0
  let isAlive = true

  const place = enterUnnamed(connections, settings.unnamedSockets)
  if (place === undefined) {
    socket.close(CLOSE.later, 'too many sockets that have not said who they are')
    return { hear() {}, end() {} }
  }
  const hello = clock.after(settings.helloWithinMs, () =>
    close(CLOSE.unauthenticated, 'say hello with a token first'),
  )
  const tick = every(clock, settings.keepAliveMs, () => void keepAlive().catch(fail))
  const onClosing = () => close(CLOSE.restart, 'the server is restarting; come back')
  closing?.addEventListener('abort', onClosing)
  socket.on('pong', () => {
    isAlive = true
  })
  // Each ping is answered by itself: who pings without reading would fill our memory with answers.
  socket.on('ping', () => {
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) cut()
  })
  onEnd.push(place.leave, () => {
    hello.cancel()
    tick.cancel()
    closing?.removeEventListener('abort', onClosing)
    over.abort()
  })

  function close(code: number, reason: string): void {
    socket.close(code, reason)
    end()
  }

  /** For a peer who doesn't read: no farewell would reach them. */
  function cut(): void {
    socket.terminate()
    end()
  }

  function end(): void {
    for (const each of onEnd.splice(0)) each()
  }

  function fail(error: unknown): void {
    report?.({ doing: 'talking over a socket', error })
    close(1011, 'something went wrong inside; come back')
  }

  async function keepAlive(): Promise<void> {
    if (!isAlive) return cut()
    isAlive = false
    socket.ping()
    if (caller === undefined || (await caller.stillHolds())) return
    close(CLOSE.unauthenticated, 'the credential no longer holds')
  }

  async function send(frame: WireEvent | WireSocketResult): Promise<void> {
    if (socket.readyState !== socket.OPEN) return
    await new Promise<void>((resolve) => socket.send(JSON.stringify(frame), () => resolve()))
  }

  async function take(text: string): Promise<void> {
    if (over.signal.aborted) return
    if (caller === undefined) await introduce(text)
    else await command(text, caller)
  }

  async function introduce(text: string): Promise<void> {
    const said = readHello(text)
    const named = said && (await identify(gateway, said.token, SOCKET_CHANNEL, host.locale))
    if (said === undefined || named === undefined) {
      const why =
        said === undefined
          ? 'the first frame must be {"type":"hello","token":"…"}'
          : 'unknown or revoked token'
      return close(CLOSE.unauthenticated, why)
    }
    if (over.signal.aborted) return
    try {
      onEnd.push(connections.enter(named.token, settings.connectionsPerToken).leave)
    } catch {
      return close(CLOSE.later, `at most ${settings.connectionsPerToken} connections for one credential`)
    }
    place?.leave()
    hello.cancel()
    caller = named
    if (named.actor.role !== 'agent') await arrive(named)
    tellEvents(named, said.after).catch(fail)
  }

  async function arrive({ actor }: Caller): Promise<void> {
    const presence = { channel: SOCKET_CHANNEL, connection: randomUUID(), subject: actor.subject }
    try {
      const { leave } = await gateway.arrive(presence)
      if (over.signal.aborted) leave()
      else onEnd.push(leave)
    } catch (error) {
      // They can still read and decide here; they only don't count as present.
      report?.({ doing: 'noting who is connected', error })
    }
  }

  async function tellEvents(reader: Caller, after: string | undefined): Promise<void> {
    for await (const { event } of liveEvents(gateway, reader, { after, signal: over.signal })) {
      if (event !== undefined) await send(event)
    }
    // The gateway was closed under us.
    if (!over.signal.aborted) onClosing()
  }

  async function command(text: string, decider: Caller): Promise<void> {
    let ref: string | null = null
    try {
      const value = parseStrictJson(text)
      ref = refOf(value)
      const {
        type: _,
        ref: __,
        id,
        ...input
      } = checkShape(decideCommand, value, 'invalid_decision', 'the command')
      if (!(await decider.stillHolds())) return close(CLOSE.unauthenticated, 'the credential no longer holds')
      const decided = await recordDecision(gateway, id, input, decider, 'cut')
      await send({ type: 'result', ref: ref ?? '', ...decided })
    } catch (error) {
      await send({
        type: 'result',
        ref,
        problem: toProblem(tellable(error, report, 'deciding over a socket')),
      })
    }
  }

  return {
    hear(text) {
      if (text === undefined) return close(CLOSE.unsupported, 'frames must be text')
      if (waiting >= MAX_WAITING) return close(CLOSE.tooMany, `at most ${MAX_WAITING} commands may wait`)
      waiting++
      queue = queue
        .then(() => take(text))
        .catch(fail)
        .finally(() => {
          waiting--
        })
    },
    end,
  }
}

function enterUnnamed(connections: Connections, limit: number): { leave(): void } | undefined {
  try {
    return connections.enter(UNNAMED, limit)
  } catch {
    return undefined
  }
}

function readHello(text: string): { token: string; after?: string } | undefined {
  try {
    return checkShape(helloCommand, parseStrictJson(text), 'invalid', 'the first frame')
  } catch (error) {
    if (error instanceof BanksmanError) return undefined
    throw error
  }
}

function refOf(value: JsonValue): string | null {
  const ref = typeof value === 'object' && value !== null && !Array.isArray(value) ? value.ref : undefined
  return typeof ref === 'string' && ref.length <= 256 ? ref : null
}
