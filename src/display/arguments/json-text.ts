/**
 * Nested values as JSON on several lines. A mask stands without quotes where the value would be, so that a text
 * that looks like a mask (quoted, its bracket written out) can't be taken for one.
 */
import type { JsonValue } from '../../core/json/json.ts'
import type { LeftOut, VisibleText } from '../../core/rendering.ts'
import { childPointer } from '../masks/json-pointer.ts'
import { coverOf } from '../masks/mask-label.ts'
import type { Mask } from '../masks/mask-values.ts'
import { quote } from '../text/quote.ts'
import { type ShownPart, showParts } from './show-parts.ts'

export function jsonText(
  value: JsonValue,
  pointer: string,
  masks: ReadonlyMap<string, Mask>,
  limit: number,
): { value: VisibleText; shortened?: LeftOut } {
  return showParts(print(value, pointer, masks), limit)
}

/** Further in, the brackets must do: a hundred thousand lines with a hundred blanks before each are ten megabytes. */
const DEEPEST_INDENT = 24

function print(root: JsonValue, rootPointer: string, masks: ReadonlyMap<string, Mask>): ShownPart[] {
  const parts: ShownPart[] = []
  // Only masks are looked up by their place.
  const isMasked = masks.size > 0
  let text = ''

  const visit = (value: JsonValue, pointer: string, indent: string): void => {
    const mask = isMasked ? masks.get(pointer) : undefined
    if (mask !== undefined) {
      // Where a part of the value is shown it is a text like any other, in quotes.
      const { before, after } = mask.around ?? {}
      parts.push({ text: before === undefined ? text : `${text}"${before}` }, { text: coverOf(mask), mask })
      text = after === undefined ? '' : `${after}"`
    } else if (typeof value !== 'object' || value === null) {
      text += typeof value === 'string' ? quote(value) : JSON.stringify(value)
    } else {
      const isList = Array.isArray(value)
      const members = isList ? value.map((item, index) => [index, item] as const) : Object.entries(value)
      if (members.length === 0) {
        text += isList ? '[]' : '{}'
        return
      }
      const inner = indent.length < DEEPEST_INDENT ? `${indent}  ` : indent
      text += isList ? '[\n' : '{\n'
      members.forEach(([key, member], index) => {
        text += `${inner}${typeof key === 'string' ? `${quote(key)}: ` : ''}`
        visit(member, isMasked ? childPointer(pointer, key) : '', inner)
        text += index < members.length - 1 ? ',\n' : '\n'
      })
      text += `${indent}${isList ? ']' : '}'}`
    }
  }

  visit(root, rootPointer, '')
  parts.push({ text })
  return parts
}
