/**
 * Reads JSON text that came from outside, and refuses what `JSON.parse` would silently change (P3): of two equal
 * keys it keeps the last, a number too long for a double it rounds, a lone surrogate it lets through. A person
 * would then be shown something other than what was sent.
 *
 * Everything it accepts, it reads as `JSON.parse` does. It runs in browsers too, and takes time in proportion to
 * the text.
 */

import { BanksmanError } from '../errors.ts'
import { survivesDouble } from './decimal.ts'
import { type JsonObject, type JsonValue, MAX_DEPTH } from './json.ts'

export function parseStrictJson(text: string): JsonValue {
  if (text.charCodeAt(0) === 0xfeff) fail(text, 0, 'the text starts with a byte order mark; send it without')
  if (!text.isWellFormed()) fail(text, firstLoneSurrogate(text), LONE_SURROGATE)
  const reader: StrictJsonReader = { text, at: 0, depth: 0 }
  skipSpace(reader)
  const value = readValue(reader)
  skipSpace(reader)
  if (reader.at < text.length) {
    fail(text, reader.at, `the text goes on after the value with ${found(reader)}; send one value`)
  }
  return value
}

interface StrictJsonReader {
  readonly text: string
  at: number
  depth: number
}

const LONE_SURROGATE = 'a lone surrogate, which no UTF-8 can carry'
const QUOTE = 0x22
const BACKSLASH = 0x5c

function readValue(reader: StrictJsonReader): JsonValue {
  switch (reader.text[reader.at]) {
    case '{':
      return readObject(reader)
    case '[':
      return readArray(reader)
    case '"':
      return readString(reader)
    case 't':
      return readWord(reader, 'true', true)
    case 'f':
      return readWord(reader, 'false', false)
    case 'n':
      return readWord(reader, 'null', null)
    default:
      return readNumber(reader)
  }
}

function readObject(reader: StrictJsonReader): JsonObject {
  const object: JsonObject = {}
  goDeeper(reader)
  if (reader.text[reader.at] === '}') return leave(reader, object)
  while (true) {
    const keyAt = reader.at
    if (reader.text[keyAt] !== '"')
      fail(reader.text, keyAt, `expected a key in double quotes; found ${found(reader)}`)
    const key = readString(reader)
    if (Object.hasOwn(object, key))
      fail(reader.text, keyAt, `the key ${shown(key)} is there twice in one object`)
    skipSpace(reader)
    if (reader.text[reader.at] !== ':')
      fail(reader.text, reader.at, `expected ":" after a key; found ${found(reader)}`)
    reader.at++
    skipSpace(reader)
    const value = readValue(reader)
    // Assignment would set the prototype for `__proto__`, and would throw where the prototype is frozen.
    if (key in object)
      Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
    else object[key] = value
    skipSpace(reader)
    if (reader.text[reader.at] === '}') return leave(reader, object)
    nextAfterComma(reader, '}')
  }
}

function readArray(reader: StrictJsonReader): JsonValue[] {
  const array: JsonValue[] = []
  goDeeper(reader)
  if (reader.text[reader.at] === ']') return leave(reader, array)
  while (true) {
    array.push(readValue(reader))
    skipSpace(reader)
    if (reader.text[reader.at] === ']') return leave(reader, array)
    nextAfterComma(reader, ']')
  }
}

function goDeeper(reader: StrictJsonReader): void {
  if (reader.depth >= MAX_DEPTH) fail(reader.text, reader.at, `nested deeper than ${MAX_DEPTH} levels`)
  reader.depth++
  reader.at++
  skipSpace(reader)
}

function leave<T>(reader: StrictJsonReader, value: T): T {
  reader.depth--
  reader.at++
  return value
}

function nextAfterComma(reader: StrictJsonReader, close: string): void {
  if (reader.text[reader.at] !== ',')
    fail(reader.text, reader.at, `expected "," or "${close}"; found ${found(reader)}`)
  const commaAt = reader.at
  reader.at++
  skipSpace(reader)
  if (reader.text[reader.at] === close) fail(reader.text, commaAt, `a comma before "${close}" is not JSON`)
}

