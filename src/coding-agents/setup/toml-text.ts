/**
 * Changes in a TOML file that belongs to somebody else, by position: what is added or taken away changes, and nothing beside it, no
 * comment, no order and no white space. Each change is checked by reading the file before and after it as a whole: where anything but
 * what was meant would be different, it is refused.
 */
import { parse, TomlError } from 'smol-toml'
import { BanksmanError } from '../../core/errors.ts'
import { scanToml, type TomlItem, tomlKey } from './toml-items.ts'

export type TomlPath = readonly string[]
export type TomlTable = { [name: string]: TomlValue }
export type TomlValue = string | number | bigint | boolean | Date | TomlValue[] | TomlTable

/** The values as the agent reads them. */
export function readTomlText(text: string): TomlTable {
  try {
    return parse(text, { integersAsBigInt: true }) as TomlTable
  } catch (error) {
    throw unfit(error instanceof TomlError ? `it isn't TOML (line ${error.line})` : "it isn't TOML")
  }
}

export function tomlValueAt(value: TomlValue | undefined, path: TomlPath): TomlValue | undefined {
  return path.reduce<TomlValue | undefined>(
    (at, name) => (isTable(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    value,
  )
}

/** Puts a table of texts behind everything else. There must be none at the path. */
export function addTomlTable(text: string, path: TomlPath, texts: Readonly<Record<string, string>>): string {
  const before = readTomlText(text)
  if (tomlValueAt(before, path) !== undefined) throw unfit(`${pathText(path)} is there already`)
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  const start = text === '' ? '' : text.endsWith('\n') ? lineBreak : lineBreak + lineBreak
  const lines = [
    `[${path.map(tomlKey).join('.')}]`,
    ...Object.entries(texts).map(([name, value]) => `${tomlKey(name)} = ${JSON.stringify(value)}`),
  ]
  const after = text + start + lines.map((line) => line + lineBreak).join('')
  return checked(after, withValue(before, path, { ...texts }), path)
}

/** Takes away what is at the path, with the lines that were there for it. Remarks stay. */
export function removeFromToml(text: string, path: TomlPath): string {
  const before = readTomlText(text)
  if (tomlValueAt(before, path) === undefined) return text
  let after = text
  for (const item of scanToml(text)
    .filter((one) => startsWith(one.path, path))
    .reverse())
    after = after.slice(0, startWithGap(after, item)) + after.slice(item.end)
  return checked(after, withValue(before, path, undefined), path)
}

/** Gives tables and values that stand beside each other other names, all at once: two may change places. */
export function renameInToml(text: string, parent: TomlPath, names: ReadonlyMap<string, string>): string {
  const before = readTomlText(text)
  const table = tomlValueAt(before, parent)
  if (!isTable(table) || !Object.keys(table).some((name) => names.has(name))) return text
  let after = text
  for (const { path, keys } of scanToml(text).reverse()) {
    // Counted from the end: what stands in front of it belongs to the table around.
    const at = keys.length - (path.length - parent.length)
    const name = path[parent.length]
    const key = startsWith(path, parent) && at >= 0 ? keys[at] : undefined
    const renamed = name === undefined ? undefined : names.get(name)
    if (key !== undefined && renamed !== undefined)
      after = after.slice(0, key.start) + tomlKey(renamed) + after.slice(key.end)
  }
  const entries = Object.entries(table).map(([name, value]) => [names.get(name) ?? name, value] as const)
  if (new Set(entries.map(([name]) => name)).size < entries.length)
    throw unfit(`two entries of ${pathText(parent)} would have the same name`)
  return checked(after, withValue(before, parent, Object.fromEntries(entries)), parent)
}

/** The lines of the table at the path, to be put elsewhere. Undefined: it isn't written as a table of its own. */
export function tomlTableText(text: string, path: TomlPath): string | undefined {
  const items = scanToml(text).filter((one) => startsWith(one.path, path))
  const [first] = items
  if (first?.kind !== 'table' || first.path.length !== path.length) return undefined
  return items.map(({ start, end }) => text.slice(start, end)).join('')
}

export function isTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

/** An empty line in front of a table was made for it. */
function startWithGap(text: string, { kind, start }: TomlItem): number {
  if (kind === 'pair') return start
  const gap = /(?:^|\n)(\r?\n)$/.exec(text.slice(Math.max(0, start - 4), start))?.[1] ?? ''
  return start - gap.length
}

export function checked(after: string, wanted: TomlTable, path: TomlPath): string {
  let found: TomlTable | undefined
  try {
    found = readTomlText(after)
  } catch {}
  if (found === undefined || !isSame(pruned(found), pruned(wanted)))
    throw unfit(`${pathText(path)} is written in a form that can't be changed without touching the rest`)
  return after
}

/** Tables that nothing is in come and go with what is in them. */
function pruned(table: TomlTable): TomlTable {
  return Object.fromEntries(
    Object.entries(table)
      .map(([name, value]) => [name, isTable(value) ? pruned(value) : value] as const)
      .filter(([, value]) => !isTable(value) || Object.keys(value).length > 0),
  )
}

export function withValue(
  table: TomlTable,
  [name = '', ...rest]: TomlPath,
  value: TomlValue | undefined,
): TomlTable {
  const inner = Object.hasOwn(table, name) ? table[name] : undefined
  const made = rest.length === 0 ? value : withValue(isTable(inner) ? inner : {}, rest, value)
  const others = Object.entries(table).filter(([other]) => other !== name)
  return Object.fromEntries(made === undefined ? others : [...others, [name, made]])
}

function isSame(one: TomlValue | undefined, other: TomlValue | undefined): boolean {
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((value, at) => isSame(value, other[at]))
    )
  if (isTable(one)) {
    if (!isTable(other) || Object.keys(one).length !== Object.keys(other).length) return false
    return Object.keys(one).every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  }
  if (one instanceof Date) return other instanceof Date && one.toISOString() === other.toISOString()
  return Object.is(one, other)
}

export function startsWith(path: TomlPath, start: TomlPath): boolean {
  return path.length >= start.length && start.every((name, at) => path[at] === name)
}

export function pathText(path: TomlPath): string {
  return path.map(tomlKey).join('.')
}

export function unfit(why: string): BanksmanError {
  return new BanksmanError('invalid', why)
}
