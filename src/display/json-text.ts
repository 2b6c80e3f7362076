/**
 * Nested values as JSON on several lines. A mask stands without quotes where the value would be, so that a text
 * that looks like a mask (quoted, its bracket written out) can't be taken for one.
 */
import type { JsonValue } from '../core/json.ts'
import type { LeftOut, Span, VisibleText } from '../core/rendering.ts'
import type { Mask } from './mask.ts'
import { childPointer } from './pointer.ts'
import { quote } from './quote.ts'
import { countCharacters, cutsFor, leftOutSpan } from './shorten.ts'
import { makeVisible, ofSpans } from './visible.ts'

export function jsonText(
  value: JsonValue,
  pointer: string,
  masks: ReadonlyMap<string, Mask>,
  limit: number,
): { value: VisibleText; shortened?: LeftOut } {
  const parts = print(value, pointer, masks)
  const whole = parts.map((part) => part.text).join('')
  if (whole.length <= limit) return { value: ofSpans(parts.flatMap(spansOf)) }

  const [headCut, tailCut] = cutsFor(whole, limit)
  const { headEnd, tailStart } = keepMasksWhole(parts, headCut, tailCut)
  const leftOut = countCharacters(whole, headEnd, tailStart)
  if (leftOut === 0) return { value: ofSpans(parts.flatMap(spansOf)) }
  return {
    value: ofSpans([
      ...slice(parts, 0, headEnd).flatMap(spansOf),
      leftOutSpan(leftOut),
      ...slice(parts, tailStart, whole.length).flatMap(spansOf),
    ]),
    shortened: { leftOut, total: countCharacters(whole) },
  }
}

interface Part {
  text: string
  mask?: Mask
}

function print(root: JsonValue, rootPointer: string, masks: ReadonlyMap<string, Mask>): Part[] {
  const parts: Part[] = []
  let text = ''

  const visit = (value: JsonValue, pointer: string, indent: string): void => {
    const mask = masks.get(pointer)
    if (mask !== undefined) {
      parts.push({ text }, { text: mask.text, mask })
      text = ''
    } else if (typeof value !== 'object' || value === null) {
      text += typeof value === 'string' ? quote(value) : JSON.stringify(value)
    } else {
      const isList = Array.isArray(value)
      const members = isList ? value.map((item, index) => [index, item] as const) : Object.entries(value)
      if (members.length === 0) {
        text += isList ? '[]' : '{}'
        return
      }
      text += isList ? '[\n' : '{\n'
      members.forEach(([key, member], index) => {
        text += `${indent}  ${typeof key === 'string' ? `${quote(key)}: ` : ''}`
        visit(member, childPointer(pointer, key), `${indent}  `)
        text += index < members.length - 1 ? ',\n' : '\n'
      })
      text += `${indent}${isList ? ']' : '}'}`
    }
  }

  visit(root, rootPointer, '')
  parts.push({ text })
  return parts
}

/** A cut inside a mask moves outward, so that the mask is shown whole. */
function keepMasksWhole(
  parts: Part[],
  headCut: number,
  tailCut: number,
): { headEnd: number; tailStart: number } {
  let headEnd = headCut
  let tailStart = tailCut
  let start = 0
  for (const { text, mask } of parts) {
    const end = start + text.length
    if (mask !== undefined) {
      if (start < headCut && headCut < end) headEnd = end
      if (start < tailCut && tailCut < end) tailStart = start
    }
    start = end
  }
  return { headEnd, tailStart: Math.max(headEnd, tailStart) }
}

function slice(parts: Part[], from: number, to: number): Part[] {
  const kept: Part[] = []
  let start = 0
  for (const part of parts) {
    const text = part.text.slice(Math.max(0, from - start), Math.max(0, to - start))
    if (text !== '') kept.push({ ...part, text })
    start += part.text.length
  }
  return kept
}

function spansOf({ text, mask }: Part): Span[] {
  return mask === undefined ? makeVisible(text, { lines: 'keep' }).spans : [maskSpan(mask)]
}

export function maskSpan(mask: Mask): Span {
  return { kind: 'mask', text: mask.text, name: mask.kind }
}