function readString(reader: StrictJsonReader): string {
  const { text } = reader
  const openedAt = reader.at
  let start = openedAt + 1
  let out = ''
  for (let at = start; ; ) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) {
      reader.at = at + 1
      return out + text.slice(start, at)
    }
    if (unit === BACKSLASH) {
      out += text.slice(start, at)
      reader.at = at
      out += readEscape(reader)
      at = reader.at
      start = at
    } else if (unit < 0x20) {
      fail(text, at, `the control character ${codeOf(unit)} must be escaped in a string`)
    } else if (at >= text.length) {
      fail(text, openedAt, 'this string never ends')
    } else {
      at++
    }
  }
}

const ESCAPES = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

function readEscape(reader: StrictJsonReader): string {
  const { text, at } = reader
  const letter = text[at + 1]
  if (letter !== 'u') {
    const character = letter === undefined ? undefined : ESCAPES.get(letter)
    if (character === undefined) {
      fail(text, at, 'a backslash in a string must be followed by one of " \\ / b f n r t u')
    }
    reader.at = at + 2
    return character
  }
  const unit = hexUnit(text, at)
  if (unit === undefined) fail(text, at, '"\\u" must be followed by four hexadecimal digits')
  reader.at = at + 6
  if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit)
  // Two escapes make one character. A half beside anything else is alone, since the raw text is well-formed.
  const low = unit < 0xdc00 ? hexUnit(text, at + 6) : undefined
  if (low === undefined || low < 0xdc00 || low > 0xdfff) fail(text, at, LONE_SURROGATE)
  reader.at = at + 12
  return String.fromCharCode(unit, low)
}

/** The unit that an escape of the form `\uXXXX` at this place stands for. */
function hexUnit(text: string, at: number): number | undefined {
  const written = text.slice(at, at + 6)
  return /^\\u[0-9a-fA-F]{4}$/.test(written) ? Number.parseInt(written.slice(2), 16) : undefined
}

function readWord<T>(reader: StrictJsonReader, word: string, value: T): T {
  if (!reader.text.startsWith(word, reader.at)) {
    fail(reader.text, reader.at, `expected a value; found ${found(reader)}`)
  }
  reader.at += word.length
  return value
}

function readNumber(reader: StrictJsonReader): number {
  const { text, at } = reader
  NUMBER.lastIndex = at
  const literal = NUMBER.exec(text)?.[0]
  if (literal === undefined) fail(text, at, `expected a value; found ${found(reader)}`)
  reader.at += literal.length
  const next = text[reader.at]
  if (next !== undefined && /[0-9.eE]/.test(next)) fail(text, at, 'this is not how JSON writes a number')
  if (!survivesDouble(literal)) fail(text, at, 'this number does not survive a double; send it as a string')
  return Number(literal)
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y

function skipSpace(reader: StrictJsonReader): void {
  const { text } = reader
  while (true) {
    const unit = text.charCodeAt(reader.at)
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return
    reader.at++
  }
}

function firstLoneSurrogate(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at) ?? 0
    if (point > 0xffff) at++
    else if (point >= 0xd800 && point <= 0xdfff) return at
  }
  return 0
}

function found(reader: StrictJsonReader): string {
  const point = reader.text.codePointAt(reader.at)
  if (point === undefined) return 'the end of the text'
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(String.fromCodePoint(point))
    ? JSON.stringify(String.fromCodePoint(point))
    : codeOf(point)
}

function shown(key: string): string {
  return JSON.stringify(key.length > 100 ? `${key.slice(0, 100)}…` : key)
}

function codeOf(point: number): string {
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
}

/** The line and column are worked out only now, so that reading stays fast. Both count from 1. */
function fail(text: string, at: number, why: string): never {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/)
  const line = lines.length
  const column = (lines.at(-1) ?? '').length + 1
  throw new BanksmanError('invalid_json', `line ${line}, column ${column}: ${why}`, { line, column })
}
