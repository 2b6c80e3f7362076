/**
 * What an edit changes, argument by argument, old and new line by line, with everything in it visible (P9). What is too much
 * to be read, or to be compared while somebody waits, is counted instead.
 */
import type { JsonObject, JsonValue } from '../../../../../src/client/index.ts'
import { type DiffLine, diffLines } from '../../../../../src/display/diff/diff-lines.ts'
import { childPointer } from '../../../../../src/display/masks/json-pointer.ts'
import { indentFor } from '../draft/editable-json.ts'
import { isSameJson } from '../draft/json-at.ts'
import { type ChangeRow, changeRow, sameRow } from './change-row.ts'
import { narrowTexts } from './narrow-texts.ts'

export interface Changes {
  list: ArgumentChange[]
  /** How many more places are changed that are not in the list. */
  more: number
}

export interface ArgumentChange {
  pointer: string
  kind: 'changed' | 'added' | 'removed'
  rows: ChangeRow[]
  /** Rows that are not shown, because there are too many. */
  leftOut: number
  /** Characters of what differs that are not compared, because there are too many. */
  notCompared: { before: number; after: number }
  /** Only the line break at the very end differs. */
  isOnlyEnd: boolean
}

const CONTEXT_LINES = 2
const MOST_CHANGES = 50
/** In one change, and in all together. */
const MOST_ROWS = 200
const MOST_ROWS_IN_ALL = 400

/** `masked`: the places where a mask stands in `before`, which is in our own words and needs no writing out. */
export function changesOf(
  before: JsonObject,
  after: JsonObject,
  masked: ReadonlySet<string> = new Set(),
): Changes {
  const found: Changes = { list: [], more: 0 }
  let rowsLeft = MOST_ROWS_IN_ALL
  const compare = (old: JsonValue | undefined, made: JsonValue | undefined, pointer: string): void => {
    if (old === made) return
    if (isObject(old) && isObject(made)) {
      for (const key of Object.keys(old)) compare(old[key], ownOf(made, key), childPointer(pointer, key))
      for (const key of Object.keys(made)) {
        if (!Object.hasOwn(old, key)) compare(undefined, made[key], childPointer(pointer, key))
      }
    } else if (!isSameJson(old, made)) {
      if (found.list.length >= MOST_CHANGES || rowsLeft <= 0) {
        found.more++
        return
      }
      const change = compareValues(old, made, pointer, Math.min(MOST_ROWS, rowsLeft))
      found.list.push(masked.has(pointer) && typeof old === 'string' ? withMask(change, old) : change)
      rowsLeft -= change.rows.length
    }
  }
  compare(before, after, '')
  return found
}

function compareValues(
  old: JsonValue | undefined,
  made: JsonValue | undefined,
  pointer: string,
  mostRows: number,
): ArgumentChange {
  // Two texts are compared as they are; anything else as JSON, so that "1" and 1 are not the same, nor "" and nothing.
  const isText =
    [old, made].every((value) => value === undefined || typeof value === 'string') &&
    `${old ?? ''}${made ?? ''}` !== ''
  const indent = isText ? 0 : Math.min(indentFor(old ?? null), indentFor(made ?? null))
  const write = (value: JsonValue | undefined) =>
    value === undefined ? '' : isText ? String(value) : JSON.stringify(value, null, indent)
  const whole = { before: write(old), after: write(made) }
  const { before, after, notCompared } = narrowTexts(whole.before, whole.after, CONTEXT_LINES)
  const { hunks } = diffLines(before, after, CONTEXT_LINES)
  const rows: ChangeRow[] = []
  for (const [index, hunk] of hunks.entries()) {
    if (index > 0 && rows.length < mostRows) rows.push(GAP)
    rows.push(...rowsOf(hunk.lines, mostRows - rows.length))
  }
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, hunks.length - 1)
  return {
    pointer,
    kind: old === undefined ? 'added' : made === undefined ? 'removed' : 'changed',
    rows,
    leftOut: total - rows.length,
    notCompared,
    isOnlyEnd: whole.before !== whole.after && withoutEnd(whole.before) === withoutEnd(whole.after),
  }
}

function withMask(change: ArgumentChange, mask: string): ArgumentChange {
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
function rowsOf(lines: readonly DiffLine[], most: number): ChangeRow[] {
  const rows: ChangeRow[] = []
  for (let at = 0; at < lines.length && rows.length < most; ) {
    const removed = runOf(lines, at, 'removed')
    const added = runOf(lines, at + removed, 'added')
    if (removed + added === 0) {
      rows.push(sameRow(lines[at]!.text))
      at++
      continue
    }
    const isPaired = removed === added
    for (let index = 0; index < removed + added && rows.length < most; index++) {
      const isRemoved = index < removed
      const beside = isPaired ? lines[at + (isRemoved ? index + removed : index - removed)]?.text : undefined
      rows.push(changeRow(isRemoved ? 'removed' : 'added', lines[at + index]!.text, beside))
    }
    at += removed + added
  }
  return rows
}

function runOf(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let count = 0
  while (lines[from + count]?.kind === kind) count++
  return count
}

function withoutEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text
}

function ownOf(value: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
