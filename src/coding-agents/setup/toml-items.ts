/** Where the tables and the values of a TOML text stand. The text must be TOML: it is not checked here. */
import { defined } from '../../core/defined.ts'

export interface TomlItem {
  /** `table`: a line in brackets. `list`: one in two. `pair`: a name with its value. */
  kind: 'table' | 'list' | 'pair'
  /** From the top of the file. */
  path: string[]
  /** The names as they stand in this line; of a pair, those behind its table's. */
  keys: { start: number; end: number }[]
  /** Of a pair: where its value stands. */
  value?: { start: number; end: number }
  /** With the whole of its lines. */
  start: number
  end: number
}

interface Cursor {
  text: string
  at: number
}

export function scanToml(text: string): TomlItem[] {
  const cursor = { text, at: text.startsWith('\uFEFF') ? 1 : 0 }
  const items: TomlItem[] = []
  let table: string[] = []
  for (;;) {
    skipBlank(cursor)
    if (cursor.at >= text.length) return items
    const start = text.lastIndexOf('\n', cursor.at - 1) + 1
    const brackets = text.startsWith('[[', cursor.at) ? 2 : text[cursor.at] === '[' ? 1 : 0
    cursor.at += brackets
    const { names, keys } = readKeys(cursor)
    // Past the bracket, or the sign between name and value.
    cursor.at += Math.max(brackets, 1)
    if (brackets > 0) table = names
    const value = brackets > 0 ? undefined : readValue(cursor)
    const path = brackets > 0 ? names : [...table, ...names]
    skipLine(cursor)
    const kind = brackets === 2 ? 'list' : brackets === 1 ? 'table' : 'pair'
    items.push({ kind, path, keys, ...defined({ value }), start, end: cursor.at })
  }
}

/** A name as it is written: bare where it can be. */
export function tomlKey(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : tomlText(name)
}

/** JSON's escapes are TOML's too, but for one character that JSON leaves as it is. */
export function tomlText(name: string): string {
  return JSON.stringify(name).replaceAll('\x7f', '\\u007f')
}

function readKeys(cursor: Cursor): Pick<TomlItem, 'keys'> & { names: string[] } {
  const { text } = cursor
  const [names, keys]: [string[], TomlItem['keys']] = [[], []]
  do {
    skip(cursor, /[ \t.]*/y)
    const start = cursor.at
    if (text[start] === '"' || text[start] === "'") skipText(cursor)
    else skip(cursor, /[A-Za-z0-9_-]*/y)
    const written = text.slice(start, cursor.at)
    if (written === '') break
    names.push(nameOf(written))
    keys.push({ start, end: cursor.at })
    skip(cursor, /[ \t]*/y)
  } while (text[cursor.at] === '.')
  return { names, keys }
}

function nameOf(written: string): string {
  if (written.startsWith("'")) return written.slice(1, -1)
  if (!written.startsWith('"')) return written
  const body = written
    .slice(1, -1)
    .replace(/\\U([0-9A-Fa-f]{8})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))
    .replace(/\\x([0-9A-Fa-f]{2})/g, '\\u00$1')
    .replaceAll('\\e', '\\u001b')
    .replaceAll('\t', '\\t')
  try {
    return JSON.parse(`"${body}"`) as string
  } catch {
    // A name that we can't read is nobody's that we look for.
    return written
  }
}

/** Where the elements of a list stand that has texts only. */
export function scanTomlTexts(text: string, start: number): { start: number; end: number }[] {
  const cursor = { text, at: start + 1 }
  const found: { start: number; end: number }[] = []
  for (;;) {
    skip(cursor, /(?:[ \t\r\n,]|#[^\n]*)*/y)
    const from = cursor.at
    if (text[from] !== '"' && text[from] !== "'") return found
    skipText(cursor)
    found.push({ start: from, end: cursor.at })
  }
}

function readValue(cursor: Cursor): { start: number; end: number } {
  skip(cursor, /[ \t]*/y)
  const start = cursor.at
  skipValue(cursor)
  return { start, end: start + cursor.text.slice(start, cursor.at).trimEnd().length }
}

function skipValue(cursor: Cursor): void {
  let depth = 0
  for (;;) {
    skip(cursor, /[^"'[\]{}#\r\n]*/y)
    const character = cursor.text[cursor.at]
    if (character === undefined) return
    if (character === '"' || character === "'") {
      skipText(cursor)
      continue
    }
    if (depth === 0 && /[#\r\n]/.test(character)) return
    if (character === '#') skip(cursor, /[^\n]*/y)
    else cursor.at++
    if (character === '[' || character === '{') depth++
    if (character === ']' || character === '}') depth--
  }
}

const TEXTS = [/"""(?:[^"\\]|\\[\s\S]|"(?!""))*"{3,5}/y, /'''(?:[^']|'(?!''))*'{3,5}/y]
const TEXTS_IN_LINE = [/"(?:[^"\\\n]|\\.)*"/y, /'[^'\n]*'/y]

function skipText(cursor: Cursor): void {
  const { text, at } = cursor
  const isLong = text.startsWith('"""', at) || text.startsWith("'''", at)
  const form = (isLong ? TEXTS : TEXTS_IN_LINE)[text[at] === '"' ? 0 : 1]!
  const before = cursor.at
  skip(cursor, form)
  if (cursor.at === before) cursor.at++
}

function skipBlank(cursor: Cursor): void {
  skip(cursor, /(?:[ \t\r\n]|#[^\n]*)*/y)
}

function skipLine(cursor: Cursor): void {
  skip(cursor, /[^\n]*\n?/y)
}

function skip(cursor: Cursor, what: RegExp): void {
  what.lastIndex = cursor.at
  cursor.at += what.exec(cursor.text)?.[0].length ?? 0
}
