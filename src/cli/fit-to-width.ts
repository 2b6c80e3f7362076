/**
 * Breaks rendered text to a terminal's width, as `display` does: a broken line goes on behind a mark of its own, so
 * that wherever a line of ours begins, nothing else can. A terminal that breaks lines itself would let a long value
 * begin a line.
 */
import { widthOf } from '../display/index.ts'

const BARRED = /^ {2}[│┆]/
const CONTINUED = '    '
const BROKEN = '  ┆ '
const NARROWEST = 20

/** Without `columns` lines stay as they are. */
export function fitToWidth(text: string, columns: number | undefined): string[] {
  const lines = text.split('\n')
  if (columns === undefined) return lines
  return lines.flatMap((line) => breakLine(line, Math.max(columns, NARROWEST)))
}

function breakLine(line: string, columns: number): string[] {
  const continued = BARRED.test(line) ? BROKEN : CONTINUED
  const broken: string[] = []
  let current = ''
  let used = 0
  for (const character of line) {
    const width = widthOf(character)
    if (used + width > columns) {
      broken.push(current)
      current = continued
      used = continued.length
    }
    current += character
    used += width
  }
  return [...broken, current]
}
