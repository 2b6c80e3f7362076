/**
 * The rendered call as lines. The rendering puts a tool's text behind a bar, so that nothing in it can pass for a
 * line of ours; on the page the bar is drawn beside the line, however often the line wraps.
 */
import type { WireRendering } from '../../../../src/client/index.ts'

export interface CallLine {
  kind: 'own' | 'tool' | 'added' | 'removed'
  text: string
}

const BAR = '  │ '
/** A row of a difference: the line's number, then the sign. */
const DIFF_ROW = /^ *\d* ([-+ ]) /

export function callLines({ text }: Pick<WireRendering, 'text'>): CallLine[] {
  const lines = withoutHead(text.split('\n'))
  const shown: CallLine[] = []
  for (let at = 0; at < lines.length; ) {
    const block = blockAt(lines, at)
    if (block.length === 0) shown.push({ kind: 'own', text: lines[at++]! })
    else {
      for (const line of toolLines(block)) shown.push(line)
      at += block.length
    }
  }
  return shown
}

/** The page shows the tool and the warnings above. No line of a tool's begins like a warning: it stands behind a bar. */
function withoutHead([, ...lines]: string[]): string[] {
  const first = lines.findIndex((line) => !line.startsWith('! '))
  return first === -1 ? [] : lines.slice(first)
}

/** The lines behind the bar that begin here, without it. */
function blockAt(lines: string[], from: number): string[] {
  let to = from
  while (lines[to]?.startsWith(BAR)) to++
  return lines.slice(from, to).map((line) => line.slice(BAR.length))
}

/** A colour only where every line is a row of a difference: one lucky line of code must not look like one. */
function toolLines(block: string[]): CallLine[] {
  const signs = block.map((line) => DIFF_ROW.exec(`${line} `)?.[1])
  const isDiff = !signs.includes(undefined)
  return block.map((text, index) => {
    const sign = isDiff ? signs[index] : undefined
    return { kind: sign === '+' ? 'added' : sign === '-' ? 'removed' : 'tool', text }
  })
}
