/**
 * All arguments as one JSON text. A mask stands without quotes where the value would be, and its place is told, so that a
 * text that looks like a mask can't be taken for one (P9).
 */
import type { JsonValue } from '../../../../src/client/index.ts'
import { childPointer } from '../../../../src/display/masks/json-pointer.ts'
import { quote } from '../../../../src/display/text/quote.ts'
import type { OwnMark } from '../../components/text/text-pieces.ts'
import { isBranch, type MaskedRequestArguments, membersOf } from './json-tree.ts'

export interface PrintedJson {
  text: string
  marks: OwnMark[]
}

export function printJson({ arguments: args, masks }: MaskedRequestArguments): PrintedJson {
  const kinds = new Map(masks.map(({ pointer, kind }) => [pointer, kind]))
  const marks: OwnMark[] = []
  const parts: string[] = []
  let length = 0
  const write = (text: string) => {
    parts.push(text)
    length += text.length
  }
  const visit = (value: JsonValue, pointer: string, indent: string): void => {
    const kind = kinds.get(pointer)
    if (kind !== undefined && typeof value === 'string') {
      marks.push({
        start: length,
        end: length + value.length,
        span: { kind: 'mask', text: value, name: kind },
      })
      write(value)
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
