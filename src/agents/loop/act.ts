/**
 * Acting: one call of the model's, from the text that it wrote to the result that it is told.
 *
 * read strictly → fits the schema → hooks before → not rejected before → approving hooks → policy and people → run once,
 * on the approved bytes → hooks after. Whatever goes wrong on the way ends in a refusal that says what it was (P5), and
 * nothing but the last but one of these steps runs anything.
 */

import { prepareCall, type ToolCall } from '../../core/call.ts'
import type { CallResult, LoggedCall, Refusal } from '../../core/conversation.ts'
import { defined } from '../../core/defined.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { GuardResult } from '../../guard/contract.ts'
import { refusalText } from '../../guard/model-texts.ts'
import type { GivenResult } from '../hooks/hook.ts'
import { readArguments } from '../sessions/read-arguments.ts'
import { SessionLost } from '../sessions/turn-log.ts'
import type { RegisteredTool, ToolOutcome } from '../tools/tool.ts'
import { rejectionsIn, shapeOf } from './rejected-calls.ts'
import { createToolRun, LateRefusal, SKIPPED, type ToolRun } from './run-tool.ts'
import { hookContext, invalid, TurnOver, type TurnState } from './turn-state.ts'

export interface CallPosition {
  step: number
  index: number
  of: number
  /** What the model said with it. */
  said: string
  cutOff: boolean
  /** To be called when people are asked, or the call runs: then the next one's turn has come. */
  judged: () => void
}

/** What the model said goes along as the agent's word; a long one is cut, since it is only that. */
const MAX_CONTEXT = 2000
const SUMMARY = 200

export async function act(state: TurnState, logged: LoggedCall, place: CallPosition): Promise<CallResult> {
  const read = readArguments(logged.argumentsText)
  const refuse = (refusal: Refusal, about: Partial<CallResult> = {}) => refused(state, logged, refusal, about)
  state.emit({
    kind: 'call_proposed',
    call: logged.id,
    tool: logged.tool,
    arguments: read.ok ? read.arguments : {},
    step: place.step,
    index: place.index,
    of: place.of,
  })
  if (!read.ok) return refuse(invalid(read.problem))
  if (place.cutOff) return refuse(invalid('the answer was cut off, so the call may not be whole'))
  if (state.isWindingUp()) return refuse(SKIPPED)
  const problem = problemOf(state, logged.tool, read.arguments)
  if (problem !== undefined) return refuse(invalid(problem))
  const unusable = identify(toCall(state, logged.id, logged.tool, read.arguments, place))
  if (typeof unusable === 'string') return refuse(invalid(unusable))

  const wanted = { callId: logged.id, tool: logged.tool, arguments: read.arguments }
  const about = hookContext(state, place.step)
  const before = await state.parts.hooks.beforeTool(wanted, about)
  if (before.kind === 'stop') throw new TurnOver(before.hard ? 'aborted' : 'failed', before.reason)
  if (before.kind === 'deny') return denyBy(state, logged, read.arguments, place, before)
  const changed = problemOf(state, before.tool, before.arguments)
  if (changed !== undefined) return refuse(invalid(`a hook has rewritten the call, and ${changed}`))

  const call = toCall(state, logged.id, before.tool, before.arguments, place)
  const identity = identify(call)
  if (typeof identity === 'string') return refuse(invalid(identity))
  if (before.kind === 'respond') return replace(state, logged, call, before.result, before.by, identity)
  const earlier = await rejectedBefore(state, call, identity)
  if (earlier !== undefined) return refuse(earlier, identity)

  const approval = await state.parts.hooks.approveTool(
    { ...wanted, tool: call.tool, arguments: call.arguments },
    about,
  )
  if (approval.kind === 'deny') return denyBy(state, logged, before.arguments, place, approval, before.tool)

  if (state.isWindingUp()) return refuse(SKIPPED, identity)
  const run = createToolRun(state, {
    callId: logged.id,
    tool: call.tool,
    step: place.step,
    seen: call.arguments,
  })
  const result = await state.parts.gateway.guard(
    call,
    (args, context) => {
      place.judged()
      return run.run(args, context)
    },
    {
      as: state.actor,
      signal: state.stop,
      durable: true,
      summarize: (value) => firstLine((value as ToolOutcome).text),
      onAsked: ({ requestId: id, state: now }) => {
        place.judged()
        if (now !== 'pending') return
        const about = { call: logged.id, tool: call.tool, arguments: call.arguments }
        state.waiting.set(id, about)
        state.emit({ kind: 'call_waiting', ...about, request: id })
        // The interrupt came while it was being opened.
        if (state.isWindingUp()) state.withdraw(id)
      },
    },
  )
  return conclude(state, logged, call, result, run, identity)
}

