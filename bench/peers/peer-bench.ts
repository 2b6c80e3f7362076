/** One comparison with others, as `run.ts` runs it. */
import type { Figure } from '../measure.ts'

export interface PeerBench {
  /** Installs what is compared where it is not there yet, and gives its versions. */
  install(): Record<string, string>
  /** Gives the figures a group at a time. */
  run(rounds: number): AsyncIterable<{ name: string; figures: Figure[] }>
}
