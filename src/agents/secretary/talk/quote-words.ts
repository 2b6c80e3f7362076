/**
 * What a session said or does, within an answer of ours: made visible, its secrets masked, and each line behind a bar, so that none of
 * it can be taken for our words (P9).
 */
import { createTextMasks } from '../../../display/masks/mask-text.ts'
import { leftOutMark, shorten } from '../../../display/text/shorten.ts'
import { makeVisible } from '../../../display/text/visible.ts'

const BAR = '│ '
const MAX_READ = 20_000

/** In one line, ours to put between quotes or words: a name, a path, what a person wrote. */
export function nameOf(text: string, longest = 120): string {
  return shortened(makeVisible(text.slice(0, MAX_READ)).text, longest)
}

/** A line that was made visible before. */
export function barred(line: string): string {
  return `${BAR}${line}`
}

export function quoteLines(text: string, longest: number): string {
  return shortened(createTextMasks()(text.slice(0, MAX_READ).toWellFormed().trim()), longest)
    .split('\n')
    .map(barred)
    .join('\n')
}

/** Whether it is a line of `quoteLines`. */
export function isQuoted(line: string): boolean {
  return line.startsWith(BAR)
}

function shortened(visible: string, longest: number): string {
  const { head, tail, leftOut } = shorten(visible, longest)
  return leftOut === 0 ? head : `${head}${leftOutMark(leftOut)}${tail}`
}
