/** A line difference as a terminal shows it, with everything visible (P9). */
import { diffLines } from '../../display/diff/diff-lines.ts'
import { makeVisible } from '../../display/text/visible.ts'
import { fitToWidth } from './fit-to-width.ts'
import type { Paint, TextStyle } from './terminal.ts'

export interface DifferenceOptions {
  paint: Paint
  columns: number | undefined
}

const SIGNS = { same: ' ', removed: '-', added: '+' } as const
const STYLES: Readonly<Record<keyof typeof SIGNS, TextStyle | undefined>> = {
  same: undefined,
  removed: 'red',
  added: 'green',
}

/** Changed lines with three lines around them; lines that are the same before and after are left out with a mark. */
export function differenceText(
  before: string,
  after: string,
  { paint, columns }: DifferenceOptions,
): string[] {
  const { hunks } = diffLines(before, after)
  return hunks.flatMap(({ oldStart, newStart, lines }) => {
    const removed = lines.filter((line) => line.kind !== 'added').length
    const added = lines.filter((line) => line.kind !== 'removed').length
    const head = paint('cyan', `@@ -${oldStart},${removed} +${newStart},${added} @@`)
    const body = lines.flatMap(({ kind, text, isUnterminated }) => {
      const end = isUnterminated ? ' ⟨no line break at the end⟩' : ''
      const line = `  │ ${SIGNS[kind]} ${makeVisible(text, { lines: 'keep' }).text}${end}`
      const style = STYLES[kind]
      return fitToWidth(line, columns).map((part) => (style === undefined ? part : paint(style, part)))
    })
    return [head, ...body]
  })
}

/** A whole text with its line numbers. */
export function wholeText(text: string, columns: number | undefined): string[] {
  const lines = makeVisible(text, { lines: 'keep' }).text.replace(/\n$/, '').split('\n')
  const digits = String(lines.length).length
  return lines.flatMap((line, index) =>
    fitToWidth(`  │ ${String(index + 1).padStart(digits)} ${line}`, columns),
  )
}
