/**
 * The tool itself: what `guard` runs once policy and people have let it through. A person may have edited the call, and then
 * the hooks look at it again: they may still say no, and nothing else.
 */

import { defined } from '../../core/defined.ts'
import { canonicalize, type JsonObject } from '../../core/json/json.ts'
import { told } from '../../core/reasons/english.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { Refused, RunTool } from '../../guard/contract.ts'
import type { GivenResult, HookCall } from '../hooks/hook.ts'
import { SessionLost } from '../sessions/log/turn-log.ts'
import { TurnOver } from '../sessions/turn-over.ts'
import type { RegisteredTool, ToolOutcome } from '../tools/tool.ts'
import { checkEdit } from './check-edit.ts'
import { LateDenial, LateRefusal, OVERTAKEN, SKIPPED } from './late-refusal.ts'
import { resumeTask } from './resume-task.ts'
import { SPAWN, startSubAgent } from './sub-agents.ts'
import { hookContext, type TurnState } from './turn-state.ts'

export interface ToolRun {
  run: RunTool<ToolOutcome>
  /** What hooks make of the result. */
  afterwards(outcome: ToolOutcome, durationMs: number): Promise<ToolOutcome>
  /** A task that another agent was at when the process ended: it goes on, and its result is the call's. */
  carryOn(refused: Refused): Promise<ToolOutcome | undefined>
  durationMs(): number
}

export interface RunningCall {
  callId: string
  tool: string
  step: number
  /** The arguments that hooks have seen. */
  seen: JsonObject
  /** Whether people have said something before its turn came. */
  isOvertaken: () => boolean
}

/** Longer than `exec` gives a process group to end. */
const STOP_WITHIN_MS = 10_000

export function createToolRun(state: TurnState, call: RunningCall): ToolRun {
  const { parts } = state
  let startedAt = 0
  let ranWith = call.seen

  async function run(
    args: JsonObject,
    signal: AbortSignal,
    request: string | undefined,
  ): Promise<ToolOutcome> {
    const found = state.findTool(call.tool) as RegisteredTool
    const hookCall = { callId: call.callId, tool: call.tool, arguments: args }
    if (canonicalize(args) !== canonicalize(call.seen)) await checkEdit(state, call.step, hookCall, signal)
    ranWith = args
    if (call.tool === SPAWN && found.providedBy === undefined) {
      refuseWhenTooLate(request)
      await confirm()
      begin(args, request)
      return startSubAgent(state, call.callId, args, signal)
    }
    return state.lane(async () => {
      signal.throwIfAborted()
      await confirm()
      signal.throwIfAborted()
      refuseWhenTooLate(request)
      begin(args, request)
      if (found.providedBy !== undefined) return provided(hookCall, signal)
      return untilStopped(
        found.tool.run(args, {
          signal,
          session: state.session.id,
          owner: state.session.owner,
          ...defined({ origin: state.turn.origin }),
          callId: call.callId,
          workspace: state.workspace,
          media: parts.media,
        }),
        signal,
      )
    })
  }

  /** Whether the turn is still ours: a process that was paused must not do what another was told is not done. */
  async function confirm(): Promise<void> {
    try {
      await state.turn.confirmLease()
    } catch (error) {
      if (error instanceof SessionLost) throw error
      const why = reasonOf('refused.unsure', { why: String(error) })
      throw new LateRefusal({ state: 'error', ...told(why), mayRetry: true })
    }
  }

  /** While the call waited for its place the turn was interrupted, or something said. What a person approved runs all the same. */
  function refuseWhenTooLate(request: string | undefined): void {
    if (state.turn.windUp.aborted) throw new LateRefusal(SKIPPED)
    if (request === undefined && call.isOvertaken()) throw new LateRefusal(OVERTAKEN)
  }

  /** A tool that does not stop when it is told to holds nobody up: it is given a moment, and then let go of. */
  function untilStopped(work: Promise<ToolOutcome>, signal: AbortSignal): Promise<ToolOutcome> {
    return new Promise((resolve, reject) => {
      const letGo = () =>
        void parts.clock.after(STOP_WITHIN_MS, () => {
          reject(new Error(`it was told to stop, and has not within ${STOP_WITHIN_MS} ms; it may still run`))
        })
      if (signal.aborted) letGo()
      else signal.addEventListener('abort', letGo, { once: true })
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', letGo))
    })
  }

  function begin(args: JsonObject, request: string | undefined): void {
    startedAt = parts.clock.now()
    state.turn.emit({
      kind: 'call_started',
      call: call.callId,
      tool: call.tool,
      arguments: args,
      ...defined({ request }),
    })
  }

  async function provided(hookCall: HookCall, signal: AbortSignal): Promise<ToolOutcome> {
    const step = await parts.hooks.provide(hookCall, hookContext(state, call.step, signal))
    if (step.kind === 'stop') throw new TurnOver(step.hard ? 'aborted' : 'failed', step.reason)
    if (step.kind === 'deny') throw new LateDenial(step.by, step.reason)
    return toOutcome(step.result)
  }

  return {
    run: (args, { signal, requestId }) => run(args, AbortSignal.any([signal, state.turn.stop]), requestId),
    durationMs: () => (startedAt === 0 ? 0 : parts.clock.now() - startedAt),
    async afterwards(outcome, durationMs) {
      const { text, isError = false, forUser, media, handled } = outcome
      const step = await parts.hooks.afterTool(
        {
          callId: call.callId,
          tool: call.tool,
          arguments: ranWith,
          text,
          isError,
          ...defined({ forUser, media, handled }),
          durationMs,
        },
        hookContext(state, call.step),
      )
      if (step.kind === 'stop') throw new TurnOver(step.hard ? 'aborted' : 'failed', step.reason)
      if (step.kind === 'withhold') {
        return { text: `it ran, and its result is withheld: ${step.reason}`, isError: true }
      }
      return step.changedBy.length === 0 ? outcome : toOutcome(step.result)
    },
    carryOn: (refused) => resumeTask(state, call, refused),
  }
}

function toOutcome({ text, isError, forUser, media, handled }: GivenResult): ToolOutcome {
  const items = (media ?? []).flatMap((item) => ('id' in item ? [item] : []))
  return {
    text,
    ...defined({ isError, forUser }),
    ...(items.length === 0 ? {} : { media: items }),
    ...defined({ handled }),
  }
}
