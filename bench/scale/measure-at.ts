/** One line of a plot: a figure at each size, its median over the rounds with the lowest and the highest. */
import type { SharedServer } from '../stores/servers.ts'
import type { Plot, Series } from './plot.ts'

export interface ScaleOptions {
  rounds: number
  /** No size above this is tried. */
  largest: number
}

export type Measure = (
  servers: readonly SharedServer[],
  options: ScaleOptions,
) => Promise<[name: string, plot: Plot][]>

export function pointAt(x: number, rounds: readonly number[]): Series['points'][number] {
  const sorted = [...rounds].sort((one, other) => one - other)
  return { x, y: sorted[Math.floor(sorted.length / 2)]!, low: sorted[0]!, high: sorted.at(-1)! }
}

export async function severalTimes(rounds: number, work: () => Promise<number>): Promise<number[]> {
  const results: number[] = []
  for (let round = 0; round < rounds; round++) results.push(await work())
  return results
}
