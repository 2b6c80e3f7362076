/** The messages API as Anthropic speaks it: requests in, answers out. */

import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { ModelFinish, ModelMessage } from '../../agents/models/model.ts'
import { inPieces } from '../../agents/models/scripted/scripted-model.ts'
import { defined } from '../../core/defined.ts'
import { anthropicMessage, anthropicText, readAnthropicMessages, signatureOf } from './anthropic-messages.ts'
import { callsOf, fragmentsOf, type Wire, WireError } from './wire.ts'

const body = z.object({
  model: z.string(),
  max_tokens: z.int().min(1),
  system: z.union([z.string(), z.array(anthropicText)]).optional(),
  messages: z.array(anthropicMessage).min(1),
  tools: z
    .array(
      z.object({
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
        description: z.string().optional(),
        input_schema: z.record(z.string(), z.json()),
      }),
    )
    .optional(),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1).optional(),
})

export const anthropicWire: Wire = {
  name: 'anthropic',

  read(value) {
    const parsed = body.safeParse(value)
    if (!parsed.success) throw new WireError(400, z.prettifyError(parsed.error))
    const { model, system, messages, tools = [], stream, max_tokens, temperature } = parsed.data
    const instructions = typeof system === 'string' ? [system] : (system ?? []).map((part) => part.text)
    return {
      model,
      isStream: stream === true,
      wantsUsage: true,
      question: {
        model,
        messages: [
          ...instructions.map((words): ModelMessage => ({ role: 'system', text: words })),
          ...readAnthropicMessages(messages),
        ],
        tools: tools.map(({ name, description = '', input_schema }) => ({
          name,
          description,
          schema: input_schema,
        })),
        maxTokens: max_tokens,
        ...defined({ temperature }),
      },
    }
  },

  stream(answer, request, habits) {
    const events: ({ type: string } & Record<string, unknown>)[] = [
      {
        type: 'message_start',
        message: {
          ...messageOf(request.model),
          content: [],
          stop_reason: null,
          usage: { input_tokens: answer.usage.inputTokens, output_tokens: 1 },
        },
      },
      { type: 'ping' },
    ]
    let index = 0
    const block = (content_block: object, deltas: object[]) => {
      events.push({ type: 'content_block_start', index, content_block })
      for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta })
      events.push({ type: 'content_block_stop', index })
      index++
    }
    if (answer.think !== '')
      block({ type: 'thinking', thinking: '', signature: '' }, [
        ...inPieces(answer.think).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
        { type: 'signature_delta', signature: signatureOf(answer.think) },
      ])
    if (answer.say !== '')
      block(
        { type: 'text', text: '' },
        inPieces(answer.say).map((piece) => ({ type: 'text_delta', text: piece })),
      )
    for (const { id, tool, argumentsText } of callsOf(answer, habits))
      block({ type: 'tool_use', id, name: tool, input: {} }, [
        { type: 'input_json_delta', partial_json: '' },
        ...fragmentsOf(argumentsText, habits).map((fragment) => ({
          type: 'input_json_delta',
          partial_json: fragment,
        })),
      ])
    events.push(
      {
        type: 'message_delta',
        delta: { stop_reason: STOP_REASON[answer.finish], stop_sequence: null },
        usage: { output_tokens: answer.usage.outputTokens },
      },
      { type: 'message_stop' },
    )
    return events.map(frameOf)
  },

  whole(answer, request, habits) {
    return {
      ...messageOf(request.model),
      content: [
        ...(answer.think === ''
          ? []
          : [{ type: 'thinking', thinking: answer.think, signature: signatureOf(answer.think) }]),
        ...(answer.say === '' ? [] : [{ type: 'text', text: answer.say }]),
        ...callsOf(answer, habits).map(({ id, tool, argumentsText }) => ({
          type: 'tool_use',
          id,
          name: tool,
          input: inputOf(argumentsText),
        })),
      ],
      stop_reason: STOP_REASON[answer.finish],
      stop_sequence: null,
      usage: { input_tokens: answer.usage.inputTokens, output_tokens: answer.usage.outputTokens },
    }
  },

  error(status, message) {
    return { type: 'error', error: { type: ERROR_TYPE[status] ?? 'api_error', message } }
  },

  errorFrame(type, message) {
    return frameOf({ type: 'error', error: { type, message } })
  },
}

const STOP_REASON: Record<ModelFinish, string> = {
  stop: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  filtered: 'refusal',
  other: 'compaction',
}

const ERROR_TYPE: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

/** Claude Code takes answers with one id for parts of one answer. */
function messageOf(model: string): object {
  return { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', model }
}

function frameOf(event: { type: string } & Record<string, unknown>): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

/** In one piece the wire carries no raw text, so what is no object becomes one that is empty. */
function inputOf(argumentsText: string): unknown {
  try {
    const value: unknown = JSON.parse(argumentsText)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}
