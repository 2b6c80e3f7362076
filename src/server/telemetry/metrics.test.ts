import { expect, it } from 'vitest'
import { createMetrics } from './metrics.ts'

it('counts verdicts, decisions and endings, and how long people took', () => {
  const metrics = createMetrics()
  metrics.observe({ kind: 'verdict', verdict: 'ask' })
  metrics.observe({ kind: 'verdict', verdict: 'ask' })
  metrics.observe({ kind: 'verdict', verdict: 'allow' })
  metrics.observe({ kind: 'decided', decision: 'approve', waitedMs: 1500 })
  metrics.observe({ kind: 'decided', decision: 'reject', waitedMs: 7_200_000 })
  metrics.observe({ kind: 'ended', state: 'expired' })
  const lines = metrics.text({ banksman_requests_pending: 4 }).split('\n')
  for (const line of [
    'banksman_requests_pending 4',
    'banksman_verdicts_total{verdict="ask"} 2',
    'banksman_verdicts_total{verdict="allow"} 1',
    'banksman_decisions_total{decision="approve"} 1',
    'banksman_requests_ended_total{state="expired"} 1',
    'banksman_time_to_decide_seconds_bucket{le="1"} 0',
    'banksman_time_to_decide_seconds_bucket{le="2"} 1',
    'banksman_time_to_decide_seconds_bucket{le="14400"} 2',
    'banksman_time_to_decide_seconds_bucket{le="+Inf"} 2',
    'banksman_time_to_decide_seconds_sum 7201.5',
  ]) {
    expect(lines).toContain(line)
  }
})
