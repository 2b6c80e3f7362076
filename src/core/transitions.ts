/**
 * The life of a request, as one total function: every state meets every event, and each pair either changes the
 * request, repeats what is already so, or is refused with a reason of its own.
 *
 * A request is opened `pending`. People look at it. An approval below the quorum is a vote: the request stays
 * `pending`, one vote richer. The approval that reaches the quorum makes it `approved`; from then on nobody can
 * decide it again (P2). A rejection makes it `rejected` (a question: `declined`), and the reason goes back to
 * the model. With `respond` a person's text takes the place of the tool's result: `answered`, and the tool does
 * not run. `terminate` ends the session with all that waits in it. One such word is enough; only approvals are
 * counted.
 *
 * Whoever looks under a mask that must be lifted before an approval leaves a note of it, and the request stays
 * `pending` (P9).
 *
 * While it is pending the agent may withdraw it (`cancelled`), its deadline may come (`expired`), or the last
 * channel that could reach anyone may go away (`unreachable`). These are three different truths, and none of
 * them is "the user refused" (P5).
 *
 * An approval is not a run. The agent claims it, once, naming the digest that was approved, and it is `running`
 * under a lease that the runner renews. If nobody claims it in ten minutes, or within what its terms say, it has
 * `lapsed`: an approval given for now is not one for tomorrow. Until it is claimed it can still be cancelled: withdrawn by the agent,
 * revoked by a person, denied by a policy that has become stricter, or because the facts it was judged on have
 * changed, or because those who approved it are not, or not any more, those whom the policy now asks.
 *
 * A runner whose tool paused itself gives its claim back: the request is `approved` again, until the moment at which the
 * approval would have lapsed anyway, and its key never claims again. If the call was told to stop meanwhile it is
 * `cancelled`. Before it claims, a runner can bar its own key the same way, so that a claim still under way comes too late.
 *
 * A running call can't be called back. It can be told to stop, and goes on `running` until its runner reports:
 * `done`, well or badly. If the runner falls silent past its lease the outcome is `unknown`, and stays so until
 * a late report comes or a person settles it. Nothing is ever run a second time by itself (P4).
 *
 * A call may be handed over to somebody who runs it and can't be asked, such as a coding agent. Its lease is as long as the call may
 * take. When the runner's session is over before it has reported, the outcome is `unknown` at once (`abandon`).
 *
 * Deadlines are not looked at here. Where one matters the change carries a guard, and the store compares it with
 * its own time inside the transaction, so that an answer and a deadline in the same instant have one winner.
 */

import { isReleased, isReleasedOften, type Release, tooManyReleases, withRelease } from './call-hold.ts'
import type { Decision, Vote } from './decision.ts'
import { alreadyDecided, saysTheSame } from './decisions/votes.ts'
import { defined } from './defined.ts'
import type { ErrorCode } from './errors.ts'
import type { Reason } from './reasons/reason.ts'
import { reasonOf } from './reasons/reason-of.ts'
import {
  type Claim,
  isFinal,
  type Look,
  type Outcome,
  type Progress,
  type Request,
  type RequestState,
  saysOther,
} from './request.ts'

/** An approval is for now: long enough for an agent that was restarted, too short to be forgotten and found. */
export const CLAIM_WITHIN_MS = 10 * 60_000
/** Where somebody comes back later on purpose. */
export const MAX_CLAIM_WITHIN_MS = 7 * 86_400_000

export type RequestEvent =
  | { kind: 'vote'; vote: Vote; edit?: Progress['edit'] }
  | {
      kind: 'decide'
      decision: Decision
      votes?: Vote[]
      approved?: Progress['approved']
      edit?: Progress['edit']
      /** How long it may wait to be run. */
      claimWithinMs?: number
    }
  | { kind: 'look'; look: Look }
  | { kind: 'expire' }
  | { kind: 'become_unreachable' }
  | ({ kind: 'cancel' } & NonNullable<Progress['cancelled']>)
  | { kind: 'lapse' }
  | { kind: 'claim'; claim: Claim }
  | { kind: 'renew'; claimId: string }
  | { kind: 'report'; claimId: string; outcome: Outcome }
  /** By the key or by the claim's id. */
  | {
      kind: 'release'
      release: Omit<Release, 'key'> & { key?: string }
      /** It was told to stop, and that is not on the record yet. */
      stop?: Progress['stop']
    }
  | { kind: 'lose' }
  | { kind: 'abandon'; claimId: string; isForced?: boolean }
  | { kind: 'settle'; outcome: Outcome }

