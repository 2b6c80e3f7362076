/**
 * All arguments as one JSON text. A mask stands without quotes where the value would be, and its place is told, so that a
 * text that looks like a mask can't be taken for one (P9).
 */
import type { JsonValue } from '../../../../src/client/index.ts'
import { childPointer } from '../../../../src/display/masks/json-pointer.ts'
import { maskedValuesIn, maskLabel } from '../../../../src/display/masks/mask-label.ts'
import { quote } from '../../../../src/display/text/quote.ts'
import type { Locale } from '../../../../src/display/words/rendering-words.ts'
import type { OwnMark } from '../../components/text/text-pieces.ts'
import { isBranch, type MaskedRequestArguments, membersOf } from './json-tree.ts'

export interface PrintedJson {
  text: string
  marks: OwnMark[]
}

export function printJson(
  { arguments: args, masks }: MaskedRequestArguments,
  locale: Locale = 'en',
): PrintedJson {
  const labels = new Map(masks.map((mask) => [mask.pointer, maskLabel(mask, locale)]))
  const masked = maskedValuesIn(masks, locale)
  const marks: OwnMark[] = []
  const parts: string[] = []
  let length = 0
  const write = (text: string) => {
    parts.push(text)
    length += text.length
  }
  const visit = (value: JsonValue, pointer: string, indent: string): void => {
    const name = labels.get(pointer)
    if (name !== undefined && typeof value === 'string') {
      const text = masked.get(pointer)!(value)
      marks.push({
        start: length,
        end: length + text.length,
        span: { kind: 'mask', text, name },
      })
      write(text)
    } else if (!isBranch(value)) {
      write(typeof value === 'string' ? quote(value) : JSON.stringify(value))
    } else {
      const members = membersOf(value, pointer)
      const [open, close] = Array.isArray(value) ? '[]' : '{}'
      if (members.length === 0) write(open ?? '')
      for (const [index, { key, value: member }] of members.entries()) {
        write(`${index === 0 ? open : ','}\n${indent}  ${key === undefined ? '' : `${quote(key)}: `}`)
        visit(member, childPointer(pointer, key ?? index), `${indent}  `)
      }
      write(members.length === 0 ? (close ?? '') : `\n${indent}${close}`)
    }
  }
  visit(args, '', '')
  return { text: parts.join(''), marks }
}
