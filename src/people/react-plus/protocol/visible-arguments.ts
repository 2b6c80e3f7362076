/**
 * Arguments as a structure that is safe to print: masked where a value is a secret, with hidden characters written out and
 * long values cut with a mark (P9). Clients of this protocol print `toolArgs` themselves, so the whole of it must be fit to
 * be read.
 */
import type { JsonObject, JsonValue } from '../../../core/json/json.ts'
import { pointerStep } from '../../../core/json/pointer-step.ts'
import type { KnownTool } from '../../../core/known-tool.ts'
import { maskArguments } from '../../../display/masks/mask.ts'
import { leftOutMark, makeVisibleWithin } from '../../../display/text/shorten.ts'

export interface VisibleArguments {
  value: JsonObject
  /** Something was left out, with a mark where it stood. */
  shortened: boolean
}

/** The JSON of the result is at most `limitChars` long, or, where not even little of each part would fit, one mark. */
export function visibleArguments(
  args: JsonObject,
  limitChars = Number.POSITIVE_INFINITY,
  known?: KnownTool,
): VisibleArguments {
  const { value, masks } = maskArguments(args, known)
  const masked = new Set(masks.map((mask) => mask.pointer))
  for (const cap of CAPS) {
    const shown = show(value, masked, cap)
    if (JSON.stringify(shown.value).length <= limitChars) return shown
  }
  return { value: { [leftOutMark(Object.keys(args).length, 'argument')]: null }, shortened: true }
}

/** How much of each text and of each list or object is kept: everything first, then less and less. */
interface ArgumentsCap {
  characters: number
  members: number
}

const CAPS: readonly ArgumentsCap[] = [
  { characters: Number.POSITIVE_INFINITY, members: Number.POSITIVE_INFINITY },
  { characters: 4000, members: 200 },
  { characters: 1000, members: 50 },
  { characters: 300, members: 20 },
  { characters: 100, members: 8 },
  { characters: 40, members: 4 },
]

function show(root: JsonObject, masked: ReadonlySet<string>, cap: ArgumentsCap): VisibleArguments {
  let shortened = false

  const text = (value: string, lines: 'keep' | 'mark'): string => {
    const shown = makeVisibleWithin(value, cap.characters, { lines })
    if (shown.shortened !== undefined) shortened = true
    return shown.value.text
  }

  const visit = (value: JsonValue, pointer: string): JsonValue => {
    if (typeof value === 'string') return masked.has(pointer) ? value : text(value, 'keep')
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      const items = value
        .slice(0, cap.members)
        .map((item, index) => visit(item, pointer + pointerStep(index)))
      if (value.length > items.length) {
        shortened = true
        items.push(leftOutMark(value.length - items.length, 'item'))
      }
      return items
    }
    const keys = Object.keys(value)
    const members: [string, JsonValue][] = keys
      .slice(0, cap.members)
      .map((key) => [text(key, 'mark'), visit(value[key]!, pointer + pointerStep(key))])
    const kept = Object.fromEntries(members)
    // Two long keys may shorten to the same text: the count says what is missing for whatever reason.
    const missing = keys.length - Object.keys(kept).length
    if (missing > 0) {
      shortened = true
      kept[leftOutMark(missing, 'member')] = null
    }
    return kept
  }

  return { value: visit(root, '') as JsonObject, shortened }
}

/** One line of text that came from outside. */
export function visibleLine(text: string, limit: number = LONGEST_LINE): string {
  return makeVisibleWithin(text, limit).value.text
}

const LONGEST_LINE = 500
