/**
 * Tools of the AI SDK behind a guard. Each call waits inside of `execute` until it may run; a refusal is a tool error. With `pause`
 * it doesn't wait: see `pausing.ts`.
 */
import { defined } from '../../core/defined.ts'
import type { Guard, GuardResult } from '../../guard/contract.ts'
import { editText } from '../../guard/model-texts.ts'
import {
  type AdapterOptions,
  checkAdapter,
  rememberingOf,
  toolCallOf,
  warnOfUngated,
} from '../adapter-options.ts'
import { answerText, refusalError, undecidedError } from '../call-refused.ts'
import { forecast } from '../forecast.ts'
import { parseApproved } from '../gate-arguments.ts'
import { isResumed } from './resumed.ts'
import {
  type GatedTool,
  isGated,
  plainOutput,
  type SdkCallOptions,
  type SdkTool,
  schemaOf,
  withNote,
} from './sdk-tool.ts'
import { patientSignal, streamResults } from './waiting.ts'

/** What the SDK says of one call. */
export interface AiSdkContext {
  toolName: string
  toolCallId: string
  /** The context that you gave to the SDK for this tool. */
  context: unknown
}

export interface AiSdkOptions extends AdapterOptions<AiSdkContext> {
  session: string | ((context: AiSdkContext) => string | undefined)
  /**
   * How long a tool may take once it runs. The SDK's own timeout counts from the call, so it is not heard while a person is asked, nor
   * after that.
   */
  timeoutMs?: number | undefined
  /** Doesn't wait: the SDK's own approval pauses the run. For version 7, `pausing` gives the other half too. */
  pause?: boolean | undefined
}

export type AnyTools = Record<string, { inputSchema: unknown }>

export function guardTools<TOOLS extends AnyTools>(guard: Guard, tools: TOOLS, options: AiSdkOptions): TOOLS {
  checkAdapter(guard, options, false)
  const entries = Object.entries(tools)
  const ungated = entries.filter(([, tool]) => !isGated(tool)).map(([name]) => name)
  warnOfUngated(ungated, 'they have no `execute`; the provider or the client runs them', options.warn)
  const guarded = entries.map(([name, tool]) => [
    name,
    isGated(tool) ? guardTool(guard, name, tool, options) : tool,
  ])
  return Object.fromEntries(guarded) as TOOLS
}

/** More notes than a run has calls; each is a line. */
const MAX_NOTES = 1000

function guardTool(guard: Guard, name: string, tool: GatedTool, options: AiSdkOptions): SdkTool {
  const schema = schemaOf(tool)
  const notes = new Map<string, string>()

  async function run(
    input: unknown,
    about: SdkCallOptions,
    emit: ((part: unknown) => void) | undefined,
  ): Promise<unknown> {
    const call = await sdkCall(name, tool, input, about, options)
    const waiting = patientSignal(about.abortSignal)
    const guarding = guard.guard(
      call,
      async (args, context) => {
        waiting.runs(context.requestId !== undefined)
        const limit = options.timeoutMs === undefined ? [] : [AbortSignal.timeout(options.timeoutMs)]
        const abortSignal = AbortSignal.any([waiting.signal, context.signal, ...limit])
        const parsed = await parseApproved(schema.parse, args)
        return lastOf(await tool.execute(parsed, { ...about, abortSignal }), emit)
      },
      {
        ...rememberingOf(options),
        signal: waiting.signal,
        ...(options.pause === true ? { holdMs: 0 } : {}),
        ...defined({ onAsked: options.onAsked }),
      },
    )
    return outputOf(await guarding.finally(waiting.leave), about)
  }

  function outputOf(
    result: GuardResult<unknown, object>,
    { toolCallId, abortSignal }: SdkCallOptions,
  ): unknown {
    switch (result.kind) {
      case 'ran':
        if (!result.ok) throw result.error
        if (result.edited !== undefined) note(toolCallId, editText(result.by, result.edited))
        return result.value
      case 'answered':
        return answerText(result)
      case 'refused':
        throw refusalError(name, result)
      case 'pending':
        if (result.because === 'aborted') throw abortSignal?.reason
        throw undecidedError(name, result)
      case 'released':
        throw result.error
    }
  }

  function note(toolCallId: string, text: string): void {
    notes.set(toolCallId, text)
    if (notes.size > MAX_NOTES) notes.delete(notes.keys().next().value!)
  }

  return {
    ...tool,
    inputSchema: schema.gate,
    async toModelOutput(about) {
      const output =
        tool.toModelOutput === undefined ? plainOutput(about.output) : await tool.toModelOutput(about)
      return withNote(output, notes.get(about.toolCallId))
    },
    // Only for a tool that streams: from the wrapper of any other one, the SDK would tell of a preliminary result that was none.
    execute: isGenerator(tool.execute)
      ? (input, about) => streamResults((emit) => run(input, about, emit))
      : (input, about) => run(input, about, undefined),
    ...(options.pause === true
      ? {
          // Version 6, and version 7 where no `toolApproval` is given.
          needsApproval: async (input: unknown, about: SdkCallOptions) =>
            isResumed(about.messages, about.toolCallId) ||
            (await forecast(guard, await sdkCall(name, tool, input, about, options), options)).kind ===
              'wait',
        }
      : {}),
  }
}

export async function sdkCall(
  name: string,
  tool: SdkTool,
  input: unknown,
  { toolCallId, context, experimental_context }: SdkCallOptions,
  options: AiSdkOptions,
) {
  return toolCallOf(
    {
      tool: name,
      arguments: input as object,
      id: toolCallId,
      definition: await schemaOf(tool).definition(),
      context: { toolName: name, toolCallId, context: context ?? experimental_context },
    },
    options,
  )
}

/** The claim is held until the last part: a tool that streams has not run before that. */
async function lastOf(output: unknown, emit: ((part: unknown) => void) | undefined): Promise<unknown> {
  if (typeof (output as AsyncIterable<unknown> | null)?.[Symbol.asyncIterator] !== 'function') return output
  let last: unknown
  for await (const part of output as AsyncIterable<unknown>) {
    last = part
    emit?.(part)
  }
  return last
}

function isGenerator(execute: (...args: never[]) => unknown): boolean {
  return Object.prototype.toString.call(execute) === '[object AsyncGeneratorFunction]'
}