export type Step =
  | {
      kind: 'change'
      to: RequestState
      progress: Progress
      deadline: { inMs: number } | { at: number } | 'keep' | 'none'
      guard?: 'before_deadline' | 'after_deadline'
    }
  /** It is already so, by the same hand: a success without a change. */
  | { kind: 'repeat' }
  | { kind: 'refuse'; code: ErrorCode; reason: Reason }

type TransitionSubject = Pick<Request, 'kind' | 'state' | 'progress'> & Partial<Pick<Request, 'deadline'>>

export function step(request: TransitionSubject, event: RequestEvent): Step {
  switch (event.kind) {
    case 'vote':
      return vote(request, event)
    case 'decide':
      return decide(request, event)
    case 'look':
      return look(request, event.look)
    case 'expire':
      return onlyFrom(request, 'pending', { to: 'expired', guard: 'after_deadline' })
    case 'become_unreachable':
      return onlyFrom(request, 'pending', { to: 'unreachable' })
    case 'lapse':
      return onlyFrom(request, 'approved', { to: 'lapsed', guard: 'after_deadline' })
    case 'lose':
      return onlyFrom(request, 'running', { to: 'unknown', guard: 'after_deadline' })
    case 'abandon':
      return abandon(request, event.claimId, event.isForced)
    case 'cancel':
      return cancel(request, event)
    case 'claim':
      return claim(request, event.claim)
    case 'renew':
      return renew(request, event.claimId)
    case 'report':
      return report(request, event.claimId, event.outcome)
    case 'release':
      return release(request, event)
    case 'settle':
      return settle(request, event.outcome)
  }
}

function vote(request: TransitionSubject, event: Extract<RequestEvent, { kind: 'vote' }>): Step {
  if (request.kind === 'question') {
    return refuse('decision_not_allowed', reasonOf('request.no-vote'))
  }
  if (request.state !== 'pending') return decidedElsewhere(request, event.vote.by, undefined)
  const votes = request.progress.votes ?? []
  if (event.edit !== undefined) {
    // What was voted on is no longer what is asked: earlier votes fall.
    return change(request, {
      to: 'pending',
      deadline: 'keep',
      guard: 'before_deadline',
      edit: event.edit,
      votes: [event.vote],
    })
  }
  if (votes.some((one) => one.by === event.vote.by && one.digest === event.vote.digest))
    return { kind: 'repeat' }
  return change(request, {
    to: 'pending',
    deadline: 'keep',
    guard: 'before_deadline',
    votes: [...votes, event.vote],
  })
}

/** What is over need not be approved any more, and is only looked at. */
function look(request: TransitionSubject, made: Look): Step {
  const looks = request.progress.looks ?? []
  const isThere = looks.some((one) => one.by === made.by && one.digest === made.digest)
  if (request.state !== 'pending' || isThere) return { kind: 'repeat' }
  return change(request, { to: 'pending', deadline: 'keep', looks: [...looks, made] })
}

function decide(request: TransitionSubject, event: Extract<RequestEvent, { kind: 'decide' }>): Step {
  const { decision } = event
  if (request.state !== 'pending') return decidedElsewhere(request, decision.by, event)
  const to = outcomeOf(request.kind, decision.kind)
  if (to === undefined) {
    const said = reasonOf(`decision.${decision.kind}`)
    return refuse('decision_not_allowed', reasonOf('request.no-answer', { decision: said }))
  }
  if (to === 'approved') {
    if (event.approved === undefined) return refuse('internal', reasonOf('request.unnamed'))
    return change(request, {
      to,
      deadline: { inMs: event.claimWithinMs ?? CLAIM_WITHIN_MS },
      guard: 'before_deadline',
      decision,
      approved: event.approved,
      ...defined({ votes: event.votes, edit: event.edit }),
    })
  }
  return change(request, { to, deadline: 'none', guard: 'before_deadline', decision })
}

function outcomeOf(kind: Request['kind'], decision: Decision['kind']): RequestState | undefined {
  switch (decision) {
    case 'terminate':
      return 'terminated'
    case 'reject':
      return kind === 'question' ? 'declined' : 'rejected'
    case 'answer':
      return kind === 'question' ? 'answered' : undefined
    case 'respond':
      return kind === 'approval' ? 'answered' : undefined
    case 'approve':
    case 'edit':
      return kind === 'approval' ? 'approved' : undefined
  }
}

