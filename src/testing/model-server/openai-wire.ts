/** Chat completions as OpenAI, vLLM and Ollama speak them: requests in, answers out. */

import { z } from 'zod'
import type { ModelFinish, ModelMessage } from '../../agents/models/model.ts'
import { inPieces } from '../../agents/models/scripted/scripted-model.ts'
import { defined } from '../../core/defined.ts'
import { callsOf, fragmentsOf, type ModelApiRequest, type Wire, WireError } from './wire.ts'

const part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  image_url: z.object({ url: z.string() }).optional(),
  file: z.object({ file_data: z.string() }).optional(),
})
const content = z.union([z.string(), z.array(part)])

const message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer']), content }),
  z.object({ role: z.literal('user'), content }),
  z.object({
    role: z.literal('assistant'),
    content: content.nullish(),
    reasoning_content: z.string().optional(),
    tool_calls: z
      .array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
      .optional(),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content }),
])

const body = z.object({
  model: z.string(),
  messages: z.array(message).min(1),
  tools: z
    .array(
      z.object({
        type: z.literal('function'),
        function: z.object({
          name: z.string().regex(/^[\w-]{1,64}$/),
          description: z.string().optional(),
          parameters: z.record(z.string(), z.json()),
        }),
      }),
    )
    .optional(),
  stream: z.boolean().optional(),
  stream_options: z.object({ include_usage: z.boolean().optional() }).optional(),
  max_tokens: z.int().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
})

export const openaiWire: Wire = {
  name: 'openai',

  read(value) {
    const parsed = body.safeParse(value)
    if (!parsed.success) throw new WireError(400, z.prettifyError(parsed.error))
    const { model, messages, tools = [], stream, stream_options, max_tokens, temperature } = parsed.data
    return {
      model,
      isStream: stream === true,
      wantsUsage: stream_options?.include_usage === true,
      question: {
        model,
        messages: readMessages(messages),
        tools: tools.map(({ function: { name, description = '', parameters } }) => ({
          name,
          description,
          schema: parameters,
        })),
        ...defined({ maxTokens: max_tokens, temperature }),
      },
    }
  },

  stream(answer, request, habits) {
    const frames: unknown[] = []
    const delta = (value: object) =>
      frames.push(chunk(request, [{ index: 0, delta: value, finish_reason: null }]))
    delta({ role: 'assistant', content: '' })
    for (const piece of inPieces(answer.think)) delta({ reasoning_content: piece })
    for (const piece of inPieces(answer.say)) delta({ content: piece })
    callsOf(answer, habits).forEach(({ id, tool, argumentsText }, index) => {
      delta({ tool_calls: [{ index, id, type: 'function', function: { name: tool, arguments: '' } }] })
      for (const fragment of fragmentsOf(argumentsText, habits))
        delta({ tool_calls: [{ index, function: { arguments: fragment } }] })
    })
    frames.push(chunk(request, [{ index: 0, delta: {}, finish_reason: FINISH[answer.finish] }]))
    if (request.wantsUsage) frames.push({ ...chunk(request, []), usage: usageOf(answer) })
    return [...frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`), 'data: [DONE]\n\n']
  },

  whole(answer, request, habits) {
    const calls = callsOf(answer, habits).map(({ id, tool, argumentsText }) => ({
      id,
      type: 'function',
      function: { name: tool, arguments: argumentsText },
    }))
    const told = {
      role: 'assistant',
      content: answer.say === '' ? null : answer.say,
      ...(answer.think === '' ? {} : { reasoning_content: answer.think }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    }
    return {
      id: 'chatcmpl-scripted',
      object: 'chat.completion',
      created: CREATED,
      model: request.model,
      choices: [{ index: 0, message: told, finish_reason: FINISH[answer.finish] }],
      usage: usageOf(answer),
    }
  },

  error(status, message, code) {
    return {
      error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', code: code ?? null },
    }
  },

  errorFrame(type, message) {
    return `data: ${JSON.stringify({ error: { message, type, code: null } })}\n\n`
  },
}

/** 2023-11-14, so that an answer is the same every time. */
const CREATED = 1_700_000_000

const FINISH: Record<ModelFinish, string> = {
  stop: 'stop',
  calls: 'tool_calls',
  length: 'length',
  filtered: 'content_filter',
  other: 'unknown',
}

function chunk(request: ModelApiRequest, choices: unknown[]): object {
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion.chunk',
    created: CREATED,
    model: request.model,
    choices,
  }
}

function usageOf({ usage }: { usage: { inputTokens: number; outputTokens: number } }): object {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
  }
}

/** As the real server does, refuses calls that nothing answers and answers to no call. */
function readMessages(messages: z.infer<typeof message>[]): ModelMessage[] {
  const open = new Map<string, string>()
  const read = messages.map((one): ModelMessage => {
    if (one.role === 'tool') {
      const tool = open.get(one.tool_call_id)
      if (tool === undefined)
        throw new WireError(400, `no call before is ${one.tool_call_id}, or it has its answer`)
      open.delete(one.tool_call_id)
      return { role: 'tool', callId: one.tool_call_id, tool, text: textOf(one.content), isError: false }
    }
    if (open.size > 0) throw new WireError(400, `calls without an answer: ${[...open.keys()].join(', ')}`)
    if (one.role === 'user') return { role: 'user', text: textOf(one.content), ...mediaOf(one.content) }
    if (one.role !== 'assistant') return { role: 'system', text: textOf(one.content) }
    const calls = (one.tool_calls ?? []).map(({ id, function: { name, arguments: argumentsText } }) => {
      if (open.has(id)) throw new WireError(400, `two calls are ${id}`)
      open.set(id, name)
      return { id, tool: name, argumentsText }
    })
    return {
      role: 'assistant',
      text: textOf(one.content ?? ''),
      calls,
      ...defined({ reasoning: one.reasoning_content }),
    }
  })
  if (open.size > 0) throw new WireError(400, `calls without an answer: ${[...open.keys()].join(', ')}`)
  return read
}

function textOf(value: z.infer<typeof content>): string {
  return typeof value === 'string' ? value : value.map(({ text }) => text ?? '').join('')
}

function mediaOf(value: z.infer<typeof content>) {
  if (typeof value === 'string') return {}
  const media = value.flatMap(({ image_url, file }) => {
    const found = /^data:([^;]+);base64,(.*)$/.exec(image_url?.url ?? file?.file_data ?? '')
    return found === null ? [] : [{ type: found[1]!, data: new Uint8Array(Buffer.from(found[2]!, 'base64')) }]
  })
  return media.length === 0 ? {} : { media }
}
