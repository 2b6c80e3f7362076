/**
 * Tools of the OpenAI Agents SDK behind a guard. Each call waits inside of the tool until it may run. The SDK has no tool errors: a
 * refusal is the result, as text. With `pause` it doesn't wait: see `pausing.ts`.
 */
import { parseJson } from '../../core/json/parse-json.ts'
import type { Guard } from '../../guard/contract.ts'
import { checkAdapter, toolCallOf, warnOfUngated } from '../adapter-options.ts'
import { CallRefused, isTerminated, undecidedError } from '../call-refused.ts'
import { forecast } from '../forecast.ts'
import { gateArguments, type Parse } from '../gate-arguments.ts'
import { asWritten, parserOf } from '../standard-schema.ts'
import { passWrapped, type WrappedOptions, type WrappedResult } from '../wrapped-call.ts'
import {
  type AgentsCallDetails,
  type AgentsTool,
  copyWith,
  detailsFor,
  isGatedTool,
  nameOfTool,
  type RunContextShape,
  type ToolConfig,
  withNote,
} from './agents-tool.ts'

/** What the SDK says of one call. */
export interface OpenAIAgentsContext {
  toolName: string
  toolCallId: string | undefined
  /** The context that you gave to `run`. */
  context: unknown
}

export interface OpenAIAgentsOptions extends WrappedOptions<OpenAIAgentsContext> {
  session: string | ((context: OpenAIAgentsContext) => string | undefined)
}

/**
 * Of tools that exist already, as of an MCP server. What the model wrote is judged and shown: only `tool()` knows the schema that
 * fills in and coerces. Of tools that you make yourself, `guardedTool` shows more.
 */
export function guardTools<TOOLS extends readonly object[]>(
  guard: Guard,
  tools: TOOLS,
  options: OpenAIAgentsOptions,
): TOOLS {
  checkAdapter(guard, options, false)
  const ungated = tools.filter((tool) => !isGatedTool(tool)).map(nameOfTool)
  warnOfUngated(ungated, 'the provider runs them, or they are agents or tools without `invoke`', options.warn)
  return tools.map((tool) =>
    isGatedTool(tool) && !known.has(tool) ? guardTool(guard, tool, PLAIN, options) : tool,
  ) as unknown as TOOLS
}

/** A function to use in the place of `tool()`. It sees the schema, so people see defaults, and a tool that throws is on record. */
export function guardedTool<TOOL extends (config: never) => object>(
  guard: Guard,
  tool: TOOL,
  options: OpenAIAgentsOptions,
): TOOL {
  checkAdapter(guard, options, false)
  const make = tool as unknown as (config: ToolConfig) => AgentsTool
  const making = (config: ToolConfig) => {
    const succeeded = new WeakSet<object>()
    const execute: ToolConfig['execute'] = async (input, runContext, details) => {
      const value = await config.execute(input, runContext, details)
      if (details?.toolCall !== undefined) succeeded.add(details.toolCall)
      return value
    }
    const { errorFunction, outputSchema } = config
    return guardTool(
      guard,
      make({ ...config, execute }),
      {
        parse: parserOf(config.parameters) ?? asWritten,
        hasRun: ({ toolCall }) => toolCall !== undefined && succeeded.has(toolCall),
        // Without a function that words errors, they end the run.
        tellsErrors: errorFunction !== null && (errorFunction !== undefined || outputSchema === undefined),
      },
      options,
    )
  }
  return making as unknown as TOOL
}

/** What is known of a tool. */
interface ToolInsight {
  parse: Parse
  /** Whether the tool itself gave this result, and not the SDK for a tool that threw or took too long. */
  hasRun(details: AgentsCallDetails): boolean
  tellsErrors: boolean
}

const PLAIN: ToolInsight = { parse: asWritten, hasRun: () => true, tellsErrors: false }

/** Asked again when a run goes on: what a call of this tool is judged by. */
export type ToCall = (
  input: unknown,
  id: string | undefined,
  context: unknown,
) => Promise<ReturnType<typeof toolCallOf> | undefined>

/** Guarded tools, which need no second guard. */
const known = new WeakMap<object, ToCall>()
export const callsOf = (tool: object): ToCall | undefined => known.get(tool)

function guardTool(
  guard: Guard,
  tool: AgentsTool,
  insight: ToolInsight,
  options: OpenAIAgentsOptions,
): AgentsTool {
  const { name, description, parameters } = tool
  const about = (id: string | undefined, context: unknown) => ({
    tool: name,
    id,
    definition: { description, schema: parameters },
    context: { toolName: name, toolCallId: id, context },
  })

  const toCall: ToCall = async (input, id, context) => {
    const gated = await gateArguments(insight.parse, input)
    return gated.ok ? toolCallOf({ ...about(id, context), arguments: gated.value }, options) : undefined
  }

  async function invoke(
    runContext: RunContextShape,
    input: string,
    details: AgentsCallDetails = {},
  ): Promise<unknown> {
    const given = readArguments(input)
    if (given === undefined) return notJson(name).message
    const result = await passWrapped(
      guard,
      {
        ...about(details.toolCall?.callId, runContext?.context),
        given,
        parse: insight.parse,
        signal: details.signal,
      },
      async (_, context, approved) => {
        const signals = [context.signal, ...(details.signal === undefined ? [] : [details.signal])]
        const text = JSON.stringify(approved)
        const running = detailsFor(details, text, AbortSignal.any(signals))
        const output = await tool.invoke(runContext, text, running)
        if (!insight.hasRun(running)) throw new Error(String(output))
        return output
      },
      options,
    )
    return outputOf(result)
  }

  function outputOf(result: WrappedResult): unknown {
    switch (result.kind) {
      case 'ran':
        return withNote(result.value, result.note)
      case 'failed':
        if (insight.tellsErrors && result.error instanceof Error) return result.error.message
        throw result.error
      case 'answered':
        return result.text
      case 'refused':
        if (isTerminated(result.error)) throw result.error
        return result.error.message
      case 'pending':
        return undecidedError(name, result).message
      case 'released':
        throw result.error
    }
  }

  // The SDK would count its own limit of time from before the waiting.
  const guarded = copyWith(tool, {
    timeoutMs: undefined,
    invoke,
    needsApproval: async ({ context }: RunContextShape, input: unknown, id: string) => {
      if (options.pause !== true) return false
      const call = await toCall(input, id, context)
      return call !== undefined && (await forecast(guard, call, options)).kind === 'wait'
    },
  } as Partial<AgentsTool>)
  known.set(guarded, toCall)
  return guarded
}

/** Undefined where it is no JSON. What is no object, the guard refuses. */
export function readArguments(text: string): unknown {
  if (text === '') return {}
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function notJson(tool: string): CallRefused {
  return new CallRefused(tool, { state: 'invalid', because: 'the arguments are not JSON', mayRetry: true })
}
