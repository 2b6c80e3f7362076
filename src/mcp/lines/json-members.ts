/**
 * Where the members of a JSON object stand in its bytes. The proxy forwards bytes and never writes a message anew, so it has to know
 * where the arguments of a call begin and end.
 *
 * Texts here are bytes as Latin-1: one character a byte, so that a place in the text is a place in the bytes. What has structure in JSON
 * is ASCII, and no byte of a longer character is.
 */
import { endOfString, skipSpace } from '../../core/json/json-text.ts'

export interface ByteSpan {
  from: number
  /** Behind its last byte. */
  to: number
}

/** A value of an object, and where its name begins. */
export interface MemberSpan extends ByteSpan {
  key: number
}

/** The members of the object that begins at `from`; of two with the same name the last. The text must be JSON. */
export function membersAt(text: string, from: number): Map<string, MemberSpan> {
  const members = new Map<string, MemberSpan>()
  let at = skipSpace(text, from + 1)
  while (text[at] !== '}' && at < text.length) {
    const keyEnd = endOfString(text, at)
    const name = decodeString(text, { from: at, to: keyEnd })
    const valueFrom = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const valueTo = endOfValue(text, valueFrom)
    members.set(name, { from: valueFrom, to: valueTo, key: at })
    at = skipSpace(text, valueTo)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return members
}

/** The values of the list that begins at `from`. */
export function itemsAt(text: string, from: number): ByteSpan[] {
  const items: ByteSpan[] = []
  let at = skipSpace(text, from + 1)
  while (text[at] !== ']' && at < text.length) {
    const to = endOfValue(text, at)
    // What is no JSON has an end too.
    if (to === at) break
    items.push({ from: at, to })
    at = skipSpace(text, to)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return items
}

/** A name that stands twice in one object, at any depth. Parsers differ in which one they take. */
export function doubledKey(text: string): string | undefined {
  // One set an object; undefined for a list. Not recursive: a line may be nested as deep as it is long.
  const open: (Set<string> | undefined)[] = []
  let isKey = false
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '{':
        open.push(new Set())
        isKey = true
        break
      case '[':
        open.push(undefined)
        isKey = false
        break
      case '}':
      case ']':
        open.pop()
        isKey = false
        break
      case ',':
        isKey = open.at(-1) !== undefined
        break
      case '"': {
        const to = endOfString(text, at)
        const names = isKey ? open.at(-1) : undefined
        if (names !== undefined) {
          const name = decodeString(text, { from: at, to })
          if (names.has(name)) return name
          names.add(name)
          isKey = false
        }
        at = to - 1
      }
    }
  }
  return undefined
}

/** A string's value; the span has its quotes. */
export function decodeString(text: string, { from, to }: ByteSpan): string {
  const raw = text.slice(from, to)
  if (/^[\x00-\x7f]*$/.test(raw) && !raw.includes('\\')) return raw.slice(1, -1)
  return JSON.parse(Buffer.from(raw, 'latin1').toString('utf8'))
}

function endOfValue(text: string, from: number): number {
  const first = text[from]
  if (first === '"') return endOfString(text, from)
  if (first !== '{' && first !== '[') {
    let at = from
    while (at < text.length && !/[\s,\]}]/.test(text[at]!)) at++
    return at
  }
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at) - 1
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1
  }
  return text.length
}
