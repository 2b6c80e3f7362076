/** What the SDK tells while a turn runs, as far as the engine needs it. All of it comes from another process, so all of it is checked. */
import type { Usage } from '../../core/conversation.ts'

export type ClaudeMessage =
  | { kind: 'init'; transcript: string; model: string; tools: string[] }
  /** The main agent's answer begins, goes on and ends. Those of sub-agents aren't told in pieces. */
  | { kind: 'answer_begins'; answer: string }
  | { kind: 'text' | 'thinking'; delta: string }
  | { kind: 'usage'; usage: Usage }
  | { kind: 'answer_ends' }
  /** A part of an answer; several of them have the same `answer`. */
  | AnswerPart
  | { kind: 'tool_results'; results: ToolResult[] }
  | TurnResult

export interface AnswerPart {
  kind: 'part'
  answer: string
  /** The call that started the sub-agent whose answer it is. */
  parent: string | undefined
  model: string
  text: string
  reasoning: string
  calls: { toolUseId: string; tool: string; input: unknown }[]
  usage: Usage
}

export interface ToolResult {
  toolUseId: string
  text: string
  isError: boolean
}

export interface TurnResult {
  kind: 'result'
  isError: boolean
  isLimit: boolean
  /** The last words, or what went wrong. */
  text: string
  /** Since the transcript began, or since the process did. */
  totalCostUsd: number | undefined
  /** The messages that it answers. Undefined where the program doesn't say. */
  answers: string[] | undefined
}

type JsonMembers = Record<string, unknown>

/** Undefined for what the engine has no use for. */
export function readClaudeMessage(value: unknown): ClaudeMessage | undefined {
  const message = membersOf(value)
  switch (message.type) {
    case 'system':
      return message.subtype === 'init' ? readInit(message) : undefined
    case 'stream_event':
      return message.parent_tool_use_id == null ? readStreamEvent(membersOf(message.event)) : undefined
    case 'assistant':
      return readPart(message)
    case 'user': {
      const results = listOf(membersOf(message.message).content).flatMap(readToolResult)
      return results.length === 0 ? undefined : { kind: 'tool_results', results }
    }
    case 'result':
      return readResult(message)
    default:
      return undefined
  }
}

function readInit({ session_id, model, tools }: JsonMembers): ClaudeMessage | undefined {
  if (typeof session_id !== 'string' || session_id === '') return undefined
  return {
    kind: 'init',
    transcript: session_id,
    model: textOf(model),
    tools: listOf(tools).map(textOf).filter(Boolean),
  }
}

function readStreamEvent(event: JsonMembers): ClaudeMessage | undefined {
  switch (event.type) {
    case 'message_start':
      return { kind: 'answer_begins', answer: textOf(membersOf(event.message).id) }
    case 'content_block_delta': {
      const { type, text, thinking } = membersOf(event.delta)
      if (type === 'text_delta') return { kind: 'text', delta: textOf(text) }
      return type === 'thinking_delta' ? { kind: 'thinking', delta: textOf(thinking) } : undefined
    }
    case 'message_delta':
      return { kind: 'usage', usage: readUsage(event.usage) }
    case 'message_stop':
      return { kind: 'answer_ends' }
    default:
      return undefined
  }
}

function readPart({ message, parent_tool_use_id }: JsonMembers): AnswerPart {
  const { id, model, content, usage } = membersOf(message)
  const blocks = listOf(content).map(membersOf)
  const join = (type: string, member: string) =>
    cutWords(blocks.flatMap((block) => (block.type === type ? [textOf(block[member])] : [])).join(''))
  return {
    kind: 'part',
    answer: textOf(id),
    parent: typeof parent_tool_use_id === 'string' ? parent_tool_use_id : undefined,
    model: textOf(model),
    text: join('text', 'text'),
    reasoning: join('thinking', 'thinking'),
    calls: blocks.flatMap((block) =>
      block.type === 'tool_use' && typeof block.id === 'string'
        ? [{ toolUseId: block.id, tool: textOf(block.name), input: block.input }]
        : [],
    ),
    usage: readUsage(usage),
  }
}

function readToolResult(value: unknown): ToolResult[] {
  const { type, tool_use_id, content, is_error } = membersOf(value)
  if (type !== 'tool_result' || typeof tool_use_id !== 'string') return []
  return [{ toolUseId: tool_use_id, text: contentText(content), isError: is_error === true }]
}

/** A text, or a list of blocks of which some are texts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  const texts = listOf(content).map((block) => {
    const { type, text } = membersOf(block)
    return type === 'text' ? textOf(text) : `(${textOf(type) || 'something'} that is no text)`
  })
  return texts.join('\n')
}

function readResult(message: JsonMembers): TurnResult {
  const { subtype, is_error, result, errors, total_cost_usd, user_message_uuid, user_message_uuids } = message
  const isError = subtype !== 'success' || is_error === true
  const told = listOf(errors).map(textOf).filter(Boolean).join('\n')
  const answers = [...listOf(user_message_uuids), user_message_uuid].map(textOf).filter(Boolean)
  return {
    kind: 'result',
    isError,
    isLimit: subtype === 'error_max_turns',
    text: cutWords(
      textOf(result) || told || (isError ? `it ended with ${textOf(subtype) || 'an error'}` : ''),
    ),
    totalCostUsd: amountOf(total_cost_usd),
    answers: answers.length === 0 ? undefined : answers,
  }
}

function readUsage(value: unknown): Usage {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } =
    membersOf(value)
  const inputs = [input_tokens, cache_creation_input_tokens, cache_read_input_tokens]
  return {
    inputTokens: inputs.reduce<number>((sum, each) => sum + (amountOf(each) ?? 0), 0),
    outputTokens: amountOf(output_tokens) ?? 0,
  }
}

/** What the model's server says last counts; some leave out what they have said before. */
export function laterUsage(before: Usage, later: Usage): Usage {
  return {
    inputTokens: later.inputTokens || before.inputTokens,
    outputTokens: later.outputTokens || before.outputTokens,
  }
}

/** More than any model says at once: what is longer would fill the log, and memory with it. */
const MAX_WORDS = 2 * 1024 * 1024

export function cutWords(text: string): string {
  return text.length <= MAX_WORDS ? text : `${text.slice(0, MAX_WORDS).toWellFormed()}…`
}

function membersOf(value: unknown): JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonMembers) : {}
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : ''
}

function amountOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
