/**
 * A message of one language with the values of a reason in its places. The message is cut at its places before any value is
 * looked at, so that a value is never read as a pattern.
 *
 * Where a message puts a place between backticks, the value is quoted: with more backticks than it has in a row itself, so that
 * no value can end its own quotation.
 */
import type { Reason, ReasonValue } from './reason.ts'

export type Messages = Readonly<Record<string, string>>

export interface MessageStyle {
  messages: Messages
  /** Between the texts of a list, and between reasons that are a word or two: those without values. */
  separator: string
  /** Between the other reasons of a list. */
  clauses: string
  /** A text from outside, as it is shown. */
  show(text: string): string
  /** What goes between two texts where a value begins or ends. */
  between?(before: string, after: string): string
}

/** Undefined where the code, or one inside of it, has no message here. */
export function fillMessage(reason: Reason, style: MessageStyle): string | undefined {
  return filled(reason, style, 0)
}

/** Reasons are made of few; more is not one of ours. */
const DEEPEST = 6

function filled({ code, values = NONE }: Reason, style: MessageStyle, depth: number): string | undefined {
  if (depth > DEEPEST || !Object.hasOwn(style.messages, code)) return undefined
  const pieces = piecesOf(style.messages[code]!)
  let said = pieces[0]!
  for (let at = 1; at < pieces.length; at += 2) {
    const name = pieces[at]!
    const after = pieces[at + 1]!
    const isQuoted = said.endsWith('`') && after.startsWith('`')
    const shown = Object.hasOwn(values, name) ? textOf(values[name]!, style, depth, isQuoted) : undefined
    if (shown === undefined) return undefined
    said = `${said}${join(style, said, shown)}${shown}${join(style, shown, after)}${after}`
  }
  return said
}

const NONE: Readonly<Record<string, ReasonValue>> = {}

function join({ between }: MessageStyle, before: string, after: string): string {
  return between === undefined || before === '' || after === '' ? '' : between(before, after)
}

function textOf(
  value: ReasonValue,
  style: MessageStyle,
  depth: number,
  isQuoted: boolean,
): string | undefined {
  if (typeof value === 'string') return isQuoted ? quoted(style.show(value)) : style.show(value)
  if (typeof value === 'number') return String(value)
  if (!isList(value)) return filled(value, style, depth + 1)
  const items = value.map((item) => textOf(item, style, depth + 1, isQuoted))
  if (items.includes(undefined)) return undefined
  const separator = value.some(isClause) ? style.clauses : style.separator
  return items.join(isQuoted ? `\`${separator}\`` : separator)
}

function isClause(item: ReasonValue): boolean {
  return typeof item === 'object' && (isList(item) || item.values !== undefined)
}

function isList(value: Reason | readonly ReasonValue[]): value is readonly ReasonValue[] {
  return Array.isArray(value)
}

/** Between the backticks of the message. */
function quoted(value: string): string {
  let longest = 0
  for (const [run] of value.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  if (longest === 0) return value
  const more = '`'.repeat(longest)
  return `${more} ${value} ${more}`
}

/** Text and names of places by turns, beginning and ending with a text. */
function piecesOf(message: string): readonly string[] {
  let pieces = cut.get(message)
  if (pieces === undefined) {
    pieces = message.split(/\{(\w+)\}/)
    cut.set(message, pieces)
  }
  return pieces
}

/** Our own messages, of which there are some hundred. */
const cut = new Map<string, readonly string[]>()

/** The names of the places of a message, in order. */
export function placesOf(message: string): string[] {
  return piecesOf(message).filter((_, at) => at % 2 === 1)
}

/** The same reason with other texts in it: as they are shown, or masked. */
export function mapTexts(reason: Reason, map: (text: string) => string): Reason {
  return mapped(reason, map, 0)
}

function mapped({ code, values }: Reason, map: (text: string) => string, depth: number): Reason {
  if (values === undefined || depth > DEEPEST) return { code: map(code) }
  const shown = Object.entries(values).map(([name, value]) => [map(name), mappedValue(value, map, depth)])
  return { code: map(code), values: Object.fromEntries(shown) }
}

function mappedValue(value: ReasonValue, map: (text: string) => string, depth: number): ReasonValue {
  if (typeof value === 'string') return map(value)
  if (typeof value !== 'object') return value
  if (isList(value)) return depth > DEEPEST ? [] : value.map((item) => mappedValue(item, map, depth + 1))
  return mapped(value, map, depth + 1)
}
