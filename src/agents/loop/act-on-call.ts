/**
 * Acting: one call of the model's, from the text that it wrote to the result that it is told.
 *
 * read strictly → fits the schema → hooks before → not rejected before → approving hooks → policy and people → run once,
 * on the approved bytes → hooks after. Whatever goes wrong on the way ends in a refusal that says what it was (P5), and
 * nothing but the last but one of these steps runs anything.
 */

import { prepareCall } from '../../core/call.ts'
import type { CallResult, LoggedCall, Refusal } from '../../core/conversation.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { told } from '../../core/reasons/english.ts'
import { toldOf } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { GivenResult } from '../hooks/hook.ts'
import type { EngineCall } from '../sessions/engine.ts'
import { readToolArguments } from '../sessions/read-tool-arguments.ts'
import { TurnOver } from '../sessions/turn-over.ts'
import { completeCall } from '../sessions/turns/engine-turn.ts'
import type { RegisteredTool, ToolOutcome } from '../tools/tool.ts'
import { type ActingCall, type CallIdentity, conclude, finished, refused } from './call-result.ts'
import { OVERTAKEN, SKIPPED } from './late-refusal.ts'
import { rejectionsIn, shapeOf } from './rejected-by-people.ts'
import { createToolRun } from './run-tool.ts'
import { hookContext, invalid, type TurnState, turnEntries } from './turn-state.ts'

export interface CallPosition {
  step: number
  index: number
  of: number
  /** What the model said with it. */
  said: string
  cutOff: boolean
  /** Whether people have said something that the model had not heard when it answered. */
  isOvertaken: () => boolean
  /** To be called when people are asked, or the call runs: then the next one's turn has come. */
  judged: () => void
}

/** What the model said goes along as the agent's word; a long one is cut, since it is only that. */
const MAX_CONTEXT = 2000
const SUMMARY = 200

export async function actOnCall(
  state: TurnState,
  logged: LoggedCall,
  position: CallPosition,
): Promise<CallResult> {
  const { parts, turn } = state
  const { step, index, of } = position
  const proposed: ActingCall = { state, logged }
  const read = readToolArguments(logged.argumentsText)
  turn.emit({
    kind: 'call_proposed',
    call: logged.id,
    tool: logged.tool,
    arguments: read.ok ? read.arguments : {},
    step,
    index,
    of,
  })
  if (!read.ok) return refused(proposed, invalid(read.problem))
  if (position.cutOff)
    return refused(proposed, { state: 'invalid', ...told(reasonOf('refused.cut-off')), mayRetry: true })
  if (turn.windUp.aborted) return refused(proposed, SKIPPED)
  // The first one is under way with the answer. After a restart people may have been asked about any of them.
  if (index > 0 && !turn.resumed && position.isOvertaken()) return refused(proposed, OVERTAKEN)
  const problem = problemOf(state, logged.tool, read.arguments)
  if (problem !== undefined) return refused(proposed, invalid(problem))
  const asWritten = toCall(proposed, logged.tool, read.arguments, position.said)
  const unusable = identify(state, asWritten)
  if (typeof unusable === 'string') return refused(proposed, invalid(unusable))

  const wanted = { callId: logged.id, tool: logged.tool, arguments: read.arguments }
  const about = hookContext(state, step)
  const before = await parts.hooks.beforeTool(wanted, about)
  if (before.kind === 'stop') throw new TurnOver(before.hard ? 'aborted' : 'failed', before.reason)
  if (before.kind === 'deny') return denyBy(proposed, asWritten, before)
  const changed = problemOf(state, before.tool, before.arguments)
  if (changed !== undefined)
    return refused(proposed, invalid(`a hook has rewritten the call, and ${changed}`))

  const call = toCall(proposed, before.tool, before.arguments, position.said)
  const identity = identify(state, call)
  if (typeof identity === 'string') return refused(proposed, invalid(identity))
  const acting: ActingCall = { state, logged, identity }
  if (before.kind === 'respond') return replace(acting, call, before.result, before.by)
  const earlier = await rejectedBefore(state, call, identity)
  if (earlier !== undefined) return refused(acting, earlier)

  const { tool, arguments: args } = call
  const approval = await parts.hooks.approveTool({ ...wanted, tool, arguments: args }, about)
  if (approval.kind === 'deny') return denyBy(proposed, call, approval)

  if (turn.windUp.aborted) return refused(acting, SKIPPED)
  const run = createToolRun(state, {
    callId: logged.id,
    tool,
    step,
    seen: args,
    isOvertaken: () => index > 0 && position.isOvertaken(),
  })
  const result = await turn.guard(
    call,
    (approved, context) => {
      position.judged()
      return run.run(approved, context)
    },
    {
      durable: true,
      summarize: (value) => firstLine((value as ToolOutcome).text),
      onAsked: position.judged,
      ...forcedAsk(state, tool, args),
    },
  )
  return conclude(acting, call, result, run)
}