/** Repeating one's own answer is a success; anyone else is told what was recorded, and by whom. */
function decidedElsewhere(
  request: TransitionSubject,
  by: string,
  event: Extract<RequestEvent, { kind: 'decide' }> | undefined,
): Step {
  const recorded = request.progress.decision
  if (recorded !== undefined) {
    const same =
      recorded.by === by &&
      (event === undefined
        ? recorded.kind === 'approve' || recorded.kind === 'edit'
        : saysTheSame(recorded, event.decision) &&
          (event.approved === undefined || event.approved.digest === request.progress.approved?.digest))
    if (same) return { kind: 'repeat' }
    return refuse('already_decided', alreadyDecided({ ...request.progress, decision: recorded }))
  }
  switch (request.state) {
    case 'expired':
      return refuse('expired', reasonOf('request.expired'))
    case 'cancelled':
      return refuse('cancelled', reasonOf('request.cancelled'))
    default:
      return refuse('not_pending', reasonOf('request.not-pending', stateOf(request)))
  }
}

function cancel(request: TransitionSubject, event: Extract<RequestEvent, { kind: 'cancel' }>): Step {
  const { kind: _, ...why } = event
  if (request.state === 'pending' || request.state === 'approved') {
    return change(request, { to: 'cancelled', deadline: 'none', cancelled: why })
  }
  if (request.state === 'running') {
    if (request.progress.stop !== undefined) return { kind: 'repeat' }
    return change(request, {
      to: 'running',
      deadline: 'keep',
      stop: { by: why.by, ...defined({ reason: why.reason }) },
    })
  }
  if (request.state === 'cancelled') return { kind: 'repeat' }
  return refuse('not_pending', reasonOf('request.nothing-to-cancel', stateOf(request)))
}

function claim(request: TransitionSubject, wanted: Claim): Step {
  const held = request.progress.claim
  if (held !== undefined) {
    if (held.key === wanted.key && held.by === wanted.by && request.state === 'running')
      return { kind: 'repeat' }
    return refuse('already_claimed', reasonOf('request.claimed'))
  }
  if (isReleased(request.progress.released, wanted.key))
    return refuse('already_claimed', reasonOf('call.given-back'))
  if (request.state === 'approved') {
    const { deadline = null } = request
    return change(request, {
      to: 'running',
      deadline: { inMs: wanted.leaseMs },
      guard: 'before_deadline',
      claim: deadline === null ? wanted : { ...wanted, lapsesAt: deadline },
    })
  }
  if (request.state === 'cancelled') {
    const why = request.progress.cancelled
    const code = why?.cause === 'facts_changed' ? 'facts_changed' : 'cancelled'
    const told = why?.why ?? why?.reason
    return refuse(
      code,
      told ? reasonOf('request.never-runs-because', { why: told }) : reasonOf('request.never-runs'),
    )
  }
  if (request.state === 'expired') return refuse('expired', reasonOf('request.expired-never-runs'))
  return refuse('not_approved', reasonOf('request.not-approved', stateOf(request)))
}

function renew(request: TransitionSubject, claimId: string): Step {
  const held = request.progress.claim
  if (request.state === 'running' && held?.id === claimId) {
    return change(request, { to: 'running', deadline: { inMs: held.leaseMs }, guard: 'before_deadline' })
  }
  if (request.state === 'unknown' && held?.id === claimId) {
    return refuse('lease_lapsed', reasonOf('request.lease-over-report'))
  }
  return refuse('not_running', reasonOf('request.not-held', stateOf(request)))
}

function report(request: TransitionSubject, claimId: string, outcome: Outcome): Step {
  const held = request.progress.claim
  if (held === undefined || held.id !== claimId) {
    return refuse('not_running', reasonOf('request.no-claim'))
  }
  if (request.state === 'running') return change(request, { to: 'done', deadline: 'none', outcome })
  if (request.state === 'unknown') {
    return change(request, { to: 'done', deadline: 'none', outcome: { ...outcome, late: true } })
  }
  if (request.state === 'done') return reportAgain(request.progress.outcome, outcome)
  return refuse('not_running', reasonOf('request.is', stateOf(request)))
}

