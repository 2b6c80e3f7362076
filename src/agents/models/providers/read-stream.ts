/**
 * A provider's stream as events of ours.
 *
 * Calls are held back until the answer has ended well: the libraries also hand out the calls of an answer that broke off. And
 * they drop a fragment of arguments that they can't tell the call of, which could make another call of it; so all fragments
 * are counted, and an answer that lacks one is no answer.
 */

import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { z } from 'zod'
import { defined } from '../../../core/defined.ts'
import type { JsonObject, JsonValue } from '../../../core/json/json.ts'
import { type ModelEvent, ModelFault, type ModelFinish } from '../model.ts'
import type { ProviderName } from './provider-model.ts'
import type { AnswerBlock } from './to-prompt.ts'

export async function* readStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  provider: ProviderName,
): AsyncGenerator<ModelEvent> {
  const calls: Extract<ModelEvent, { kind: 'call' }>[] = []
  const blocks = createBlocks()
  const fragments = FRAGMENTS[provider]
  let heard = 0
  let told = 0
  for await (const part of stream) {
    switch (part.type) {
      case 'raw':
        heard += fragments(part.rawValue)
        break
      case 'text-delta':
        blocks.text(part.delta)
        if (part.delta !== '') yield { kind: 'text', delta: part.delta }
        break
      case 'reasoning-start':
      case 'reasoning-end':
        blocks.reasoning(part.id, '', part.providerMetadata)
        break
      case 'reasoning-delta':
        blocks.reasoning(part.id, part.delta, part.providerMetadata)
        if (part.delta !== '') yield { kind: 'reasoning', delta: part.delta }
        break
      case 'tool-call':
        told += part.input.length
        // What a provider does by itself is not ours to run, and we never ask for it.
        if (part.providerExecuted === true) break
        blocks.call()
        calls.push({
          kind: 'call',
          id: part.toolCallId,
          tool: part.toolName,
          argumentsText: part.input,
          ...(part.providerMetadata === undefined ? {} : { provider: part.providerMetadata as JsonObject }),
        })
        break
      case 'error':
        throw part.error
      case 'finish': {
        const finish = finishOf(part.finishReason.unified, calls.length)
        if (finish === undefined) throw brokenOff()
        if (told < heard)
          throw new ModelFault("a part of a call's arguments could not be told to belong to any call", {
            mayRetry: true,
          })
        yield* calls
        const kept = blocks.kept()
        yield {
          kind: 'end',
          finish,
          usage: {
            inputTokens: part.usage.inputTokens.total ?? 0,
            outputTokens: part.usage.outputTokens.total ?? 0,
          },
          ...defined({ provider: kept }),
        }
        return
      }
    }
  }
  throw brokenOff()
}

function brokenOff(): ModelFault {
  return new ModelFault('the answer broke off before its end', { mayRetry: true })
}

/** Undefined where it did not come to its end. Some servers say `stop` when they mean that calls are to be made. */
function finishOf(unified: string, calls: number): ModelFinish | undefined {
  switch (unified) {
    case 'stop':
      return calls > 0 ? 'calls' : 'stop'
    case 'tool-calls':
      return 'calls'
    case 'length':
      return 'length'
    case 'content-filter':
      return 'filtered'
    case 'error':
    case 'interrupted':
      return undefined
    default:
      return 'other'
  }
}

type Metadata = Record<string, JsonObject>

/** Notes the order of an answer's parts, for answers of which something must go back as it was. */
function createBlocks() {
  const blocks: (AnswerBlock & { id?: string })[] = []
  return {
    text(delta: string) {
      const last = blocks.at(-1)
      if (last?.kind === 'text') last.length += delta.length
      else if (delta !== '') blocks.push({ kind: 'text', length: delta.length })
    },
    call: () => blocks.push({ kind: 'call' }),
    reasoning(id: string, delta: string, metadata: unknown) {
      let block = blocks.findLast((found) => found.kind === 'reasoning' && found.id === id)
      if (block?.kind !== 'reasoning') {
        block = { kind: 'reasoning', id, text: '' }
        blocks.push(block)
      }
      block.text += delta
      if (metadata !== undefined) block.options = merged(block.options, metadata as Metadata)
    },
    kept(): JsonValue | undefined {
      if (!blocks.some((block) => block.kind === 'reasoning' && block.options !== undefined)) return undefined
      return { blocks: blocks.map(({ id: _, ...block }) => block) } as JsonObject
    },
  }
}

function merged(before: Metadata = {}, more: Metadata): Metadata {
  const names = new Set([...Object.keys(before), ...Object.keys(more)])
  return Object.fromEntries([...names].map((name) => [name, { ...before[name], ...more[name] }]))
}

/** How many characters of arguments are in an event of the wire. */
const FRAGMENTS: Record<ProviderName, (event: unknown) => number> = {
  'openai-compatible'(event) {
    const calls = openaiEvent.safeParse(event).data?.choices[0]?.delta?.tool_calls ?? []
    return calls.reduce((sum, call) => sum + (call.function?.arguments ?? '').length, 0)
  },
  anthropic(event) {
    return anthropicEvent.safeParse(event).data?.delta.partial_json.length ?? 0
  },
}

const openaiEvent = z.object({
  choices: z.array(
    z.object({
      delta: z
        .object({
          tool_calls: z
            .array(z.object({ function: z.object({ arguments: z.string().nullish() }).nullish() }))
            .nullish(),
        })
        .nullish(),
    }),
  ),
})
const anthropicEvent = z.object({
  type: z.literal('content_block_delta'),
  delta: z.object({ type: z.literal('input_json_delta'), partial_json: z.string() }),
})
