/**
 * One client. Until it is known who it is, nothing is told and nothing is done: a token in the subprotocol or in a first
 * frame `{"action":"auth","data":{"token":"…"}}` says so, and `sessionId` is only a label (P6).
 *
 * Commands are done one at a time, and only so many may wait. Whoever does not take what is sent is let go.
 */

import type { Vote } from '../../core/decision.ts'
import { defined } from '../../core/defined.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { ClientSocket, DoorCaller, SocketClient, SocketHandshake } from '../door.ts'
import type { ChannelPorts } from '../driver.ts'
import { COMMANDS, type CommandParts, PetFault } from './commands.ts'
import { DEFAULT_SESSION, roomId } from './conversation-id.ts'
import {
  errorText,
  invalidRequest,
  isObject,
  okText,
  type PetRequest,
  pushText,
  readRequest,
  toSeconds,
  unknownAction,
} from './envelopes.ts'
import { followTurn } from './follow-turn.ts'
import type { ReadPendingRequests } from './pending-requests.ts'
import { createConnectionPrompts, type Prompts } from './prompts.ts'
import type { PetRooms, RoomMember } from './rooms.ts'
import { shownVote } from './shown-call.ts'
import type { ChangeWatcher } from './watch-changes.ts'

export interface PetClientParts {
  ports: ChannelPorts
  rooms: PetRooms
  prompts: Prompts
  pendingHere: ReadPendingRequests
  changes: ChangeWatcher
  /** The data of `init_status`. */
  status: JsonObject
  heartbeatMs: number
  maxFrameBytes: number
}

/** The subprotocol that carries a token. */
export const TOKEN_PROTOCOL = 'token.'

const MAX_WAITING = 64
const MAX_SESSION_ID = 1024
const CLOSE = {
  unsupported: 1003,
  tooMany: 1008,
  tooLarge: 1009,
  fault: 1011,
  unauthenticated: 4401,
} as const
const UNAUTHENTICATED = 'unauthenticated'

