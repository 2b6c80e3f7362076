/** What all parts of a simulated world know of each other. */
import type { Request } from '../../../src/core/request.ts'
import type { Ledger } from '../laws/ledger.ts'
import type { ToldChecks } from '../laws/told-checks.ts'
import type { Faults } from './faults.ts'
import type { Machine } from './machine.ts'
import type { SeededRandom } from './random.ts'
import type { Scheduler } from './scheduler.ts'
import type { SharedStore } from './shared-store.ts'
import type { Theme } from './theme.ts'

export interface World {
  readonly seed: number
  readonly random: SeededRandom
  readonly scheduler: Scheduler
  readonly theme: Theme
  readonly faults: Faults
  readonly tally: Tally
  readonly shared: SharedStore
  /** What is true: every commit. */
  readonly ledger: Ledger
  /** What anyone was told, and what was run. */
  readonly hearing: ToldChecks
  readonly machines: readonly Machine[]
  /** Raised when the world changes under a call that was judged. */
  facts: number
  /** Told when people see a request in a channel: somebody may answer before the channel has returned. */
  isShown: (request: Request) => void
  /** Somebody does this besides. The world comes to rest when all have finished. */
  begin(name: string, work: () => Promise<void>): void
  /** A promise was broken. The first one counts: the world stops after this step. */
  broken(promise: string, words: string): void
}

export type Tally = {
  calls: number
  decisions: number
  runs: number
  /** Claims and holds that were given back, and keys that were barred. */
  released: number
  /** Requests and records that follow a request of the same call. */
  successors: number
  /** Results of earlier runs that were given to whoever made the call again. */
  replayed: number
  commits: number
}

/** When a world begins, by every clock that has not jumped. */
export const EPOCH = 1_700_000_000_000

export function emptyTally(): Tally {
  return { calls: 0, decisions: 0, runs: 0, released: 0, successors: 0, replayed: 0, commits: 0 }
}
