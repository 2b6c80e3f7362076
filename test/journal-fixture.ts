/** Journals for tests, written by the real writer and held in memory as a store would hold them. */
import type { JsonObject } from '../src/core/json.ts'
import { createSigner, generateSigningKey } from '../src/journal/checkpoint.ts'
import {
  type ChainHead,
  createChainWriter,
  type Entry,
  type EntryType,
  genesis,
  nextHash,
} from '../src/journal/entry.ts'
import type { Problem } from '../src/journal/problems.ts'
import { type JournalSource, pageJournal } from '../src/journal/source.ts'
import { trustKeys } from '../src/journal/trusted-keys.ts'
import type { JournalReport } from '../src/journal/verify.ts'

export const signer = createSigner(generateSigningKey().privateKey)
export const keys = trustKeys(signer.publicKey)

export interface Step {
  type: EntryType
  members?: JsonObject
  about?: { request: string; version: number }
}

/** Writes the steps in groups: all drafts of a group are made before the first of them is committed. */
export function writeChain(chain: string, steps: readonly Step[], groupSize = 1): Entry[] {
  const writer = createChainWriter(chain)
  const entries: Entry[] = []
  for (let start = 0; start < steps.length; start += groupSize) {
    const drafts = steps
      .slice(start, start + groupSize)
      .map(({ type, members = {}, about }, index) => writer.draft(type, 1000 + start + index, members, about))
    for (const { committed, follows: _, ...content } of drafts) {
      const n = entries.length + 1
      entries.push({ ...content, n })
      committed(n)
    }
  }
  return entries
}

/** Steps that belong to no request. */
export function plainSteps(count: number): Step[] {
  return Array.from({ length: count }, (_, index) => ({ type: 'calls.judged', members: { index } }))
}

export function journalOf(...chains: Entry[][]): JournalSource {
  return pageJournal(pagerOf(...chains), 3)
}

export function pagerOf(...chains: Entry[][]) {
  const byName = new Map(chains.map((entries) => [entries[0]?.chain ?? 'empty', entries]))
  return {
    chains: async () => {
      return [...byName].map(([chain, entries]) => ({ chain, last: entries.at(-1)?.n ?? 0 }))
    },
    read: async (chain: string, after: number, limit: number) => {
      return (byName.get(chain) ?? []).filter((entry) => entry.n > after).slice(0, limit)
    },
  }
}

/** Numbers them 1, 2, 3 …, as someone would who covers their tracks. */
export function renumber(entries: readonly Entry[]): Entry[] {
  return entries.map((entry, index) => ({ ...entry, n: index + 1 }))
}

export function headOf(entries: readonly Entry[], n = entries.length): ChainHead {
  return entries.slice(0, n).reduce((head, entry) => nextHash(head, entry.body), genesis(entries[0]!.chain))
}

/** Signed by `signer`. */
export function checkpointOf(entries: readonly Entry[], n = entries.length) {
  return signer.checkpoint(entries[0]!.chain, headOf(entries, n), 1)
}

export function problemsOf(report: JournalReport): Problem[] {
  return [...report.problems, ...report.chains.flatMap((chain) => chain.problems)]
}

export function kindsOf(report: JournalReport): string[] {
  return problemsOf(report).map((problem) => problem.kind)
}
