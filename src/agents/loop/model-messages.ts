/**
 * The conversation as a model is told it, made from the log. Every call that a model made has a result behind it, in the
 * order of the calls: model servers refuse a history in which one is missing. Our own call ids stand in it, since some
 * servers use theirs twice.
 */

import type { CallResult, MediaItem, TurnEntry } from '../../core/conversation.ts'
import { defined } from '../../core/defined.ts'
import { told } from '../../core/reasons/english.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { refusalText } from '../../guard/model-texts.ts'
import type { ModelMedia, ModelMessage } from '../models/model.ts'

export interface MessageHistory {
  instructions: string
  entries: readonly TurnEntry[]
  media: (items: readonly MediaItem[]) => Promise<ModelMedia[]>
}

/** About what a large context holds, with room for tools and an answer. Whole turns are left out, the oldest first. */
const MAX_CHARACTERS = 600_000

export async function toModelMessages({
  instructions,
  entries,
  media,
}: MessageHistory): Promise<ModelMessage[]> {
  const turns = groupTurns(entries)
  const kept: ModelMessage[][] = []
  let characters = 0
  for (const turn of turns.toReversed()) {
    const messages = await turnMessages(turn, media)
    characters += messages.reduce((sum, message) => sum + sizeOf(message), 0)
    if (characters > MAX_CHARACTERS && kept.length > 0) break
    kept.unshift(messages)
  }
  const system: ModelMessage[] = instructions === '' ? [] : [{ role: 'system', text: instructions }]
  return [...system, ...kept.flat()]
}

/** Turns that are to be as if they had never been, and those of which the beginning was erased, are left out. */
function groupTurns(entries: readonly TurnEntry[]): TurnEntry[][] {
  const turns = new Map<string, TurnEntry[]>()
  for (const entry of entries) {
    if (entry.kind === 'begun') turns.set(entry.turn, [entry])
    else if (entry.kind !== 'erased') turns.get(entry.turn)?.push(entry)
  }
  return [...turns.values()].filter(
    (turn) => !turn.some((entry) => entry.kind === 'ended' && entry.status === 'aborted'),
  )
}

async function turnMessages(turn: TurnEntry[], media: MessageHistory['media']): Promise<ModelMessage[]> {
  const results = new Map<string, CallResult>()
  for (const entry of turn) if (entry.kind === 'result') results.set(entry.call, entry)
  const messages: ModelMessage[] = []
  // Words that came while the model was answering stand behind that answer, which did not know of them.
  const words = turn.flatMap((entry) => (entry.kind === 'steered' ? [entry.text] : []))
  let told = 0
  const tell = (count: number) => {
    for (; told < count; told++) messages.push({ role: 'user', text: words[told]! })
  }
  for (const entry of turn) {
    if (entry.kind === 'begun') messages.push({ role: 'user', text: entry.text })
    if (entry.kind !== 'answered') continue
    tell(entry.heard)
    const { text, reasoning, provider } = entry
    messages.push({
      role: 'assistant',
      text,
      ...defined({ reasoning }),
      calls: entry.calls.map(({ id, tool, argumentsText, provider: own }) => ({
        id,
        tool,
        argumentsText,
        ...defined({ provider: own }),
      })),
      ...defined({ provider }),
    })
    for (const call of entry.calls) {
      messages.push(await toolMessage(call.id, call.tool, results.get(call.id), media))
    }
  }
  tell(words.length)
  return messages
}

async function toolMessage(
  callId: string,
  tool: string,
  result: CallResult | undefined,
  media: MessageHistory['media'],
): Promise<ModelMessage> {
  if (result === undefined) {
    const text = refusalText(tool, {
      state: 'skipped',
      ...told(reasonOf('refused.over')),
      mayRetry: false,
    })
    return { role: 'tool', callId, tool, text, isError: true }
  }
  const { text, outcome } = result
  const shown = result.media === undefined || result.handled ? [] : await media(result.media)
  return {
    role: 'tool',
    callId,
    tool,
    text: result.handled
      ? `${text}\n\nThe person has already been shown this; there is no need to repeat it.`
      : text,
    isError: outcome === 'failed' || outcome === 'refused',
    ...(shown.length === 0 ? {} : { media: shown }),
  }
}

function sizeOf(message: ModelMessage): number {
  const calls = message.role === 'assistant' ? message.calls : []
  return message.text.length + calls.reduce((sum, call) => sum + call.argumentsText.length, 0)
}
