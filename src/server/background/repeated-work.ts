/**
 * Work that is done again and again beside the server. One round at a time, however slow the store is; and a fault that
 * stays is told once, not every two seconds for as long as a database is away.
 */
export interface RepeatedWork {
  /** Does it now, or after the round that is under way; resolves when that is over, however it ended. */
  now(): Promise<void>
  /** Begins no other round, and waits for the one under way. */
  stop(): Promise<void>
}

export function startRepeatedWork(options: {
  /** For the report, as in "reading the tokens". */
  doing: string
  everyMs: number
  work: () => Promise<void>
  report: (fault: { doing: string; error: unknown }) => void
  /** Called when a round goes well after one that did not. */
  recovered?: () => void
}): RepeatedWork {
  const { doing, everyMs, work, report, recovered } = options
  let told: string | undefined
  let round: Promise<void> | undefined
  let stopped = false

  async function run(): Promise<void> {
    try {
      await work()
      if (told !== undefined && !stopped) recovered?.()
      told = undefined
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error)
      // What ends in the middle of a round because all of it ends is no fault.
      if (said !== told && !stopped) report({ doing, error })
      told = said
    }
  }
  function begin(): Promise<void> {
    round = run().finally(() => {
      round = undefined
    })
    return round
  }
  async function now(): Promise<void> {
    await round
    // Others that waited for the same round share the next.
    if (!stopped) await (round ?? begin())
  }

  const timer = setInterval(() => {
    if (round === undefined) begin()
  }, everyMs).unref()
  return {
    now,
    async stop() {
      stopped = true
      clearInterval(timer)
      await round
    },
  }
}
