/**
 * Who was asked what. A request is shown to the members of the room that its conversation is in; each connection has a
 * note of what it was asked, made before the push goes out, so that an answer that comes back while it is being sent is
 * known (P1).
 *
 * An answer counts from the connection that was asked, or, where the channel is set up so, from any of the same person.
 * The id in it is no authority: who was not asked is told what they would be told of an id that does not exist (P6).
 */
import { type Request, type RequestKind, shownDigest } from '../../core/request.ts'
import type { Deciding } from '../driver.ts'
import { roomOf } from './conversation-id.ts'
import { pushText, toSeconds } from './envelopes.ts'
import type { PetRooms, RoomMember } from './rooms.ts'
import { approvalData, questionData, questionLine, resolutionData, wireId } from './shown-call.ts'

/** From whom an answer counts. */
export type AnswerFrom = 'connection' | 'person'

export interface Prompts {
  /** Shows what waits, and says of what was shown what became of it. False when nobody is here to be told. */
  tell(request: Request): boolean
  /** Whether it was shown to somebody here, and is not known to be over. */
  isShown(request: string): boolean
  /** Shows what was already waiting when this connection came. */
  catchUp(member: RoomMember, waiting: () => Promise<Request[]>): Promise<Request[]>
  /** The same for one that has been here for a while, and may have missed something: also what is over. */
  lookAgain(
    member: RoomMember,
    waiting: () => Promise<Request[]>,
    get: (request: string) => Promise<Request>,
  ): Promise<void>
  /** This member is about to settle the request, and need not be told that it is; unless they `withdraw`. */
  answering(member: RoomMember, request: string): { withdraw(): void }
  /** What this member may answer under the id. */
  find(member: RoomMember, id: string): Prompt | undefined
}

/** What somebody was shown: the digest is what their answer is about (P3). */
export interface Prompt {
  request: string
  kind: RequestKind
  digest: string
}

/** The notes of one connection. */
export interface ConnectionPrompts {
  readonly prompts: Map<string, Prompt>
  /** By request, the id under which it was shown last and still waits. */
  readonly open: Map<string, string>
  /** What was settled while this connection was still being told what waits. */
  settled: Set<string> | undefined
}

/** Settled ones too, so that a late answer is told what it came too late for. The oldest are forgotten first. */
const MAX_PROMPTS = 1000

/**
 * Whether it came up in a conversation of this very person. What a call says of its origin is not enough: any agent can say
 * so of its own (P11).
 */
function isFromTheirs({ submittedBy, session, origin }: Request, { caller }: RoomMember): boolean {
  const conversation = origin?.conversation ?? ''
  const isOfIt = session === conversation || session.startsWith(`${conversation}.`)
  return submittedBy === caller.actor.subject && isOfIt
}

function isIn(request: Request, member: RoomMember): boolean {
  return roomOf(request.origin?.conversation ?? '') === member.room.id && isFromTheirs(request, member)
}

export function createConnectionPrompts(): ConnectionPrompts {
  return { prompts: new Map(), open: new Map(), settled: new Set() }
}

export function createPrompts(
  rooms: PetRooms,
  answerFrom: AnswerFrom,
  now: () => number,
  knownTool: Deciding['knownTool'],
): Prompts {
  /** Was shown to somebody here, and is not known to be over. */
  const shown = new Set<string>()

  function ask(member: RoomMember, request: Request, push: () => string[]): void {
    const { prompts, open } = member.asked
    const id = wireId(request)
    if (prompts.has(id)) return
    const before = open.get(request.id)
    prompts.set(id, { request: request.id, kind: request.kind, digest: shownDigest(request) })
    open.set(request.id, id)
    shown.add(request.id)
    if (prompts.size > MAX_PROMPTS) prompts.delete(prompts.keys().next().value!)
    if (before !== undefined) {
      const data = { ...resolutionData(request, before), state: 'edited' }
      member.send(pushText('tool_approval_resolved', data, now()))
    }
    for (const text of push()) member.send(text)
  }

  function settle(member: RoomMember, request: Request): void {
    const { open, settled } = member.asked
    settled?.add(request.id)
    const id = open.get(request.id)
    if (id === undefined) return
    open.delete(request.id)
    member.send(pushText('tool_approval_resolved', resolutionData(request, id), now()))
  }

  function tell(request: Request): boolean {
    if (request.state !== 'pending') shown.delete(request.id)
    const id = roomOf(request.origin?.conversation ?? '')
    const members = id === undefined ? undefined : rooms.find(id)?.members
    if (members === undefined) return false
    const push = once(() => promptTexts(request, now(), knownTool))
    for (const member of [...members]) {
      if (!isFromTheirs(request, member)) continue
      if (request.state === 'pending') ask(member, request, push)
      else settle(member, request)
    }
    return true
  }

  return {
    tell,
    isShown: (request) => shown.has(request),
    async catchUp(member, waiting) {
      try {
        const here = (await waiting()).filter((request) => isIn(request, member))
        for (const request of here) {
          if (member.asked.settled?.has(request.id)) continue
          ask(member, request, () => promptTexts(request, now(), knownTool))
        }
        return here
      } finally {
        member.asked.settled = undefined
      }
    },
    async lookAgain(member, waiting, get) {
      const before = [...member.asked.open.keys()]
      const here = (await waiting()).filter((request) => isIn(request, member))
      for (const request of here) ask(member, request, () => promptTexts(request, now(), knownTool))
      const left = new Set(here.map(({ id }) => id))
      for (const id of before) if (!left.has(id)) tell(await get(id))
    },
    answering({ asked: { open } }, request) {
      const id = open.get(request)
      open.delete(request)
      return {
        withdraw() {
          if (id !== undefined && !open.has(request)) open.set(request, id)
        },
      }
    },
    find(member, id) {
      const own = member.asked.prompts.get(id)
      if (own !== undefined || answerFrom === 'connection') return own
      for (const other of rooms.of(member.caller.actor.subject)) {
        const theirs = other.asked.prompts.get(id)
        if (theirs !== undefined) return theirs
      }
      return undefined
    },
  }
}

function promptTexts(request: Request, now: number, knownTool: Deciding['knownTool']): string[] {
  if (request.kind === 'approval') {
    return [pushText('tool_approval', approvalData(request, knownTool), now)]
  }
  const data = questionData(request)
  // For clients of the original, which know no questions but show such notices.
  const notice = {
    level: 'info',
    code: 'user_question',
    message: questionLine(request),
    timestamp: toSeconds(now),
    context: { request_id: data.request_id },
  }
  return [pushText('user_question', data, now), pushText('error', notice, now)]
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
