/** Written by `npm run generate:wire` from src/wire/demonstration.ts; don't edit. */
// biome-ignore-all format: written by a program

/** How the demonstration stands. */
export interface WireDemonstration {
  /** absent: the server was not started with it. ready: it can be run. */
  state: 'absent' | 'ready' | 'running'
  /** The conversation of its newest run. */
  session?: string
}
