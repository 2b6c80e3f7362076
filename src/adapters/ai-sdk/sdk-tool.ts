/** The parts of the AI SDK's tools that the adapter looks at, in the words of versions 6 and 7. */

import { asSchema, jsonSchema } from 'ai'
import type { GivenDefinition } from '../../core/call.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { gateArguments, type Parse } from '../gate-arguments.ts'

export interface SdkTool {
  description?: unknown
  inputSchema: unknown
  execute?: ((input: unknown, options: SdkCallOptions) => unknown) | undefined
  toModelOutput?: ((about: SdkOutput) => ModelOutput | PromiseLike<ModelOutput>) | undefined
}

export interface SdkCallOptions {
  toolCallId: string
  abortSignal?: AbortSignal | undefined
  messages?: readonly unknown[]
  /** In version 6 it has another name. */
  context?: unknown
  experimental_context?: unknown
}

interface SdkOutput {
  toolCallId: string
  input: unknown
  output: unknown
}

/** Of the SDK's kinds of output, those that a note is put in front of. All others pass as they are. */
export type ModelOutput =
  | { type: 'text'; value: string }
  | { type: 'json'; value: unknown }
  | { type: 'content'; value: unknown[] }

export interface SdkToolSchema {
  /** For the SDK: checks what the model wrote and gives what is gated. */
  gate: unknown
  parse: Parse
  definition(): Promise<GivenDefinition>
}

/** The SDK works a JSON Schema out anew each time it is asked for one. Once a tool is enough. */
const schemas = new WeakMap<object, SdkToolSchema>()

export function schemaOf(tool: SdkTool): SdkToolSchema {
  const known = schemas.get(tool)
  if (known !== undefined) return known
  const schema = asSchema(tool.inputSchema as Parameters<typeof asSchema>[0])
  const parse: Parse = async (value) => {
    const result = (await schema.validate?.(value)) ?? { success: true as const, value }
    return result.success ? { ok: true, value: result.value } : { ok: false, error: result.error }
  }
  let described: Promise<GivenDefinition> | undefined
  const json = () => schema.jsonSchema
  const made: SdkToolSchema = {
    parse,
    gate: jsonSchema(json as Parameters<typeof jsonSchema>[0], {
      async validate(value: unknown) {
        const gated = await gateArguments(parse, value)
        if (gated.ok) return { success: true, value: gated.value }
        return {
          success: false,
          error: gated.error instanceof Error ? gated.error : new Error(String(gated.error)),
        }
      },
    }),
    definition: () => (described ??= describe(tool, json)),
  }
  schemas.set(tool, made)
  return made
}

async function describe({ description }: SdkTool, json: () => unknown): Promise<GivenDefinition> {
  // Version 7 allows a function of the context. What it says may differ from call to call, and a definition must not.
  const text = typeof description === 'string' ? { description } : {}
  return { ...text, schema: parseJson(JSON.stringify(await json())) }
}

/** A tool that the SDK runs itself. */
export type GatedTool = SdkTool & { execute: NonNullable<SdkTool['execute']> }

export function isGated(tool: object): tool is GatedTool {
  return typeof (tool as SdkTool).execute === 'function'
}

/** What the SDK does by itself where a tool has no `toModelOutput`. */
export function plainOutput(output: unknown): ModelOutput {
  return typeof output === 'string'
    ? { type: 'text', value: output }
    : { type: 'json', value: output ?? null }
}

/** The tool's own output keeps its type for programs and screens; only the model reads the note. */
export function withNote(output: ModelOutput, note: string | undefined): ModelOutput {
  if (note === undefined || !['text', 'json', 'content'].includes(output.type)) return output
  const text = (value: string) => ({ type: 'text', text: value })
  const rest =
    output.type === 'content'
      ? output.value
      : [text(output.type === 'json' ? JSON.stringify(output.value) : output.value)]
  return { type: 'content', value: [text(note), ...rest] }
}
