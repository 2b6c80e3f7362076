/** Written by `npm run generate:wire` from src/wire/journal.ts; don't edit. */
// biome-ignore-all format: written by a program

export interface WireChain {
  chain: string
  /** The number of its last entry. */
  last: number
}

export interface WireJournalEntry {
  chain: string
  n: number
  type: string
  request?: string
  version?: number
  /** The text that was hashed. */
  body: string
}

/** What the server says of its journal. The findings are for reading. */
export interface WireJournalReport {
  /** No problem was found. How much that is worth, each chain says. */
  ok: boolean
  entries: number
  requests: number
  chains: { chain: string; [member: string]: unknown }[]
  problems: { kind: string; message: string; [member: string]: unknown }[]
  /** How many more problems there were than are listed. */
  omitted: number
}
