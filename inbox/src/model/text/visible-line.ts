/** Text from outside on one line, with what can't be seen written out (P9). */
import { makeVisible } from '../../../../src/display/text/visible.ts'

export function visible(text: string): string {
  return makeVisible(text).text
}

/** The same for text of several lines. */
export function visibleBlock(text: string): string {
  return makeVisible(text, { lines: 'keep' }).text
}
