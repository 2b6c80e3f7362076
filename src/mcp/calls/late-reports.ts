/**
 * Outcomes of calls that nobody was asked about, reported together when it is quiet: each would be a commit of its own, and the next call would wait
 * for it. If the proxy is killed meanwhile, what became of these few calls is not known.
 */

export interface LateReports {
  add(report: () => Promise<void>): void
  /** Sends what there is. Never rejects. */
  flush(): Promise<void>
}

const QUIET_MS = 200
const LATEST_MS = 2_000
const MOST = 64

export function createLateReports(): LateReports {
  let reports: (() => Promise<void>)[] = []
  let since = 0
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    const together = reports
    reports = []
    await Promise.allSettled(together.map((report) => report()))
  }

  return {
    add(report) {
      if (reports.length === 0) since = performance.now()
      reports.push(report)
      clearTimeout(timer)
      if (reports.length >= MOST || performance.now() - since > LATEST_MS) void flush()
      else timer = setTimeout(() => void flush(), QUIET_MS)
    },
    flush,
  }
}
