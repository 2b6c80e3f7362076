/**
 * How much work a check may be, counted rather than timed, so that the same schema has the same answer everywhere.
 *
 * A step takes 20 to 100 ns of a processor, so a whole check is below 100 ms. The schemas of real tools come to some
 * hundred steps, and a list of 10,000 entries to some 100,000.
 */
const MAX_STEPS = 1_000_000
/** Each level of a schema takes a few frames of the stack, which has room for some thousand. */
export const MAX_CHECK_DEPTH = 200

/** Says why, in words that follow "the tool's schema can't be read". */
export class UnreadableSchema extends Error {}

/** It may be a schema; nobody has the time to find out. */
export class ExpensiveSchema extends UnreadableSchema {}

export class SchemaWork {
  #left: number

  constructor(steps = MAX_STEPS) {
    this.#left = steps
  }

  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new ExpensiveSchema('checking anything against it would take too long')
  }
}
