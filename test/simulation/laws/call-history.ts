/**
 * What has become of each call id, as it was committed: a record or a request, those that follow it, who holds a call that
 * nobody was asked about, and the result that was kept. Each commit is held against the laws of calls.
 */

import type { CallHold } from '../../../src/core/call-hold.ts'
import { defined } from '../../../src/core/defined.ts'
import type { Request } from '../../../src/core/request.ts'
import type { Change, HoldChange, HoldResult, Opening, Recording } from '../../../src/stores/store.ts'
import type { World } from '../world/world.ts'
import { checkHoldAtRecord, checkHoldStep } from './hold-laws.ts'
import { checkSuccession } from './successor-laws.ts'

export interface CallPlace {
  session: string
  callId: string
}

export interface KeptResult {
  text: string
  /** Who ran the call. */
  by: string
  digest: string
  ranAt: number
}

export interface CallHistory {
  /** An agent makes the call: it reaches a node. Only so often may it be asked about. */
  begins(place: CallPlace): void
  opened(opening: Opening, request: Request): void
  recorded(recording: Pick<Recording, 'call' | 'succeeds'>): void
  holdChanged(change: HoldChange, result: HoldResult): Promise<void>
  /** A change of a request was committed with a result. */
  resultLeft(before: Request, after: Request, change: Change): void
  hold(place: CallPlace): CallHold | undefined
  /** Whether this key ever held the call. */
  hasHeld(place: CallPlace, key: string): boolean
  /** Whether this key took the call after its session had ended. */
  isTooLate(place: CallPlace, key: string): boolean
  result(place: CallPlace): KeptResult | undefined
  hasEnded(session: string): boolean
  ends(sessions: readonly string[]): void
}

interface BookedCall {
  digest: string
  by: string
  /** The newest request of the call; absent: it was let through or denied without one. */
  request?: string
  hold?: CallHold
  result?: KeptResult
}

export function createCallHistory(world: World): CallHistory {
  const calls = new Map<string, BookedCall>()
  const beginnings = new Map<string, number>()
  const openings = new Map<string, number>()
  const holders = new Set<string>()
  const tooLate = new Set<string>()
  const ended = new Set<string>()
  const { broken } = world

  function add(place: CallPlace, succeeds: string | undefined, booked: BookedCall, draft?: Request): void {
    const key = keyOf(place)
    const before = calls.get(key)
    checkSuccession(
      {
        name: key,
        succeeds,
        digest: booked.digest,
        ...(draft === undefined ? {} : { predecessor: draft.predecessor, request: draft.id }),
      },
      before && {
        digest: before.digest,
        request: before.request === undefined ? undefined : world.ledger.latest(before.request),
      },
      broken,
    )
    calls.set(key, booked)
    if (succeeds !== undefined) world.tally.successors++
    if (ended.has(place.session)) broken('P5', `session ${place.session} has ended and takes ${place.callId}`)
  }

  function noteHolder(place: CallPlace, hold: CallHold | undefined): void {
    if (hold?.state !== 'running') return
    holders.add(`${keyOf(place)} ${hold.key}`)
    if (ended.has(place.session)) tooLate.add(`${keyOf(place)} ${hold.key}`)
  }

  return {
    begins: (place) => void beginnings.set(keyOf(place), (beginnings.get(keyOf(place)) ?? 0) + 1),
    opened({ succeeds }, request) {
      const key = keyOf(request)
      const { id, digest, submittedBy } = request
      add(request, succeeds, { digest, by: submittedBy, request: id }, request)
      const times = (openings.get(key) ?? 0) + 1
      openings.set(key, times)
      // Who hears that it has ended does not ask again by itself.
      if (times > (beginnings.get(key) ?? 0))
        broken(
          'P5',
          `call ${key} is asked about ${times} times, and was made ${beginnings.get(key) ?? 0} times`,
        )
    },
    recorded({ call, succeeds }) {
      const { digest, submittedBy: by, hold } = call
      add(call, succeeds, { digest, by, ...defined({ hold }) })
      if (hold !== undefined) checkHoldAtRecord(call, hold, broken)
      noteHolder(call, hold)
    },
    async holdChanged(change, { won }) {
      if (!won) return
      const booked = calls.get(keyOf(change))
      const { known } = await world.shared.memory.lookup(change.session, change.callId, '')
      const after = known?.hold
      const name = `the hold of ${keyOf(change)}`
      if (booked === undefined || booked.request !== undefined || booked.digest !== change.digest) {
        broken('P4', `${name} changed, and there is no such call`)
        return
      }
      if (after === undefined) {
        broken('P4', `${name} is lost`)
        return
      }
      checkHoldStep({ name, before: booked.hold, after, change, owner: booked.by }, broken)
      if ((after.released?.length ?? 0) > (booked.hold?.released?.length ?? 0)) world.tally.released++
      booked.hold = after
      noteHolder(change, after)
      if (change.result === undefined) return
      if (after.outcome === undefined) broken('P4', `${name} left a result without an outcome`)
      else keep(change, booked, { text: change.result, by: after.by, ranAt: after.outcome.at })
    },
    resultLeft(before, after, { result }) {
      if (result === undefined) return
      const booked = calls.get(keyOf(after))
      const { outcome } = after.progress
      if (before.state !== 'running' || outcome === undefined || outcome.late === true)
        broken('P4', `${after.id} left a result when it was ${before.state}`)
      else if (booked?.request !== after.id)
        broken('P4', `${after.id} left a result, and is not the newest request of its call`)
      else keep(after, booked, { text: result, by: after.progress.claim?.by ?? 'nobody', ranAt: outcome.at })
    },
    hold: (place) => calls.get(keyOf(place))?.hold,
    hasHeld: (place, key) => holders.has(`${keyOf(place)} ${key}`),
    isTooLate: (place, key) => tooLate.has(`${keyOf(place)} ${key}`),
    result: (place) => calls.get(keyOf(place))?.result,
    hasEnded: (session) => ended.has(session),
    ends(sessions) {
      for (const session of sessions) ended.add(session)
    },
  }

  /** What is kept must be what a run of this very call has left. */
  function keep(place: CallPlace, booked: BookedCall, kept: Omit<KeptResult, 'digest'>): void {
    if (!world.hearing.hasLeft(place, kept.text))
      broken('P5', `the result of ${keyOf(place)} is ${kept.text}, which no run of it has left`)
    booked.result = { ...kept, digest: booked.digest }
  }
}

export function keyOf({ session, callId }: CallPlace): string {
  return `${session} ${callId}`
}
