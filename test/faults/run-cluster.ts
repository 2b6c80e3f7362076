/** One run: a cluster under load, something breaks and is mended, and then the audit. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Store } from '../../src/stores/store.ts'
import { until } from '../fixtures/until.ts'
import { type Audit, audit } from './audit.ts'
import { type Cluster, type ClusterOptions, startCluster } from './cluster.ts'
import { startLoad } from './load.ts'

/** The whole set, with pauses past every lease: `npm run test:faults`. Without it, the shortest of each kind. */
export const isLong = process.env.BANKSMAN_FAULTS === 'long'

/** Longer than any lease of a node: 30 s. */
export const PAST_LEASE_MS = 36_000

const CALM_MS = isLong ? 3000 : 1200

export interface FaultRun {
  name: string
  cluster: ClusterOptions
  openStore: () => Promise<Store>
  fault: (cluster: Cluster) => Promise<void>
}

export async function runFault({ name, cluster: options, openStore, fault }: FaultRun): Promise<Audit> {
  const cluster = await startCluster(options)
  try {
    const load = startLoad(cluster)
    const decided = () => load.ledger.decisions.length
    await sleep(CALM_MS)
    // It did work before, and goes on by itself once it is mended, however slow the machine is.
    await until(() => decided() > 0, 'something was decided before the fault')
    const before = decided()
    await fault(cluster)
    const during = decided()
    await sleep(CALM_MS)
    await until(() => decided() > during, 'something was decided after the fault')
    await load.stop()
    const store = await openStore()
    try {
      const found = await audit(store, load.ledger)
      tell(name, found, load.ledger.errors, { before, during, after: decided() })
      return found
    } finally {
      await store.close()
    }
  } finally {
    await cluster.dispose()
  }
}

/** For stores that keep what they acknowledged. */
export function expectNothingLost({ lost, broken, journal }: Audit): void {
  expect(lost).toEqual([])
  expect(broken).toEqual([])
  expect(journal.ok).toBe(true)
}

function tell(
  name: string,
  found: Audit,
  errors: ReadonlyMap<string, number>,
  acknowledged: Record<string, number>,
): void {
  const said = {
    run: name,
    requests: found.opened,
    decided: found.decided,
    runs: found.runs,
    lost: found.lost.length,
    lostSteps: found.lostSteps,
    reportedLost: found.replaced.reduce((sum, entry) => sum + entry.lost, 0),
    broken: found.broken.length,
    chains: found.journal.chains.length,
    entries: found.journal.entries,
    replaced: found.replaced.length,
    acknowledged,
    triedAgain: Object.fromEntries(errors),
  }
  console.log(`fault run ${JSON.stringify(said)}`)
}
