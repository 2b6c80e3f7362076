/**
 * Breaks rendered text to a terminal's width, as `display` does: a broken line goes on behind a mark of its own, so
 * that wherever a line of ours begins, nothing else can. A terminal that breaks lines itself would let a long value
 * begin a line.
 *
 * Sentences are broken between words. What is run is cut at the very edge instead, so that a space at the end of a row is
 * the only thing that can stand there unseen.
 */
import { widthOf } from '../../display/render-text.ts'

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

/** The same for sentences. A word that is wider than a row is cut. */
export function wrapWords(text: string, columns: number | undefined): string[] {
  const lines = text.split('\n')
  if (columns === undefined) return lines
  // What stands in front of a line's first word belongs to it: a mark, a bar, an indent.
  return lines.flatMap((line) =>
    breakLine(line, Math.max(columns, NARROWEST), line.match(/^[ \t]*[^ \t]*[ \t]*|[^ \t]+[ \t]*/g) ?? ['']),
  )
}

/** Sentences between words, and what stands behind a bar at the edge: a call as `display` has laid it out. */
export function fitCall(text: string, columns: number | undefined): string[] {
  return text
    .split('\n')
    .flatMap((line) => (BARRED.test(line) ? fitToWidth(line, columns) : wrapWords(line, columns)))
}

/** Of `parts`, each that would fit on a row is not broken. */
function breakLine(line: string, columns: number, parts: readonly string[] = [...line]): string[] {
  const continued = BARRED.test(line) ? BROKEN : CONTINUED
  const broken: string[] = []
  let current = ''
  let used = 0
  const goOn = () => {
    broken.push(current)
    current = continued
    used = continued.length
  }
  for (const part of parts) {
    const whole = widthOfText(part)
    if (used > continued.length && used + whole > columns && continued.length + whole <= columns) goOn()
    for (const character of part) {
      const width = widthOf(character)
      if (used + width > columns) goOn()
      current += character
      used += width
    }
  }
  return [...broken, current]
}

function widthOfText(text: string): number {
  return [...text].reduce((sum, character) => sum + widthOf(character), 0)
}
