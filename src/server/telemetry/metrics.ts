/** Counts what happens, and writes it in the text format that Prometheus reads. */
import type { Measurement } from '../../gateway/gateway-parts.ts'

export interface Metrics {
  observe(measurement: Measurement): void
  /** `gauges` are read at the moment of the question. */
  text(gauges: Record<string, number>): string
}

/** Seconds. People answer in seconds when they look, and in hours when they don't. */
const WAIT_BUCKETS = [1, 2, 5, 10, 30, 60, 300, 900, 3600, 14_400, 86_400]

export function createMetrics(): Metrics {
  const counters = new Map<string, number>()
  const buckets = new Array<number>(WAIT_BUCKETS.length).fill(0)
  let waits = 0
  let waitedSeconds = 0

  const count = (name: string, label: string, value: string) => {
    const key = `${name}{${label}="${value}"}`
    counters.set(key, (counters.get(key) ?? 0) + 1)
  }

  return {
    observe(measurement) {
      switch (measurement.kind) {
        case 'verdict':
          return count('banksman_verdicts_total', 'verdict', measurement.verdict)
        case 'opened':
          return count('banksman_requests_opened_total', 'state', measurement.state)
        case 'ended':
          return count('banksman_requests_ended_total', 'state', measurement.state)
        case 'decided': {
          count('banksman_decisions_total', 'decision', measurement.decision)
          const seconds = Math.max(0, measurement.waitedMs / 1000)
          waits++
          waitedSeconds += seconds
          for (const [index, bound] of WAIT_BUCKETS.entries()) if (seconds <= bound) buckets[index]!++
        }
      }
    },
    text(gauges) {
      const lines: string[] = []
      for (const [name, value] of Object.entries(gauges))
        lines.push(`# TYPE ${name} gauge`, `${name} ${value}`)
      const names = new Set([...counters.keys()].map((key) => key.slice(0, key.indexOf('{'))))
      for (const name of [...names].sort()) {
        lines.push(`# TYPE ${name} counter`)
        for (const [key, value] of [...counters].sort())
          if (key.startsWith(`${name}{`)) lines.push(`${key} ${value}`)
      }
      const wait = 'banksman_time_to_decide_seconds'
      lines.push(`# TYPE ${wait} histogram`)
      for (const [index, bound] of WAIT_BUCKETS.entries())
        lines.push(`${wait}_bucket{le="${bound}"} ${buckets[index]}`)
      lines.push(
        `${wait}_bucket{le="+Inf"} ${waits}`,
        `${wait}_sum ${waitedSeconds}`,
        `${wait}_count ${waits}`,
      )
      return `${lines.join('\n')}\n`
    },
  }
}
