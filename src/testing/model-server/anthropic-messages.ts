/** A conversation as it stands in a request of the messages API. */
import { z } from 'zod'
import type { ModelMedia, ModelMessage } from '../../agents/models/model.ts'
import { digestOf } from '../../core/digest.ts'
import { WireError } from './wire.ts'

export const anthropicText = z.object({
  type: z.literal('text'),
  text: z.string().min(1, 'text content blocks must be non-empty'),
})
const source = z.looseObject({
  type: z.string(),
  media_type: z.string().optional(),
  data: z.string().optional(),
})
const picture = z.object({ type: z.enum(['image', 'document']), source })

const toolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [anthropicText, picture]))]).optional(),
  is_error: z.boolean().optional(),
})
const toolUse = z.object({
  type: z.literal('tool_use'),
  id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  name: z.string(),
  input: z.record(z.string(), z.json()),
})
const thinking = z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() })

const userContent = z.discriminatedUnion('type', [anthropicText, picture, toolResult])
const assistantContent = z.discriminatedUnion('type', [anthropicText, thinking, toolUse])

export const anthropicMessage = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content: z.union([z.string(), z.array(userContent)]) }),
  z.object({ role: z.literal('assistant'), content: z.union([z.string(), z.array(assistantContent)]) }),
  // In the middle of a conversation, as Claude Code sends them.
  z.object({ role: z.literal('system'), content: z.union([z.string(), z.array(anthropicText)]) }),
])

type AnthropicMessage = z.infer<typeof anthropicMessage>

/** As the real server does, refuses calls without their results right after them, and thoughts that it has not signed. */
export function readAnthropicMessages(messages: AnthropicMessage[]): ModelMessage[] {
  const names = new Map<string, string>()
  let open = new Set<string>()
  const read = messages.flatMap((one): ModelMessage[] => {
    if (one.role === 'assistant') {
      const answer = readAnswer(one)
      for (const { id, tool } of answer.calls) {
        if (names.has(id)) throw new WireError(400, `tool_use ids must be unique: ${id}`)
        names.set(id, tool)
      }
      open = new Set(answer.calls.map(({ id }) => id))
      return [answer]
    }
    if (one.role === 'system') {
      const words = typeof one.content === 'string' ? [one.content] : one.content.map(({ text }) => text)
      return words.map((text) => ({ role: 'system', text }))
    }
    const parts =
      typeof one.content === 'string' ? [{ type: 'text' as const, text: one.content }] : one.content
    const told = parts.map((part): ModelMessage => {
      if (part.type === 'tool_result') {
        if (!open.delete(part.tool_use_id))
          throw new WireError(400, `unexpected tool_result for ${part.tool_use_id}`)
        return readResult(part, names.get(part.tool_use_id) ?? '')
      }
      if (open.size > 0)
        throw new WireError(400, `tool_use without tool_result right after it: ${[...open].join(', ')}`)
      return part.type === 'text'
        ? { role: 'user', text: part.text }
        : { role: 'user', text: '', media: [readMedia(part)] }
    })
    if (open.size > 0)
      throw new WireError(400, `tool_use without tool_result right after it: ${[...open].join(', ')}`)
    return told
  })
  if (messages.at(-1)?.role === 'assistant')
    throw new WireError(400, 'the conversation must end with a user message')
  return read
}

function readAnswer({
  content,
}: AnthropicMessage & { role: 'assistant' }): ModelMessage & { role: 'assistant' } {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  for (const part of parts)
    if (part.type === 'thinking' && part.signature !== signatureOf(part.thinking))
      throw new WireError(400, 'invalid signature in thinking block')
  const calls = parts.filter((part) => part.type === 'tool_use')
  const thoughts = parts.filter((part) => part.type === 'thinking').map((part) => part.thinking)
  return {
    role: 'assistant',
    text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    calls: calls.map(({ id, name, input }) => ({ id, tool: name, argumentsText: JSON.stringify(input) })),
    ...(thoughts.length === 0 ? {} : { reasoning: thoughts.join('') }),
  }
}

function readResult(result: z.infer<typeof toolResult>, tool: string): ModelMessage {
  const parts =
    typeof result.content === 'string'
      ? [{ type: 'text' as const, text: result.content }]
      : (result.content ?? [])
  const media = parts.flatMap((part) => (part.type === 'text' ? [] : [readMedia(part)]))
  return {
    role: 'tool',
    callId: result.tool_use_id,
    tool,
    text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    isError: result.is_error === true,
    ...(media.length === 0 ? {} : { media }),
  }
}

function readMedia({ source: { media_type = '', data = '' } }: z.infer<typeof picture>): ModelMedia {
  return { type: media_type, data: new Uint8Array(Buffer.from(data, 'base64')) }
}

/** What only the server can write: it takes back no thought that it has not signed. */
export function signatureOf(thought: string): string {
  return `signed-${digestOf(thought)}`
}
