/**
 * Tools of Mastra behind a guard. Each call waits inside of the tool until it may run; with `pause` it suspends the run, and looks at
 * its request again when the run is resumed, whatever the resume says (P5).
 */
import { defined } from '../../core/defined.ts'
import type { Guard, RunContext } from '../../guard/contract.ts'
import { checkAdapter, warnOfUngated } from '../adapter-options.ts'
import { type CallRefused, isTerminated, undecidedError } from '../call-refused.ts'
import { asWritten, parserOf } from '../standard-schema.ts'
import { notedResult, passWrapped, type WrappedOptions } from '../wrapped-call.ts'
import {
  isGatedMastraTool,
  jsonSchemaOf,
  type MastraTool,
  type MastraToolContext,
  readsInput,
  uncheckedSchema,
} from './mastra-tool.ts'

/** What Mastra says of one call. */
export interface MastraContext {
  /** The tool's key in `tools`, which is the name that the model knows. */
  toolName: string
  toolCallId: string | undefined
  agentId: string | undefined
  /** Only with memory. */
  threadId: string | undefined
  resourceId: string | undefined
  requestContext: unknown
}

export interface MastraOptions extends WrappedOptions<MastraContext> {
  session: string | ((context: MastraContext) => string | undefined)
}

/** What a run is suspended with. */
export interface BanksmanSuspension {
  /** The id of the request. */
  banksman: string
  tool: string
  because: string
  /** A person ended the session: the run can't be resumed. */
  ended?: true
}

export function guardTools<TOOLS extends Readonly<Record<string, object>>>(
  guard: Guard,
  tools: TOOLS,
  options: MastraOptions,
): TOOLS {
  checkAdapter(guard, options, false)
  const entries = Object.entries(tools)
  const ungated = entries.filter(([, tool]) => !isGatedMastraTool(tool)).map(([name]) => name)
  warnOfUngated(ungated, 'they have no `execute`: the client or the provider runs them', options.warn)
  const guarded = entries.map(([name, tool]) => [
    name,
    isGatedMastraTool(tool) ? guardTool(guard, name, tool, options) : tool,
  ])
  return Object.fromEntries(guarded) as TOOLS
}

function guardTool(guard: Guard, name: string, tool: MastraTool, options: MastraOptions): MastraTool {
  const { description, inputSchema, toModelOutput } = tool
  const schema = typeof inputSchema === 'function' ? inputSchema() : inputSchema
  const parse = parserOf(schema) ?? asWritten
  const definition = { ...defined({ description }), ...defined({ schema: jsonSchemaOf(schema) }) }

  async function execute(given: unknown, context: MastraToolContext = {}): Promise<unknown> {
    const { agentId, toolCallId: id, threadId, resourceId, suspend } = context.agent ?? context
    const { abortSignal: signal, requestContext } = context
    const about = { toolName: name, toolCallId: id, agentId, threadId, resourceId, requestContext }
    const result = await passWrapped(
      guard,
      { tool: name, id, definition, context: about, given, parse, signal },
      (parsed, running, approved) => runTool(tool, { parsed, approved }, context, running),
      // Mastra says who calls; a lineage that you give says more.
      agentId ? { agent: { name: agentId }, ...defined(options) } : options,
    )
    switch (result.kind) {
      case 'ran':
        return notedResult(result.value, result.note)
      case 'answered':
        return result.text
      case 'refused':
        return refuse(result.error, suspend)
      case 'pending': {
        const { requestId = '', because } = result
        if (options.pause !== true || suspend === undefined) throw undecidedError(name, result)
        return suspend({ banksman: requestId, tool: name, because } satisfies BanksmanSuspension)
      }
      case 'failed':
        throw result.error
      case 'released':
        if (result.error instanceof Suspended) return result.error.value
        throw result.error
    }
  }

  /** Mastra tells the model of every error and goes on. The one thing that keeps it from that is a suspension, so that ends the run. */
  function refuse(error: CallRefused, suspend: MastraToolContext['suspend']): unknown {
    if (!isTerminated(error) || suspend === undefined) throw error
    const { requestId = '', because } = error.refused
    return suspend({ banksman: requestId, tool: name, because, ended: true } satisfies BanksmanSuspension)
  }

  return Object.assign(Object.create(tool), {
    execute,
    inputSchema: uncheckedSchema(schema),
    // Mastra would check our own suspension by the tool's schemas, and run the calls of a step one after another because of them.
    ...(options.pause === true ? { suspendSchema: undefined, resumeSchema: undefined } : {}),
    ...(toModelOutput === undefined
      ? {}
      : { toModelOutput: (output: unknown) => withModelNote(toModelOutput, output) }),
  })
}

/** The tool suspended the run by itself. */
class Suspended {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

interface ToolInput {
  parsed: unknown
  approved: object
}

async function runTool(
  tool: MastraTool,
  { parsed, approved }: ToolInput,
  context: MastraToolContext,
  running: RunContext,
): Promise<unknown> {
  let isSuspended = false
  const wrapPart = <Part extends { suspend?: MastraToolContext['suspend']; suspendPayload?: unknown }>(
    part: Part,
  ): Part => {
    const { suspend } = part
    // The pause was ours. The tool would take the resume for an answer to its own.
    const isOurs = (part.suspendPayload as Partial<BanksmanSuspension> | undefined)?.banksman !== undefined
    const suspending = (payload: unknown, given?: unknown) => {
      isSuspended = true
      return suspend!(payload, given)
    }
    return {
      ...part,
      ...(suspend === undefined ? {} : { suspend: suspending }),
      ...(isOurs ? { resumeData: undefined, suspendPayload: undefined } : {}),
    }
  }
  const { agent, abortSignal } = context
  const inner = wrapPart({
    ...context,
    ...(agent === undefined ? {} : { agent: wrapPart(agent) }),
    abortSignal: AbortSignal.any([running.signal, ...(abortSignal === undefined ? [] : [abortSignal])]),
  })
  const isResumed = (inner.agent ?? inner).resumeData !== undefined
  // Mastra's own tools read their input by the schema, but not when they are resumed.
  const input = readsInput(tool) && !isResumed ? approved : parsed
  let value: unknown
  try {
    value = await tool.execute(input, inner)
  } catch (error) {
    throw isSuspended ? running.release('the tool suspended the run', { error }) : error
  }
  if (isSuspended) throw running.release('the tool suspended the run', { error: new Suspended(value) })
  return value
}

function withModelNote(toModelOutput: (output: unknown) => unknown, output: unknown): unknown {
  const { note, result } = (output ?? {}) as { note?: unknown; result?: unknown }
  if (typeof note !== 'string' || result === undefined) return toModelOutput(output)
  const shown = toModelOutput(result) as { type?: unknown; value?: unknown }
  if (shown?.type === 'content' && Array.isArray(shown.value))
    return { type: 'content', value: [{ type: 'text', text: note }, ...shown.value] }
  const text = typeof shown?.value === 'string' ? shown.value : JSON.stringify(shown?.value ?? shown)
  return { type: 'text', value: `${note}\n${text}` }
}
