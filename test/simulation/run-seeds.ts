/** Many seeds, one after another, until a promise is broken; and what they came to together. */

import { type SimulationResult, simulate } from './simulate.ts'
import { FAULT_KINDS, type FaultKind } from './world/faults.ts'
import { emptyTally, type Tally } from './world/world.ts'

export interface Summary {
  seeds: number
  steps: number
  virtualMs: number
  tally: Tally
  faults: Record<FaultKind, number>
  /** The first seed that broke a promise. */
  broken?: SimulationResult
}

export function emptySummary(): Summary {
  const faults = Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0])) as Record<FaultKind, number>
  return { seeds: 0, steps: 0, virtualMs: 0, tally: emptyTally(), faults }
}

export async function runSeeds(from: number, count: number): Promise<Summary> {
  const summary = emptySummary()
  for (let seed = from; seed < from + count; seed++) {
    const result = await simulate(seed)
    summary.seeds++
    summary.steps += result.steps
    summary.virtualMs += result.virtualMs
    addCounts(summary.tally, result.tally)
    addCounts(summary.faults, result.faults)
    if (result.broken === undefined) continue
    summary.broken = result
    break
  }
  return summary
}

/** Puts what another run came to on top; of two broken seeds the lower one is kept. */
export function addSummary(sum: Summary, more: Summary): void {
  sum.seeds += more.seeds
  sum.steps += more.steps
  sum.virtualMs += more.virtualMs
  addCounts(sum.tally, more.tally)
  addCounts(sum.faults, more.faults)
  if (more.broken !== undefined && (sum.broken === undefined || more.broken.seed < sum.broken.seed))
    sum.broken = more.broken
}

function addCounts<K extends string>(sum: Record<K, number>, more: Record<K, number>): void {
  for (const key of Object.keys(more) as K[]) sum[key] += more[key]
}

/** Which kinds of faults the same promise is broken without, left out one after another. */
export async function leaveOutFaults({ seed, broken, faults }: SimulationResult): Promise<FaultKind[]> {
  let without: FaultKind[] = FAULT_KINDS.filter((kind) => faults[kind] === 0)
  for (const kind of FAULT_KINDS) {
    if (faults[kind] === 0) continue
    const tried = await simulate(seed, { without: [...without, kind] })
    if (tried.broken?.promise === broken?.promise) without = [...without, kind]
  }
  return without
}

const LINES_SHOWN = 40

/** What to print of a seed that broke a promise. */
export function describeBroken({ seed, broken, trace, hash }: SimulationResult): string {
  return [
    ...trace.slice(-LINES_SHOWN),
    '',
    `seed ${seed} broke ${broken?.promise}: ${broken?.words}`,
    `the whole trace (${trace.length} lines, ${hash.slice(0, 16)}): npm run simulate -- --seed ${seed}`,
  ].join('\n')
}