/** What the tool itself wants a person to be asked about. Nothing that goes wrong here lets a call pass (P5). */
function forcedAsk(state: TurnState, tool: string, args: JsonObject): { asks?: { because: string } } {
  const found = state.findTool(tool)?.tool
  if (found?.asks === undefined) return {}
  try {
    const because = found.asks(structuredClone(args), { said: ownersWords(state) })
    return because === undefined ? {} : { asks: { because } }
  } catch {
    return { asks: { because: 'whether a person has to be asked could not be told, so one is asked' } }
  }
}

/** A task that another agent gave is a model's words, whoever owns the session. */
function ownersWords(state: TurnState): string[] {
  const { owner, parent } = state.session
  if (parent !== undefined) return []
  return turnEntries(state).flatMap((entry) => {
    const isTheirs = entry.kind === 'begun' ? entry.task === undefined : entry.kind === 'steered'
    return isTheirs && 'by' in entry && entry.by === owner.subject && 'text' in entry ? [entry.text] : []
  })
}

function problemOf(state: TurnState, tool: string, args: JsonObject): string | undefined {
  const found = state.findTool(tool)
  if (found !== undefined) return found.check(args)
  const names = state.listTools().map((each) => each.tool.name)
  return `there is no tool ${JSON.stringify(tool.slice(0, 100))}; there are ${names.join(', ')}`
}

function toCall({ state, logged }: ActingCall, tool: string, args: JsonObject, words: string): EngineCall {
  const { definition } = state.findTool(tool) as RegisteredTool
  const said = words.trim()
  const context =
    said.length > MAX_CONTEXT ? `${said.slice(0, MAX_CONTEXT).toWellFormed()}…` : said.toWellFormed()
  return {
    tool,
    arguments: args,
    callId: logged.id,
    cwd: state.workspace,
    definition,
    ...(context === '' ? {} : { context }),
  }
}

/** The digest; or what is wrong with a call that can't have one. */
function identify(state: TurnState, call: EngineCall): CallIdentity | string {
  try {
    const { digest } = prepareCall(completeCall(state.session, state.turn, call))
    return { digest, shape: shapeOf(call.tool, call.arguments) }
  } catch (error) {
    if (isBanksmanError(error)) return error.message
    throw error
  }
}

async function denyBy(
  acting: ActingCall,
  call: EngineCall,
  { by, reason }: { by: string; reason: string },
): Promise<CallResult> {
  const word = await intercept(acting.state, call, { kind: 'deny', by: `hook "${by}"`, because: reason })
  return refused(acting, { state: 'denied', ...toldOf(word), by, mayRetry: false })
}

async function replace(
  acting: ActingCall,
  call: EngineCall,
  given: GivenResult,
  by: string,
): Promise<CallResult> {
  const { state, logged } = acting
  const word = await intercept(state, call, { kind: 'respond', by: `hook "${by}"` })
  if (word.kind === 'deny') return refused(acting, { state: 'denied', ...toldOf(word), mayRetry: false })
  state.turn.emit({ kind: 'call_started', call: logged.id, tool: call.tool, arguments: call.arguments })
  return finished(acting, { ...given, replacedBy: by }, 'replaced')
}

/** The same call again, or one of a kind that the person wants no more of: nobody is asked again. */
async function rejectedBefore(
  state: TurnState,
  call: EngineCall,
  { digest, shape }: CallIdentity,
): Promise<Refusal | undefined> {
  const rejections = rejectionsIn(state.session.entries(), state.turn.id)
  const barredBy = rejections.barred(shape)
  const same = rejections.of(digest)
  if (barredBy === undefined && same === undefined) return undefined
  const by = barredBy ?? same?.by ?? 'a person'
  const why = told(
    barredBy === undefined
      ? reasonOf('refused.again', { why: same?.reason ?? same?.because ?? '' })
      : reasonOf('refused.kind', { by: barredBy, kind: shape }),
  )
  await intercept(state, call, { kind: 'deny', by, ...why })
  return { state: 'rejected', ...why, by, mayRetry: false }
}

/** Puts a hook's word, or a person's earlier one, on the record. */
function intercept(
  { parts, session, turn }: TurnState,
  call: EngineCall,
  word: Parameters<TurnState['parts']['gateway']['intercept']>[1],
) {
  return parts.gateway.intercept(completeCall(session, turn, call), word, session.owner)
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return (line.length > SUMMARY ? `${line.slice(0, SUMMARY)}…` : line).toWellFormed()
}
