/**
 * `resume`: all that waits in a session is decided in one go. What is left out, named twice, unknown, not offered or not
 * finished is refused before anything changes, and a name of something that has passed never touches what waits now.
 */

import type { DecisionInput, DecisionKind } from '../../core/decision.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { shownDigest } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import type { GrantScope } from '../../core/verdict.ts'
import type { ExpireOne } from '../lifecycle/expire.ts'
import type { Authority } from '../requests/authority.ts'
import type { ReadVerbs } from '../requests/read-requests.ts'
import { MAX_DECISIONS, notYoursReason } from './check-decision.ts'
import type { BatchDecision, DecideAllVerb } from './decide-all.ts'
import type { DecideResult } from './decide-result.ts'
import {
  isDue,
  type PendingInSession,
  type PendingItem,
  type PendingStore,
  pendingInSessionOf,
  pendingRequestsIn,
  resumableDecisions,
} from './pending-in-session.ts'

export interface Resumption {
  /** As `waiting` gave it. */
  actionId?: string
  /** One for each item that is the actor's to decide; or how to make them for what waits. */
  decisions: readonly ResumeDecision[] | ((waiting: PendingInSession) => readonly ResumeDecision[])
}

/** It comes as a host sent it: what is wrong with it is said here. */
export interface ResumeDecision {
  /** Of the item, as `waiting` gave it. */
  callId: string
  decision: string
  arguments?: unknown
  /** The tool that an edit names. It can't be changed. */
  tool?: string
  reason?: string
  text?: unknown
  answers?: unknown
  scope?: GrantScope
}

export interface Resumed {
  session: string
  /** `waiting`: votes are missing, or others have yet to decide what is theirs. */
  status: 'resuming' | 'waiting'
  decisions: (DecideResult & { callId: string; decision: DecisionKind })[]
}

export type ResumeVerb = (session: string, input: Resumption, actor: Actor) => Promise<Resumed>

export interface ResumePorts {
  store: PendingStore
  authority: Authority
  reads: Pick<ReadVerbs, 'decidable'>
  expireOne: ExpireOne
  decideAll: DecideAllVerb
}

export function createResume({ store, authority, reads, expireOne, decideAll }: ResumePorts): ResumeVerb {
  return async (session, { actionId, decisions }, actor) => {
    const waiting = await readWaiting(session, actor)
    if (actionId === undefined) {
      throw invalid('actionId is missing: send the one that came with what you decide on')
    }
    if (actionId !== waiting.actionId) {
      throw reasonedError('stale_action', reasonOf('resume.stale'))
    }
    const given = typeof decisions === 'function' ? decisions(waiting) : decisions
    await check(authority, waiting, given, actor)
    const items = given.map(({ callId }) => itemOf(waiting, callId)!)
    const batch = given.map((decision, index) => toInput(items[index]!, decision))
    const decided = await decideAll(batch, actor)
    const left = waiting.items.length - decided.filter((one) => one.decided).length
    return {
      session,
      status: left === 0 ? 'resuming' : 'waiting',
      decisions: decided.map((one, index) => {
        return { ...one, callId: items[index]!.callId, decision: batch[index]!.input.decision }
      }),
    }
  }

  async function readWaiting(session: string, actor: Actor): Promise<PendingInSession> {
    const pending = await pendingRequestsIn(store, session, actor)
    if (actor.role === 'agent') {
      throw new BanksmanError('forbidden', "an agent's credential can't resume a session")
    }
    if (pending.length === 0) throw reasonedError('not_pending', reasonOf('resume.nothing'))
    // Deadlines that came first are recorded now rather than when a timer gets to them.
    for (const request of pending) if (isDue(store, request)) await expireOne(request.id)
    const waiting = await pendingInSessionOf(store, session, pending, (live) => reads.decidable(live, actor))
    if (waiting === undefined) {
      throw reasonedError('expired', reasonOf('resume.expired'))
    }
    if (!waiting.items.some(({ yours }) => yours)) {
      const { request } = waiting.items[0]!
      throw await authority.refuse(request, actor, 'not_yours', notYoursReason(request))
    }
    return waiting
  }
}