function release(
  request: TransitionSubject,
  { release: given, stop: untold }: Extract<RequestEvent, { kind: 'release' }>,
): Step {
  const { key: givenKey, claim: claimId, by, cause, at } = given
  const { claim: held, released = [], stop = untold } = request.progress
  if (released.some((one) => one.key === givenKey || (claimId !== undefined && one.claim === claimId)))
    return { kind: 'repeat' }
  const isTheirs = held !== undefined && (held.key === givenKey || held.id === claimId)
  if (request.state === 'unknown' && isTheirs)
    return refuse('lease_lapsed', reasonOf('request.lease-over-release'))
  if (request.state === 'running' && isTheirs && held.by === by) {
    if (isReleasedOften(released)) return refuse('not_running', tooManyReleases())
    const back: Release = { key: held.key, claim: held.id, by, cause, at }
    const { claim: _, ...progress } = request.progress
    const next = { ...progress, released: withRelease(released, back) }
    if (stop === undefined) {
      const deadline = { at: held.lapsesAt ?? at }
      return { kind: 'change', to: 'approved', deadline, guard: 'before_deadline', progress: next }
    }
    const gone = { ...next, cancelled: { cause: 'withdrawn' as const, ...stop } }
    return { kind: 'change', to: 'cancelled', deadline: 'none', guard: 'before_deadline', progress: gone }
  }
  const isOpen = request.state === 'pending' || request.state === 'approved'
  if (isOpen && givenKey !== undefined) {
    const barred: Release = { key: givenKey, by, cause, at }
    return change(request, { to: request.state, deadline: 'keep', released: withRelease(released, barred) })
  }
  return refuse('not_running', reasonOf('request.not-held', stateOf(request)))
}

/** The first outcome stands. Saying it again, as after an answer that was lost, is no contradiction; saying another is. */
function reportAgain(recorded: Outcome | undefined, outcome: Outcome): Step {
  if (recorded === undefined) return { kind: 'repeat' }
  const { kind, by } = recorded
  const isTheirs = by === outcome.by
  if (kind === outcome.kind && !(isTheirs && saysOther(recorded, outcome))) return { kind: 'repeat' }
  const found = { outcome: reasonOf(`outcome.${kind}`) }
  return refuse(
    'already_reported',
    isTheirs
      ? reasonOf('request.other-outcome', found)
      : reasonOf('request.other-outcome-by', { ...found, by }),
  )
}

/** Only of a call that was handed over, unless forced: of any other its runner is asked by its lease. */
function abandon(request: TransitionSubject, claimId: string, isForced = false): Step {
  const { claim: held } = request.progress
  if (held?.id !== claimId || (held.handedOver === undefined && !isForced))
    return refuse('not_running', reasonOf('request.no-claim'))
  if (request.state === 'unknown') return { kind: 'repeat' }
  if (request.state === 'running') return change(request, { to: 'unknown', deadline: 'none' })
  return refuse('not_running', reasonOf('request.is', stateOf(request)))
}

function settle(request: TransitionSubject, outcome: Outcome): Step {
  if (request.state === 'unknown') return change(request, { to: 'done', deadline: 'none', outcome })
  return refuse('not_running', reasonOf('request.not-unknown', stateOf(request)))
}

function onlyFrom(
  request: TransitionSubject,
  from: RequestState,
  then: { to: RequestState; guard?: 'after_deadline' },
): Step {
  if (request.state === from) return change(request, { ...then, deadline: 'none' })
  if (request.state === then.to) return { kind: 'repeat' }
  return refuse(
    isFinal(request.state) ? 'not_pending' : 'invalid',
    reasonOf('request.only-from', { ...stateOf(request), from: reasonOf(`state.${from}`) }),
  )
}

type ChangeParts = Pick<Extract<Step, { kind: 'change' }>, 'to' | 'deadline' | 'guard'> & Progress

function change(request: TransitionSubject, parts: ChangeParts): Step {
  const { to, deadline, guard, ...progress } = parts
  const next = { ...request.progress, ...progress }
  return { kind: 'change', to, deadline, progress: next, ...defined({ guard }) }
}

function refuse(code: ErrorCode, reason: Reason): Step {
  return { kind: 'refuse', code, reason }
}

function stateOf({ state }: TransitionSubject): { state: Reason } {
  return { state: reasonOf(`state.${state}`) }
}
