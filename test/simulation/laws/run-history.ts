/**
 * Every run of every call. Under one claim or hold there is one run; where a call runs again, the run before has come to its end,
 * and whoever made it has given the call back before.
 */
import { prepareCall, type ToolCall } from '../../../src/core/call.ts'
import { canonicalize, type JsonObject } from '../../../src/core/json/json.ts'
import type { World } from '../world/world.ts'
import { isAllowed } from '../world/world-policy.ts'
import { type CallPlace, keyOf } from './call-history.ts'

export interface RunSeen {
  call: ToolCall
  arguments: JsonObject
  /** Where a person was asked. */
  request?: string | undefined
  /** As its runner was given it; absent: it was not told. */
  claimId?: string | undefined
  /** The key that holds it, where its runner knows. */
  key?: string | undefined
  /** Its runner is sure that the lease lasts, unless the store's clock has moved from this offset. */
  storeOffset?: number | undefined
  by: string
}

export interface Running {
  /** What the tool gives back, should it come to that. */
  readonly value: { run: number }
  /** The tool does nothing any more. */
  ended(): void
}

export interface RunHistory {
  begins(run: RunSeen): Running
  /** Whether a run of this call has left the text as its result. */
  hasLeft(place: CallPlace, text: string): boolean
}

interface Run {
  by: string
  number: number
  request: string | undefined
  /** The claim or the key that it ran under. */
  holder: string
  hasEnded: boolean
}

const AT_ONCE = 'at once'

export function createRunHistory(world: World): RunHistory {
  const runs = new Map<string, Run[]>()
  const { broken } = world

  function holderOf({ call, request, claimId, key, by }: RunSeen): string {
    if (request === undefined) {
      const hold = world.ledger.calls.hold(call)
      const holder = hold?.state === 'running' || hold?.state === 'done' ? hold.key : undefined
      if (key !== undefined && key !== holder)
        broken('P4', `${by} runs ${keyOf(call)} under ${key}; it is held by ${holder ?? 'nobody'}`)
      if (holder !== undefined && world.ledger.calls.isTooLate(call, holder))
        broken('P5', `${by} runs ${keyOf(call)}, which was taken after its session had ended`)
      return holder ?? AT_ONCE
    }
    const claim = world.ledger.latest(request)?.progress.claim
    if ((claimId ?? claim?.id) !== claim?.id || (key ?? claim?.key) !== claim?.key)
      broken(
        'P4',
        `${by} runs ${request} under ${claimId ?? key}; its claim is ${claim?.id} of ${claim?.key}`,
      )
    return claim?.id ?? 'nothing'
  }

  /** Nothing begins to run whose lease is over. */
  function checkLease({ request, storeOffset, by }: RunSeen): void {
    if (request === undefined || storeOffset !== world.shared.offset()) return
    const { state, deadline } = world.ledger.latest(request) ?? {}
    if (state !== 'running' || deadline == null || deadline <= world.shared.now())
      broken('P4', `${by} begins to run ${request}, which is ${state}, with a lease that is over`)
  }

  function isGivenBack(place: CallPlace, { request, holder }: Run): boolean {
    if (request !== undefined)
      return world.ledger.latest(request)?.progress.released?.some(({ claim }) => claim === holder) === true
    const released = world.ledger.calls.hold(place)?.released ?? []
    // Who runs it at once makes a key up when it gives the call back.
    return holder === AT_ONCE ? released.length > 0 : released.some(({ key }) => key === holder)
  }

  function checkAllowed({ call, arguments: args, request, by }: RunSeen): void {
    const { digest } = prepareCall({ ...call, arguments: args })
    if (request === undefined) {
      if (digest !== prepareCall(call).digest) broken('P3', `${by} runs other bytes than it asked for`)
      const isGranted = world.ledger.isGranted(call.session, call.callId)
      if (!isAllowed(call.tool) && !isGranted)
        broken('P5', `${by} runs ${call.tool}, which nobody and nothing has allowed`)
      return
    }
    const known = world.ledger.latest(request)
    if (known?.progress.approved === undefined)
      broken('P5', `${by} runs ${request}, which is ${known?.state ?? 'not there'} and was never approved`)
    else if (known.progress.claim === undefined) broken('P4', `${by} runs ${request} without a claim`)
    else if (known.progress.approved.digest !== digest)
      broken('P3', `${by} runs ${canonicalize(args)} for ${request}, which is not what was approved`)
  }

  return {
    begins(seen) {
      const { call, request, by } = seen
      const key = keyOf(call)
      const earlier = runs.get(key) ?? []
      for (const run of earlier) {
        if (!isGivenBack(call, run)) broken('P4', `${by} runs ${key}, which ${run.by} has run`)
        else if (!run.hasEnded) broken('P4', `${by} runs ${key}, and ${run.by} has not stopped`)
      }
      checkAllowed(seen)
      checkLease(seen)
      const number = ++world.tally.runs
      const run: Run = { by, number, request, holder: holderOf(seen), hasEnded: false }
      runs.set(key, [...earlier, run])
      world.scheduler.note(`${by} runs ${request ?? key}`)
      return {
        value: { run: number },
        ended() {
          run.hasEnded = true
        },
      }
    },
    hasLeft(place, text) {
      const left = JSON.parse(text) as { ok: boolean; value?: { run?: number } }
      const found = runs.get(keyOf(place)) ?? []
      // One that paused itself and could not be given back says so as an error.
      if (!left.ok) return found.length > 0
      const run = found.at(-1)
      return run?.hasEnded === true && run.number === left.value?.run
    },
  }
}
