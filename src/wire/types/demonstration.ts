/** Written by `npm run generate:wire` from src/wire/demonstration.ts; don't edit. */
// biome-ignore-all format: written by a program
import type { DemonstrationState } from '../../core/demonstration.ts'

/** How the demonstration stands. */
export interface WireDemonstration {
  state: DemonstrationState
  /** The conversation of its newest run. */
  session?: string
}
