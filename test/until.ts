import { setTimeout as pause } from 'node:timers/promises'

const LOOK_EVERY_MS = 5
const GIVE_UP_AFTER_MS = 60_000

/**
 * Looks until the condition holds. No test waits for a fixed time, or for a number of turns of the event loop:
 * on a busy machine that is too short, on an idle one too long. Whatever has not happened after a minute
 * is not going to.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what = 'what the test waits for',
): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_AFTER_MS
  while (!(await condition())) {
    if (performance.now() > giveUpAt)
      throw new Error(`not within ${GIVE_UP_AFTER_MS / 1000} seconds: ${what}`)
    await pause(LOOK_EVERY_MS)
  }
}
