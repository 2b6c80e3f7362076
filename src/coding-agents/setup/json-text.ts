/**
 * Changes in a JSON file that belongs to somebody else, by position: what is added or taken away changes, and nothing beside it, no
 * comment, no order and no white space. Comments and commas at the end are read as agents read them.
 */
import { type Node, type ParseError, parseTree, visit } from 'jsonc-parser'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json/json.ts'

export type JsonPath = readonly (string | number)[]

/** Of a file that isn't there, or is empty. */
const NOTHING = '{}\n'

/** The value as the agent reads it. Throws where the text is no JSON object. */
export function readJsonText(text: string): JsonValue {
  return plainValue(rootOf(text))
}

/** Puts a member into the object, or an element behind the others of the list, at the path. */
export function insertInJson(
  text: string,
  path: JsonPath,
  key: string | undefined,
  value: JsonValue,
): string {
  const whole = text.trim() === '' ? NOTHING : text
  const container = nodeAt(rootOf(whole), path)
  const wanted = key === undefined ? 'array' : 'object'
  if (container?.type !== wanted)
    throw unfit(`${pathText(path)} must be ${wanted === 'array' ? 'a list' : 'an object'}`)
  const breakLine = whole.includes('\r\n') ? '\r\n' : '\n'
  const unit = indentUnit(whole)
  const isTwin = (other: Node) => key !== undefined && other.children?.[0]?.value === key
  if (container.children!.some(isTwin)) throw unfit(`${pathText([...path, key!])} is there already`)
  const last = container.children!.at(-1)
  const outer = indentAt(whole, container.offset)
  const inner = last === undefined ? outer + unit : indentAt(whole, last.offset)
  const isInLine = last !== undefined && !whole.slice(container.offset, last.offset).includes('\n')
  const written = JSON.stringify(value, null, isInLine ? undefined : unit)
  const body =
    (key === undefined ? '' : `${JSON.stringify(key)}: `) + written.replaceAll('\n', breakLine + inner)
  if (last === undefined) {
    const from = container.offset + 1
    const rest = whole.slice(from, endOf(container) - 1)
    const tail = rest.trim() === '' ? breakLine + outer : rest
    return whole.slice(0, from) + breakLine + inner + body + tail + whole.slice(endOf(container) - 1)
  }
  const comma = commaAfter(whole, last)
  const put = isInLine ? ` ${body}` : breakLine + inner + body
  // Behind a remark on the same line, which is about what stands before it.
  const at = isInLine ? (comma ?? endOf(last)) : endOfRemarks(whole, comma ?? endOf(last))
  if (comma !== undefined) return whole.slice(0, at) + put + (isInLine ? '' : ',') + whole.slice(at)
  return `${whole.slice(0, endOf(last))},${whole.slice(endOf(last), at)}${put}${whole.slice(at)}`
}

/** Takes the member or the element at the path away, with the comma and the line that were there for it. */
export function removeFromJson(text: string, path: JsonPath): string {
  const root = rootOf(text)
  const value = nodeAt(root, path)
  const target = typeof path.at(-1) === 'string' ? value?.parent : value
  const container = nodeAt(root, path.slice(0, -1))
  if (target === undefined || container?.children === undefined) return text
  const at = container.children.indexOf(target)
  const before = container.children[at - 1]
  const ownComma = commaAfter(text, target)
  if (before === undefined) {
    const isOnly = container.children.length === 1
    const from = container.offset + 1
    const to = ownComma ?? endOf(target)
    const left = text.slice(to, endOf(container) - 1)
    // What is left of an empty container is nothing, unless somebody wrote a remark.
    const tail = isOnly && left.trim() === '' ? '' : left
    const gap = startOfLineGap(text, from, target.offset)
    return joined(text.slice(0, from), text.slice(from, gap), tail + text.slice(endOf(container) - 1))
  }
  const from = commaAfter(text, before) ?? endOf(before)
  const gap = startOfLineGap(text, from, target.offset)
  const isLast = at === container.children.length - 1
  if (!isLast || ownComma !== undefined)
    return joined(text.slice(0, from), text.slice(from, gap), text.slice(ownComma ?? endOf(target)))
  // The comma before it was made for it.
  const comma = commaAfter(text, before)!
  return joined(text.slice(0, comma - 1), text.slice(comma, gap), text.slice(endOf(target)))
}