async function check(
  authority: Authority,
  waiting: PendingInSession,
  given: readonly ResumeDecision[],
  actor: Actor,
): Promise<void> {
  if (given.length > MAX_DECISIONS) {
    throw invalid(`at most ${MAX_DECISIONS} calls are decided at once; found ${given.length}`)
  }
  const counts = new Map<string, number>()
  for (const { callId } of given) counts.set(callId, (counts.get(callId) ?? 0) + 1)
  const undecided = waiting.items.filter(({ callId, yours }) => yours && !counts.has(callId))
  if (undecided.length > 0) {
    const ids = undecided.map(({ callId }) => callId)
    throw invalid(`every call that waits for you is decided in one go; no decision for ${ids.join(', ')}`, {
      undecided: ids,
    })
  }
  const duplicate = [...counts].filter(([, count]) => count > 1).map(([callId]) => callId)
  if (duplicate.length > 0) {
    throw invalid(`decide each call once; more than one decision for ${duplicate.map(shown).join(', ')}`, {
      duplicate,
    })
  }
  const disallowed = given.filter((decision) => !isAllowed(waiting, decision))
  if (disallowed.length > 0) {
    const others = disallowed
      .map(({ callId }) => itemOf(waiting, callId))
      .find((item) => item?.yours === false)
    // It is on the record who tried what is not theirs to decide (P6).
    if (others !== undefined) await authority.refuse(others.request, actor, 'not_yours', '')
    throw new BanksmanError('disallowed', disallowed.map((one) => whyDisallowed(waiting, one)).join('; '), {
      disallowed: disallowed.map(({ callId }) => callId),
    })
  }
  const faults = given.flatMap((one) => {
    const fault = faultOf(itemOf(waiting, one.callId)!, one)
    return fault === undefined ? [] : [{ callId: one.callId, fault }]
  })
  if (faults.length > 0) {
    throw invalid(faults.map(({ callId, fault }) => `${callId}: ${fault}`).join('; '), {
      incomplete: faults.map(({ callId }) => callId),
    })
  }
}

function isAllowed(waiting: PendingInSession, { callId, decision, tool }: ResumeDecision): boolean {
  const item = itemOf(waiting, callId)
  if (item === undefined || (tool !== undefined && tool !== item.request.tool)) return false
  return (resumableDecisions(item) as string[]).includes(decision)
}

function whyDisallowed(waiting: PendingInSession, { callId, decision, tool }: ResumeDecision): string {
  const item = itemOf(waiting, callId)
  const name = shown(callId)
  if (item === undefined) return `no call ${name} waits here`
  if (!item.yours) return `${name} is not yours to decide`
  if (tool !== undefined && tool !== item.request.tool) return `an edit of ${name} can't change the tool`
  return `${name} takes ${resumableDecisions(item).join(', ') || 'nothing of these'}, not ${shown(decision)}`
}

/** What a decision lacks, or has too much of. */
function faultOf({ request }: PendingItem, decision: ResumeDecision): string | undefined {
  const { decision: kind, arguments: args, text, answers } = decision
  if (kind === 'edit') {
    if (!isRecord(args)) return 'edit needs the arguments in place of the old ones, as an object'
  } else if (args !== undefined) return `${kind} takes no arguments; use edit to change them`
  if (kind === 'respond') {
    if (typeof text !== 'string' || text.trim() === '') return "respond needs a text: the tool's result"
  } else if (text !== undefined) return `${kind} takes no text; use respond to give the result yourself`
  if (kind === 'answer') {
    const missing = (request.questions ?? []).filter(({ id }) => {
      return !isRecord(answers) || !Object.hasOwn(answers, id)
    })
    if (missing.length > 0) return `no answer to ${missing.map(({ id }) => shown(id)).join(', ')}`
  } else if (answers !== undefined) return `${kind} takes no answers`
  return undefined
}

function toInput({ request }: PendingItem, given: ResumeDecision): BatchDecision {
  const { arguments: args, reason, text, answers, scope } = given
  return {
    id: request.id,
    version: request.version,
    input: {
      decision: given.decision as DecisionKind,
      digest: shownDigest(request),
      ...defined({ arguments: args, reason, text, answers, scope }),
    } as DecisionInput,
  }
}

function itemOf({ items }: PendingInSession, callId: string): PendingItem | undefined {
  return items.find((item) => item.callId === callId)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What came in may be long; a message carries only the beginning. */
function shown(value: string): string {
  return JSON.stringify(value.length > 100 ? `${value.slice(0, 100).toWellFormed()}…` : value)
}

function invalid(message: string, details: Record<string, unknown> = {}): BanksmanError {
  return new BanksmanError('invalid_resume', message, details)
}
