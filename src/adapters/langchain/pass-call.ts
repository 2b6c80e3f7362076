/**
 * One tool call of LangChain on its way through the guard, for the middleware and for tools of graphs of your own. It waits, or
 * pauses the graph and looks again after the resume; the truth about the request is Banksman's, whatever the resume says.
 */

import { interrupt, isGraphBubbleUp, isGraphInterrupt } from '@langchain/langgraph'
import type { ToolCall } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import type { Guard, GuardResult } from '../../guard/contract.ts'
import { editText, refusalText } from '../../guard/model-texts.ts'
import { type AdapterOptions, rememberingOf, toolCallOf } from '../adapter-options.ts'
import { answerText, isTerminated, refusalError, undecidedError } from '../call-refused.ts'
import { gateArguments } from '../gate-arguments.ts'
import { createToolMessage, failureMessage, messageOf, toKeptMessage, withNote } from './tool-messages.ts'
import { type LangChainTool, schemaOf } from './tool-schema.ts'

/** What LangGraph says of one call. */
export interface LangChainContext {
  toolName: string
  toolCallId: string | undefined
  /** With `thread_id` and whatever else you gave to `invoke`. */
  configurable: Readonly<Record<string, unknown>>
  /** The context that you gave to `invoke`. */
  context: unknown
}

export interface LangChainOptions extends AdapterOptions<LangChainContext> {
  /** Pauses the graph with `interrupt()` instead of waiting. It needs a checkpointer. */
  pause?: boolean | undefined
}

/** What the graph is interrupted with. */
export interface BanksmanInterrupt {
  /** The id of the request. */
  banksman: string | undefined
  tool: string
  callId: string
}

export interface PassingCall {
  name: string
  id: string | undefined
  args: unknown
  /** Unknown for tools that another middleware adds. */
  tool: LangChainTool | undefined
  configurable: Readonly<Record<string, unknown>> | undefined
  context: unknown
  signal: AbortSignal | undefined
}

/** `run` gets the approved arguments and the signal of a person who tells the call to stop. */
export async function passCall(
  guard: Guard,
  passing: PassingCall,
  run: (args: object, signal: AbortSignal) => Promise<unknown>,
  options: LangChainOptions,
): Promise<unknown> {
  const { name, tool, signal } = passing
  const gated =
    tool === undefined
      ? { ok: true as const, value: passing.args as object }
      : await gateArguments(schemaOf(tool).parse, passing.args)
  if (!gated.ok) {
    // Nobody is asked about a call that can't run.
    const because = `the arguments don't fit the tool's schema: ${gated.error instanceof Error ? gated.error.message : gated.error}`
    return createToolMessage(
      passing,
      refusalText(name, { state: 'invalid', because, mayRetry: true }),
      'error',
    )
  }
  const call = callOf(passing, gated.value, options)
  for (;;) {
    const result = await guard.guard(call, (args, context) => runTool(run, args, context), {
      ...rememberingOf(options),
      ...(options.remember === false ? {} : { remember: toKeptMessage }),
      ...defined({ signal }),
      ...(options.pause === true ? { holdMs: 0 } : {}),
      ...defined({ onAsked: options.onAsked }),
    })
    if (result.kind !== 'pending') return outputOf(result, passing)
    if (result.because === 'aborted') throw signal?.reason
    if (options.pause !== true) throw undecidedError(name, result)
    // Throws the first time. After a resume it returns, whatever the resume says, and we look again.
    interrupt({ banksman: result.requestId, tool: name, callId: call.callId } satisfies BanksmanInterrupt)
  }
}

const NOT_GIVEN_BACK =
  'the tool paused the graph, and can not be run again after that: it paused too often, or too long'

/** A tool that left the graph by a command of the graph's own has run. One that paused it has not. */
class LeftGraph {
  readonly cause: unknown

  constructor(cause: unknown) {
    this.cause = cause
  }
}

async function runTool(
  run: (args: object, signal: AbortSignal) => Promise<unknown>,
  args: object,
  context: { signal: AbortSignal; release(cause: string, options: { error: unknown }): Error },
): Promise<unknown> {
  try {
    return await run(args, context.signal)
  } catch (error) {
    if (error === undefined || error === null) throw error
    if (isGraphInterrupt(error)) throw context.release('the tool paused the graph', { error })
    if (isGraphBubbleUp(error as Error)) return new LeftGraph(error)
    throw error
  }
}

function outputOf(
  result: Exclude<GuardResult<unknown, object>, { kind: 'pending' }>,
  passing: PassingCall,
): unknown {
  switch (result.kind) {
    case 'released':
      throw result.error
    case 'answered':
      return createToolMessage(passing, answerText(result), 'success')
    case 'refused': {
      const error = refusalError(passing.name, result)
      if (isTerminated(error)) throw error
      return createToolMessage(passing, error.message, 'error')
    }
    case 'ran': {
      if (!result.ok) {
        if (passing.signal?.aborted === true) throw result.error
        // It could not be given back to be run again after the resume, so pausing the graph would lead nowhere.
        const error = isGraphInterrupt(result.error) ? new Error(NOT_GIVEN_BACK) : result.error
        return failureMessage(passing, error)
      }
      if (result.value instanceof LeftGraph) throw result.value.cause
      const value = result.replayed === true ? messageOf(passing, result.value as never) : result.value
      return result.edited === undefined ? value : withNote(value, editText(result.by, result.edited))
    }
  }
}

function callOf(passing: PassingCall, args: object, options: LangChainOptions): ToolCall<object> {
  const { name, id, tool, configurable = {}, context } = passing
  const thread = configurable.thread_id
  return toolCallOf(
    {
      tool: name,
      arguments: args,
      id,
      definition: tool === undefined ? undefined : schemaOf(tool).definition,
      context: { toolName: name, toolCallId: id, configurable, context },
      thread: typeof thread === 'string' || typeof thread === 'number' ? String(thread) : undefined,
    },
    options,
  )
}