export function createPetClient(
  parts: PetClientParts,
  socket: ClientSocket,
  handshake: SocketHandshake,
): SocketClient {
  const { ports } = parts
  const commandParts: CommandParts = { ports, prompts: parts.prompts }
  const onEnd: (() => void)[] = []
  let member: RoomMember | undefined
  let beat: { cancel(): void } | undefined
  let isOver = false
  let waiting = 0
  let queue = Promise.resolve()

  function end(): void {
    isOver = true
    beat?.cancel()
    for (const each of onEnd.splice(0)) each()
  }

  function close(code: number, reason: string): void {
    if (isOver) return
    socket.close(code, reason)
    end()
  }

  function send(text: string): void {
    if (!isOver && !socket.send(text)) end()
  }

  function fail(error: unknown): void {
    ports.report({ doing: 'talking over the pet socket', error })
    close(CLOSE.fault, 'something went wrong inside; come back')
  }

  function enqueue(work: () => Promise<void>): void {
    waiting++
    queue = queue
      .then(work)
      .catch(fail)
      .finally(() => {
        waiting--
      })
  }

  async function introduce(secret: string, request?: PetRequest): Promise<void> {
    const caller = secret === '' ? undefined : await handshake.identify(secret)
    if (isOver) return
    if (caller === undefined) {
      if (request !== undefined) send(errorText(request, UNAUTHENTICATED))
      return close(CLOSE.unauthenticated, 'unknown or revoked token, or not a person’s')
    }
    const { subject } = caller.actor
    // Who said it twice, in the subprotocol and in a frame, is told so; nobody becomes someone else on the way.
    if (member !== undefined && request !== undefined) {
      const isSame = member.caller.actor.subject === subject
      return send(isSame ? okText(request, { subject }) : errorText(request, UNAUTHENTICATED))
    }
    await arrive(caller, request)
  }

  async function arrive(caller: DoorCaller, request: PetRequest | undefined): Promise<void> {
    const { actor } = caller
    const id = roomId(actor.subject, sessionIdOf(handshake))
    const presence = {
      channel: 'pet',
      connection: ports.randomId(),
      subject: actor.subject,
      conversation: id,
    }
    try {
      const { leave } = await ports.arrive(presence)
      if (isOver) return leave()
      onEnd.push(leave)
    } catch (error) {
      // They can talk and answer here all the same; they only don't count as present.
      ports.report({ doing: 'noting who is connected', error })
    }
    if (request !== undefined) send(okText(request, { subject: actor.subject }))
    // Before they are a member: clients wait for it before anything else.
    send(pushText('init_status', parts.status, ports.clock.now()))
    if (isOver) return
    const entered = parts.rooms.enter(id, (room) => ({
      caller,
      room,
      asked: createConnectionPrompts(),
      send,
    }))
    member = entered
    onEnd.push(() => {
      parts.rooms.leave(entered)
      if (parts.rooms.isEmpty()) parts.changes.stop()
    })
    parts.changes.follow()
    beatLater()
    await catchUp(entered)
  }

  /** What waits for this person here is shown again, and what runs is followed. */
  async function catchUp(entered: RoomMember): Promise<void> {
    const { room, caller } = entered
    try {
      const pending = await parts.prompts.catchUp(entered, () =>
        parts.pendingHere(ports.deciding, caller.actor),
      )
      const { conversing } = ports
      if (conversing === undefined) return
      const sessions = new Set([room.id, ...pending.map(({ origin }) => origin?.conversation ?? room.id)])
      for (const session of sessions) {
        const turn = await conversing.running(session, caller.actor)
        if (turn === undefined || isOver) continue
        followTurn({ ...ports, conversing }, room, { session, turn }, caller.actor)
      }
    } catch (error) {
      ports.report({ doing: 'telling a client what is pending', error })
      const message = 'what waits could not be read; look in the inbox, or connect again'
      const now = ports.clock.now()
      const data = { level: 'error', code: 'channel_conn', message, timestamp: toSeconds(now) }
      send(pushText('error', data, now))
    }
  }

  function beatLater(): void {
    beat = ports.clock.after(parts.heartbeatMs, () => {
      const now = ports.clock.now()
      send(pushText('heartbeat', { timestamp: toSeconds(now) }, now))
      if (!isOver) beatLater()
    })
  }

  async function take(text: string): Promise<void> {
    if (isOver) return
    const request = readRequest(text)
    if ('detail' in request) return send(invalidRequest(request))
    if (request.action === 'auth') return introduce(tokenIn(request), request)
    if (member === undefined) return send(errorText(request, UNAUTHENTICATED))
    await obey(request, member)
  }

  async function obey(request: PetRequest, known: RoomMember): Promise<void> {
    const command = COMMANDS.get(request.action)
    if (command === undefined) return send(errorText(request, unknownAction(request)))
    if (!(await known.caller.stillHolds())) {
      return close(CLOSE.unauthenticated, 'the credential is no longer valid')
    }
    try {
      const { data, afterwards } = await command(commandParts, known, request.data)
      send(okText(request, data))
      afterwards?.()
    } catch (error) {
      send(refusalText(ports, request, error))
    }
  }

  const offered = handshake.protocols.find((name) => name.startsWith(TOKEN_PROTOCOL))
  if (offered !== undefined) enqueue(() => introduce(offered.slice(TOKEN_PROTOCOL.length)))

  return {
    hear(text) {
      if (text === undefined) return close(CLOSE.unsupported, 'frames must be text')
      if (text.length > parts.maxFrameBytes) return close(CLOSE.tooLarge, 'the frame is too long')
      if (waiting >= MAX_WAITING) return close(CLOSE.tooMany, `at most ${MAX_WAITING} commands may wait`)
      enqueue(() => take(text))
    },
    gone: end,
  }
}

function sessionIdOf(handshake: SocketHandshake): string {
  // `session` is what earlier clients of the original send.
  const named = handshake.query('sessionId') || handshake.query('session') || DEFAULT_SESSION
  return named.slice(0, MAX_SESSION_ID)
}

function tokenIn({ data }: PetRequest): string {
  return isObject(data) && typeof data.token === 'string' ? data.token : ''
}

/** What the gateway refused, with what a program may want to know of it. */
function refusalText(ports: ChannelPorts, request: PetRequest, error: unknown): string {
  const asked = isObject(request.data) ? request.data.request_id : undefined
  const about: JsonObject = typeof asked === 'string' ? { request_id: asked } : {}
  if (error instanceof PetFault) return errorText(request, error.message, error.about)
  if (!isBanksmanError(error)) {
    ports.report({ doing: `doing ${request.action} over the pet socket`, error })
    return errorText(request, 'something went wrong inside; nothing was changed', about)
  }
  const { state, decision, votes } = error.details as {
    state?: string
    decision?: { kind: string; by: string }
    votes?: Vote[]
  }
  return errorText(request, error.message, {
    ...about,
    code: error.code,
    ...defined({ state }),
    ...(decision === undefined ? {} : { decision: { kind: decision.kind, by: decision.by } }),
    ...defined({ votes: votes?.map(shownVote) }),
  })
}
