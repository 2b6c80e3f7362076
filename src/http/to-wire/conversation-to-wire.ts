/**
 * What happens in a conversation, as people are told it. Arguments go out masked (P9), and long ones are cut with marks;
 * what tools, hooks and refusals say is made visible. The words of the agent and of people themselves go out as they are:
 * they come in pieces, and whoever shows them must treat them as text.
 */

import type { AgentLineage } from '../../core/call.ts'
import type { LoggedCall, Refusal, SessionEnder, TurnEntry, TurnEvent } from '../../core/conversation.ts'
import { defined } from '../../core/defined.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { parseStrictJson } from '../../core/json/strict-json.ts'
import { summarizeForJournal } from '../../display/arguments/summarize-for-journal.ts'
import { maskArguments } from '../../display/masks/mask.ts'
import { renderCall } from '../../display/render.ts'
import { makeVisibleWithin } from '../../display/text/shorten.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type {
  ShownCall,
  WireLoggedCall,
  WireTurnEntry,
  WireTurnEvent,
} from '../../wire/types/conversation.ts'
import { becauseToWire } from './reason-to-wire.ts'
import { renderLine, renderLines } from './shown-words.ts'
import { toTime } from './time-to-wire.ts'

const CUT_ARGUMENTS = 16 * 1024
const CUT_VALUE = 400

export interface TurnReader {
  locale: Locale
  /** What the catalogue knows of a call's tool. */
  knownTool: Gateway['knownTool']
}

export function turnEventToWire(event: TurnEvent, reader: TurnReader): WireTurnEvent {
  const told = { ...event, at: toTime(event.at), agent: visibleAgent(event.agent) }
  switch (told.kind) {
    case 'call_proposed':
    case 'call_waiting':
    case 'call_started':
      return { ...told, ...shownCall(told.tool, told.arguments, reader) }
    case 'call_finished':
    case 'call_answered':
      return { ...told, text: renderLines(told.text) }
    case 'call_refused':
      return { ...told, ...visibleRefusal(told, reader.locale) }
    case 'failed':
      return { ...told, message: renderLines(told.message) }
    case 'shown':
      return { ...told, ...(told.text === undefined ? {} : { text: renderLines(told.text) }) }
    case 'sub_began':
      return { ...told, task: renderLines(told.task) }
    case 'model_retried':
      return { ...told, because: renderLines(told.because) }
    case 'interrupted':
      return { ...told, ...visibleReason(told) }
    case 'turn_ended':
      return { ...told, ...visibleReason(told), ...visibleEnder(told) }
    default:
      return told
  }
}

export function turnEntryToWire(entry: TurnEntry, reader: TurnReader): WireTurnEntry {
  if (entry.kind === 'erased') return entry
  const at = toTime(entry.at)
  switch (entry.kind) {
    case 'answered': {
      const { provider: _, calls, ...rest } = entry
      return { ...rest, at, calls: calls.map((call) => loggedCallToWire(call, reader)) }
    }
    case 'result':
      return {
        ...entry,
        at,
        text: renderLines(entry.text),
        ...(entry.refusal === undefined ? {} : { refusal: visibleRefusal(entry.refusal, reader.locale) }),
      }
    case 'barred':
      return { ...entry, at, shape: renderLines(entry.shape) }
    case 'interrupted':
      return { ...entry, at, ...visibleReason(entry) }
    case 'ended':
      return { ...entry, at, ...visibleReason(entry), ...visibleEnder(entry) }
    default:
      return { ...entry, at }
  }
}

/** Without what the provider wants to see again, and the id that the model gave it. */
function loggedCallToWire({ id, tool, argumentsText }: LoggedCall, reader: TurnReader): WireLoggedCall {
  const read = readArguments(argumentsText)
  if (read === undefined)
    return { id, tool, unreadable: makeVisibleWithin(argumentsText, CUT_VALUE).value.text }
  return { id, tool, ...shownCall(tool, read, reader) }
}

/** As strictly as the agent itself reads it: what it did not take for a call is not shown as one. */
function readArguments(text: string): JsonObject | undefined {
  try {
    const value = parseStrictJson(text.trim() === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch (error) {
    if (isBanksmanError(error)) return undefined
    throw error
  }
}

/** `line`: the tool and what it is given, or what that would do, in words. */
export function shownCall(
  tool: string,
  args: JsonObject,
  { locale, knownTool }: TurnReader,
  line: 'summary' | 'title' = 'summary',
): ShownCall {
  const known = knownTool({ tool, arguments: args })
  const masked = maskArguments(args, known)
  const shown = summarizeForJournal(masked, CUT_ARGUMENTS)
  const rendering = renderCall({ tool, arguments: args }, { locale, limit: CUT_VALUE, known, masked })
  return { arguments: shown, summary: rendering[line] }
}

export function visibleAgent({ name, parents }: AgentLineage): AgentLineage {
  return { name: renderLine(name), ...defined({ parents: parents?.map(renderLine) }) }
}

function visibleRefusal<T extends Refusal>(refusal: T, locale: Locale): T {
  const { by } = refusal
  return {
    ...refusal,
    ...becauseToWire(refusal, locale, renderLines),
    ...(by === undefined ? {} : { by: renderLine(by) }),
  }
}

function visibleEnder({ endedBy }: { endedBy?: SessionEnder }): { endedBy?: SessionEnder } {
  return endedBy === undefined ? {} : { endedBy: { by: renderLine(endedBy.by), ...visibleReason(endedBy) } }
}

export function visibleReason({ reason }: { reason?: string }): { reason?: string } {
  return reason === undefined ? {} : { reason: renderLines(reason) }
}
