/** OpenAI's Responses, as Codex speaks them: requests in, answers out. What it sends besides messages, calls and results is passed over. */

import { z } from 'zod'
import type { ModelMessage } from '../../agents/models/model.ts'
import type { ScriptedAnswer } from '../../agents/models/scripted/follow-script.ts'
import { defined } from '../../core/defined.ts'
import type { WireHabits } from './misbehaviour.ts'
import { openaiWire } from './openai-wire.ts'
import { callsOf, type ModelApiRequest, type Wire, WireError } from './wire.ts'

const content = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))])

const call = z.object({
  type: z.enum(['function_call', 'custom_tool_call']),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string().optional(),
  input: z.string().optional(),
})
const result = z.object({
  type: z.enum(['function_call_output', 'custom_tool_call_output']),
  call_id: z.string(),
  output: content,
})
const message = z.object({
  type: z.literal('message').optional(),
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content,
})
const tool: z.ZodType<ListedTool> = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  get tools() {
    return z.array(tool).optional()
  },
})
interface ListedTool {
  type: string
  name?: string | undefined
  tools?: ListedTool[] | undefined
  /** What it is listed in. */
  namespace?: string | undefined
}
const moreTools = z.object({ type: z.literal('additional_tools'), tools: z.array(tool) })

const body = z.object({
  model: z.string(),
  input: z.array(z.union([call, result, message, moreTools, z.looseObject({ type: z.string() })])).min(1),
  tools: z.array(tool).optional(),
  stream: z.boolean().optional(),
})
type Item = z.infer<typeof body>['input'][number]

export const responsesWire: Wire = {
  ...openaiWire,
  name: 'responses',

  read(value) {
    const parsed = body.safeParse(value)
    if (!parsed.success) throw new WireError(400, z.prettifyError(parsed.error))
    const { model, input, tools = [], stream } = parsed.data
    const listed = [...tools, ...input.flatMap((item) => (isMoreTools(item) ? item.tools : []))].flatMap(
      (one) => [one, ...(one.tools ?? []).map((inner) => ({ ...inner, namespace: one.name }))],
    )
    return {
      model,
      isStream: stream === true,
      wantsUsage: true,
      question: {
        model,
        messages: readItems(input),
        tools: listed.map(({ name = '' }) => ({ name, description: '', schema: {} })),
      },
      specialTools: listed.flatMap(({ type, name, namespace }: ListedTool) => {
        const isCustom = type === 'custom'
        const isSpecial = name !== undefined && (isCustom || namespace !== undefined)
        return isSpecial ? [{ name, isCustom, ...defined({ namespace }) }] : []
      }),
    }
  },

  stream(answer, request, habits) {
    const response = { id: 'resp_scripted', object: 'response', model: request.model }
    const output = itemsOf(answer, request, habits)
    return [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      ...output.map((item, index) => ({ type: 'response.output_item.done', output_index: index, item })),
      {
        type: 'response.completed',
        response: { ...response, status: 'completed', output, usage: usageOf(answer) },
      },
    ].map((frame) => `event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`)
  },

  whole(answer, request, habits) {
    const output = itemsOf(answer, request, habits)
    return { id: 'resp_scripted', object: 'response', status: 'completed', output, usage: usageOf(answer) }
  },

  errorFrame(type, text) {
    const response = { id: 'resp_scripted', status: 'failed', error: { code: type, message: text } }
    return `event: response.failed\ndata: ${JSON.stringify({ type: 'response.failed', response })}\n\n`
  },
}

function itemsOf(
  answer: ScriptedAnswer,
  { specialTools = [] }: ModelApiRequest,
  habits: WireHabits,
): object[] {
  const said = {
    type: 'message',
    id: 'msg_scripted',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: answer.say, annotations: [] }],
  }
  const calls = callsOf(answer, habits).map(({ id, tool: called, argumentsText }) => {
    const { isCustom, ...named } =
      // A script names a function of a namespace with both, as people know the tools of MCP servers.
      specialTools.find((one) => called === (one.isCustom ? one.name : `${one.namespace}__${one.name}`)) ?? {
        isCustom: false,
        name: called,
      }
    return isCustom
      ? { type: 'custom_tool_call', id: `ctc_${id}`, call_id: id, ...named, input: argumentsText }
      : { type: 'function_call', id: `fc_${id}`, call_id: id, ...named, arguments: argumentsText }
  })
  return [...(answer.say === '' && calls.length > 0 ? [] : [said]), ...calls]
}

/** As the real server does, refuses calls that nothing answers and answers to no call. */
function readItems(items: readonly Item[]): ModelMessage[] {
  const open = new Map<string, string>()
  const read: ModelMessage[] = []
  for (const item of items) {
    const one = readItem(item, open)
    if (one === undefined) continue
    const last = read.at(-1)
    // What was said and called in one answer comes back as items of their own.
    if (one.role === 'assistant' && last?.role === 'assistant')
      read[read.length - 1] = { ...last, text: last.text + one.text, calls: [...last.calls, ...one.calls] }
    else read.push(one)
  }
  if (open.size > 0) throw new WireError(400, `calls without an answer: ${[...open.keys()].join(', ')}`)
  return read
}

function readItem(item: Item, open: Map<string, string>): ModelMessage | undefined {
  const [asCall, asResult, asMessage] = [
    call.safeParse(item),
    result.safeParse(item),
    message.safeParse(item),
  ]
  if (asCall.success) {
    const { call_id: id, name, arguments: given, input = '' } = asCall.data
    open.set(id, name)
    return { role: 'assistant', text: '', calls: [{ id, tool: name, argumentsText: given ?? input }] }
  }
  if (asResult.success) {
    const { call_id: callId, output } = asResult.data
    const name = open.get(callId)
    if (name === undefined) throw new WireError(400, `no call before is ${callId}, or it has its answer`)
    open.delete(callId)
    return { role: 'tool', callId, tool: name, text: textOf(output), isError: false }
  }
  if (!asMessage.success) return undefined
  const { role, content: said } = asMessage.data
  if (role === 'assistant') return { role, text: textOf(said), calls: [] }
  return { role: role === 'user' ? role : 'system', text: textOf(said) }
}

function isMoreTools(item: Item): item is z.infer<typeof moreTools> {
  return moreTools.safeParse(item).success
}

function textOf(value: z.infer<typeof content>): string {
  return typeof value === 'string' ? value : value.map(({ text }) => text ?? '').join('')
}

function usageOf({ usage: { inputTokens, outputTokens } }: ScriptedAnswer): object {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  }
}
