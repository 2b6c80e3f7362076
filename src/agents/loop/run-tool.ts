/**
 * The tool itself: what `guard` runs once policy and people have let it through. A person may have edited the call, and then
 * the hooks look at it again: they may still say no, and nothing else.
 */

import { contentOf } from '../../core/call.ts'
import type { Refusal } from '../../core/conversation.ts'
import { defined } from '../../core/defined.ts'
import { canonicalize, type JsonObject } from '../../core/json/json.ts'
import type { Request } from '../../core/request.ts'
import type { Refused, RunTool } from '../../guard/contract.ts'
import type { GivenResult, HookCall } from '../hooks/hook.ts'
import { SessionLost } from '../sessions/turn-log.ts'
import type { RegisteredTool, ToolOutcome } from '../tools/tool.ts'
import { hookContext, invalid, TurnOver, type TurnState } from './turn-state.ts'

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
}

/** Let through, and then not run after all. */
export class LateRefusal extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.because)
    this.refusal = refusal
  }
}

/** By a hook that looked at what a person had made of the call. */
class LateDenial extends LateRefusal {
  constructor(by: string, reason: string) {
    super({ state: 'denied', because: reason, by, mayRetry: false })
  }
}

export const SKIPPED: Refusal = {
  state: 'skipped',
  because: 'the turn was interrupted before it began',
  mayRetry: false,
}

const SPAWN = 'spawn'
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
    if (canonicalize(args) !== canonicalize(call.seen)) await lookAgain(hookCall, signal)
    ranWith = args
    if (call.tool === SPAWN && found.providedBy === undefined) {
      refuseWhenWindingUp()
      await confirm()
      begin(args, request)
      return startSubAgent(args, signal)
    }
    return state.lane(async () => {
      signal.throwIfAborted()
      await confirm()
      signal.throwIfAborted()
      refuseWhenWindingUp()
      begin(args, request)
      if (found.providedBy !== undefined) return provided(hookCall, signal)
      return untilStopped(
        found.tool.run(args, {
          signal,
          session: state.session,
          callId: call.callId,
          workspace: parts.workspace,
          media: parts.media,
        }),
        signal,
      )
    })
  }

  /** Whether the turn is still ours: a process that was paused must not do what another was told is not done. */
  async function confirm(): Promise<void> {
    try {
      await state.confirm()
    } catch (error) {
      if (error instanceof SessionLost) throw error
      const because = `it did not run: whether the turn is still run by this process could not be told (${String(error)})`
      throw new LateRefusal({ state: 'error', because, mayRetry: true })
    }
  }

  /** The turn was interrupted while the call waited for its place. */
  function refuseWhenWindingUp(): void {
    if (state.isWindingUp()) throw new LateRefusal(SKIPPED)
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
    state.emit({
      kind: 'call_started',
      call: call.callId,
      tool: call.tool,
      arguments: args,
      ...defined({ request }),
    })
  }

  /** A person approved other arguments than the hooks have seen. */
  async function lookAgain(edited: HookCall, signal: AbortSignal): Promise<void> {
    // The schema that people edit by says less than the tool's own.
    const problem = state.findTool(call.tool)?.check(edited.arguments)
    if (problem !== undefined)
      throw new LateRefusal(invalid(`it was edited to something that does not fit: ${problem}`))
    const about = hookContext(state, call.step, signal)
    const step = await parts.hooks.beforeTool(edited, about)
    if (step.kind === 'stop') throw new LateDenial(step.by, step.reason)
    if (step.kind === 'deny') throw new LateDenial(step.by, step.reason)
    const isChanged =
      step.kind === 'respond' ||
      step.tool !== edited.tool ||
      canonicalize(step.arguments) !== canonicalize(edited.arguments)
    if (isChanged) {
      const by = step.kind === 'respond' ? step.by : (step.changedBy[0] ?? 'a hook')
      throw new LateDenial(by, 'a hook would change what a person has edited; what was approved is what runs')
    }
    const approval = await parts.hooks.approveTool(edited, about)
    if (approval.kind === 'deny') throw new LateDenial(approval.by, approval.reason)
  }

  /** What was approved may be an edit of what the model asked for, and hooks look at that again, too. */
  async function approvedArguments(request: Request | undefined): Promise<JsonObject> {
    if (request === undefined || request.bytes === '') return call.seen
    const args = contentOf(request.progress.approved?.bytes ?? request.bytes).arguments
    if (canonicalize(args) !== canonicalize(call.seen))
      await lookAgain({ callId: call.callId, tool: call.tool, arguments: args }, state.stop)
    return args
  }

  async function provided(hookCall: HookCall, signal: AbortSignal): Promise<ToolOutcome> {
    const step = await parts.hooks.provide(hookCall, hookContext(state, call.step, signal))
    if (step.kind === 'stop') throw new TurnOver(step.hard ? 'aborted' : 'failed', step.reason)
    if (step.kind === 'deny') throw new LateDenial(step.by, step.reason)
    return toOutcome(step.result)
  }

  async function startSubAgent(args: JsonObject, signal: AbortSignal): Promise<ToolOutcome> {
    const { task, agent } = args as { task: string; agent?: string }
    const { status, text, reason } = await state.startSubAgent({
      call: call.callId,
      task,
      ...defined({ agent }),
      signal,
    })
    if (status === 'completed') return { text }
    const why = reason === undefined ? '' : `: ${reason}`
    return {
      text: `the sub-agent's turn ended as ${status}${why}. Its last words: ${text || '(none)'}`,
      isError: true,
    }
  }

  return {
    run: (args, { signal, requestId }) => run(args, AbortSignal.any([signal, state.stop]), requestId),
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
    async carryOn(refused) {
      if (call.tool !== SPAWN) return undefined
      const mayHaveBegun =
        ['running', 'unknown'].includes(refused.state) ||
        refused.code === 'already_claimed' ||
        // A process that shut down in order has reported that it was cut short.
        (refused.state === 'done' && (await state.isTaskOpen(call.callId)))
      if (!mayHaveBegun) return undefined
      const { requestId } = refused
      const request = requestId === undefined ? undefined : await parts.gateway.get(requestId, state.actor)
      // Who was told to stop does not go on.
      if (request?.progress.stop !== undefined) return undefined
      const outcome = await startSubAgent(await approvedArguments(request), state.stop)
      const claim = request?.progress.claim
      if (request !== undefined && claim !== undefined && refused.state !== 'done') {
        const ended = outcome.isError === true ? 'error' : 'ok'
        await parts.gateway
          .report(request.id, { claimId: claim.id, outcome: ended }, state.actor)
          .catch((error) => parts.report({ doing: 'reporting a task that went on after a restart', error }))
      }
      return outcome
    },
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