/** A remark that ends with its line would take what follows with it. */
function joined(before: string, remarks: string, after: string): string {
  const needsLine = /\/\/[^\n]*$/.test(remarks) && !/^[ \t]*\r?\n/.test(after)
  return before + remarks + (needsLine ? '\n' : '') + after
}

export function rootOf(text: string): Node {
  const errors: ParseError[] = []
  const root = parseTree(text.trim() === '' ? NOTHING : text, errors, { allowTrailingComma: true })
  if (errors.length > 0 || root === undefined) {
    if (text.startsWith(BYTE_ORDER_MARK))
      throw unfit('it begins with a byte order mark, which nobody sees: save the file as UTF-8 without it')
    throw unfit(`it isn't JSON (line ${lineAt(text, errors[0]?.offset ?? 0)})`)
  }
  if (root.type !== 'object') throw unfit('it must be an object')
  return root
}

/** Why a text that is read here isn't plain JSON, for programs that read nothing else. */
export function notPlainBecause(text: string): string {
  let comment: number | undefined
  visit(text, {
    onComment: (offset) => {
      comment ??= offset
    },
  })
  if (comment !== undefined) return `it has a comment (line ${lineAt(text, comment)})`
  const errors: ParseError[] = []
  parseTree(text, errors, { allowTrailingComma: false })
  const [first] = errors
  if (first === undefined) return "it isn't plain JSON"
  const isComma = text.slice(0, first.offset).trimEnd().endsWith(',')
  return isComma
    ? `it has a comma behind the last entry of a list (line ${lineAt(text, text.lastIndexOf(',', first.offset))})`
    : `it isn't JSON (line ${lineAt(text, first.offset)})`
}

const BYTE_ORDER_MARK = '\uFEFF'

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Of a name that is there twice it is the last, as agents read it. */
export function nodeAt(root: Node, path: JsonPath): Node | undefined {
  let node: Node | undefined = root
  for (const step of path) {
    if (typeof step === 'number') node = node?.type === 'array' ? node.children![step] : undefined
    else node = node?.type === 'object' ? memberOf(node, step) : undefined
  }
  return node
}

function memberOf({ children = [] }: Node, name: string): Node | undefined {
  return children.findLast(({ children: [key] = [] }) => key?.value === name)?.children?.[1]
}

function plainValue(node: Node): JsonValue {
  if (node.type === 'array') return node.children!.map(plainValue)
  if (node.type !== 'object') return node.value as JsonValue
  // No plain assignment: a member may be called `__proto__`.
  return Object.fromEntries(
    node.children!.map(({ children }) => [children![0]!.value as string, plainValue(children![1]!)]),
  )
}

export const endOf = ({ offset, length }: Node): number => offset + length

const REMARKS_AND_SPACE = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
const SPACE_AND_REMARKS_IN_LINE = /(?:[ \t]|\/\/[^\r\n]*|\/\*[^\n]*?\*\/)*(?=\r?\n|$)/y

/** Where the comma behind it ends. */
function commaAfter(text: string, node: Node): number | undefined {
  REMARKS_AND_SPACE.lastIndex = endOf(node)
  const at = endOf(node) + REMARKS_AND_SPACE.exec(text)![0].length
  return text[at] === ',' ? at + 1 : undefined
}

/** The end of the line, if nothing but a remark stands on the rest of it. */
function endOfRemarks(text: string, from: number): number {
  SPACE_AND_REMARKS_IN_LINE.lastIndex = from
  const rest = SPACE_AND_REMARKS_IN_LINE.exec(text)?.[0]
  return rest?.trim() ? from + rest.trimEnd().length : from
}

/** Where the white space in front of something begins: remarks between it and `from` stay. */
function startOfLineGap(text: string, from: number, to: number): number {
  return from + text.slice(from, to).trimEnd().length
}

export function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[ \t]*/.exec(line)![0]
}

export function indentUnit(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
}

function pathText(path: JsonPath): string {
  return path.length === 0 ? 'the file' : path.join('.')
}

export function unfit(why: string): BanksmanError {
  return new BanksmanError('invalid', why)
}
