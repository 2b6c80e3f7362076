/**
 * Line differences, for tools that write or edit files: the shortest edit script (Myers, 1986), cut into hunks
 * with line numbers and context.
 *
 * The work is bounded by a count, never by a clock, so that the same texts always give the same difference. Where
 * two texts differ in more than `MOST_EDITS` lines, what lies between their common beginning and end is given as
 * removed and added whole, and `isComplete` says so: the difference is still right, only not the shortest. A
 * missing line break at the end counts as a difference. Why this isn't a library: docs/adr/0019-line-differences.md.
 */
export interface LineDiff {
  hunks: Hunk[]
  added: number
  removed: number
  /** False where the difference was too large to be compared line by line. */
  isComplete: boolean
}

/** Lines are counted from 1. A hunk without lines on one side starts at the line before which they would be. */
export interface Hunk {
  oldStart: number
  newStart: number
  lines: DiffLine[]
}

export interface DiffLine {
  kind: 'same' | 'removed' | 'added'
  /** Without its line break. */
  text: string
  oldLine?: number
  newLine?: number
  /** The last line of a text that does not end in a line break. */
  isUnterminated?: true
}

/** 1,000 edits take about a million steps and 4 MB; no person reads a longer difference line by line. */
const MOST_EDITS = 1000

/** However many texts are compared, so many edits are found in each. A hundred times as many cost little. */
const FEWEST_EDITS = 32

/** How much work is left. The changes of one call share one: a call may have a hundred of them. */
export interface DiffBudget {
  /** Finding a number of edits takes about its square. */
  steps: number
}

export function createDiffBudget(): DiffBudget {
  return { steps: MOST_EDITS ** 2 }
}

export function diffLines(
  before: string,
  after: string,
  contextLines = 3,
  budget = createDiffBudget(),
): LineDiff {
  const oldLines = splitLines(before)
  const newLines = splitLines(after)
  const { script, isComplete } = compare(oldLines, newLines, budget)
  const lines = describe(script, oldLines, newLines)
  return {
    hunks: cutHunks(lines, contextLines),
    added: lines.filter((line) => line.kind === 'added').length,
    removed: lines.filter((line) => line.kind === 'removed').length,
    isComplete,
  }
}

/** Each line keeps its line break, so that lines with and without one differ. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** A run of lines that are the same in both, were removed, or were added. */
interface EditStep {
  kind: DiffLine['kind']
  count: number
}

function compare(
  oldLines: string[],
  newLines: string[],
  budget: DiffBudget,
): { script: EditStep[]; isComplete: boolean } {
  let start = 0
  let oldEnd = oldLines.length
  let newEnd = newLines.length
  while (start < oldEnd && start < newEnd && oldLines[start] === newLines[start]) start++
  while (oldEnd > start && newEnd > start && oldLines[oldEnd - 1] === newLines[newEnd - 1]) {
    oldEnd--
    newEnd--
  }
  const middle = compareMiddle(oldLines.slice(start, oldEnd), newLines.slice(start, newEnd), budget)
  return {
    script: [
      { kind: 'same', count: start },
      ...(middle ?? [
        { kind: 'removed' as const, count: oldEnd - start },
        { kind: 'added' as const, count: newEnd - start },
      ]),
      { kind: 'same', count: oldLines.length - oldEnd },
    ],
    isComplete: middle !== undefined,
  }
}

/** Lines become numbers, which are compared faster; texts with no line in common need no comparison. */
function compareMiddle(oldLines: string[], newLines: string[], budget: DiffBudget): EditStep[] | undefined {
  const numbers = new Map<string, number>()
  const numberOf = (line: string): number => {
    const known = numbers.get(line) ?? numbers.size
    numbers.set(line, known)
    return known
  }
  const before = Int32Array.from(oldLines, numberOf)
  const oldKinds = numbers.size
  const after = Int32Array.from(newLines, numberOf)
  if (!after.some((line) => line < oldKinds)) {
    return removedFirst([
      { kind: 'removed', count: before.length },
      { kind: 'added', count: after.length },
    ])
  }
  const mostEdits = Math.max(FEWEST_EDITS, Math.floor(Math.sqrt(budget.steps)))
  const found = shortestScript(before, after, mostEdits)
  budget.steps = Math.max(0, budget.steps - (found?.edits ?? mostEdits) ** 2)
  return found?.script
}

/**
 * Myers' greedy walk: after d edits, `reach[k]` is how far down the old text one can be on diagonal k (old minus
 * new). The rows of all d are kept, so that the way can be read back from the end. Undefined past the bound.
 */
