/** The difference of two texts, laid out as a change of a file is. */
import type { DiffBlock, DiffRow, Span } from '../../../../src/client/index.ts'
import { type DiffLine, diffLines } from '../../../../src/display/diff/diff-lines.ts'
import { serverTextSpans } from './server-text-spans.ts'

/** `show`: how a line is made visible. A text that is not ours needs another: what looks like our notation in it is none. */
export function textDiff(
  before: string,
  after: string,
  label: string,
  show: (line: string) => Span[] = (line) => serverTextSpans(line, { lines: 'keep' }),
): DiffBlock {
  const { hunks, added, removed, isComplete } = diffLines(before, after)
  const rows: DiffRow[] = []
  let next = 1
  for (const { oldStart, lines } of hunks) {
    if (oldStart > next) rows.push(gap(oldStart - next))
    rows.push(...lines.map((line) => rowOf(line, show(line.text))))
    next = oldStart + lines.filter(({ kind }) => kind !== 'added').length
  }
  const left = countLines(before) + 1 - next
  if (rows.length > 0 && left > 0) rows.push(gap(left))
  return { kind: 'diff', label, pointers: [], rows, added, removed, isComplete }
}

function rowOf({ text: _, ...line }: DiffLine, spans: Span[]): DiffRow {
  return { ...line, value: { text: spans.map((span) => span.text).join(''), spans } }
}

function gap(count: number): DiffRow {
  return { kind: 'unchanged', count, text: '' }
}

function countLines(text: string): number {
  return text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0)
}
