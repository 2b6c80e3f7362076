/**
 * Values in a TOML file that belongs to somebody else, read and changed by position, as `toml-text.ts` does. A table counts with the lines
 * below its name, up to the next table: what is written in another form is not found.
 */
import type { JsonValue } from '../../core/json/json.ts'
import { scanToml, scanTomlTexts, type TomlItem, tomlKey, tomlText } from './toml-items.ts'
import {
  checked,
  isTable,
  pathText,
  readTomlText,
  startsWith,
  type TomlPath,
  type TomlTable,
  type TomlValue,
  tomlValueAt,
  unfit,
  withValue,
} from './toml-text.ts'

/** As JSON has it. */
export function tomlAsJson(value: TomlValue): JsonValue {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(tomlAsJson)
  if (!isTable(value)) return value as JsonValue
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, tomlAsJson(member)]))
}

/** The lines of a table, without those of tables below it and without the last line break. */
export function tomlSource(text: string, path: TomlPath): string | undefined {
  const place = blockOf(text, path)
  return place === undefined ? undefined : text.slice(place.start, place.end)
}

/** Puts lines in the place of those of a table. */
export function putTomlSource(text: string, path: TomlPath, source: string): string {
  const place = blockOf(text, path)
  if (place === undefined) throw otherForm(path)
  const after = text.slice(0, place.start) + source + text.slice(place.end)
  const [now, then] = [readTomlText(text), readTomlText(after)]
  // Tables below it have not moved, whatever was put.
  return checked(after, withValue(now, path, tomlValueAt(then, path)), path)
}

/** A pair that is there gets the value; otherwise it comes in front of the others of its table. */
export function setInToml(text: string, path: TomlPath, value: JsonValue): string {
  const before = readTomlText(text)
  const wanted = withValue(before, path, asToml(value))
  const literal = literalOf(value)
  const pair = pairAt(text, path)
  if (pair?.value !== undefined)
    return checked(text.slice(0, pair.value.start) + literal + text.slice(pair.value.end), wanted, path)
  const table = path.slice(0, -1)
  const place = blockOf(text, table)
  if (place === undefined || tomlValueAt(before, path) !== undefined) throw otherForm(path)
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  const { pairs, header } = place
  const at = pairs[0]?.start ?? header.end
  const indent = /[ \t]*/y.exec(text.slice(at))![0]
  const start = text[at - 1] === '\n' ? '' : lineBreak
  const line = `${start}${indent}${tomlKey(path.at(-1)!)} = ${literal}${lineBreak}`
  return checked(text.slice(0, at) + line + text.slice(at), wanted, path)
}

/** Puts texts in front of the others of a list. */
export function prependToToml(text: string, path: TomlPath, words: readonly string[]): string {
  const { value, texts, list } = textsAt(text, path)
  const written = words.map(tomlText)
  const first = texts[0]
  const after =
    first === undefined
      ? `${text.slice(0, value.start)}[${written.join(', ')}]${text.slice(value.end)}`
      : text.slice(0, first.start) + written.map((word) => `${word}, `).join('') + text.slice(first.start)
  return checked(after, withValue(readTomlText(text), path, [...words, ...list]), path)
}

/** Takes that many elements away at the front of a list. */
export function cutFromToml(text: string, path: TomlPath, count: number): string {
  const { value, texts, list } = textsAt(text, path)
  const [first, rest] = [texts[0], texts[count]]
  const after =
    first === undefined || rest === undefined
      ? `${text.slice(0, value.start)}[]${text.slice(value.end)}`
      : text.slice(0, first.start) + text.slice(rest.start)
  return checked(after, withValue(readTomlText(text), path, list.slice(count)), path)
}

interface TomlBlock {
  header: TomlItem
  pairs: TomlItem[]
  start: number
  end: number
}

function blockOf(text: string, path: TomlPath): TomlBlock | undefined {
  const items = scanToml(text)
  const at = items.findIndex((item) => item.kind === 'table' && isPath(item.path, path))
  const header = items[at]
  if (header === undefined) return undefined
  const next = items.findIndex(({ kind }, index) => index > at && kind !== 'pair')
  const pairs = items.slice(at + 1, next === -1 ? undefined : next)
  const last = (pairs.at(-1) ?? header).end
  const end = last - (/\r?\n$/.exec(text.slice(header.start, last))?.[0].length ?? 0)
  return { header, pairs, start: header.start, end }
}

function pairAt(text: string, path: TomlPath): TomlItem | undefined {
  return scanToml(text).find((item) => item.kind === 'pair' && isPath(item.path, path))
}

function textsAt(text: string, path: TomlPath) {
  const value = pairAt(text, path)?.value
  const list = tomlValueAt(readTomlText(text), path)
  if (value === undefined || !Array.isArray(list)) throw otherForm(path)
  const texts = scanTomlTexts(text, value.start)
  if (texts.length !== list.length) throw otherForm(path)
  return { value, texts, list }
}

function isPath(one: TomlPath, other: TomlPath): boolean {
  return one.length === other.length && startsWith(one, other)
}

function asToml(value: JsonValue): TomlValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(asToml)
  if (typeof value !== 'object' || value === null) return value as TomlValue
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, asToml(member)]),
  ) as TomlTable
}

function literalOf(value: JsonValue): string {
  if (typeof value === 'string') return tomlText(value)
  if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${tomlKey(name)} = ${literalOf(member)}`)
    .join(', ')} }`
}

function otherForm(path: TomlPath) {
  return unfit(`${pathText(path)} is written in a form that can't be changed without touching the rest`)
}
