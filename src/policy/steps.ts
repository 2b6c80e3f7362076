/**
 * How much work one look at a call may be, counted in steps and never in time: the same call is too much everywhere, or
 * nowhere. Limits on the length of a line don't bound the work, since a reader may look at each word once for each other
 * word, and look into what a program runs once for each program in it.
 *
 * - Every loop over the words of a command spends its steps before it runs, so that no reader can be forgotten by another one.
 * - Judging is synchronous. So one variable holds the steps that are left, and no reader has to hand them on.
 * - Whoever runs out throws `LineTooLong`. Only `compile-policy.ts` and the reader of lines catch it.
 */

/** One step is one word looked at by one reader, or one rule tried on one command: some 20 to 200 ns. */
export const MAX_STEPS = 1_000_000

/** Ends the reading or the judging of a line. What was found until then stays. */
export class LineTooLong extends Error {}

let left = Number.POSITIVE_INFINITY

export function spendSteps(steps: number): void {
  left -= steps
  if (left < 0) throw new LineTooLong('steps')
}

/** Runs the work with so many steps, or with what is left around it where that is less. */
export function withSteps<T>(steps: number, work: () => T): T {
  const around = left
  const given = Math.min(around, steps)
  left = given
  try {
    return work()
  } finally {
    left = around - (given - left)
  }
}
