/** What the server says of its journal. The findings are for reading; `journal/` says what each kind means. */
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
