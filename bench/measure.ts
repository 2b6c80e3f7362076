/**
 * Rounds, interleaved: in every round each contestant runs once, so that a busy neighbour on the machine slows all of
 * them alike. What is reported is the median and the range over the rounds, and ratios that were formed within a round.
 */
export interface Contestant {
  name: string
  unit: string
  /** Gives the figure of one round. */
  run(): Promise<number> | number
}

export interface Figure {
  name: string
  unit: string
  median: number
  min: number
  max: number
  rounds: number[]
}

export async function interleave(contestants: readonly Contestant[], rounds: number): Promise<Figure[]> {
  const results = contestants.map(() => [] as number[])
  for (let round = 0; round < rounds; round++) {
    for (const [index, contestant] of contestants.entries()) results[index]!.push(await contestant.run())
  }
  return contestants.map(({ name, unit }, index) => figure(name, unit, results[index]!))
}

export function figure(name: string, unit: string, rounds: number[]): Figure {
  const sorted = [...rounds].sort((one, other) => one - other)
  const median = sorted[Math.floor(sorted.length / 2)]!
  return { name, unit, median, min: sorted[0]!, max: sorted.at(-1)!, rounds }
}

/** One figure as a share of another, formed round by round. */
export function ratio(name: string, of: Figure, to: Figure, factor = 1): Figure {
  return figure(
    name,
    'x',
    of.rounds.map((value, index) => value / (to.rounds[index]! * factor)),
  )
}

export async function perSecond(count: number, work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (count / (performance.now() - startedAt)) * 1000
}

export async function microsecondsEach(count: number, work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return ((performance.now() - startedAt) * 1000) / count
}

/** By the processor time of this thread and not by the clock, so that neighbours on the machine do not count. */
export async function perProcessorSecond(count: number, work: () => Promise<void>): Promise<number> {
  return (count / (await processorMs(work))) * 1000
}

export async function processorMs(work: () => Promise<void>): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}
