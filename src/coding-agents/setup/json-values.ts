/** Values in a JSON file that belongs to somebody else, read and changed by position, as `json-text.ts` does. */
import type { JsonValue } from '../../core/json/json.ts'
import {
  endOf,
  indentAt,
  indentUnit,
  insertInJson,
  type JsonPath,
  nodeAt,
  removeFromJson,
  rootOf,
  unfit,
} from './json-text.ts'

/** The value as it is written. */
export function jsonSource(text: string, path: JsonPath): string | undefined {
  const node = nodeAt(rootOf(text), path)
  return node === undefined ? undefined : text.slice(node.offset, endOf(node))
}

/** Puts a value in the place of the one at the path, as it is written here. */
export function putJsonSource(text: string, path: JsonPath, source: string): string {
  const node = nodeAt(rootOf(text), path)
  if (node === undefined) throw unfit(`there is no ${path.join('.')}`)
  return text.slice(0, node.offset) + source + text.slice(endOf(node))
}

/** A member that is there gets the value; otherwise it comes behind the others. */
export function setInJson(text: string, path: JsonPath, value: JsonValue): string {
  const node = nodeAt(rootOf(text), path)
  if (node === undefined) return insertInJson(text, path.slice(0, -1), String(path.at(-1)), value)
  const isInLine = !text.slice(node.parent?.parent?.offset ?? 0, node.offset).includes('\n')
  const breakLine = text.includes('\r\n') ? '\r\n' : '\n'
  const written = JSON.stringify(value, null, isInLine ? undefined : indentUnit(text))
  const source = written.replaceAll('\n', breakLine + indentAt(text, node.offset))
  return text.slice(0, node.offset) + source + text.slice(endOf(node))
}

/** Puts texts in front of the others of a list. */
export function prependToJson(text: string, path: JsonPath, words: readonly string[]): string {
  const list = nodeAt(rootOf(text), path)
  if (list?.type !== 'array') throw unfit(`${path.join('.')} must be a list`)
  const first = list.children![0]
  if (first === undefined)
    return words.reduce((made, word) => insertInJson(made, path, undefined, word), text)
  const isInLine = !text.slice(list.offset, first.offset).includes('\n')
  const breakLine = text.includes('\r\n') ? '\r\n' : '\n'
  const gap = isInLine ? ' ' : breakLine + indentAt(text, first.offset)
  const put = words.map((word) => `${JSON.stringify(word)},${gap}`).join('')
  return text.slice(0, first.offset) + put + text.slice(first.offset)
}

/** Takes that many elements away at the front of a list. */
export function cutFromJson(text: string, path: JsonPath, count: number): string {
  const { children = [] } = nodeAt(rootOf(text), path) ?? {}
  const [first, rest] = [children[0], children[count]]
  if (first !== undefined && rest !== undefined) return text.slice(0, first.offset) + text.slice(rest.offset)
  return children.slice(0, count).reduce((left) => removeFromJson(left, [...path, 0]), text)
}
