/**
 * Every tool call of a Claude Agent SDK session passes the guard, in the hook that comes before the tool (PreToolUse). That hook
 * sees all of them: read-only tools, tools in `allowedTools`, what the user's settings allow, and the calls of sub-agents. The
 * approved arguments are handed back as the ones to run with. The hooks that come after the tool report how it went.
 *
 * - A hook of ours never throws: whatever goes wrong is a deny with its reason. `onFailure: 'block'` stands behind that.
 * - `canUseTool` is asked where the user's settings say `ask`, after our hook. It says yes only to what our hook has let through.
 * - The SDK may end a call without a word, as when its process dies. `signal` tells us that a query is over; and after
 *   `runWithinMs` nobody waits for a report any longer.
 */
import type { AgentLineage, ToolCall } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import { canonicalize } from '../../core/json/json.ts'
import type { Guard, Held, NotRun, Refused } from '../../guard/contract.ts'
import { editText, refusalText } from '../../guard/model-texts.ts'
import { type AdapterOptions, checkAdapter, toolCallOf } from '../adapter-options.ts'
import { answerText } from '../call-refused.ts'
import { answeredInput, CLAUDE_QUESTION_TOOL, guardedCall } from './questions.ts'
import {
  type ClaudeCanUseTool,
  type ClaudeHook,
  type ClaudeHookAnswer,
  type ClaudeHooks,
  membersOf,
  readToolEvent,
  type ToolEvent,
  textOf,
} from './sdk-shapes.ts'

/** What the SDK says of one call. */
export type ClaudeContext = Omit<ToolEvent, 'input'>

export interface ClaudeOptions extends Omit<AdapterOptions<ClaudeContext>, 'remember' | 'warn'> {
  /** Abort it when the query is over: calls that nobody reported are then reported as such. */
  signal?: AbortSignal | undefined
  /** How long a tool may run before nobody waits for its report any longer. Two hours, unless you say otherwise. */
  runWithinMs?: number | undefined
  /** What the model is told of a call that did not run. By default all that is known of it, as JSON. */
  refusal?:
    | ((tool: string, refused: Pick<Refused, 'state' | 'because' | 'by' | 'mayRetry'>) => string)
    | undefined
}

/** For `options` of `query`. */
export interface ClaudeGate {
  hooks: ClaudeHooks
  canUseTool: ClaudeCanUseTool
}

type Tell = NonNullable<ClaudeOptions['refusal']>

interface LetThroughCall {
  held: Held<object>
  timer: ReturnType<typeof setTimeout>
}

/** As long as a person may take: a week, in seconds. The hold ends when the SDK gives up. */
const HOOK_TIMEOUT_S = 7 * 86_400
const RUN_WITHIN_MS = 2 * 3_600_000
const MAX_REASON = 500

