/**
 * `decideAll`: a person answers several requests at once. Everything is checked before anything changes, and then all
 * of it is committed in one step or none of it: of two such answers that meet on one request, one wins whole (P2).
 */
import type { DecisionInput } from '../../core/decision.ts'
import { BanksmanError, type ErrorCode, isBanksmanError } from '../../core/errors.ts'
import type { Request } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import { type Step, step } from '../../core/transitions.ts'
import { alreadyDecided } from '../../core/votes.ts'
import type { Change } from '../../stores/store.ts'
import type { ExpireOne } from '../lifecycle/expire.ts'
import {
  announceCommit,
  announceRequest,
  type GatewayContext,
  recordedDecisionOf,
  requestAfter,
  rereadLater,
  toStoreChange,
  unknownRequestId,
} from '../requests/change-request.ts'
import { MAX_DECISIONS } from './check-decision.ts'
import type { DecideVerb } from './decide.ts'
import { type DecideResult, toDecideResult } from './decide-result.ts'
import { type PreparedDecision, prepareDecision } from './prepare-decision.ts'

export interface BatchDecision {
  id: string
  input: DecisionInput
  /** Only as long as the request has this version. Absent: as long as it asks what was shown. */
  version?: number
}

/** In the order in which they are given. What was already recorded so, by the same person, is a success. */
export type DecideAllVerb = (decisions: readonly BatchDecision[], actor: Actor) => Promise<DecideResult[]>

const MAX_RACES = 100

interface PreparedBatchDecision extends BatchDecision {
  decision: PreparedDecision
}

type BatchChange =
  | { kind: 'repeat'; request: Request }
  | { kind: 'change'; request: Request; next: Extract<Step, { kind: 'change' }>; change: Change }

export function createDecideAll(
  hall: GatewayContext,
  expireOne: ExpireOne,
  decide: DecideVerb,
): DecideAllVerb {
  return async (decisions, actor) => {
    checkList(decisions)
    const [only] = decisions
    // It ends sessions, which is a step of its own.
    if (only!.input.decision === 'terminate') return [await decide(only!.id, only!.input, actor)]
    const parts: PreparedBatchDecision[] = []
    for (const one of decisions) {
      const decision = await withRequestId(one.id, () => prepareDecision(hall, one.input, actor))
      parts.push({ ...one, decision })
    }
    let requests = await readAll(hall, parts)
    for (let race = 0; race < MAX_RACES; race++) {
      const moves = await movesOf(hall, parts, requests).catch(async (error) => {
        if (isBanksmanError(error, 'expired')) await expireAll(parts)
        throw error
      })
      const deadlines = await commit(hall, moves)
      if (deadlines !== undefined) return moves.map((one, index) => finish(hall, one, deadlines[index]!))
      requests = await readAll(hall, parts)
      const late = requests.find((request) => isLate(hall, request))
      if (late !== undefined) {
        await expireAll(parts)
        throw refusalOf('expired', 'the request has expired', late, requests)
      }
    }
    throw new BanksmanError('internal', 'the requests kept changing while they were being decided; try again')
  }

  /** Deadlines that came first are recorded now rather than when a timer gets to them. */
  async function expireAll(parts: readonly PreparedBatchDecision[]): Promise<void> {
    for (const { id } of parts) await expireOne(id)
  }
}

function checkList(decisions: readonly BatchDecision[]): void {
  if (!Array.isArray(decisions) || decisions.length < 1 || decisions.length > MAX_DECISIONS) {
    invalid(`decisions must be a list of one to ${MAX_DECISIONS}, each with id and input`)
  }
  const ids = new Set<string>()
  for (const one of decisions as readonly (Partial<BatchDecision> | null | undefined)[]) {
    const { id, input, version } = one ?? {}
    if (typeof id !== 'string' || typeof input !== 'object' || input === null) {
      invalid('each of decisions must have the id of a request and input, the decision on it')
    }
    if (ids.has(id)) invalid(`request ${JSON.stringify(id)} is decided twice; decide each once`)
    ids.add(id)
    if (input.decision === 'terminate' && (decisions.length > 1 || version !== undefined)) {
      invalid(
        'terminate ends the session with all that waits in it: it is decided alone, in whatever version',
      )
    }
  }
}

