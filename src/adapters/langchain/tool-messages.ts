/** What LangChain's model is told, as tool messages. */

import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages'
import { defined } from '../../core/defined.ts'
import { canonicalize, type JsonObject, type JsonValue } from '../../core/json/json.ts'
import { refusalText } from '../../guard/model-texts.ts'

export interface NamedToolCall {
  name: string
  id: string | undefined
}

export function createToolMessage(
  { name, id }: NamedToolCall,
  content: string,
  status: 'success' | 'error',
): ToolMessage {
  return new ToolMessage({ content, tool_call_id: id ?? '', name, status })
}

/** In LangChain's own words. Without any middleware it says this itself; with one, the run would end. */
export function failureMessage(named: NamedToolCall, error: unknown): ToolMessage {
  const isOwn = (error as { name?: unknown } | null)?.name === 'ToolInvocationError'
  const text = isOwn ? (error as Error).message : `${error}\n Please fix your mistakes.`
  return createToolMessage(named, text, 'error')
}

/** The edit stands in front of the result. A command that changes the graph passes as it is. */
export function withNote(value: unknown, note: string): unknown {
  if (!ToolMessage.isInstance(value)) return typeof value === 'string' ? `${note}\n${value}` : value
  const { content } = value
  return new ToolMessage({
    ...fieldsOf(value),
    content: typeof content === 'string' ? `${note}\n${content}` : [{ type: 'text', text: note }, ...content],
  })
}

/** What `remember` keeps. Throws where that would not be the result: then only the outcome is kept. */
export function toKeptMessage(value: unknown): unknown {
  if (!ToolMessage.isInstance(value)) {
    canonicalize(value)
    return { plain: value }
  }
  const { content, status, artifact } = value
  const isJson = artifact !== undefined && canCarry(artifact)
  return { content, ...defined({ status }), ...(isJson ? { artifact } : {}) }
}

export function messageOf(named: NamedToolCall, kept: JsonValue | undefined): unknown {
  const { plain, ...fields } = kept as JsonObject
  if (plain !== undefined) return plain
  return new ToolMessage({ ...fields, tool_call_id: named.id ?? '', name: named.name } as never)
}

function canCarry(value: unknown): boolean {
  try {
    canonicalize(value)
    return true
  } catch {
    return false
  }
}

function fieldsOf(message: ToolMessage) {
  const { id, name, tool_call_id, status, artifact, additional_kwargs, response_metadata } = message
  const optional = { id, name, status, artifact }
  const present = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined))
  return { tool_call_id, additional_kwargs, response_metadata, ...present }
}

/**
 * Somebody spoke while a call was still waiting, so the graph went on without its result. Model servers refuse such a history. Each
 * open call gets an answer that says so, for the model only; the graph's own messages stay as they are.
 */
export function answerOpenCalls(messages: BaseMessage[]): BaseMessage[] {
  const answered = new Set(
    messages.filter((message) => ToolMessage.isInstance(message)).map(({ tool_call_id }) => tool_call_id),
  )
  const because = 'nobody had decided when the user went on'
  return messages.flatMap((message) => {
    const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []
    const open = calls.filter(({ id }) => id !== undefined && !answered.has(id))
    const said = open.map(({ name, id }) =>
      createToolMessage(
        { name, id },
        refusalText(name, { state: 'pending', because, mayRetry: true }),
        'error',
      ),
    )
    return [message, ...said]
  })
}
