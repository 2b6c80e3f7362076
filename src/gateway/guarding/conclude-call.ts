/** The second step from a call to the right to run it: what a person approved is claimed, everything else is told as it is. */

import { contentOf } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import { type ErrorCode, isBanksmanError } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Request } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import { startStopwatch } from '../../core/time/clock.ts'
import type { NotRun, Refused, Replayed } from '../../guard/contract.ts'
import type { HeldData } from '../../guard/create-held.ts'
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import type { ClaimResult, ClaimVerbs } from '../lifecycle/claim.ts'
import { joinWaiterId } from '../lifecycle/join-request.ts'
import { newRunnerKey } from '../lifecycle/runner-key.ts'
import type { WaitVerb } from '../lifecycle/wait.ts'
import { toNotRun, toRefused } from './guard-result.ts'
import {
  type ClaimedCall,
  NO_LONGER_WAITS,
  replayResult,
  type TakeOptions,
  withoutResult,
} from './taken-call.ts'

export interface ConcludeCallPorts {
  store: Pick<Store, 'calls' | 'now'>
  claims: Pick<ClaimVerbs, 'claim' | 'renew' | 'release'>
  wait: WaitVerb
  host: Pick<Host, 'clock' | 'random'>
}

export type ConcludeCall = (
  request: Request,
  actor: Actor,
  taking: TakeOptions,
) => Promise<ClaimedCall | Replayed | NotRun>

/** What a claim is refused with when the request is no longer what it was. */
const ENDED: ReadonlySet<ErrorCode> = new Set([
  'already_claimed',
  'not_approved',
  'expired',
  'cancelled',
  'facts_changed',
  'lease_lapsed',
  'not_running',
] satisfies ErrorCode[])

export function createConcludeCall({ store, claims, wait, host }: ConcludeCallPorts): ConcludeCall {
  /** Claims what was approved; says what became of everything else. */
  async function conclude(
    request: Request,
    actor: Actor,
    taking: TakeOptions,
  ): Promise<ClaimedCall | Replayed | NotRun> {
    const { state, progress } = request
    if (state === 'pending') {
      const because = taking.signal?.aborted ? 'aborted' : 'hold_over'
      return { kind: 'pending', because, requestId: request.id }
    }
    const key = taking.key ?? newRunnerKey(host)
    // Of a request that others may join, a key is good for one call.
    const claimKey = request.joinable === undefined ? key : joinWaiterId(taking.callId ?? request.callId, key)
    const isOurs =
      state === 'running' && progress.claim?.key === claimKey && progress.claim?.by === actor.subject
    if (state !== 'approved' && !isOurs) return ended(request, actor, taking)
    if (taking.signal?.aborted) return { kind: 'pending', because: 'aborted', requestId: request.id }
    const { digest, bytes } = progress.approved!
    if (bytes !== undefined && taking.can?.edit === false) return cantCarry(request, bytes)
    const sinceSent = startStopwatch(host.clock)
    const sentAt = store.now()
    let claimed: ClaimResult
    try {
      claimed = await claims.claim(request.id, { digest, key: claimKey, handOver: taking.handOver }, actor)
      const { id: claimId, at } = claimed.request.progress.claim!
      // The answer to an earlier claim with this key was lost: its lease is older than whoever asks now can know.
      if (at < sentAt) await claims.renew(request.id, claimId, actor)
    } catch (error) {
      return claimRefused(request, error, actor, taking)
    }
    if (taking.signal?.aborted && taking.comesBack !== true) {
      await claims.release(request.id, { key: claimKey, cause: NO_LONGER_WAITS }, actor)
      return { kind: 'pending', because: 'aborted', requestId: request.id }
    }
    const { decision, approved, claim } = claimed.request.progress
    const data: HeldData = {
      kind: 'held',
      key,
      session: request.session,
      callId: taking.callId ?? request.callId,
      arguments: claimed.arguments,
      ...(approved?.bytes === undefined ? {} : { edited: contentOf(approved.bytes).arguments }),
      ...defined({ by: decision?.by }),
      requestId: request.id,
      claimId: claimed.claimId,
      leaseMs: claim!.leaseMs,
    }
    return { kind: 'claimed', data, request: claimed.request, sinceSent }
  }

  /** Somebody else was faster, or the approval is over: what became of it is said with the request. */
  async function claimRefused(
    request: Request,
    error: unknown,
    actor: Actor,
    taking: TakeOptions,
  ): Promise<Replayed | NotRun> {
    if (!isBanksmanError(error) || !ENDED.has(error.code)) throw error
    const now = await wait(request.id, { holdMs: 0 }).catch(() => request)
    if (now.state === 'approved' || now.state === 'pending') throw error
    const result = await ended(now, actor, taking)
    return result.kind === 'refused' && error.code === 'facts_changed'
      ? { ...result, code: error.code }
      : result
  }

  async function ended(request: Request, actor: Actor, taking: TakeOptions): Promise<Replayed | NotRun> {
    const told = toNotRun(request)
    if (request.state !== 'done' || told.kind !== 'refused' || request.submittedBy !== actor.subject)
      return told
    const { outcome, decision, approved } = request.progress
    const replayed = outcome && (await replayResult(store, request, outcome))
    if (replayed === undefined) return { ...told, ...withoutResult(told, taking) }
    return {
      ...replayed,
      requestId: request.id,
      ...defined({ by: decision?.by }),
      ...(approved?.bytes === undefined ? {} : { edited: contentOf(approved.bytes).arguments }),
    }
  }

  return conclude
}

function cantCarry(request: Request, bytes: string): Refused {
  const { arguments: approved } = contentOf(bytes)
  const by = request.progress.decision?.by ?? ''
  const error = reasonedError(
    'digest_mismatch',
    reasonOf('refused.edited', { by, arguments: JSON.stringify(approved) }),
  )
  return { ...toRefused(error), state: request.state, requestId: request.id }
}
