/**
 * What goes wrong in a world. Every seed draws which kinds there are in it, and how often: where everything fails at
 * once hardly anything gets far enough to fail in an interesting way.
 */
import type { SeededRandom } from './random.ts'

export const FAULT_KINDS = [
  // messages between clients and nodes
  'message dropped',
  'message delayed',
  'message duplicated',
  'reply dropped',
  'client went to another node',
  // nodes and their store
  'store slow',
  'store failed before',
  'store failed after',
  'store full',
  'store cut off',
  // hints
  'hint dropped',
  'hint delayed',
  'hint duplicated',
  'watch cut off',
  // nodes
  'node crashed',
  'node closed',
  'node paused',
  'node clock jumped',
  'store clock jumped',
  // the rest of the world
  'channel failed',
  'channel slow',
  'facts changed',
  'agent died',
  'presence left',
] as const

export type FaultKind = (typeof FAULT_KINDS)[number]

export interface Faults {
  /** Whether it happens now; counted if it does. Never once the quiet phase has begun. */
  strikes(kind: FaultKind): boolean
  /** How often, between 0 and 1; for faults that are planned ahead. */
  rate(kind: FaultKind): number
  count(kind: FaultKind): void
  /** From here on nothing goes wrong any more. */
  quieten(): void
  isQuiet(): boolean
  readonly counts: Record<FaultKind, number>
}

/** How often each kind strikes at most, in one chance of its own. */
const MOST: Record<FaultKind, number> = {
  'message dropped': 0.2,
  'message delayed': 0.3,
  'message duplicated': 0.2,
  'reply dropped': 0.2,
  'client went to another node': 0.6,
  'store slow': 0.3,
  'store failed before': 0.08,
  'store failed after': 0.08,
  'store full': 0.05,
  'store cut off': 1,
  'hint dropped': 0.3,
  'hint delayed': 0.5,
  'hint duplicated': 0.3,
  'watch cut off': 1,
  'node crashed': 1,
  'node closed': 1,
  'node paused': 1,
  'node clock jumped': 1,
  'store clock jumped': 0.5,
  'channel failed': 0.3,
  'channel slow': 0.3,
  'facts changed': 0.5,
  'agent died': 0.1,
  'presence left': 1,
}

/** @param without Kinds that never strike in this world, whatever the seed says. */
export function createFaults(random: SeededRandom, without: readonly FaultKind[] = []): Faults {
  const rates = {} as Record<FaultKind, number>
  const counts = {} as Record<FaultKind, number>
  for (const kind of FAULT_KINDS) {
    const rate = random.chance(0.5) ? MOST[kind] * random.fraction() : 0
    rates[kind] = without.includes(kind) ? 0 : rate
    counts[kind] = 0
  }
  let quiet = false
  return {
    strikes(kind) {
      if (quiet || !random.chance(rates[kind])) return false
      counts[kind]++
      return true
    },
    rate: (kind) => rates[kind],
    count(kind) {
      counts[kind]++
    },
    quieten() {
      quiet = true
    },
    isQuiet: () => quiet,
    counts,
  }
}
