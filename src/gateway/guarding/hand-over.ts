/**
 * `handOver`: a call from somebody who runs it by themselves as soon as they hear "allowed", and can't be asked afterwards. Reviewed,
 * waited for and claimed like any other; the difference is what is left behind. Whoever doesn't hear the answer must not leave a
 * claim, so the answer comes with a way to give it back. Whoever waited in vain is told how often, and for whom.
 */
import type { Directory } from '../../core/authority.ts'
import type { ToolCall } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { Actor } from '../../core/session.ts'
import type { Answered, Pending, Refused } from '../../guard/contract.ts'
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import { newRunnerKey } from '../lifecycle/runner-key.ts'
import type { GuardVerbs, TakeClaim } from './guard.ts'
import { approverNames } from './guard-result.ts'
import type { TakeOptions } from './taken-call.ts'

export interface HandOverInput extends Pick<TakeOptions, 'holdMs' | 'signal' | 'can' | 'asks'> {
  /** The token of the caller: the same call with another id joins an earlier one that waits. */
  joinToken: string
  /** The id under which the call will be reported. Absent: it will be reported without one. */
  reportedAs?: string | undefined
}

export type HandOverResult = HandedOverCall | Refused | Answered | WaitedInVain

export interface HandedOverCall {
  kind: 'handed_over'
  arguments: JsonObject
  edited?: JsonObject
  by?: string
  /** A person approved it, now or for calls like it before. Otherwise the policy alone let it through. */
  byPerson: boolean
  /** Where a person was asked now. */
  requestId?: string
  /** The runner has not heard of it. Never rejects. */
  giveBack(cause: string): Promise<void>
}

export interface WaitedInVain extends Pending {
  /** Who can decide, as people know them: `ana`, `the group sre`. */
  approvers: string[]
  /** How often somebody was told so of this request, this time included. */
  times: number
}

export type HandOverVerb = (call: ToolCall, input: HandOverInput, actor: Actor) => Promise<HandOverResult>

export interface HandOverPorts {
  store: Pick<Store, 'get' | 'records'>
  guarding: Pick<GuardVerbs, 'releaseHeld'> & TakeClaim
  directory: () => Directory
  host: Pick<Host, 'random' | 'report'>
}

const TOLD = 'hand_over_told'
/** Longer than anybody repeats a call. */
const TOLD_FOR_MS = 7 * 86_400_000
const MAX_RACES = 10

export function createHandOver({ store, guarding, directory, host }: HandOverPorts): HandOverVerb {
  /** Kept in the store: the next round may come to another node. A count that can't be kept is no reason to say more than a no. */
  async function countTold(request: string): Promise<number> {
    try {
      for (let race = 0; race < MAX_RACES; race++) {
        const found = await store.records.get(TOLD, request)
        const times = Number(found?.value ?? 0) + 1
        const record = { kind: TOLD, key: request, version: found?.version ?? 0, value: times }
        const { won } = await store.records.change([{ ...record, expiresInMs: TOLD_FOR_MS }])
        if (won) return times
      }
    } catch (error) {
      host.report({ doing: `counting who waits for ${request}`, error })
    }
    return 1
  }

  async function inVain(pending: Pending): Promise<WaitedInVain> {
    const { requestId } = pending
    // Who stopped waiting was not told anything.
    if (requestId === undefined || pending.because === 'aborted')
      return { ...pending, approvers: [], times: 1 }
    const request = await store.get(requestId).catch(() => undefined)
    const approvers = request === undefined ? [] : approverNames(request, directory())
    return { ...pending, approvers, times: await countTold(requestId) }
  }

  return async (call, { joinToken, reportedAs, ...waiting }, actor) => {
    const key = newRunnerKey(host)
    const handOver = defined({ callId: reportedAs })
    const taken = await guarding.takeClaim(call, { ...waiting, key, joinToken, handOver }, actor)
    switch (taken.kind) {
      case 'pending':
        return inVain(taken)
      case 'ran':
        return {
          kind: 'refused',
          state: 'done',
          code: 'done',
          because: 'it has already run',
          mayRetry: false,
        }
      case 'claimed': {
        const { data, isGranted } = taken
        const { arguments: args, edited, by, requestId } = data
        return {
          kind: 'handed_over',
          arguments: args,
          byPerson: requestId !== undefined || isGranted === true,
          ...defined({ edited, by, requestId }),
          giveBack: (cause) =>
            guarding.releaseHeld(data, cause, actor).then(
              () => {},
              (error) => host.report({ doing: `giving back ${data.callId}`, error }),
            ),
        }
      }
      default:
        return taken
    }
  }
}
