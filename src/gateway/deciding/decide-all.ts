/**
 * `decideAll`: a person answers several requests at once. Everything is checked before anything changes, and then all
 * of it is committed in one step or none of it: of two such answers that meet on one request, one wins whole (P2).
 */

import type { DecisionInput } from '../../core/decision.ts'
import { alreadyDecided } from '../../core/decisions/votes.ts'
import { BanksmanError, type ErrorCode, isBanksmanError } from '../../core/errors.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError, reasonIn } from '../../core/reasons/reasoned-error.ts'
import type { Request } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import type { ExpireOne } from '../lifecycle/expire.ts'
import type { DraftedChange, RequestChanges } from '../requests/change-request.ts'
import { recordedDecisionOf, unknownRequestId } from '../requests/request-refusals.ts'
import { MAX_DECISIONS } from './check-decision.ts'
import type { DecideVerb } from './decide.ts'
import { type DecideResult, toDecideResult } from './decide-result.ts'
import type { AdmittedDecision, PrepareDecision, PreparedDecision } from './prepare-decision.ts'

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

interface AdmittedBatchDecision extends PreparedBatchDecision, AdmittedDecision {
  request: Request
}

type BatchChange = Exclude<DraftedChange, { kind: 'refuse' }>

export interface DecideAllPorts {
  store: Pick<Store, 'get' | 'now'>
  changes: RequestChanges
  prepare: PrepareDecision
  decide: DecideVerb
  expireOne: ExpireOne
  host: Pick<Host, 'observe'>
}

export function createDecideAll({
  store,
  changes,
  prepare,
  decide,
  expireOne,
  host,
}: DecideAllPorts): DecideAllVerb {
  /** In their order, so that nobody learns of a request that they may not see by naming it before another (P6). */
  async function admitAll(parts: readonly PreparedBatchDecision[]): Promise<AdmittedBatchDecision[]> {
    const admitted: AdmittedBatchDecision[] = []
    for (const part of parts) {
      const request = await store.get(part.id)
      if (request === undefined) throw unknownRequestId(part.id)
      const { plan } = await withRequestId(part.id, () => part.decision.admit(request))
      admitted.push({ ...part, request, plan })
    }
    return admitted
  }

  /** What each answer comes to. One that can't be given refuses all, and says for which request. */
  async function draftAll(parts: readonly AdmittedBatchDecision[]): Promise<BatchChange[]> {
    const requests = parts.map(({ request }) => request)
    const drafted: BatchChange[] = []
    for (const { id, version, request, plan } of parts) {
      if (version !== undefined && request.version !== version) throw changedSince(request, requests)
      const planned = await withRequestId(id, () => plan(request))
      const one = changes.draft(request, planned)
      if (one.kind === 'refuse') throw refusalOf(one.code, one.reason, request, requests)
      drafted.push(one)
    }
    return drafted
  }

  /** Deadlines that came first are recorded now rather than when a timer gets to them. */
  async function expireAll(parts: readonly PreparedBatchDecision[]): Promise<void> {
    for (const { id } of parts) await expireOne(id)
  }

  return async (decisions, actor) => {
    checkList(decisions)
    const [only] = decisions
    // It ends sessions, which is a step of its own.
    if (only!.input.decision === 'terminate') return [await decide(only!.id, only!.input, actor)]
    const parts: PreparedBatchDecision[] = []
    for (const one of decisions) {
      const decision = await withRequestId(one.id, () => prepare(one.input, actor))
      parts.push({ ...one, decision })
    }
    let admitted = await admitAll(parts)
    for (let race = 0; race < MAX_RACES; race++) {
      const drafted = await draftAll(admitted).catch(async (error) => {
        if (isBanksmanError(error, 'expired')) await expireAll(parts)
        throw error
      })
      const done = await changes.commitAll(drafted)
      if (done !== undefined) return done.map((one) => toDecideResult(host, one))
      admitted = await admitAll(parts)
      const requests = admitted.map(({ request }) => request)
      const late = requests.find((request) => isLate(request, store.now()))
      if (late !== undefined) {
        await expireAll(parts)
        throw refusalOf('expired', reasonOf('request.late'), late, requests)
      }
    }
    throw reasonedError('internal', reasonOf('problem.kept-changing'))
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

/** Nobody can decide it any more, whoever drives its deadline. */
function isLate({ state, deadline }: Request, now: number): boolean {
  return state === 'pending' && deadline !== null && deadline <= now
}

function changedSince(request: Request, requests: readonly Request[]): BanksmanError {
  const { decision } = request.progress
  if (decision !== undefined) {
    return refusalOf('already_decided', alreadyDecided({ ...request.progress, decision }), request, requests)
  }
  const reason = reasonOf('request.changed-state', { state: reasonOf(`state.${request.state}`) })
  return refusalOf('stale_action', reason, request, requests)
}

/** Who loses learns what is recorded of each of the requests (P2). */
function refusalOf(
  code: ErrorCode,
  why: Reason,
  { id, state, version, progress }: Request,
  requests: readonly Request[],
): BanksmanError {
  return reasonedError(code, reasonOf('problem.nothing-decided', { id, why }), {
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
    const why = reasonIn(error.details)
    if (why !== undefined)
      throw reasonedError(error.code, reasonOf('problem.of-request', { id, why }), details, { cause: error })
    throw new BanksmanError(error.code, `request ${id}: ${error.message}`, details, { cause: error })
  }
}

function invalid(message: string): never {
  throw new BanksmanError('invalid_decision', message)
}
