/** What an edit changes, argument by argument, old and new line by line, with everything in it visible (P9). */
import type { JsonObject, JsonValue } from '../../../../src/client/index.ts'
import { type DiffLine, diffLines } from '../../../../src/display/diff.ts'
import { childPointer } from '../../../../src/display/pointer.ts'
import { leftOutMark, shorten } from '../../../../src/display/shorten.ts'
import { visible } from '../../model/visible-line.ts'
import { isSameJson } from './json-at.ts'

export interface Change {
  pointer: string
  kind: 'changed' | 'added' | 'removed'
  rows: ChangeRow[]
  /** Rows that are not shown, because there are too many. */
  leftOut: number
  /** Only the line break at the very end differs. */
  isOnlyEnd: boolean
}

export interface ChangeRow {
  kind: 'same' | 'removed' | 'added' | 'gap'
  /** What is the same before and after, and between them what is not. */
  head: string
  changed: string
  tail: string
}

const CONTEXT_LINES = 2
const MOST_ROWS = 200
const MOST_IN_LINE = 2000

/** `masked`: the places where a mask stands in `before`, which is in our own words and needs no writing out. */
export function changesOf(
  before: JsonObject,
  after: JsonObject,
  masked: ReadonlySet<string> = new Set(),
): Change[] {
  return compareMembers(before, after, '', masked)
}

function compareMembers(
  before: JsonObject,
  after: JsonObject,
  pointer: string,
  masked: ReadonlySet<string>,
): Change[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys.flatMap((key) => {
    const old = Object.hasOwn(before, key) ? before[key] : undefined
    const made = Object.hasOwn(after, key) ? after[key] : undefined
    const at = childPointer(pointer, key)
    if (isSameJson(old, made)) return []
    if (isObject(old) && isObject(made)) return compareMembers(old, made, at, masked)
    const change = compareValues(old, made, at)
    return [masked.has(at) && typeof old === 'string' ? withMask(change, old) : change]
  })
}

function compareValues(old: JsonValue | undefined, made: JsonValue | undefined, pointer: string): Change {
  // Two texts are compared as they are; anything else as JSON, so that "1" and 1 are not the same, nor "" and nothing.
  const isText =
    [old, made].every((value) => value === undefined || typeof value === 'string') &&
    `${old ?? ''}${made ?? ''}` !== ''
  const write = (value: JsonValue | undefined) =>
    value === undefined ? '' : isText ? String(value) : JSON.stringify(value, null, 2)
  const [before, after] = [write(old), write(made)]
  const { hunks } = diffLines(before, after, CONTEXT_LINES)
  const rows = hunks.flatMap((hunk, index) => [...(index === 0 ? [] : [GAP]), ...rowsOf(hunk.lines)])
  return {
    pointer,
    kind: old === undefined ? 'added' : made === undefined ? 'removed' : 'changed',
    rows: rows.slice(0, MOST_ROWS),
    leftOut: Math.max(0, rows.length - MOST_ROWS),
    isOnlyEnd: before !== after && before.replace(/\n$/, '') === after.replace(/\n$/, ''),
  }
}

function withMask(change: Change, mask: string): Change {
  const added = change.rows.filter(({ kind }) => kind === 'added')
  const whole = added.map(({ kind, head, changed, tail }) => ({
    kind,
    head: '',
    changed: `${head}${changed}${tail}`,
    tail: '',
  }))
  return { ...change, rows: [{ kind: 'removed', head: '', changed: mask, tail: '' }, ...whole] }
}

const GAP: ChangeRow = { kind: 'gap', head: '', changed: '', tail: '' }

/** A line that was changed into another shows where: as many lines taken away as put in are such pairs. */
function rowsOf(lines: readonly DiffLine[]): ChangeRow[] {
  const rows: ChangeRow[] = []
  for (let at = 0; at < lines.length; ) {
    const removed = runOf(lines, at, 'removed')
    const added = runOf(lines, at + removed, 'added')
    if (removed + added === 0) {
      rows.push({ kind: 'same', head: within(shown(lines[at]!)), changed: '', tail: '' })
      at++
      continue
    }
    const before = lines.slice(at, at + removed).map(shown)
    const after = lines.slice(at + removed, at + removed + added).map(shown)
    const isPaired = removed === added
    rows.push(...before.map((line, index) => rowOf('removed', line, isPaired ? after[index] : undefined)))
    rows.push(...after.map((line, index) => rowOf('added', line, isPaired ? before[index] : undefined)))
    at += removed + added
  }
  return rows
}

function runOf(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let count = 0
  while (lines[from + count]?.kind === kind) count++
  return count
}

function rowOf(kind: 'removed' | 'added', line: string, other: string | undefined): ChangeRow {
  if (other === undefined) return { kind, head: '', changed: within(line), tail: '' }
  const most = Math.min(line.length, other.length)
  let head = 0
  while (head < most && line[head] === other[head]) head++
  if (isSecondHalf(line, head) || isSecondHalf(other, head)) head--
  let tail = 0
  while (tail < most - head && line.at(-1 - tail) === other.at(-1 - tail)) tail++
  if (isSecondHalf(line, line.length - tail)) tail--
  const end = line.length - tail
  // Each part by itself, so that what differs is never what is left out.
  return {
    kind,
    head: within(line.slice(0, head)),
    changed: within(line.slice(head, end)),
    tail: within(line.slice(end)),
  }
}

function isSecondHalf(text: string, at: number): boolean {
  return /[\udc00-\udfff]/.test(text[at] ?? '')
}

function shown({ text }: DiffLine): string {
  return visible(text)
}

function within(text: string): string {
  const { head, tail, leftOut } = shorten(text, MOST_IN_LINE)
  return leftOut === 0 ? text : `${head}${leftOutMark(leftOut)}${tail}`
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
