/** An edit is made of what the screen shows: it is read back into values, and our notation is never taken for one (P9). */
import { type JsonObject, type JsonValue, MAX_DEPTH } from '../../core/json/json.ts'
import type { KnownTool } from '../../core/known-tool.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { CLOSING_BRACKET, OPENING_BRACKET } from '../text/visible.ts'
import { childPointer, memberOf } from './json-pointer.ts'
import { maskArguments } from './mask.ts'
import { coverOf, MASK_STARTS } from './mask-label.ts'

/**
 * The arguments that an edit means. A mask that was left alone keeps the original; one that was moved or changed
 * is refused, and so is any other part of our notation that the original does not have at that place: it was
 * copied from the screen, and the tool would be given our words instead of a value.
 */
export function unmaskEdit(edited: JsonObject, original: JsonObject, known?: KnownTool): JsonObject {
  const { value: shown, masks } = maskArguments(original, known)
  const copied = createCopyFinder(masks.map((mask) => coverOf(mask).slice(1, -1)))

  // The three are walked side by side: looking each place up by its pointer takes as long as the names above it.
  const visit = (
    value: JsonValue,
    before: JsonValue | undefined,
    seen: JsonValue | undefined,
    pointer: string,
    depth: number,
  ): JsonValue => {
    if (typeof value === 'string') {
      const isMasked = typeof before === 'string' && seen !== before
      if (isMasked && seen === value) return before
      refuseNotation(value, typeof before === 'string' && !isMasked ? before : '', pointer)
      return value
    }
    if (typeof value !== 'object' || value === null) return value
    if (depth >= MAX_DEPTH) invalid(pointer, reasonOf('problem.edit-deep', { pointer, limit: MAX_DEPTH }))
    const within = (item: JsonValue, key: string | number, at: string) =>
      visit(item, memberOf(before, key), memberOf(seen, key), at, depth + 1)
    if (Array.isArray(value)) {
      return value.map((item, index) => within(item, index, childPointer(pointer, index)))
    }
    const members: [string, JsonValue][] = Object.entries(value).map(([key, member]) => {
      const at = childPointer(pointer, key)
      refuseNotation(key, memberOf(before, key) === undefined ? '' : key, at)
      return [key, within(member, key, at)]
    })
    // `fromEntries` defines members, so that one named `__proto__` stays a member.
    return Object.fromEntries(members)
  }

  const refuseNotation = (text: string, before: string, pointer: string): void => {
    for (const part of [...(text.match(NOTATION) ?? []), ...copied(text)]) {
      if (before.includes(part)) continue
      invalid(
        pointer,
        part.includes('masked: ')
          ? reasonOf('problem.edit-mask', { pointer })
          : reasonOf('problem.edit-notation', { pointer, part }),
      )
    }
  }

  return visit(edited, original, shown, '', 0) as JsonObject
}

/** What all masks begin with inside their brackets. */
const MASKED = MASK_STARTS.en

/** Which of these stand in a text. There may be tens of thousands of both, so they are not tried one by one. */
function createCopyFinder(inner: readonly string[]): (text: string) => string[] {
  const all = new Set(inner)
  const lengths = [...new Set(inner.map(({ length }) => length))]
  return (text) => {
    const found: string[] = []
    for (let at = text.indexOf(MASKED); at !== -1; at = text.indexOf(MASKED, at + 1))
      for (const length of lengths) {
        const part = text.slice(at, at + length)
        if (all.has(part)) found.push(part)
      }
    return found
  }
}

/** Whatever `display` writes between its brackets in place of, or beside, a value. */
const NOTATION = new RegExp(
  `${OPENING_BRACKET}(?:${[
    'masked\\b',
    MASK_STARTS.zh,
    `… [0-9,]+ [a-z ]+ left out${CLOSING_BRACKET}`,
    'U\\+[0-9A-F]{4,6}',
    `[A-Z][A-Z0-9]{1,4}(?: ×[0-9]+)?${CLOSING_BRACKET}`,
    `[A-Z][a-z]+\\+[A-Za-z+ ]+${CLOSING_BRACKET}`,
    `(?:fullwidth|styled|phonetic|mixed digits|all [A-Z][a-z]+)${CLOSING_BRACKET}`,
    'looks like ',
  ].join('|')})`,
  'g',
)

function invalid(pointer: string, why: Reason): never {
  throw reasonedError('arguments_invalid', why, { pointer })
}