type CallIdentity = { digest: string; shape: string }

function problemOf(state: TurnState, tool: string, args: JsonObject): string | undefined {
  const found = state.findTool(tool)
  if (found !== undefined) return found.check(args)
  const names = state.listTools().map((each) => each.tool.name)
  return `there is no tool ${JSON.stringify(tool.slice(0, 100))}; there are ${names.join(', ')}`
}

function toCall(
  state: TurnState,
  callId: string,
  tool: string,
  args: JsonObject,
  place: CallPosition,
): ToolCall {
  const { definition } = state.findTool(tool) as RegisteredTool
  const said = place.said.trim()
  return {
    tool,
    arguments: args,
    callId,
    session: state.session,
    agent: state.agent,
    ...defined({ parentSession: state.parentSession }),
    cwd: state.parts.workspace,
    definition,
    ...(said === ''
      ? {}
      : {
          context:
            said.length > MAX_CONTEXT ? `${said.slice(0, MAX_CONTEXT).toWellFormed()}…` : said.toWellFormed(),
        }),
    ...defined({ origin: state.origin }),
  }
}

/** The digest; or what is wrong with a call that can't have one. */
function identify(call: ToolCall): CallIdentity | string {
  try {
    return { digest: prepareCall(call).digest, shape: shapeOf(call.tool, call.arguments) }
  } catch (error) {
    if (isBanksmanError(error)) return error.message
    throw error
  }
}

async function denyBy(
  state: TurnState,
  logged: LoggedCall,
  args: JsonObject,
  place: CallPosition,
  { by, reason }: { by: string; reason: string },
  tool = logged.tool,
): Promise<CallResult> {
  const call = toCall(state, logged.id, tool, args, place)
  const word = await state.parts.gateway.intercept(
    call,
    { kind: 'deny', by: `hook "${by}"`, because: reason },
    state.actor,
  )
  return refused(state, logged, { state: 'denied', because: word.because, by, mayRetry: false })
}

async function replace(
  state: TurnState,
  logged: LoggedCall,
  call: ToolCall,
  given: GivenResult,
  by: string,
  identity: CallIdentity,
): Promise<CallResult> {
  const word = await state.parts.gateway.intercept(call, { kind: 'respond', by: `hook "${by}"` }, state.actor)
  if (word.kind === 'deny') {
    return refused(state, logged, { state: 'denied', because: word.because, mayRetry: false }, identity)
  }
  state.emit({ kind: 'call_started', call: logged.id, tool: call.tool, arguments: call.arguments })
  return finished(state, logged, { ...given, replacedBy: by }, 0, identity, 'replaced')
}

/** The same call again, or one of a kind that the person wants no more of: nobody is asked again. */
async function rejectedBefore(
  state: TurnState,
  call: ToolCall,
  { digest, shape }: CallIdentity,
): Promise<Refusal | undefined> {
  const rejections = rejectionsIn(state.log.entries, state.turn)
  const barredBy = rejections.barred(shape)
  const same = rejections.of(digest)
  if (barredBy === undefined && same === undefined) return undefined
  const by = barredBy ?? same?.by ?? 'a person'
  const because =
    barredBy === undefined
      ? `the very same call was rejected before: ${same?.because}`
      : `${barredBy} wants no more calls of this kind (${shape}) in this session`
  await state.parts.gateway.intercept(call, { kind: 'deny', by, because }, state.actor)
  return { state: 'rejected', because, by, mayRetry: false }
}

