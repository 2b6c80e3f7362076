/**
 * The rendered call as lines. The rendering puts a tool's text behind a bar, so that nothing in it can pass for a
 * line of ours; on the page the bar is drawn beside the line, however often the line wraps.
 */
import type { WireRendering } from '../../../src/client/index.ts'

export interface CallLine {
  kind: 'own' | 'tool' | 'added' | 'removed'
  text: string
}

const BAR = '  │ '
/** A row of a difference: the line's number, then the sign. */
const DIFF_ROW = /^ *\d* ([-+ ]) /

export function callLines({ title, warnings, text }: WireRendering): CallLine[] {
  const lines = withoutHead(text.split('\n'), title, warnings)
  return lines.map((line, index) => {
    if (!line.startsWith(BAR)) return { kind: 'own', text: line }
    const rest = line.slice(BAR.length)
    const sign = isInDiff(lines, index) ? DIFF_ROW.exec(rest)?.[1] : undefined
    return { kind: sign === '+' ? 'added' : sign === '-' ? 'removed' : 'tool', text: rest }
  })
}

/** The page shows the title and the warnings above; what is exactly that need not stand there twice. */
function withoutHead(lines: string[], title: string, warnings: string[]): string[] {
  const head = [title, ...warnings.map((warning) => `! ${warning}`)]
  return head.every((line, index) => lines[index] === line) ? lines.slice(head.length) : lines
}

/** Only where every line of the block is a row of a difference: a colour must not come from a lucky line of code. */
function isInDiff(lines: string[], index: number): boolean {
  let from = index
  while (lines[from - 1]?.startsWith(BAR)) from--
  for (let at = from; lines[at]?.startsWith(BAR); at++) {
    if (!DIFF_ROW.test(`${lines[at]!.slice(BAR.length)} `)) return false
  }
  return true
}
