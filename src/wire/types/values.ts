/** Written by `npm run generate:wire` from src/wire/values.ts; don't edit. */
// biome-ignore-all format: written by a program

export interface WireGrantTerms {
  /** The id of one of the request's suggestions; call without it. */
  suggestion?: string
  /** For how long, as in 15m, 8h or 30d; at most 365d. */
  expiresIn?: string
  /** For how many calls at most. */
  uses?: number
  /** With scope session: whether it covers the sessions, too, that this one starts. */
  includeSubSessions?: boolean
}
