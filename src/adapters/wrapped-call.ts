/**
 * One call on its way through the guard, for adapters that wrap the tool itself: the arguments are read by the tool's schema, the
 * guard is asked, and the tool runs on what was approved. What the framework is given for each end is the adapter's.
 */
import { defined } from '../core/defined.ts'
import type { Guard, RunContext } from '../guard/contract.ts'
import { editText } from '../guard/model-texts.ts'
import { type AdapterOptions, type FrameworkCall, rememberingOf, toolCallOf } from './adapter-options.ts'
import { answerText, CallRefused, refusalError } from './call-refused.ts'
import { gateArguments, type Parse, parseApproved } from './gate-arguments.ts'

export interface WrappedCall<Context> extends Omit<FrameworkCall<Context>, 'arguments'> {
  /** The arguments as the model wrote them. */
  given: unknown
  parse: Parse
  /** Ends the waiting. */
  signal: AbortSignal | undefined
}

export interface WrappedOptions<Context> extends AdapterOptions<Context> {
  /** Doesn't wait: the framework's own pause ends the run. */
  pause?: boolean | undefined
}

export type WrappedResult =
  /** `note`: a sentence for the model, where a person changed the arguments. */
  | { kind: 'ran'; value: unknown; note: string | undefined }
  | { kind: 'failed'; error: unknown }
  | { kind: 'answered'; text: string }
  | { kind: 'refused'; error: CallRefused }
  /** Only with `pause`, and where a framework's yes came before a person's. */
  | { kind: 'pending'; requestId: string | undefined; because: string }
  /** The tool paused the run by itself. `error` is what it threw. */
  | { kind: 'released'; error: unknown }

/** `parsed` is what the tool's schema makes of the approved arguments. */
type RunWrapped = (parsed: unknown, context: RunContext, approved: object) => unknown

/** Rejects with the signal's reason where that ended the waiting, and where the call has no session. */
export async function passWrapped<Context>(
  guard: Guard,
  call: WrappedCall<Context>,
  run: RunWrapped,
  options: WrappedOptions<Context>,
): Promise<WrappedResult> {
  const { given, parse, signal, ...about } = call
  const gated = await gateArguments(parse, given)
  // Nobody is asked about a call that can't run.
  if (!gated.ok) return { kind: 'refused', error: unfitError(call.tool, gated.error) }
  let because = 'a person is asked'
  const result = await guard.guard(
    toolCallOf({ ...about, arguments: gated.value }, options),
    async (args, context) => {
      const parsed = await parseApproved(parse, args).catch((error: unknown) => {
        // A person's edit. The guard can check it by a JSON Schema only, which says less than the tool's own.
        throw unfitError(call.tool, error)
      })
      return run(parsed, context, args)
    },
    {
      ...rememberingOf(options),
      ...defined({ signal }),
      ...(options.pause === true ? { holdMs: 0 } : {}),
      onAsked(asked) {
        because = asked.because
        options.onAsked?.(asked)
      },
    },
  )
  switch (result.kind) {
    case 'ran':
      if (!result.ok) {
        const { error } = result
        return error instanceof CallRefused ? { kind: 'refused', error } : { kind: 'failed', error }
      }
      return {
        kind: 'ran',
        value: result.value,
        note: result.edited === undefined ? undefined : editText(result.by, result.edited),
      }
    case 'answered':
      return { kind: 'answered', text: answerText(result) }
    case 'refused':
      return { kind: 'refused', error: refusalError(call.tool, result) }
    case 'released':
      return { kind: 'released', error: result.error }
    case 'pending':
      if (result.because === 'aborted') throw signal?.reason
      return { kind: 'pending', requestId: result.requestId, because }
  }
}

function unfitError(tool: string, error: unknown): CallRefused {
  const because = `the arguments don't fit the tool's schema: ${error instanceof Error ? error.message : error}`
  return new CallRefused(tool, { state: 'invalid', because, mayRetry: true })
}

/** A result with a sentence for the model in front of it, for frameworks whose results are plain values. */
interface NotedResult {
  note: string
  result: unknown
}

export function notedResult(value: unknown, note: string | undefined): unknown {
  if (note === undefined) return value
  return typeof value === 'string' ? `${note}\n${value}` : ({ note, result: value } satisfies NotedResult)
}
