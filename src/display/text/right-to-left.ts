/**
 * Finds what is written from right to left. Wherever such a word stands, a screen also turns round the signs and digits next to
 * it: `cat ALEF > BET`, in Hebrew letters, is drawn as `cat BET > ALEF` (P9). Whatever lays text out puts each of these runs
 * in a box of its own, which keeps the order of all that is around it; within the run it reads as its writing does.
 */
export interface DirectionRun {
  text: string
  isRightToLeft: boolean
}

/** One after another the runs say the text. A blank, a sign and a digit that is not Arabic end a run from right to left. */
export function directionRuns(text: string): DirectionRun[] {
  const runs: DirectionRun[] = []
  let at = 0
  const add = (end: number, isRightToLeft: boolean): void => {
    if (end > at) runs.push({ text: text.slice(at, end), isRightToLeft })
    at = end
  }
  for (const match of text.matchAll(RIGHT_TO_LEFT_RUN)) {
    add(match.index, false)
    add(match.index + match[0].length, true)
  }
  add(text.length, false)
  return runs
}

export function hasRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text)
}

/**
 * The blocks that Unicode keeps for writing from right to left, letters to come included. They hold more than the scripts do:
 * signs that several scripts share, such as the Arabic question mark, and Arabic digits, which turn what is between them round.
 */
const BLOCKS = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}'
const RIGHT_TO_LEFT = new RegExp(`[${BLOCKS}]`, 'v')
/** A mark belongs to the letter that it stands on, whichever that is. */
const RIGHT_TO_LEFT_RUN = new RegExp(`[[${BLOCKS}]--\\p{M}][${BLOCKS}\\p{M}]*`, 'gv')
