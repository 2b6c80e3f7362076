/**
 * A log that a noisy hook can't fill: lines are cut, what can't be seen in them is made visible, and past so many in a while
 * they are only counted.
 */
import { makeVisible } from '../../../display/text/visible.ts'

const LINES = 50
const WINDOW_MS = 10_000
const LINE_LENGTH = 1000

export function createBoundedLog(
  write: (line: string) => void,
  now: () => number = () => performance.now(),
): (line: string) => void {
  let windowEndsAt = Number.NEGATIVE_INFINITY
  let written = 0
  let leftOut = 0

  return (line) => {
    const at = now()
    if (at >= windowEndsAt) {
      windowEndsAt = at + WINDOW_MS
      written = 0
      if (leftOut > 0) write(`${leftOut} more lines like these were left out`)
      leftOut = 0
    }
    if (written >= LINES) {
      leftOut++
      return
    }
    written++
    write(makeVisible(line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line).text)
  }
}
