/** Written by `npm run generate:wire` from src/wire/node.ts; don't edit. */
// biome-ignore-all format: written by a program

/** One server of those that share a store. */
export interface WireNode {
  id: string
  /** Where the node itself says that it listens. */
  url: string
  version: string
  /** Of the policy in force there. */
  policyVersion: string
  owner: string
  startedAt: string
  /** Until then it counts as alive if nothing more is heard of it. */
  until: string
  /** Whether it is the one that answers. */
  self: boolean
}
