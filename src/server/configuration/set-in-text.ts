/**
 * Sets one value in the text of a configuration. Everything else in the text stays as its author wrote it: comments, order, spacing.
 * The result is read again and compared with what it should say. A text that can't be changed so exactly (aliases, several documents) is
 * written anew from its parsed form, which keeps comments and order; if that doesn't say the same either, nothing is changed.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Document, isCollection, isMap, isNode, isPair, isScalar, type Pair, type YAMLMap } from 'yaml'
import { BanksmanError } from '../../core/errors.ts'
import { readYaml } from '../host/read-yaml.ts'

/** A text, or members of a mapping. */
export type WrittenValue =
  | string
  | number
  | boolean
  | { readonly [member: string]: string | number | boolean | readonly string[] }

type Path = readonly [string, ...string[]]

/** Throws `invalid_configuration` where the text can't be changed. */
export function setInText(text: string, path: Path, value: WrittenValue): string {
  const document = readYaml(text)
  const wanted = wantedValue(document.toJS(), path, value)
  const says = (candidate: string | undefined): candidate is string => {
    if (candidate === undefined) return false
    const read = readYaml(candidate)
    return read.errors.length === 0 && isDeepStrictEqual(read.toJS(), wanted)
  }
  if (document.errors.length === 0) {
    const changed = changeInPlace(text, document, path, value)
    if (says(changed)) return changed
    const rewritten = rewrite(document, path, value)
    if (says(rewritten)) return rewritten
  }
  throw new BanksmanError(
    'invalid_configuration',
    `${path.join('.')} can't be written into this file; add it by hand: ${path.join('.')}: ${flow(value)}`,
  )
}

function rewrite(document: Document, path: Path, value: WrittenValue): string | undefined {
  try {
    document.setIn(path, document.createNode(value))
    return document.toString({ lineWidth: 0 })
  } catch {
    // There is a text or a list where a mapping is needed.
    return undefined
  }
}

function wantedValue(before: unknown, [key, ...rest]: readonly string[], value: WrittenValue): unknown {
  if (key === undefined) return value
  const members = (before ?? {}) as Record<string, unknown>
  const inner = Object.hasOwn(members, key) ? members[key] : undefined
  return { ...members, [key]: wantedValue(inner, rest, value) }
}

/** Undefined where there is no such place, or none that is written plainly. */
function changeInPlace(
  text: string,
  { contents }: Document,
  path: Path,
  value: WrittenValue,
): string | undefined {
  let around: unknown = contents
  for (const [depth, key] of path.entries()) {
    const rest = path.slice(depth + 1)
    const written = flow(rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value))
    if (around === null || isEmpty(around)) {
      if (depth === 0) return append(text, key, written)
      return undefined
    }
    if (!isMap(around)) return undefined
    const pair = (around.items as Pair[]).find((item) => isScalar(item.key) && String(item.key.value) === key)
    if (pair === undefined)
      return depth === 0 && !around.flow ? append(text, key, written) : insert(text, around, key, written)
    if (depth === path.length - 1 || pair.value === null || isEmpty(pair.value))
      return replaceValue(text, pair, written)
    around = pair.value
  }
  return undefined
}

function isEmpty(node: unknown): boolean {
  if (isScalar(node)) return node.value === null
  return isMap(node) && node.items.length === 0
}

function append(text: string, key: string, written: string): string {
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return `${before}${before.trim() === '' ? '' : '\n'}${flow(key)}: ${written}\n`
}

function insert(text: string, { flow: isFlow, items, range }: YAMLMap, key: string, written: string) {
  const last = items.at(-1)
  if (last === undefined || !range || !isNode(last.key) || !last.key.range) return undefined
  if (isFlow) {
    const end = endOf(last)
    return end === undefined ? undefined : splice(text, end, end, `, ${flow(key)}: ${written}`)
  }
  const start = last.key.range[0]
  const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  const end = endOf(last)
  if (end === undefined || /\S/.test(indent)) return undefined
  // After the line that it ends on, with the comment of that line.
  const lineEnd = text.indexOf('\n', end)
  const at = lineEnd === -1 ? text.length : lineEnd
  return splice(text, at, at, `\n${indent}${flow(key)}: ${written}`)
}

/** Where the last thing of a pair ends, without the comments and empty lines that follow it. */
function endOf({ key, value }: Pair): number | undefined {
  const last = isCollection(value) && !value.flow ? value.items.at(-1) : undefined
  if (last !== undefined) return isPair(last) ? endOf(last) : endOf({ key: last, value: last } as Pair)
  const node = isNode(value) && value.range && value.range[1] > value.range[0] ? value : key
  return isNode(node) && node.range ? node.range[1] : undefined
}

function replaceValue(text: string, { key, value }: Pair, written: string): string | undefined {
  if (isNode(value) && value.range && value.range[1] > value.range[0])
    return splice(text, value.range[0], value.range[1], written)
  if (!isNode(key) || !key.range) return undefined
  const colon = text.indexOf(':', key.range[1])
  return colon === -1 ? undefined : splice(text, colon + 1, colon + 1, ` ${written}`)
}

function splice(text: string, from: number, to: number, written: string): string {
  return `${text.slice(0, from)}${written}${text.slice(to)}`
}

/** On one line, with quotes only where they are needed. */
function flow(value: unknown): string {
  if (typeof value === 'string') return isPlain(value) ? value : JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  const members = Object.entries(value).map(([name, inner]) => `${flow(name)}: ${flow(inner)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** The same text in a block, in a flow and as a key. */
function isPlain(text: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(text) && readYaml(text).toJS() === text
}
