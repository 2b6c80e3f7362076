/** What came of a call: told as an event, and given back for the log and the model. */

import type { CallResult, LoggedCall, Refusal } from '../../core/conversation.ts'
import { defined } from '../../core/defined.ts'
import { told } from '../../core/reasons/english.ts'
import { type Because, toldOf } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { GuardResult } from '../../guard/contract.ts'
import { refusalText } from '../../guard/model-texts.ts'
import type { GivenResult } from '../hooks/hook.ts'
import type { EngineCall } from '../sessions/engine.ts'
import { SessionLost } from '../sessions/log/turn-log.ts'
import { TurnOver } from '../sessions/turn-over.ts'
import type { ToolOutcome } from '../tools/tool.ts'
import { LateRefusal } from './late-refusal.ts'
import type { ToolRun } from './run-tool.ts'
import type { TurnState } from './turn-state.ts'

/** A call that is being acted on. */
export interface ActingCall {
  state: TurnState
  logged: LoggedCall
  /** Once it is known what it is: hooks may rewrite it first. */
  identity?: CallIdentity
}

export interface CallIdentity {
  digest: string
  shape: string
}

export async function conclude(
  acting: ActingCall,
  call: EngineCall,
  result: GuardResult<ToolOutcome>,
  run: ToolRun,
): Promise<CallResult> {
  const { state, logged, identity } = acting
  const { stop } = state.turn
  switch (result.kind) {
    case 'ran': {
      const { requestId: request } = result
      const isOver = !result.ok && (result.error instanceof TurnOver || result.error instanceof SessionLost)
      if (isOver) throw result.error
      // This process is closing, or another has the turn. What became of the tool is looked up after the restart.
      if (!result.ok && stop.aborted && !(stop.reason instanceof TurnOver)) throw stop.reason
      if (!result.ok && result.error instanceof LateRefusal)
        return refused(acting, { ...result.error.refusal, ...defined({ request }) })
      const outcome = result.ok ? result.value : failure(result.error)
      const durationMs = run.durationMs()
      const seen = await run.afterwards(outcome, durationMs)
      const about = { durationMs, ...defined({ request }) }
      return finished(acting, seen, seen.isError === true ? 'failed' : 'ran', about)
    }
    case 'answered': {
      const { requestId: request, by } = result
      const text = result.text ?? JSON.stringify(result.answers ?? {})
      state.turn.emit({ kind: 'call_answered', call: logged.id, tool: call.tool, text, by, request })
      return { call: logged.id, tool: call.tool, outcome: 'answered', text, ...identity }
    }
    case 'refused': {
      const { requestId: request, by, mayRetry } = result
      stop.throwIfAborted()
      const carried = await run.carryOn(result).catch((error) => {
        if (error instanceof LateRefusal) return error
        throw error
      })
      if (carried instanceof LateRefusal) return refused(acting, carried.refusal)
      if (carried !== undefined) return finished(acting, carried, 'ran')
      if (result.state === 'terminated' || result.code === 'session_ended')
        throw new TurnOver('terminated', result.because)
      const about = { state: result.state, ...lost(result), mayRetry }
      return refused(acting, { ...about, ...defined({ by, request }) })
    }
    case 'released':
      throw new Error(`a tool of ours gave its call back: ${result.cause}`)
    case 'pending':
      // Only when the wait was cut short.
      stop.throwIfAborted()
      throw new Error(`the wait for ${result.requestId} ended without a decision`)
  }
}

export function finished(
  { state, logged, identity }: ActingCall,
  outcome: ToolOutcome | (GivenResult & { replacedBy: string }),
  kind: 'ran' | 'failed' | 'replaced',
  { durationMs, request }: { durationMs: number; request?: string } = { durationMs: 0 },
): CallResult {
  const { text, isError, forUser, handled } = outcome
  const { id: call, tool } = logged
  const media = (outcome.media ?? []).flatMap((item) => ('id' in item ? [item] : []))
  const shown = media.length === 0 ? {} : { media }
  state.turn.emit({
    kind: 'call_finished',
    call,
    tool,
    ok: isError !== true,
    text,
    durationMs,
    ...defined({ request }),
    ...shown,
    ...('replacedBy' in outcome ? { replacedBy: outcome.replacedBy } : {}),
  })
  const isShown = forUser !== undefined || (handled === true && media.length > 0)
  if (isShown) state.turn.emit({ kind: 'shown', tool, ...defined({ text: forUser }), ...shown })
  const about = { ...identity, ...shown, ...(handled === true ? { handled } : {}) }
  return { call, tool, outcome: kind, text, ...about }
}

export function refused({ state, logged, identity }: ActingCall, refusal: Refusal): CallResult {
  const { id: call, tool } = logged
  state.turn.emit({ kind: 'call_refused', call, tool, ...refusal })
  return { call, tool, outcome: 'refused', text: refusalText(tool, refusal), ...identity, refusal }
}

/** What is known of a result that was lost with the process that had it. */
function lost(result: Extract<GuardResult<unknown>, { kind: 'refused' }>): Because {
  const { summary, because, reason } = result
  if (result.state !== 'done' || summary === undefined) return toldOf(result)
  return told(reasonOf('refused.lost', { why: reason ?? because, summary }))
}

function failure(error: unknown): ToolOutcome {
  const text = error instanceof Error ? error.message : String(error)
  return { text: text === '' ? 'it failed, and did not say why' : text, isError: true }
}
