/**
 * What the journal keeps of a call's arguments: masked, and bounded in size with honest marks (P10). It is for
 * reading; the bytes themselves are in the store, with a commitment to them in the journal.
 *
 * Every allowed call passes here, so small arguments without secrets are handed back as they are. In all others
 * the opening bracket of our notation is written out wherever it is the call's own, in keys too: what looks like
 * a mask or a mark in the journal then is one.
 */
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import { childPointer } from '../masks/json-pointer.ts'
import type { MaskedArguments } from '../masks/mask.ts'
import { leftOutMark, shorten } from '../text/shorten.ts'
import { CLOSING_BRACKET, OPENING_BRACKET } from '../text/visible.ts'

/**
 * The JSON of the result is at most `limitChars` long, or, where not even one member of each object would fit, a
 * single mark.
 */
export function summarizeForJournal(masked: MaskedArguments, limitChars: number): JsonObject {
  const { args } = masked
  const json = JSON.stringify(args)
  if (masked.masks.length === 0 && json.length <= limitChars && !json.includes(OPENING_BRACKET)) return args
  // What is too long even without its secrets can't be kept whole: nothing is copied only to find that out.
  const open = masked.masks.reduce((left, { length }) => left - length, json.length)
  for (const cap of open > limitChars ? CAPS.slice(1) : CAPS) {
    const bounded = bound(masked, cap)
    if (JSON.stringify(bounded).length <= limitChars) return bounded
  }
  return { [leftOutMark(json.length)]: null }
}

/** How much of each text and of each list or object is kept: everything first, then less and less. */
interface SizeCap {
  characters: number
  members: number
}

const CAPS: readonly SizeCap[] = [
  { characters: Number.POSITIVE_INFINITY, members: Number.POSITIVE_INFINITY },
  { characters: 4096, members: 256 },
  { characters: 1024, members: 64 },
  { characters: 256, members: 32 },
  { characters: 96, members: 16 },
  { characters: 48, members: 6 },
  { characters: 24, members: 2 },
]

function bound({ value, masks }: MaskedArguments, cap: SizeCap): JsonObject {
  const masked = new Set(masks.map((mask) => mask.pointer))

  const visit = (value: JsonValue, pointer: string): JsonValue => {
    if (typeof value === 'string') return masked.has(pointer) ? value : boundText(value, cap.characters)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      const items = value
        .slice(0, cap.members)
        .map((item, index) => visit(item, childPointer(pointer, index)))
      if (value.length > cap.members) items.push(leftOutMark(value.length - cap.members, 'item'))
      return items
    }
    const keys = Object.keys(value)
    const members: [string, JsonValue][] = keys
      .slice(0, cap.members)
      .map((key) => [boundText(key, cap.characters), visit(value[key]!, childPointer(pointer, key))])
    const kept = Object.fromEntries(members)
    // Two long keys may shorten to the same text: the count says what is missing for whatever reason.
    const missing = keys.length - Object.keys(kept).length
    if (missing > 0) kept[leftOutMark(missing, 'member')] = null
    return kept
  }

  return visit(value, '') as JsonObject
}

function boundText(text: string, characters: number): string {
  const { head, tail, leftOut } = shorten(text, characters)
  return leftOut === 0
    ? spellBracket(head)
    : `${spellBracket(head)}${leftOutMark(leftOut)}${spellBracket(tail)}`
}

/** The same notation as on the screen. */
function spellBracket(text: string): string {
  return text.includes(OPENING_BRACKET)
    ? text.replaceAll(OPENING_BRACKET, `${OPENING_BRACKET}U+27E8${CLOSING_BRACKET}`)
    : text
}
