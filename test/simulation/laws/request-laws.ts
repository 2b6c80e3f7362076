/** What must hold of one step of one request, whoever made it: looked at in the moment in which it is committed. */
import { contentOf } from '../../../src/core/call.ts'
import type { Decision } from '../../../src/core/decision.ts'
import {
  currentTerms,
  type Request,
  type RequestState,
  shownBytes,
  shownDigest,
} from '../../../src/core/request.ts'
import { askingRules, mayDecide, quorumOf } from '../world/world-policy.ts'
import { checkRelease, isRelease } from './release-laws.ts'
import { isSame } from './told-checks.ts'

export interface LawContext {
  /** The store's time at the commit. */
  now: number
  /** Whether this person really sent this. */
  wasSent(request: string, by: string, kind: string, digest: string): boolean
  wasStopped(request: string): boolean
  /** When the approval lapses, as it was set when the request was approved. */
  approvedUntil(request: string): number | undefined
  /** Whether the node has looked at the facts since this version was committed, and found those that it was judged on. */
  hasLookedAgain(request: Request): boolean
  broken(promise: string, words: string): void
}

const NEXT: Record<string, RequestState[]> = {
  pending: [
    'pending',
    'approved',
    'rejected',
    'answered',
    'declined',
    'terminated',
    'expired',
    'cancelled',
    'unreachable',
  ],
  approved: ['approved', 'running', 'lapsed', 'cancelled'],
  running: ['running', 'done', 'unknown', 'approved', 'cancelled'],
  unknown: ['done'],
}

const DECIDED_AS: Record<Decision['kind'], RequestState[]> = {
  approve: ['approved'],
  edit: ['approved'],
  reject: ['rejected', 'declined'],
  respond: ['answered'],
  answer: ['answered'],
  terminate: ['terminated'],
}

export function checkStep(before: Request, after: Request, book: LawContext): void {
  const { id } = after
  const { broken } = book
  if (after.version !== before.version + 1)
    broken('P10', `${id} went from version ${before.version} to ${after.version}`)
  if (!(NEXT[before.state] ?? []).includes(after.state))
    broken(
      before.progress.claim === undefined ? 'P2' : 'P4',
      `${id} went from ${before.state} to ${after.state}`,
    )
  for (const part of ['digest', 'bytes', 'session', 'callId', 'submittedBy', 'terms', 'tool'] as const) {
    if (!isSame(before[part], after[part])) broken('P3', `${id}: its ${part} changed`)
  }
  for (const [part, promise] of [
    ['decision', 'P2'],
    ['approved', 'P3'],
    ['claim', 'P4'],
    ['outcome', 'P4'],
    ['stop', 'P5'],
  ] as const) {
    if (part === 'claim' && isRelease(before, after)) continue
    const was = before.progress[part]
    if (was !== undefined && !isSame(was, after.progress[part]))
      broken(
        promise,
        `${id}: its ${part} was ${JSON.stringify(was)} and became ${JSON.stringify(after.progress[part])}`,
      )
  }
  checkEdit(before, after, book)
  checkVotes(before, after, book)
  checkDecision(before, after, book)
  checkDeadline(before, after, book)
  checkRelease(before, after, book)
  checkEnd(before, after, book)
}

/** A request that has just been opened. */
export function checkOpened(request: Request, { broken }: LawContext): void {
  const { id, tool, terms } = request
  const asked = askingRules(tool, contentOf(request.bytes).arguments)
  const found = terms.conditions.map((condition) => condition.rule)
  if (!isSame([...asked].sort(), [...found].sort()))
    broken(
      'P5',
      `${id} for ${tool} is asked under ${found.join(', ')}; the policy asks under ${asked.join(', ')}`,
    )
  if (request.version !== 1) broken('P10', `${id} begins with version ${request.version}`)
  if (request.state !== 'pending' && request.state !== 'unreachable')
    broken('P5', `${id} begins as ${request.state}`)
}

/** The rules that hold for what is shown. */
function rulesOf(request: Request): string[] {
  return currentTerms(request).conditions.map((condition) => condition.rule)
}

/** An edit brings the rules of the edited call with it, and takes none away. */
function checkEdit(before: Request, after: Request, { broken }: LawContext): void {
  if (isSame(before.progress.edit, after.progress.edit)) return
  const rules = rulesOf(after)
  const expected = [...rulesOf(before), ...askingRules(after.tool, contentOf(shownBytes(after)).arguments)]
  for (const rule of expected) {
    if (!rules.includes(rule)) broken('P6', `${after.id}: after an edit it is no longer asked under ${rule}`)
  }
}

