/**
 * How long to wait before trying again. It doubles with each failure, so that a server that is down is not
 * hammered; half of it is chance, so that a thousand pages that lost the same server don't come back in step.
 */

/** Short enough that a restart of the server is hardly noticed. */
const FIRST_MS = 500
/** A person may be waiting for the page: more than this looks like it gave up. */
const LONGEST_MS = 15_000

/** `failures` is how many there were in a row, at least one; `chance` is from 0 to 1. */
export function backOffMs(failures: number, chance: number): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 30))
  return Math.round(whole / 2 + (whole / 2) * chance)
}
