/** Fetches a part of the page, and gives up after a while: a connection that takes the request and says nothing has no end of its own. */

/** How long the page waits for any answer, of the server or of the browser, before it says so and offers to try again. */
export const ANSWER_WITHIN_MS = 20_000

/** For what goes through the whole record. */
export const LONG_ANSWER_WITHIN_MS = 300_000

export function loadWithin<T>(load: () => Promise<T>, withinMs = ANSWER_WITHIN_MS): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`nothing came within ${withinMs / 1000} s`)), withinMs)
    load()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}
