/**
 * Tools of Google's Agent Development Kit behind a guard. Each call waits inside of the tool until it may run; with `pause` the kit's own
 * confirmation ends the run: see `pausing.ts`. The confirmation's yes is not a person's yes: it makes the kit call the tool again, and
 * there the guard looks at the request (P5).
 */
import { defined } from '../../core/defined.ts'
import type { Guard, RunContext } from '../../guard/contract.ts'
import { checkAdapter, toolCallOf, warnOfUngated } from '../adapter-options.ts'
import { isTerminated, undecidedError } from '../call-refused.ts'
import { gateArguments } from '../gate-arguments.ts'
import { asWritten, parserOf } from '../standard-schema.ts'
import { notedResult, passWrapped, type WrappedOptions } from '../wrapped-call.ts'
import {
  type AdkTool,
  type AdkToolContext,
  type AdkToolRequest,
  type AdkToolset,
  adkSchemaOf,
  isGatedAdkTool,
  isToolset,
  parentsOf,
} from './adk-tool.ts'
import { beginStep, endCall, pauseStep } from './step-calls.ts'

/** What the kit says of one call. */
export interface AdkContext {
  toolName: string
  toolCallId: string | undefined
  sessionId: string
  userId: string | undefined
  agentName: string | undefined
}

/** Without `session` it is the kit's own, and without `agent` the kit's agent with its parents. */
export type AdkOptions = WrappedOptions<AdkContext>

export function guardTools<TOOLS extends readonly object[]>(
  guard: Guard,
  tools: TOOLS,
  options: AdkOptions = {},
): TOOLS {
  checkAdapter(guard, options, true)
  const ungated = tools.filter((tool) => !isToolset(tool) && !isGatedAdkTool(tool))
  const names = ungated.map((tool) => String((tool as { name?: unknown }).name ?? 'a tool without a name'))
  warnOfUngated(names, 'Google runs them, or no call of the model reaches them', options.warn)
  return tools.map((tool) => {
    if (isToolset(tool)) return guardToolset(guard, tool, options)
    return isGatedAdkTool(tool) ? guardTool(guard, tool, options) : tool
  }) as unknown as TOOLS
}

function guardToolset(guard: Guard, toolset: AdkToolset, options: AdkOptions): AdkToolset {
  return Object.assign(Object.create(toolset), {
    getTools: async (...given: unknown[]) => guardTools(guard, await toolset.getTools(...given), options),
  })
}

/** What a call of this tool is judged by, for who looks at it before the run goes on. Undefined where its arguments don't fit. */
export type ToAdkCall = (
  args: unknown,
  id: string | undefined,
  session: string,
) => Promise<ReturnType<typeof toolCallOf> | undefined>

const known = new WeakMap<object, ToAdkCall>()
export const adkCallsOf = (tool: object): ToAdkCall | undefined => known.get(tool)

function guardTool(guard: Guard, tool: AdkTool, options: AdkOptions): AdkTool {
  const { name, description } = tool
  const parse = parserOf((tool as { parameters?: unknown }).parameters) ?? asWritten
  const definition = { ...defined({ description }), ...defined({ schema: adkSchemaOf(tool) }) }
  const about = (id: string | undefined, sessionId: string, context?: AdkToolContext) => ({
    tool: name,
    id,
    definition,
    thread: sessionId,
    context: {
      toolName: name,
      toolCallId: id,
      sessionId,
      userId: context?.userId,
      agentName: context?.agentName,
    },
  })

  async function runAsync(request: AdkToolRequest): Promise<unknown> {
    const { args, toolContext } = request
    const { functionCallId: id, sessionId, agentName, abortSignal: signal } = toolContext
    const agent = options.agent ?? { name: agentName, parents: parentsOf(toolContext) }
    const result = await passWrapped(
      guard,
      { ...about(id, sessionId, toolContext), given: args, parse, signal },
      (_, running, approved) => runTool(tool, { ...request, args: approved }, running),
      { ...options, agent },
    )
    if (result.kind === 'pending') {
      const { requestId = '', because } = result
      // The kit makes no second confirmation of one that was answered.
      if (options.pause !== true || toolContext.toolConfirmation !== undefined)
        return { error: undecidedError(name, result).message }
      pauseStep(toolContext, { banksman: requestId, because })
      return { error: `Waiting for a person: ${because}` }
    }
    if (result.kind === 'released') {
      if (result.error instanceof Paused) return result.error.value
      throw result.error
    }
    if (options.pause === true && toolContext.toolConfirmation === undefined) endCall(toolContext)
    switch (result.kind) {
      case 'ran':
        return notedResult(result.value, result.note)
      case 'answered':
        return result.text
      case 'failed':
        throw result.error
      case 'refused':
        if (isTerminated(result.error)) endRun(toolContext)
        return { error: result.error.message }
    }
  }

  const guarded: AdkTool = Object.assign(Object.create(tool), {
    runAsync,
    // The kit refuses to go on with a call whose tool says that it needs no confirmation.
    checkRequireConfirmation: async () => true,
    async processLlmRequest(request: { toolContext: AdkToolContext }) {
      beginStep(request.toolContext)
      // With the tool itself it would declare, and later run, the one without a guard.
      await tool.processLlmRequest.call(guarded, request)
    },
  })
  known.set(guarded, async (args, id, sessionId) => {
    const gated = await gateArguments(parse, args)
    return gated.ok ? toolCallOf({ ...about(id, sessionId), arguments: gated.value }, options) : undefined
  })
  return guarded
}

/** The tool asked for a confirmation by itself. */
class Paused {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

async function runTool(tool: AdkTool, request: AdkToolRequest, running: RunContext): Promise<unknown> {
  const { toolContext } = request
  const { abortSignal, actions, functionCallId = '' } = toolContext
  const signals = [running.signal, ...(abortSignal === undefined ? [] : [abortSignal])]
  const inner = Object.create(toolContext, {
    abortSignal: { value: AbortSignal.any(signals), enumerable: true },
  })
  const value = await tool.runAsync({ ...request, toolContext: inner })
  const isPaused = Object.hasOwn(actions.requestedToolConfirmations, functionCallId)
  if (isPaused) throw running.release('the tool asked for a confirmation', { error: new Paused(value) })
  return value
}

/** The kit tells the model of every error and goes on. */
function endRun({ invocationContext, actions }: AdkToolContext): void {
  invocationContext.endInvocation = true
  actions.skipSummarization = true
}
