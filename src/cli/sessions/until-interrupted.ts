/** Work that a person watches, and leaves with Ctrl-C. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Undefined when they left before it was over. */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const stop = new AbortController()
  const leave = () => stop.abort()
  for (const name of SIGNALS) process.on(name, leave)
  try {
    return await work(stop.signal)
  } catch (error) {
    if (stop.signal.aborted) return undefined
    throw error
  } finally {
    for (const name of SIGNALS) process.off(name, leave)
  }
}
