/**
 * The conversation as the provider libraries take it.
 *
 * - What a provider has signed (thoughts, mostly) goes back as it came, in the order in which it came. Where a hook has
 *   changed the answer, that order holds no more, and thoughts come first.
 * - Call ids go out as the wires allow them; ours have dots.
 * - Pictures that a tool has shown go with its result where the wire has a place for them, else right after the results,
 *   with a word on whose they are: the message that they stand in is the person's.
 */

import type { LanguageModelV4FilePart, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { z } from 'zod'
import { defined } from '../../../core/defined.ts'
import { digestOf } from '../../../core/digest.ts'
import type { JsonObject } from '../../../core/json/json.ts'
import { parseJson } from '../../../core/json/parse-json.ts'
import type { ModelCall, ModelMedia, ModelMessage } from '../model.ts'
import type { ProviderName } from './provider-model.ts'

/** What goes back with an answer, in order. Kept as the answer's `provider`. */
export type AnswerBlock = z.infer<typeof answerBlock>

const providerOptions = z.record(z.string(), z.record(z.string(), z.json()))
const answerBlock = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reasoning'), text: z.string(), options: providerOptions.optional() }),
  z.object({ kind: z.literal('text'), length: z.int() }),
  z.object({ kind: z.literal('call') }),
])
const kept = z.object({ blocks: z.array(answerBlock) })

type Assistant = Extract<ModelMessage, { role: 'assistant' }>
type ToolMessage = Extract<ModelMessage, { role: 'tool' }>
type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content']

export function toPrompt(messages: readonly ModelMessage[], provider: ProviderName): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = []
  const shown: LanguageModelV4Message[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      const { result, after } = toolResult(message, provider)
      prompt.push(result)
      shown.push(...after)
      continue
    }
    prompt.push(...shown.splice(0))
    switch (message.role) {
      case 'system':
        // Most servers take instructions at the beginning only.
        prompt.push(
          messages.slice(0, index).every(({ role }) => role === 'system')
            ? { role: 'system', content: message.text }
            : userMessage(message.text, []),
        )
        break
      case 'user':
        prompt.push(userMessage(message.text, message.media ?? []))
        break
      case 'assistant':
        prompt.push({ role: 'assistant', content: assistantContent(message, provider) })
    }
  }
  return [...prompt, ...shown]
}

function userMessage(text: string, media: readonly ModelMedia[]): LanguageModelV4Message {
  const content = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...media.map(filePart)]
  return { role: 'user', content: content.length === 0 ? [{ type: 'text', text: '(nothing)' }] : content }
}

/** What no wire can carry is said in words. */
function filePart({ type, data }: ModelMedia): LanguageModelV4FilePart | { type: 'text'; text: string } {
  if (type.startsWith('image/') || type === 'application/pdf')
    return { type: 'file', mediaType: type, data: { type: 'data', data } }
  if (type.startsWith('text/')) return { type: 'text', text: new TextDecoder().decode(data) }
  return { type: 'text', text: `(a file of type ${type}, which can't be shown to you)` }
}

function assistantContent(message: Assistant, provider: ProviderName): AssistantContent {
  const blocks = blocksOf(message)
  if (blocks !== undefined && fits(blocks, message)) return inOrder(blocks, message)
  const signed = blocks?.filter((block) => block.kind === 'reasoning')
  const content: AssistantContent = signed?.map(reasoningPart) ?? []
  // Anthropic takes back only what it has signed.
  if (signed === undefined && provider !== 'anthropic' && message.reasoning !== undefined)
    content.push({ type: 'reasoning', text: message.reasoning })
  if (message.text !== '') content.push({ type: 'text', text: message.text })
  content.push(...message.calls.map(callPart))
  return content.length === 0 ? [{ type: 'text', text: '(nothing)' }] : content
}

function blocksOf({ provider }: Assistant): AnswerBlock[] | undefined {
  const read = kept.safeParse(provider)
  return read.success ? read.data.blocks : undefined
}

function fits(blocks: AnswerBlock[], { text, calls }: Assistant): boolean {
  const length = blocks.reduce((sum, block) => sum + (block.kind === 'text' ? block.length : 0), 0)
  return length === text.length && blocks.filter(({ kind }) => kind === 'call').length === calls.length
}

function inOrder(blocks: AnswerBlock[], { text, calls }: Assistant): AssistantContent {
  let read = 0
  let called = 0
  return blocks.map((block): AssistantContent[number] => {
    if (block.kind === 'reasoning') return reasoningPart(block)
    if (block.kind === 'call') return callPart(calls[called++]!)
    read += block.length
    return { type: 'text', text: text.slice(read - block.length, read) }
  })
}

function reasoningPart({ text, options }: Extract<AnswerBlock, { kind: 'reasoning' }>) {
  return { type: 'reasoning' as const, text, ...defined({ providerOptions: options }) }
}

function callPart({ id, tool, argumentsText, provider }: ModelCall) {
  const options = providerOptions.safeParse(provider)
  return {
    type: 'tool-call' as const,
    toolCallId: wireId(id),
    toolName: tool,
    input: inputOf(argumentsText),
    ...(options.success ? { providerOptions: options.data } : {}),
  }
}

/** As near to what the model wrote as the wire can say it. What is no JSON object ran nothing, and its result says why. */
function inputOf(argumentsText: string): JsonObject {
  try {
    const value = parseJson(argumentsText)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}

/** The same for the same id, and not the same for another. */
function wireId(id: string): string {
  return /^[A-Za-z0-9_-]{1,40}$/.test(id) ? id : `call_${digestOf(id).slice(0, 32)}`
}

function toolResult(
  message: ToolMessage,
  provider: ProviderName,
): { result: LanguageModelV4Message; after: LanguageModelV4Message[] } {
  const { callId, tool, text, isError, media = [] } = message
  const result = (output: ToolOutput): LanguageModelV4Message => ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: wireId(callId), toolName: tool, output }],
  })
  if (media.length > 0 && provider === 'anthropic' && !isError) {
    const words = text === '' ? [] : [{ type: 'text' as const, text }]
    return { result: result({ type: 'content', value: [...words, ...media.map(filePart)] }), after: [] }
  }
  const after = media.length === 0 ? [] : [userMessage(`(The tool ${tool} has shown this:)`, media)]
  return { result: result({ type: isError ? 'error-text' : 'text', value: text }), after }
}

type ToolPart = Extract<
  Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>
type ToolOutput = ToolPart['output']
