/**
 * How the lines of a difference are made visible, so that no change is only blank (P9). In lines that were added or removed the
 * blanks at the end are spelled out. Where such a line differs from one that was removed or added beside it in nothing but
 * blanks, its tabs are spelled out too: they could be the spaces of the other one.
 */
import type { VisibleOptions } from '../text/visible.ts'

/** A line, or a row that stands for lines that are not shown. */
export interface ComparedLine {
  kind: string
  text: string
}

/** The lines come in order; the answer is asked for those that are shown. */
export function blanksIn(lines: readonly ComparedLine[]): (line: ComparedLine) => VisibleOptions {
  const withTabs = linesWithDoubtfulTabs(lines)
  return (line) => {
    if (!isChanged(line)) return { lines: 'keep' }
    return { lines: 'keep', end: 'mark', ...(withTabs.has(line) ? { tabs: 'mark' } : {}) }
  }
}

function isChanged({ kind }: ComparedLine): boolean {
  return kind === 'removed' || kind === 'added'
}

function linesWithDoubtfulTabs(lines: readonly ComparedLine[]): ReadonlySet<ComparedLine> {
  const doubtful = new Set<ComparedLine>()
  let run: ComparedLine[] = []
  const judgeRun = (): void => {
    if (run.some(({ text }) => text.includes('\t'))) {
      for (const line of differingInBlanks(run)) doubtful.add(line)
    }
    run = []
  }
  for (const line of lines) {
    if (isChanged(line)) run.push(line)
    else judgeRun()
  }
  judgeRun()
  return doubtful
}

/** Those of a run of changes that have a counterpart with the same words and other blanks. */
function differingInBlanks(run: readonly ComparedLine[]): ComparedLine[] {
  const texts = new Map<string, Set<string>>()
  const keyOf = (kind: string, words: string): string => `${kind} ${words}`
  const entries = run.map((line) => ({ line, words: line.text.replace(BLANKS, '') }))
  for (const { line, words } of entries) {
    const key = keyOf(line.kind, words)
    texts.set(key, (texts.get(key) ?? new Set()).add(line.text))
  }
  return entries
    .filter(({ line, words }) => {
      const others = texts.get(keyOf(line.kind === 'added' ? 'removed' : 'added', words))
      return others !== undefined && (others.size > 1 || !others.has(line.text))
    })
    .map(({ line }) => line)
}

const BLANKS = /\s+/g
