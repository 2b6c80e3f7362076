/**
 * Puts one question to one hook. Its time limit begins when it is called and ends when it answers, so only the hook's
 * own work counts (P12). An answer that comes too late is dropped.
 */

import { defined } from '../../../core/defined.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { HookContext } from '../hook.ts'
import { failed, HookFailure, HookTimeout, messageOf, quote } from './hook-failure.ts'

export interface HookCallOptions {
  hook: string
  limitMs: number
  about: HookContext
  /** Aborts when the hooks are closed. */
  closing: AbortSignal
  clock: Pick<Clock, 'after'>
  put(about: HookContext): unknown
}

/** What the hook answered, not looked at. Throws a `HookFailure` when there is no answer. */
export function callHook({ hook, limitMs, about, closing, clock, put }: HookCallOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (about.signal.aborted) return reject(stoppedTurn(hook))
    if (closing.aborted) return reject(closedHooks(hook))
    const own = new AbortController()
    let over = false
    const finish = (settle: () => void) => {
      if (over) return
      over = true
      timer.cancel()
      about.signal.removeEventListener('abort', stopTurn)
      closing.removeEventListener('abort', closeHooks)
      settle()
    }
    const giveUp = (failure: HookFailure) =>
      finish(() => {
        // First, so that what is known of the hook gets into a reason that is told.
        own.abort(failure)
        reject(failure)
      })
    const stopTurn = () => giveUp(stoppedTurn(hook))
    const closeHooks = () => giveUp(closedHooks(hook))
    const timer = clock.after(limitMs, () => giveUp(new HookTimeout(hook, limitMs)))
    about.signal.addEventListener('abort', stopTurn)
    closing.addEventListener('abort', closeHooks)
    const asked = async () => put(contextFor(about, own.signal))
    asked().then(
      (answer) => finish(() => resolve(answer)),
      (thrown) => finish(() => reject(failed(hook, messageOf(thrown), { cause: thrown }))),
    )
  })
}

/** Its own copy: what a hook does to it changes nothing for the others. */
function contextFor(about: HookContext, signal: AbortSignal): HookContext {
  const { session, turn, parentTurn, step, agent, origin, by } = about
  return {
    session,
    turn,
    ...defined({ parentTurn }),
    step,
    agent: structuredClone(agent),
    ...(origin === undefined ? {} : { origin: structuredClone(origin) }),
    by,
    signal,
  }
}

function stoppedTurn(hook: string): HookFailure {
  return new HookFailure('stopped', `the turn was stopped while hook ${quote(hook)} was consulted`)
}

function closedHooks(hook: string): HookFailure {
  return new HookFailure('stopped', `the hooks were closed while hook ${quote(hook)} was consulted`)
}