function shortestScript(
  oldLines: Int32Array,
  newLines: Int32Array,
  mostEdits: number,
): { script: EditStep[]; edits: number } | undefined {
  const most = Math.min(oldLines.length + newLines.length, mostEdits)
  const offset = most + 1
  const reach = new Int32Array(2 * most + 3)
  const rows: Int32Array[] = []
  for (let edits = 0; edits <= most; edits++) {
    rows.push(reach.slice(offset - edits - 1, offset + edits + 2))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isDown = goesDown(reach, offset, diagonal, edits)
      let x = isDown ? reach[offset + diagonal + 1]! : reach[offset + diagonal - 1]! + 1
      while (x < oldLines.length && x - diagonal < newLines.length && oldLines[x] === newLines[x - diagonal])
        x++
      reach[offset + diagonal] = x
      if (x >= oldLines.length && x - diagonal >= newLines.length) {
        return { script: readBack(rows, oldLines.length, newLines.length), edits }
      }
    }
  }
  return undefined
}

/** Whether the last edit on the way to this diagonal is an added line. */
function goesDown(reach: Int32Array, offset: number, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true
  if (diagonal === edits) return false
  return reach[offset + diagonal - 1]! < reach[offset + diagonal + 1]!
}

/** The first lines differ, as common ones were set aside, so the way begins with an edit. */
function readBack(rows: Int32Array[], oldLength: number, newLength: number): EditStep[] {
  const steps: EditStep[] = []
  let x = oldLength
  let y = newLength
  for (let edits = rows.length - 1; edits > 0; edits--) {
    const row = rows[edits]!
    const offset = edits + 1
    const isDown = goesDown(row, offset, x - y, edits)
    const fromDiagonal = isDown ? x - y + 1 : x - y - 1
    const fromX = row[offset + fromDiagonal]!
    const afterEdit = isDown ? fromX : fromX + 1
    if (x > afterEdit) steps.push({ kind: 'same', count: x - afterEdit })
    steps.push({ kind: isDown ? 'added' : 'removed', count: 1 })
    x = fromX
    y = fromX - fromDiagonal
  }
  return removedFirst(steps.reverse())
}

/** In each run of changes the removed lines come first, then the added ones, as people are used to read it. */
function removedFirst(steps: EditStep[]): EditStep[] {
  const ordered: EditStep[] = []
  let removed = 0
  let added = 0
  const flush = (): void => {
    if (removed > 0) ordered.push({ kind: 'removed', count: removed })
    if (added > 0) ordered.push({ kind: 'added', count: added })
    removed = 0
    added = 0
  }
  for (const step of steps) {
    if (step.kind === 'removed') removed += step.count
    else if (step.kind === 'added') added += step.count
    else {
      flush()
      ordered.push(step)
    }
  }
  flush()
  return ordered
}

function describe(script: EditStep[], oldLines: string[], newLines: string[]): DiffLine[] {
  const lines: DiffLine[] = []
  let oldAt = 0
  let newAt = 0
  for (const { kind, count } of script) {
    for (let index = 0; index < count; index++) {
      const raw = (kind === 'added' ? newLines[newAt] : oldLines[oldAt])!
      const isTerminated = raw.endsWith('\n')
      lines.push({
        kind,
        text: isTerminated ? raw.slice(0, -1) : raw,
        ...(kind === 'added' ? {} : { oldLine: ++oldAt }),
        ...(kind === 'removed' ? {} : { newLine: ++newAt }),
        ...(isTerminated ? {} : { isUnterminated: true }),
      })
    }
  }
  return lines
}

/** Changes no further apart than twice the context share a hunk. */
function cutHunks(lines: DiffLine[], contextLines: number): Hunk[] {
  const hunks: Hunk[] = []
  let oldStart = 1
  let newStart = 1
  let end = 0
  for (let at = nextChange(lines, 0); at < lines.length; at = nextChange(lines, end)) {
    const start = Math.max(end, at - contextLines)
    for (const line of lines.slice(end, start)) {
      if (line.kind !== 'added') oldStart++
      if (line.kind !== 'removed') newStart++
    }
    let lastChange = at
    for (let index = at; index < lines.length && index - lastChange <= 2 * contextLines + 1; index++) {
      if (lines[index]!.kind !== 'same') lastChange = index
    }
    end = Math.min(lines.length, lastChange + contextLines + 1)
    const hunk = { oldStart, newStart, lines: lines.slice(start, end) }
    hunks.push(hunk)
    oldStart += hunk.lines.filter((line) => line.kind !== 'added').length
    newStart += hunk.lines.filter((line) => line.kind !== 'removed').length
  }
  return hunks
}

function nextChange(lines: DiffLine[], from: number): number {
  let at = from
  while (at < lines.length && lines[at]!.kind === 'same') at++
  return at
}
