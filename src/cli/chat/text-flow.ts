/**
 * Text that comes in pieces, as rows of a terminal. Every word of it is made visible (P9) and every row is indented, so
 * that nothing the agent says can begin a line as one of ours does. Rows are broken here and not by the terminal: the
 * one that is being written stands above the prompt and has to be exactly one.
 */
import { widthOf } from '../../display/render-text.ts'
import { visible } from '../output/safe-text.ts'

export interface TextFlow {
  /** Gives the rows that are done. */
  push(delta: string): string[]
  /** The row that is being written, with what there is of its last word. */
  current(): string
  /** Nothing more comes: gives what is left. */
  end(): string[]
}

export const INDENT = '  '
const NARROWEST = 20
const BLANKS = ['\n', '\t', ' ']
/** So much of a word is waited for: what a character is shown as can depend on those around it. */
const MOST_WAITING = 32
/** More would push what was said before out of sight. */
const MOST_EMPTY_ROWS = 2

export function createTextFlow(columns: () => number): TextFlow {
  let waiting = ''
  let row = ''
  let used = 0
  let emptyRows = 0
  let done: string[] = []
  const room = () => Math.max(columns(), NARROWEST) - INDENT.length - 1

  function breakRow(): void {
    const text = row.trimEnd()
    emptyRows = text === '' ? emptyRows + 1 : 0
    if (emptyRows <= MOST_EMPTY_ROWS) done.push(text === '' ? '' : INDENT + text)
    row = ''
    used = 0
  }

  function place(word: string): void {
    if (word === '\n') {
      breakRow()
      return
    }
    const text = /^[ \t]+$/.test(word) ? word.replaceAll('\t', '    ') : visible(word)
    const width = widthOfText(text)
    // A blank never begins a row that was broken for it; what follows it does.
    if (used + width > room() && text.trim() === '') {
      used = room()
      return
    }
    const isWords = width <= room() && width === text.length
    if (used + width > room() && isWords) breakRow()
    for (const character of text) {
      const wide = widthOf(character)
      if (used + wide > room()) breakRow()
      row += character
      used += wide
    }
  }

  function take(text: string): void {
    for (const word of text.split(/(\n|[ \t]+)/)) if (word !== '') place(word)
  }

  function taken(): string[] {
    const rows = done
    done = []
    return rows
  }

  return {
    push(delta) {
      waiting += delta
      const whole = waiting.slice(0, 1 + Math.max(...BLANKS.map((blank) => waiting.lastIndexOf(blank))))
      take(whole)
      waiting = waiting.slice(whole.length)
      if (waiting.length > MOST_WAITING) {
        const last = /.(?:\p{M}|\u200d|\ufe0f)*$/su.exec(waiting)?.index ?? waiting.length
        take(waiting.slice(0, last))
        waiting = waiting.slice(last)
      }
      return taken()
    },
    current() {
      // Half of a character is shown when the other half is there.
      const text = row + visible(waiting.replace(/[\ud800-\udbff]$/, ''))
      return text === '' ? '' : INDENT + clip(text, room())
    },
    end() {
      take(waiting)
      waiting = ''
      if (row !== '') breakRow()
      emptyRows = 0
      return taken()
    },
  }
}

export function widthOfText(text: string): number {
  return [...text].reduce((sum, character) => sum + widthOf(character), 0)
}

/** As much of it as fits, with a mark where something is left out. */
export function clip(text: string, columns: number): string {
  if (widthOfText(text) <= columns) return text
  let kept = ''
  let used = 1
  for (const character of text) {
    used += widthOf(character)
    if (used > columns) break
    kept += character
  }
  return `${kept}…`
}