/** In their order, so that nobody learns of a request that they may not see by naming it before another (P6). */
async function readAll(hall: GatewayContext, parts: readonly PreparedBatchDecision[]): Promise<Request[]> {
  const requests: Request[] = []
  for (const { id, decision } of parts) {
    const request = await hall.store.get(id)
    if (request === undefined) throw unknownRequestId(id)
    await withRequestId(id, () => decision.admit(request))
    requests.push(request)
  }
  return requests
}

/** What each answer comes to. One that can't be given refuses all, and says for which request. */
async function movesOf(
  hall: GatewayContext,
  parts: readonly PreparedBatchDecision[],
  requests: readonly Request[],
): Promise<BatchChange[]> {
  const moves: BatchChange[] = []
  for (const [index, { id, version, decision }] of parts.entries()) {
    const request = requests[index]!
    if (version !== undefined && request.version !== version) throw changedSince(request, requests)
    const event = await withRequestId(id, () => decision.event(request))
    const next = step(request, event)
    if (next.kind === 'refuse') throw refusalOf(next.code, next.message, request, requests)
    if (next.kind === 'repeat') {
      moves.push({ kind: 'repeat', request })
      continue
    }
    const { type, members, grant } = decision.describe(request, event, next)
    const said = { ...request, progress: next.progress }
    const entry = hall.entry(type, members, { request: id, version: request.version + 1 }, said)
    const change = toStoreChange(request, next, entry)
    moves.push({ kind: 'change', request, next, change: grant === undefined ? change : { ...change, grant } })
  }
  return moves
}

/** The deadlines of the new states, for each move; undefined when it lost. */
async function commit(
  hall: GatewayContext,
  moves: readonly BatchChange[],
): Promise<(number | null)[] | undefined> {
  const changes = moves.flatMap((one) => (one.kind === 'change' ? [one.change] : []))
  if (changes.length === 0) return moves.map(({ request }) => request.deadline)
  const result = await hall.store.transitionAll(changes).catch((error) => {
    for (const { id } of changes) {
      hall.recent.delete(id)
      rereadLater(hall, id)
    }
    throw error
  })
  if (!result.won) {
    for (const { id } of result.lost) hall.recent.delete(id)
    return undefined
  }
  let index = 0
  return moves.map(({ kind, request }) => (kind === 'change' ? result.deadlines[index++]! : request.deadline))
}

function finish(hall: GatewayContext, done: BatchChange, deadline: number | null): DecideResult {
  if (done.kind === 'repeat') {
    // The first time may have been committed without anyone here hearing of it.
    announceRequest(hall, done.request)
    return toDecideResult(hall, done.request, false)
  }
  const moved = requestAfter(done.request, done.next, deadline)
  announceCommit(hall, moved)
  return toDecideResult(hall, moved, true)
}

/** Nobody can decide it any more, whoever drives its deadline. */
function isLate(hall: GatewayContext, { state, deadline }: Request): boolean {
  return state === 'pending' && deadline !== null && deadline <= hall.store.now()
}

function changedSince(request: Request, requests: readonly Request[]): BanksmanError {
  const { decision } = request.progress
  if (decision !== undefined) {
    return refusalOf('already_decided', alreadyDecided({ ...request.progress, decision }), request, requests)
  }
  return refusalOf(
    'stale_action',
    `the request has changed since it was shown; it is ${request.state}`,
    request,
    requests,
  )
}

/** Who loses learns what is recorded of each of the requests (P2). */
function refusalOf(
  code: ErrorCode,
  message: string,
  { id, state, version, progress }: Request,
  requests: readonly Request[],
): BanksmanError {
  return new BanksmanError(code, `request ${id}: ${message}. Nothing was decided`, {
    request: id,
    state,
    version,
    ...recordedDecisionOf(progress),
    decisions: requests.flatMap((each) => {
      const recorded = recordedDecisionOf(each.progress)
      return recorded.decision === undefined ? [] : [{ request: each.id, state: each.state, ...recorded }]
    }),
  })
}

/** An error of one among many says whose it is; but not one that says there is no such request. */
async function withRequestId<T>(id: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isBanksmanError(error) || error.code === 'unknown_id') throw error
    const details = { ...error.details, request: id }
    throw new BanksmanError(error.code, `request ${id}: ${error.message}`, details, { cause: error })
  }
}

function invalid(message: string): never {
  throw new BanksmanError('invalid_decision', message)
}
