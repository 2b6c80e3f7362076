/** Whether a call must wait for a person, asked before it is run. Where it must, its request is open afterwards. */
import type { ToolCall } from '../core/call.ts'
import type { Asked, Guard, Refused } from '../guard/contract.ts'

export type Forecast =
  /** The guard will say what becomes of it when it is run. */
  { kind: 'run' } | { kind: 'wait'; because: string } | { kind: 'refused'; refused: Refused }

/**
 * `judge` alone would leave a denied call without a record, and a call that asks without a request. So what isn't plainly allowed
 * is held without waiting. Nothing runs here: a hold that is given is given back.
 */
export async function forecast(
  guard: Guard,
  call: ToolCall<object>,
  options: { onAsked?: ((asked: Asked) => void) | undefined },
): Promise<Forecast> {
  // What is wrong with a call makes `judge` reject; `hold` says it in words.
  const judged = await guard.judge(call).catch(() => undefined)
  if (judged?.kind === 'allow') return { kind: 'run' }
  let because = judged?.because ?? 'a person is asked'
  const taken = await guard.hold(call, {
    holdMs: 0,
    onAsked(asked) {
      because = asked.because
      options.onAsked?.(asked)
    },
  })
  switch (taken.kind) {
    case 'pending':
      return { kind: 'wait', because }
    case 'held':
      // It was approved in this moment. If it can't be given back, the guard refuses the run.
      await taken.release('the framework asked whether a person is needed').catch(() => {})
      return { kind: 'run' }
    case 'refused':
      return taken.mayRetry ? { kind: 'run' } : { kind: 'refused', refused: taken }
    default:
      return { kind: 'run' }
  }
}
