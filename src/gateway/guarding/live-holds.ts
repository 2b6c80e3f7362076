/** Holds that live in this process: renewed by themselves, told at once when they must stop, reported or given back. */
import { defined } from '../../core/defined.ts'
import type { Outcome } from '../../core/request.ts'
import type { OutcomeKind } from '../../core/request-state.ts'
import type { Actor } from '../../core/session.ts'
import type { HoldOptions } from '../../guard/contract.ts'
import { createHeld, type HoldPort, type LiveHeld } from '../../guard/create-held.ts'
import { checkedResult, resultText } from '../../guard/kept-result.ts'
import type { Store } from '../../stores/store.ts'
import type { GatewaySettings } from '../gateway-parts.ts'
import type { Host } from '../host.ts'
import type { ClaimVerbs } from '../lifecycle/claim.ts'
import { type Joins, joinWaiterId } from '../lifecycle/join-request.ts'
import { MAX_SUMMARY } from '../lifecycle/report-outcome.ts'
import { checkCause, checkKey } from '../lifecycle/runner-key.ts'
import type { RunningCalls } from '../requests/running-calls.ts'
import { isStoreFault } from '../requests/store-fault.ts'
import type { AllowedHolds, CallAddress } from './allowed-holds.ts'
import type { ClaimedCall } from './taken-call.ts'

export interface HeldReport {
  outcome: OutcomeKind
  summary?: string | undefined
  result?: string | undefined
}

export interface LiveHolds {
  open(claimed: ClaimedCall, options: HoldOptions, actor: Actor): LiveHeld
  /** What became of a held call that nobody was asked about. */
  report(place: CallAddress & { key: string }, ended: HeldReport, actor: Actor): Promise<void>
  /** Gives a call back by its key, whether somebody was asked about it or not, and says which request it is. */
  releaseByKey(
    place: CallAddress & { key: string },
    cause: string,
    actor: Actor,
  ): Promise<{ requestId?: string }>
  /** Resolves when all reports are written. */
  flush(): Promise<void>
}

export interface LiveHoldsPorts {
  store: Pick<Store, 'get' | 'lookup' | 'now'>
  claims: Pick<ClaimVerbs, 'renew' | 'report' | 'release'>
  allowed: Pick<AllowedHolds, 'report' | 'release'>
  joins: Pick<Joins, 'release'>
  running: RunningCalls
  host: Pick<Host, 'clock' | 'closed' | 'report'>
  settings: Pick<GatewaySettings, 'recordWithinMs'>
}

export function createLiveHolds(ports: LiveHoldsPorts): LiveHolds {
  const { store, claims, allowed, joins, running, host, settings } = ports
  /** Reports that could not be written yet; `flush` waits for them. */
  const reports = new Set<Promise<boolean>>()
  const times = { clock: host.clock, recordWithinMs: settings.recordWithinMs, closed: host.closed }

  function open({ data, request, sinceSent }: ClaimedCall, options: HoldOptions, actor: Actor): LiveHeld {
    const held = createHeld(data, portOf(request?.id, options, actor), times, sinceSent)
    if (request !== undefined) running.add(request.id, { stop: held.stop, by: actor.subject, request })
    const { report } = held
    held.report = (outcome) => {
      const recorded = report(outcome)
      const { reported } = held
      if (reported !== undefined && !reports.has(reported)) {
        reports.add(reported)
        reported.finally(() => reports.delete(reported))
      }
      return recorded
    }
    return held
  }

  function portOf(id: string | undefined, options: HoldOptions, actor: Actor): HoldPort {
    const dropped = () => void (id !== undefined && running.delete(id))
    return {
      async renew({ claimId }) {
        const { request } = await claims.renew(id!, claimId!, actor)
        return { stop: request.progress.stop }
      },
      report(data, ended) {
        dropped()
        // It runs no longer, whether it was told to stop or not.
        if (id !== undefined) running.forgetStopped(id)
        const result = resultText(ended, options, id !== undefined)
        const { summary } = ended
        const said = { outcome: ended.ok ? ('ok' as const) : ('error' as const), summary, result }
        if (id === undefined) return reportAllowed(data, said, actor)
        return claims.report(id, { claimId: data.claimId!, ...said }, actor).then(() => {})
      },
      async release(data, cause) {
        if (id === undefined) return allowed.release(data, data.key, cause, actor)
        await claims.release(id, { claimId: data.claimId!, cause }, actor)
        dropped()
      },
      isPassing: isStoreFault,
      fault: (doing, error) => host.report({ doing, error }),
      dropped,
    }
  }

  function reportAllowed(
    { session, callId, key }: CallAddress & { key: string },
    { outcome, summary, result }: HeldReport,
    actor: Actor,
  ): Promise<void> {
    checkKey(key)
    const said: Outcome = {
      kind: outcome,
      ...defined({ summary: summary?.toWellFormed().slice(0, MAX_SUMMARY).toWellFormed() }),
      at: store.now(),
      by: actor.subject,
    }
    return allowed.report({ session, callId }, key, said, checkedResult(result, outcome), actor)
  }

  return {
    open,
    report: reportAllowed,
    async releaseByKey({ session, callId, key }, cause, actor) {
      checkKey(key)
      checkCause(cause)
      const found = await store.lookup(session, callId, '')
      // Whose session it is not does not learn what is in it (P6).
      const known = found.session?.owner === actor.subject ? found.known : undefined
      const alias = known?.hold?.joined
      const named = alias === undefined ? known : (await store.lookup(session, alias, '')).known
      if (named?.request === undefined) {
        await allowed.release({ session, callId }, key, cause, actor)
        return {}
      }
      const request = await store.get(named.request)
      const own = request?.joinable === undefined ? key : joinWaiterId(callId, key)
      await claims.release(named.request, { key: own, cause }, actor)
      if (request?.joinable !== undefined) await joins.release(named.request, own)
      return { requestId: named.request }
    },
    async flush() {
      await Promise.all(reports)
    },
  }
}
