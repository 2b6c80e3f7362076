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
import { BanksmanError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json/json.ts'
import { parseStrictJson } from '../../core/json/strict-json.ts'
import type { Locale } from '../../display/index.ts'
import { decideCommand, helloCommand } from '../../wire/answers.ts'
import type { WireSocketResult } from '../../wire/types/answers.ts'
import type { Caller } from '../access/authentication.ts'
import type { LiveConnectionParts } from '../connection/live-connection.ts'
import { CLOSE, openWebSocketConnection } from '../connection/websocket-connection.ts'
import type { SocketListener } from '../connection/websocket-upgrades.ts'
import { checkShape } from '../from-wire/check-shape.ts'
import { recordDecision } from '../from-wire/record-decision.ts'
import { toProblem, toPublicError } from '../to-wire/problem.ts'
import { liveEvents } from './live-events.ts'

export interface SocketHost extends LiveConnectionParts {
  closing: AbortSignal | undefined
  locale: Locale
  /** Whether the client may be on another machine. */
  remote: boolean
}

/** The channel's name, for presence (P8). */
const SOCKET_CHANNEL = 'socket'
/** A decision with an edit of its arguments fits; a whole call goes over HTTP. */
export const MAX_FRAME_BYTES = 64 * 1024
const MAX_WAITING = 64

export function serveSocket(socket: WebSocket, host: SocketHost): SocketListener {
  const { gateway, report } = host
  let caller: Caller | undefined
  let queue = Promise.resolve()
  let waiting = 0

  const opened = openWebSocketConnection(socket, {
    ...host,
    via: SOCKET_CHANNEL,
    helloWithinMs: host.settings.helloWithinMs,
    helloReason: 'say hello with a token first',
  })
  if (opened === undefined) return { hear() {}, end() {} }
  const line = opened

  const send = (frame: WireSocketResult) => line.deliver(JSON.stringify(frame))

  async function take(text: string): Promise<void> {
    if (line.over.aborted) return
    if (caller === undefined) await introduce(text)
    else await command(text, caller)
  }

  async function introduce(text: string): Promise<void> {
    const said = readHello(text)
    if (said === undefined) {
      return line.close(CLOSE.unauthenticated, 'the first frame must be {"type":"hello","token":"…"}')
    }
    const named = await line.introduce(said.token)
    if (line.over.aborted) return
    if (named === undefined) return line.close(CLOSE.unauthenticated, 'unknown or revoked token')
    caller = named
    if (named.actor.role !== 'agent') await arrive(named)
    tellEvents(named, said.after).catch(line.fail)
  }

  async function arrive({ actor }: Caller): Promise<void> {
    const presence = { channel: SOCKET_CHANNEL, connection: randomUUID(), subject: actor.subject }
    try {
      line.onEnd((await gateway.arrive(presence)).leave)
    } catch (error) {
      // They can still read and decide here; they only don't count as present.
      report?.({ doing: 'noting who is connected', error })
    }
  }

  async function tellEvents(reader: Caller, after: string | undefined): Promise<void> {
    for await (const { event } of liveEvents(gateway, reader, { after, signal: line.over })) {
      if (event !== undefined) await line.deliver(event.data)
    }
    // The gateway was closed under us.
    line.close(CLOSE.restart, 'the server is restarting; come back')
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
      if (!(await decider.stillHolds()))
        return line.close(CLOSE.unauthenticated, 'the credential is no longer valid')
      const decided = await recordDecision(gateway, id, input, decider, 'cut')
      await send({ type: 'result', ref: ref ?? '', ...decided })
    } catch (error) {
      await send({
        type: 'result',
        ref,
        problem: toProblem(toPublicError(error, report, 'deciding over a socket'), decider.locale),
      })
    }
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
