/** A conversation as it was kept, as a list of messages: who said what, and what became of the calls. */

import type { LoggedCall, TurnEntry } from '../../core/conversation.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import { parseStrictJson } from '../../core/json/strict-json.ts'
import { makeVisible } from '../../display/text/visible.ts'
import type { CallerRequest, DoorAnswer } from '../door.ts'
import type { ConversingPorts } from '../driver.ts'
import { endReason } from './protocol/event-frames.ts'
import { LIMITS, timeText } from './protocol/frame.ts'
import { isObject } from './protocol/read-decision.ts'
import { visibleArguments, visibleLine } from './protocol/visible-arguments.ts'
import { type ReactPlusWords, wordsOf } from './protocol/words.ts'
import { sessionIdOf } from './session-id.ts'

const MOST = 200

export async function readHistory(
  { conversing }: ConversingPorts,
  request: CallerRequest,
): Promise<DoorAnswer> {
  const { caller } = request
  const words = wordsOf(request)
  const label = request.step('sessionId')
  if (label.trim() === '' || !label.isWellFormed()) {
    throw new BanksmanError('invalid', words.responses.missing('sessionId'))
  }
  const after = numberOf(request, 'after', 0, Number.MAX_SAFE_INTEGER)
  const limit = numberOf(request, 'limit', MOST, MOST)
  const { actor } = caller
  const session = sessionIdOf(caller, label)
  // Nobody but this caller can name it, so unknown means that nothing was said in it yet.
  const page = await conversing.entries(session, { after, limit }, actor).catch((error: unknown) => {
    if (isBanksmanError(error, 'unknown_id')) return { entries: [], more: false }
    throw error
  })
  return {
    kind: 'json',
    status: 200,
    body: {
      sessionId: label,
      messages: page.entries.flatMap((entry, index) => messageOf(entry, after + index, words)),
      more: page.more,
      /** Where to go on: the number of entries that were read so far. */
      next: after + page.entries.length,
      /** The turn that can be followed. */
      running: (await conversing.running(session, actor)) ?? null,
    },
  }
}

function numberOf(request: CallerRequest, name: string, absent: number, most: number): number {
  const text = request.query(name)
  if (text === undefined) return absent
  const value = Number(text)
  if (/^\d{1,15}$/.test(text) && value <= most) return value
  throw new BanksmanError('invalid', `${name} must be a whole number from 0 to ${most}`)
}

function messageOf(entry: TurnEntry, index: number, words: ReactPlusWords): JsonObject[] {
  if (entry.kind === 'erased') return [{ index, role: 'system', content: '', erased: true }]
  const about = { index, turnId: entry.turn, timestamp: timeText(entry.at) }
  switch (entry.kind) {
    case 'begun':
    case 'steered':
      return [{ ...about, role: 'user', content: entry.text, by: visibleLine(entry.by) }]
    case 'answered':
      return [
        {
          ...about,
          role: 'assistant',
          content: entry.text,
          ...defined({ reasoning: entry.reasoning }),
          ...(entry.calls.length === 0 ? {} : { toolCalls: entry.calls.map(callOf) }),
        },
      ]
    case 'result': {
      const { refusal } = entry
      const result = {
        ...about,
        role: 'tool',
        content: visible(entry.text),
        name: visibleLine(entry.tool),
        toolCallId: entry.call,
        outcome: entry.outcome,
      }
      return [
        refusal === undefined
          ? result
          : {
              ...result,
              state: refusal.state,
              by: refusal.by === undefined ? null : visibleLine(refusal.by),
            },
      ]
    }
    case 'opened':
    case 'interrupted':
    case 'resumed':
    case 'note':
      return []
    case 'barred':
      return [{ ...about, role: 'system', content: '', barred: visibleLine(entry.shape) }]
    case 'ended': {
      const { status } = entry
      if (status === 'completed') return []
      const reason = visible(endReason(entry))
      const content = status === 'terminated' ? words.terminated(reason) : words.ended(status, reason)
      return [{ ...about, role: 'system', content, status }]
    }
  }
}

/** As the model wrote it, made fit to be read; what is no object is told as text. */
function callOf({ id, tool, argumentsText }: LoggedCall): JsonObject {
  const args = parse(argumentsText)
  const shown = isObject(args)
    ? visibleArguments(args, LIMITS.asked).value
    : visibleLine(argumentsText, LIMITS.told)
  return { id, name: visibleLine(tool), arguments: shown }
}

function visible(text: string): string {
  return makeVisible(text, { lines: 'keep' }).text
}

function parse(text: string): JsonValue | undefined {
  try {
    return parseStrictJson(text)
  } catch {
    return undefined
  }
}
