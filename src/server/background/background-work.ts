/**
 * What a server does now and then, beside what it is asked for. What is to be done once for a store is done by one of the
 * nodes on it, whichever takes the lease; what is about this node's own folder, by each.
 */
import { createChainFollower, type FollowedHead } from '../journal/follow-chains.ts'
import type { Nodes } from './nodes.ts'
import { type RepeatedWork, startRepeatedWork } from './repeated-work.ts'

export interface BackgroundWorkParts {
  nodes: Nodes
  journal: Parameters<typeof createChainFollower>[0]
  /** The chain of this process. */
  chain: string
  sign(heads: readonly FollowedHead[]): void
  refreshDirectory(): Promise<void>
  /** Has what is trusted now hold, and tells others of it. */
  followConfiguration(): Promise<void>
  checkSchema(): Promise<void>
  /** Of the store. */
  eraseOld(): Promise<void>
  /** Of this node's folder. */
  eraseOldMedia(): Promise<void>
  report: (fault: { doing: string; error: unknown }) => void
  say: (line: string) => void
}

/** How soon a person's `banksman trust` takes effect. */
const REFRESH_MS = 2000
const RETENTION_EVERY_MS = 60 * 60_000
/** Whichever node begins with it has it for so long; another has it the next time. */
const RETENTION_LEASE_MS = 30 * 60_000
const SIGN_EVERY_MS = 60_000
/** Two rounds may fail before another node takes over. */
const SIGN_LEASE_MS = 150_000

export function startBackgroundWork(parts: BackgroundWorkParts): { close(): Promise<void> } {
  const { nodes, report } = parts
  const follower = createChainFollower(parts.journal, parts.chain)
  const doing = (what: string, everyMs: number, work: () => Promise<void>): RepeatedWork =>
    startRepeatedWork({ doing: what, everyMs, work, report })
  const erasing = [
    doing('erasing old arguments', RETENTION_EVERY_MS, () =>
      nodes.asOnlyOne('retention', RETENTION_LEASE_MS, parts.eraseOld),
    ),
    doing('erasing old media', RETENTION_EVERY_MS, parts.eraseOldMedia),
  ]
  for (const each of erasing) void each.now()
  const others = [
    // Tokens may have been made or revoked by another process on the same store. Nothing asks the store more often, so
    // this is what notices first that it is back.
    startRepeatedWork({
      doing: 'reading the tokens',
      everyMs: REFRESH_MS,
      work: parts.refreshDirectory,
      report,
      recovered: () => parts.say('the store answers again'),
    }),
    doing('reading the configuration; the last one holds', REFRESH_MS, parts.followConfiguration),
    doing('checking the schema of the store', SIGN_EVERY_MS, parts.checkSchema),
    doing('signing the chains of other nodes', SIGN_EVERY_MS, () =>
      nodes.asOnlyOne('checkpoints', SIGN_LEASE_MS, async () => parts.sign(await follower.round())),
    ),
  ]
  return {
    async close() {
      // There may be much to erase, and what is left is erased the next time.
      for (const each of erasing) void each.stop()
      await Promise.all(others.map((each) => each.stop()))
    },
  }
}
