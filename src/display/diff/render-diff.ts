/** Lays out the change of a text as rows, or as blocks where it is too long to compare. */
import type { Block, DiffBlock, DiffRow, LineRow } from '../../core/rendering.ts'
import { leftOutMark, makeVisibleWithin } from '../text/shorten.ts'
import type { VisibleOptions } from '../text/visible.ts'
import { blanksIn } from './diff-blanks.ts'
import { createDiffBudget, type DiffBudget, type DiffLine, diffLines, type LineDiff } from './diff-lines.ts'

export interface DiffRequest {
  label: string
  pointers: string[]
  before: string
  after: string
  /** How many characters may be shown. */
  limit: number
  /** What is left of the work that comparing the texts of this call may take. */
  budget?: CallDiffBudget
}

export interface CallDiffBudget extends DiffBudget {
  /** How many lines may still be compared. */
  lines: number
}

export function createCallDiffBudget(): CallDiffBudget {
  return { ...createDiffBudget(), lines: 2 * MOST_LINES }
}

/** Undefined where there are so many lines that comparing them is not worth its cost. */
export function renderDiff(request: DiffRequest): DiffBlock | undefined {
  const { label, pointers, before, after, limit, budget = createCallDiffBudget() } = request
  const [oldLines, newLines] = [countLines(before), countLines(after)]
  if (oldLines > MOST_LINES || newLines > MOST_LINES || oldLines + newLines > budget.lines) return undefined
  budget.lines -= oldLines + newLines
  const diff = diffLines(before, after, CONTEXT_LINES, budget)
  const { added, removed, isComplete } = diff
  const planned = planRows(diff, oldLines)
  const lineLimit = Math.max(SHORTEST_LINE, Math.floor(limit / 4))
  const { head, tail } = fitRows(planned, limit, lineLimit)
  const leftOut = countRows(planned.slice(head, tail))
  const blanksOf = blanksIn(planned)
  const toRow = (row: PlannedRow): DiffRow => ('count' in row ? row : lineRow(row, lineLimit, blanksOf(row)))
  const rows = planned.slice(0, head).map(toRow)
  if (leftOut > 0) {
    rows.push({ kind: 'left-out', count: leftOut, text: leftOutMark(leftOut, 'line') })
  }
  for (const row of planned.slice(tail)) rows.push(toRow(row))
  return {
    kind: 'diff',
    label,
    pointers,
    rows,
    added,
    removed,
    isComplete,
    ...(leftOut > 0 ? { shortened: { leftOut, total: countRows(planned) } } : {}),
  }
}

/** One text put in the place of another. */
export interface TextChange {
  before: string
  after: string
  /** The pointers of the two texts. */
  pointers: [before: string, after: string]
  /** All occurrences, and not the only one. */
  isEverywhere: boolean
}

export type AppliedChanges = { kind: 'applied'; text: string } | { kind: 'not-found' } | { kind: 'too-large' }

/** The text after all changes, one after another, as an edit tool makes them. */
export function applyChanges(text: string, changes: readonly TextChange[]): AppliedChanges {
  let result = text
  for (const { before, after, isEverywhere } of changes) {
    const pieces = before === '' ? [] : result.split(before)
    const isFound = isEverywhere ? pieces.length > 1 : pieces.length === 2
    if (!isFound) return { kind: 'not-found' }
    const length = result.length + (pieces.length - 1) * (after.length - before.length)
    if (length > LARGEST_RESULT) return { kind: 'too-large' }
    result = pieces.join(after)
  }
  return { kind: 'applied', text: result }
}

export function countLines(text: string): number {
  let count = text === '' || text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

export function isDiff(block: Block): block is DiffBlock {
  return block.kind === 'diff'
}

const MOST_LINES = 20_000
const CONTEXT_LINES = 3
const SHORTEST_LINE = 80
/** Replacing every `a` by a long text could ask for any amount of memory. */
const LARGEST_RESULT = 4 * 1024 * 1024

type PlannedRow = DiffLine | { kind: 'unchanged'; count: number; text: string }

function planRows(diff: LineDiff, oldLength: number): PlannedRow[] {
  const rows: PlannedRow[] = []
  let shown = 0
  const skipTo = (oldLine: number): void => {
    const count = oldLine - shown
    if (count > 0) rows.push({ kind: 'unchanged', count, text: leftOutMark(count, 'unchanged line') })
  }
  for (const hunk of diff.hunks) {
    skipTo(hunk.oldStart - 1)
    for (const line of hunk.lines) rows.push(line)
    shown = hunk.oldStart - 1 + hunk.lines.filter((line) => line.kind !== 'added').length
  }
  skipTo(oldLength)
  return rows
}

function countRows(rows: PlannedRow[]): number {
  return rows.reduce((sum, row) => sum + ('count' in row ? row.count : 1), 0)
}

/** Which rows fit: those before `head` and those from `tail` on. Two thirds of the room go to the head. */
function fitRows(rows: PlannedRow[], limit: number, lineLimit: number): { head: number; tail: number } {
  const sizes = rows.map((row) => Math.min(row.text.length, lineLimit) + 1)
  if (sizes.reduce((sum, size) => sum + size, 0) <= limit) return { head: rows.length, tail: rows.length }
  let head = 0
  for (let room = (limit * 2) / 3; head < rows.length && sizes[head]! <= room; head++) room -= sizes[head]!
  let tail = rows.length
  for (let room = limit / 3; tail > head && sizes[tail - 1]! <= room; tail--) room -= sizes[tail - 1]!
  return { head, tail }
}

function lineRow({ text, ...line }: DiffLine, lineLimit: number, options: VisibleOptions): LineRow {
  return { ...line, value: makeVisibleWithin(text, lineLimit, options).value }
}