export function banksman(guard: Pick<Guard, 'hold'>, options: ClaudeOptions = {}): ClaudeGate {
  checkAdapter(guard, options, true)
  const tell = options.refusal ?? refusalText
  const running = new Map<string, LetThroughCall>()

  async function gate(event: ToolEvent, signal: AbortSignal): Promise<ClaudeHookAnswer> {
    if (event.tool === CLAUDE_QUESTION_TOOL) return ask(event, signal)
    const held = await guard.hold(callOf(event, options), holdOptions(signal))
    if (held.kind === 'held') return letThrough(event, held)
    // Nothing was kept to be given again: `remember` is off.
    if (held.kind === 'ran') return deny('this call has run before')
    return notRun(event.tool, held, tell)
  }

  async function ask(event: ToolEvent, signal: AbortSignal): Promise<ClaudeHookAnswer> {
    const held = await guard.hold(callOf(event, options), holdOptions(signal))
    if (held.kind === 'answered' && held.answers !== undefined)
      return allow(answeredInput(event.input, held.answers))
    if (held.kind !== 'held' && held.kind !== 'ran') return notRun(event.tool, held, tell)
    // A question has nothing to run. The policy let it through without asking anybody.
    if (held.kind === 'held') await held.report({ ok: false, error: 'nobody was asked' })
    return deny('nobody answers questions here: the policy lets them through without asking anybody')
  }

  async function letThrough({ toolUseId }: ToolEvent, held: Held<object>): Promise<ClaudeHookAnswer> {
    const timer = setTimeout(
      () => end(toolUseId, 'nobody reported how it went'),
      options.runWithinMs ?? RUN_WITHIN_MS,
    )
    // It keeps no program alive.
    ;(timer as { unref?(): void }).unref?.()
    running.set(toolUseId, { held, timer })
    try {
      await held.ready()
    } catch (error) {
      end(toolUseId, 'it was stopped before it ran')
      return deny(error instanceof Error ? error.message : 'the approval is no longer valid')
    }
    return allow(held.arguments, held.edited === undefined ? undefined : editText(held.by, held.edited))
  }

  /** Nobody waits for the report: the session goes on, and the report is repeated until it was heard. */
  function report(toolUseId: unknown, outcome: Parameters<Held['report']>[0]): void {
    const call = typeof toolUseId === 'string' ? running.get(toolUseId) : undefined
    if (call === undefined) return
    running.delete(toolUseId as string)
    clearTimeout(call.timer)
    void call.held.report(outcome)
  }

  const end = (toolUseId: string, why: string) => report(toolUseId, { ok: false, error: new Error(why) })

  const holdOptions = (signal: AbortSignal) => ({
    signal: options.signal === undefined ? signal : AbortSignal.any([signal, options.signal]),
    ...defined({ onAsked: options.onAsked }),
  })

  options.signal?.addEventListener('abort', () => {
    for (const toolUseId of [...running.keys()]) end(toolUseId, 'the session ended before it was reported')
  })

  const before: ClaudeHook = async (input, _, { signal }) => {
    try {
      const event = readToolEvent(input)
      if (event === undefined) return deny('Banksman could not read this call')
      return await gate(event, signal)
    } catch (error) {
      return deny(error instanceof Error ? error.message : String(error))
    }
  }

  return {
    hooks: {
      PreToolUse: [{ hooks: [before], timeout: HOOK_TIMEOUT_S, onFailure: 'block' }],
      PostToolUse: after(({ tool_use_id, tool_input }) => {
        const other = otherArguments(running.get(String(tool_use_id)), tool_input)
        report(tool_use_id, { ok: true, ...defined({ summary: other }) })
      }),
      PostToolUseFailure: after(({ tool_use_id, error }) => {
        report(tool_use_id, { ok: false, error: new Error(cut(textOf(error) ?? 'it failed')) })
      }),
      PermissionDenied: after(({ tool_use_id, reason }) => {
        const why = cut(textOf(reason) ?? 'no reason was given')
        report(tool_use_id, { ok: false, error: new Error(`Claude Code did not run it: ${why}`) })
      }),
      // The last word of a step: what it lists and nobody reported was refused by the SDK itself.
      PostToolBatch: after(({ tool_calls }) => {
        for (const call of Array.isArray(tool_calls) ? tool_calls : []) {
          const { tool_use_id, tool_response } = membersOf(call)
          const why = cut(textOf(tool_response) ?? 'it ended without a report')
          report(tool_use_id, { ok: false, error: new Error(why) })
        }
      }),
    },
    async canUseTool(_, input, { toolUseID }) {
      const held = running.get(toolUseID)?.held
      if (held !== undefined && isSame(held.arguments, input))
        return { behavior: 'allow', updatedInput: { ...held.arguments } }
      return { behavior: 'deny', message: 'Banksman has not let this call through, so it does not run.' }
    },
  }
}

function callOf(event: ToolEvent, options: ClaudeOptions): ToolCall<object> {
  const { input, toolUseId: id, sessionId: thread, cwd, ...rest } = event
  const agent = lineageOf(event, options.agent)
  const context = { ...rest, toolUseId: id, sessionId: thread, cwd }
  const call = { ...guardedCall(event.tool, input), id, definition: undefined, context, thread }
  return { ...toolCallOf(call, options), ...defined({ cwd, agent }) }
}

/** A sub-agent is named by its kind, below the agent that the program named. */
function lineageOf(
  { agentId, agentType }: ToolEvent,
  agent: AgentLineage | undefined,
): AgentLineage | undefined {
  if (agentId === undefined) return agent
  return { name: agentType ?? 'sub-agent', parents: [...(agent?.parents ?? []), agent?.name ?? 'claude'] }
}

function notRun(tool: string, result: NotRun, tell: Tell): ClaudeHookAnswer {
  switch (result.kind) {
    case 'refused':
      return refuse(result, tell(tool, result))
    case 'answered':
      return deny(`${result.by} answered in place of the tool, which did not run: ${answerText(result)}`)
    case 'pending':
      return deny(
        tell(tool, {
          state: 'pending',
          because: 'nobody has decided yet, so it did not run',
          mayRetry: true,
        }),
      )
  }
}

function refuse(refused: Refused, text: string): ClaudeHookAnswer {
  const answer = deny(text)
  const isEnd = refused.state === 'terminated' || refused.code === 'session_ended'
  return isEnd ? { ...answer, continue: false, stopReason: refused.because } : answer
}

function allow(input: object, note?: string): ClaudeHookAnswer {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      updatedInput: { ...input },
      ...defined({ additionalContext: note }),
    },
  }
}

function deny(because: string): ClaudeHookAnswer {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: because,
    },
  }
}

/** A hook that only listens. What it can't read, it passes over. */
function after(listen: (event: Record<string, unknown>) => void) {
  const hook: ClaudeHook = async (event) => {
    listen(membersOf(event))
    return {}
  }
  return [{ hooks: [hook] }]
}

/** Another hook may have changed them after ours: then the record says so. */
function otherArguments(call: LetThroughCall | undefined, ran: unknown): string | undefined {
  if (call === undefined || isSame(call.held.arguments, ran)) return undefined
  return 'it ran with other arguments than were approved: another hook changed them'
}

function isSame(approved: object, given: unknown): boolean {
  try {
    return canonicalize(approved) === canonicalize(given)
  } catch {
    return false
  }
}

function cut(text: string): string {
  return text.length > MAX_REASON ? `${text.slice(0, MAX_REASON)}…` : text
}