async function conclude(
  state: TurnState,
  logged: LoggedCall,
  call: ToolCall,
  result: GuardResult<ToolOutcome>,
  run: ToolRun,
  identity: CallIdentity,
): Promise<CallResult> {
  switch (result.kind) {
    case 'ran': {
      const request = result.requestId
      if (request !== undefined) state.waiting.delete(request)
      const isOver = !result.ok && (result.error instanceof TurnOver || result.error instanceof SessionLost)
      if (isOver) throw result.error
      // This process is closing, or another has the turn. What became of the tool is looked up after the restart.
      if (!result.ok && state.stop.aborted && !(state.stop.reason instanceof TurnOver))
        throw state.stop.reason
      if (!result.ok && result.error instanceof LateRefusal) {
        return refused(state, logged, { ...result.error.refusal, ...defined({ request }) }, identity)
      }
      const outcome = result.ok ? result.value : failure(result.error)
      const durationMs = run.durationMs()
      const seen = await run.afterwards(outcome, durationMs)
      return finished(
        state,
        logged,
        seen,
        durationMs,
        { ...identity, ...defined({ request }) },
        seen.isError === true ? 'failed' : 'ran',
      )
    }
    case 'answered': {
      const { requestId: request, by } = result
      state.waiting.delete(request)
      const text = result.text ?? JSON.stringify(result.answers ?? {})
      state.emit({ kind: 'call_answered', call: logged.id, tool: call.tool, text, by, request })
      return { call: logged.id, tool: call.tool, outcome: 'answered', text, ...identity }
    }
    case 'refused': {
      const { requestId: request, by } = result
      if (request !== undefined) state.waiting.delete(request)
      state.stop.throwIfAborted()
      const carried = await run.carryOn(result).catch((error) => {
        if (error instanceof LateRefusal) return error
        throw error
      })
      if (carried instanceof LateRefusal) return refused(state, logged, carried.refusal, identity)
      if (carried !== undefined) return finished(state, logged, carried, 0, identity, 'ran')
      if (result.state === 'terminated' || result.code === 'session_ended')
        throw new TurnOver('terminated', result.because)
      return refused(
        state,
        logged,
        {
          state: result.state,
          because: lost(result),
          ...defined({ by }),
          mayRetry: result.mayRetry,
          ...defined({ request }),
        },
        identity,
      )
    }
    case 'released':
      throw new Error(`a tool of ours gave its call back: ${result.cause}`)
    case 'pending':
      // Only when the wait was cut short.
      state.stop.throwIfAborted()
      throw new Error(`the wait for ${result.requestId} ended without a decision`)
  }
}

/** What is known of a result that was lost with the process that had it. */
function lost(result: Extract<GuardResult<unknown>, { kind: 'refused' }>): string {
  const { summary } = result
  if (result.state !== 'done' || summary === undefined) return result.because
  return `${result.because}. The result was lost when the agent was restarted; it began with: ${summary}`
}

function failure(error: unknown): ToolOutcome {
  const text = error instanceof Error ? error.message : String(error)
  return { text: text === '' ? 'it failed, and did not say why' : text, isError: true }
}

interface FinishedOutcome extends ToolOutcome {
  replacedBy?: string
}

function finished(
  state: TurnState,
  logged: LoggedCall,
  outcome: FinishedOutcome | (GivenResult & { replacedBy: string }),
  durationMs: number,
  about: CallIdentity & { request?: string },
  kind: 'ran' | 'failed' | 'replaced',
): CallResult {
  const { text, isError, forUser, handled, replacedBy } = outcome
  const media = (outcome.media ?? []).flatMap((item) => ('id' in item ? [item] : []))
  const { request, ...identity } = about
  const shown = media.length === 0 ? {} : { media }
  state.emit({
    kind: 'call_finished',
    call: logged.id,
    tool: logged.tool,
    ok: isError !== true,
    text,
    durationMs,
    ...defined({ request }),
    ...shown,
    ...defined({ replacedBy }),
  })
  const isShown = forUser !== undefined || (handled === true && media.length > 0)
  if (isShown)
    state.emit({
      kind: 'shown',
      tool: logged.tool,
      ...defined({ text: forUser }),
      ...shown,
    })
  return {
    call: logged.id,
    tool: logged.tool,
    outcome: kind,
    text,
    ...identity,
    ...shown,
    ...(handled === true ? { handled: true } : {}),
  }
}

function refused(
  state: TurnState,
  logged: LoggedCall,
  refusal: Refusal,
  about: Partial<CallResult> = {},
): CallResult {
  state.emit({ kind: 'call_refused', call: logged.id, tool: logged.tool, ...refusal })
  return {
    call: logged.id,
    tool: logged.tool,
    outcome: 'refused',
    text: refusalText(logged.tool, refusal),
    ...about,
    refusal,
  }
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return (line.length > SUMMARY ? `${line.slice(0, SUMMARY)}…` : line).toWellFormed()
}
