/**
 * `claim`, `renew` and `release`: the right to run what was approved. A claim is given once, for exactly the bytes that were
 * approved (P3, P4).
 */

import { contentOf } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import { commitmentOf } from '../../core/digest.ts'
import { BanksmanError, type ErrorCode, isBanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { HandedOver, Request } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import type { GatewaySettings } from '../gateway-parts.ts'
import type { Host } from '../host.ts'
import type { RunningCalls } from '../requests/running-calls.ts'
import type { ExpireOne } from './expire.ts'
import { type RecheckPorts, recheckApproval } from './recheck-approval.ts'
import { createOutcomeVerbs, type OutcomePorts, type OutcomeVerbs, ownRequest } from './report-outcome.ts'
import { checkCause, checkKey } from './runner-key.ts'

export interface ClaimResult {
  claimId: string
  /** A fresh copy of what was approved. */
  arguments: JsonObject
  leaseUntil: number
  request: Request
}

export interface ClaimTerms {
  digest: string
  key: string
  /** It goes to somebody who can't be asked: the claim lasts as long as the call may take. */
  handOver?: HandedOver | undefined
}

export interface ClaimVerbs extends OutcomeVerbs {
  /** `key` is the runner's own: the same key gets the same claim again, another key gets none. */
  claim(id: string, input: ClaimTerms, actor: Actor): Promise<ClaimResult>
  renew(
    id: string,
    claimId: string,
    actor: Actor,
  ): Promise<{ leaseUntil: number; stop: boolean; request: Request }>
  /**
   * Gives a claim back without an outcome: the request is approved again. By a key that has not claimed, it bars the key.
   * `lease_lapsed` after the lease, `not_running` where another holds it or after ten times.
   */
  release(
    id: string,
    input: { cause: string } & ({ claimId: string } | { key: string }),
    actor: Actor,
  ): Promise<Request>
}

export interface ClaimPorts extends OutcomePorts, RecheckPorts {
  store: OutcomePorts['store']
  running: Pick<RunningCalls, 'stoppedBy'>
  host: Pick<Host, 'newId' | 'observe'>
  settings: Pick<GatewaySettings, 'leaseMs' | 'runWithinMs'>
  expireOne: ExpireOne
  beforeClaim: (() => Promise<void>) | undefined
}

export function createClaimVerbs(ports: ClaimPorts): ClaimVerbs {
  const { store, changes, running, host, settings, expireOne, beforeClaim } = ports

  /** A deadline that came first is recorded now rather than when a timer gets to it. */
  async function orExpire<T>(id: string, code: ErrorCode, work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      if (isBanksmanError(error, code)) await expireOne(id)
      throw error
    }
  }

  return {
    ...createOutcomeVerbs(ports),

    async claim(id, input, actor) {
      checkKey(input.key)
      const seen = await ownRequest(ports, id, actor)
      if (running.stoppedBy(id) !== undefined)
        throw reasonedError('cancelled', reasonOf('request.stopped-unrun'))
      const changing = changes.change(
        id,
        async (now) => {
          checkDigest(now, input.digest)
          if (now.state === 'approved') await recheckApproval(ports, now)
          const { key, handOver: handedOver } = input
          const leaseMs = handedOver === undefined ? settings.leaseMs : settings.runWithinMs
          const made = { id: host.newId('clm'), key, by: actor.subject, at: store.now(), leaseMs }
          const claim = { ...made, ...defined({ handedOver }) }
          return {
            event: { kind: 'claim', claim },
            describe: (next) => ({
              type: 'request.claimed',
              members: {
                by: actor.subject,
                claim: next.progress.claim!.id,
                ...(handedOver === undefined ? {} : { handedOver: true }),
                ...(input.digest === now.digest
                  ? {}
                  : { approved: commitmentOf(now.commitmentKey, input.digest) }),
                state: next.to,
              },
            }),
          }
        },
        seen,
      )
      const { request: moved } = await orExpire(id, 'not_approved', changing)
      await beforeClaim?.()
      const approved = moved.progress.approved!
      return {
        claimId: moved.progress.claim!.id,
        arguments: contentOf(approved.bytes ?? moved.bytes).arguments,
        leaseUntil: moved.deadline!,
        request: moved,
      }
    },

    async renew(id, claimId, actor) {
      const seen = await ownRequest(ports, id, actor)
      const changing = changes.change(
        id,
        () => ({
          event: { kind: 'renew', claimId },
          describe: (next) => ({
            type: 'request.renewed',
            members: { claim: claimId, state: next.to },
          }),
        }),
        seen,
      )
      const { request } = await orExpire(id, 'lease_lapsed', changing)
      return { leaseUntil: request.deadline!, stop: request.progress.stop !== undefined, request }
    },

    async release(id, input, actor) {
      const { cause } = input
      checkCause(cause)
      if ('key' in input) checkKey(input.key)
      const seen = await ownRequest(ports, id, actor)
      const by = actor.subject
      const which = 'key' in input ? { key: input.key } : { claim: input.claimId }
      const changing = changes.change(
        id,
        (now) => {
          const stop = running.stoppedBy(id)
          const release = { ...which, cause, by, at: store.now() }
          return {
            event: { kind: 'release', release, ...defined({ stop }) },
            describe: (next) => ({
              type: 'request.released',
              members: { by, reason: cause, ...defined({ claim: now.progress.claim?.id }), state: next.to },
            }),
          }
        },
        seen,
      )
      const { request } = await orExpire(id, 'lease_lapsed', changing)
      return request
    },
  }
}

function checkDigest(request: Request, digest: string): void {
  const approved = request.progress.approved?.digest
  if (approved === undefined || approved === digest) return
  throw new BanksmanError(
    'digest_mismatch',
    'the digest is not that of what was approved; run what was approved, or make a new call',
    { digest: approved, found: digest },
  )
}