function checkVotes(before: Request, after: Request, { broken, wasSent }: LawContext): void {
  const [was, is] = [before.progress.votes ?? [], after.progress.votes ?? []]
  const isEdited = !isSame(before.progress.edit, after.progress.edit)
  for (const vote of was) {
    if (!isEdited && after.state !== 'approved' && !is.some((one) => isSame(one, vote)))
      broken('P2', `${after.id}: the vote of ${vote.by} is lost`)
  }
  const rules = rulesOf(after)
  for (const vote of is) {
    if (was.some((one) => isSame(one, vote))) continue
    if (!rules.some((rule) => mayDecide(vote.by, rule)))
      broken('P6', `${after.id}: ${vote.by} voted, who may not`)
    const wanted = isEdited ? 'edit' : 'approve'
    const digest = isEdited ? shownDigest(before) : vote.digest
    if (!wasSent(after.id, vote.by, wanted, digest) && !wasSent(after.id, vote.by, 'edit', digest))
      broken('P6', `${after.id}: ${vote.by} never voted for ${digest}`)
    if (vote.digest !== shownDigest(after))
      broken('P3', `${after.id}: ${vote.by} voted on what was not shown`)
  }
}

function checkDecision(before: Request, after: Request, { broken, wasSent, now }: LawContext): void {
  const { decision, approved } = after.progress
  const { id } = after
  const isNew = before.progress.decision === undefined && decision !== undefined
  if (!isNew) {
    if (decision === undefined && after.state === 'approved') broken('P5', `${id} is approved, by nobody`)
    return
  }
  if (before.state !== 'pending') broken('P2', `${id} was decided when it was ${before.state}`)
  if (!DECIDED_AS[decision.kind].includes(after.state))
    broken('P5', `${id} is ${after.state} because of a decision to ${decision.kind}`)
  const rules = rulesOf(after)
  if (!rules.some((rule) => mayDecide(decision.by, rule)))
    broken('P6', `${id} was decided by ${decision.by}, who may not: ${rules.join(', ')}`)
  if (!wasSent(id, decision.by, decision.kind, decision.digest))
    broken('P6', `${id}: ${decision.by} never sent a decision to ${decision.kind} ${decision.digest}`)
  if (decision.digest !== shownDigest(before))
    broken('P3', `${id} was decided on ${decision.digest}; shown was ${shownDigest(before)}`)
  if (before.deadline !== null && before.deadline <= now) broken('P5', `${id} was decided after its deadline`)
  if (after.state !== 'approved') return
  if (
    approved?.digest !== shownDigest(after) ||
    (decision.kind === 'approve' && approved.digest !== decision.digest)
  )
    broken('P3', `${id}: what is approved is not what was decided on`)
  for (const rule of rules) {
    const voters = new Set(
      (after.progress.votes ?? []).filter((vote) => vote.digest === approved?.digest).map((vote) => vote.by),
    )
    const count = [...voters].filter((voter) => mayDecide(voter, rule)).length
    if (count < quorumOf(rule))
      broken('P6', `${id} is approved with ${count} of ${quorumOf(rule)} votes that ${rule} needs`)
  }
}

function checkDeadline(before: Request, after: Request, { broken, now, hasLookedAgain }: LawContext): void {
  const { id } = after
  const isDue = before.deadline !== null && before.deadline <= now
  const byDeadline = ['expired', 'lapsed', 'unknown'].includes(after.state)
  if (byDeadline && !isDue)
    broken(after.state === 'unknown' ? 'P4' : 'P5', `${id} is ${after.state}, and its deadline has not come`)
  const isClaimed = before.state === 'approved' && after.state === 'running'
  if (isClaimed && isDue) broken('P4', `${id} was claimed after the approval had lapsed`)
  if (isClaimed && after.progress.claim?.by !== after.submittedBy)
    broken('P4', `${id} of ${after.submittedBy} was claimed by ${after.progress.claim?.by}`)
  if (isClaimed && !hasLookedAgain(before))
    broken('P5', `${id} was claimed, and what it was judged on was not looked at since it was approved`)
  const isRenewed =
    after.state === 'running' && before.state === 'running' && after.deadline !== before.deadline
  if (isRenewed && isDue) broken('P4', `${id}: its lease was renewed after it had lapsed`)
  if ((after.deadline === null) !== !['pending', 'approved', 'running'].includes(after.state))
    broken('P8', `${id} is ${after.state} with the deadline ${after.deadline}`)
}

function checkEnd(before: Request, after: Request, { broken, wasStopped }: LawContext): void {
  const { id } = after
  const why = after.progress.cancelled
  if (after.state === 'cancelled' && !isRelease(before, after)) {
    const byHouse = ['denied_at_claim', 'facts_changed', 'session_ended'].includes(why?.cause ?? '')
    if (!byHouse && !wasStopped(id)) broken('P5', `${id} was cancelled, which nobody asked for`)
    const by = why?.by ?? 'nobody'
    if (!byHouse && by !== after.submittedBy && !rulesOf(before).some((rule) => mayDecide(by, rule)))
      broken('P6', `${id} was cancelled by ${by}, who may not`)
  }
  if (after.state === 'done' && after.progress.outcome === undefined)
    broken('P4', `${id} is done without an outcome`)
  if (after.state === 'unreachable' && before.reach !== 'live')
    broken('P8', `${id} became unreachable, though it waits in the inbox`)
}
