/**
 * Checks one chain while its entries go by.
 *
 * The hashes are made anew from the bodies. Three things say what they should be: the `prev` of later entries,
 * what other chains remembered of this one, and signed checkpoints. Where a `prev` disagrees, the fault lies
 * between the last entry that was still vouched for and the one it speaks of, or in the speaker itself. From
 * there the check goes on with what that `prev` says, so that one changed entry is one problem and not one for
 * every entry after it; but nothing behind the first fault counts as vouched for or as proven any more.
 */

import type { ChainHead, Entry } from '../entry.ts'
import { createProblemList, nameRange, type Problem, quoteName } from '../problems.ts'
import { type RememberedHead, readEntryBody } from '../read-body.ts'
import { createHashWindow } from './hash-window.ts'

export interface ChainReport {
  chain: string
  /** How many entries were read. */
  entries: number
  /** The head as it follows from the bodies; null where a gap keeps it from being known. */
  head: ChainHead | null
  /** Entries 1 to this are covered by a signed checkpoint that was kept elsewhere. 0: none. */
  provenUpTo: number
  /** Entries 1 to this are what a later entry, in this chain or another, says they are. 0: none. */
  vouchedUpTo: number
  problems: Problem[]
  /** How many more problems there were than are listed. */
  omitted: number
}

/** What somebody says the hash of a chain is, or, without a hash, only how far the chain went. */
export interface Anchor {
  n: number
  hash?: string
  /** `checkpoint`: its signature was verified. */
  by: { kind: 'checkpoint' } | { kind: 'chain'; chain: string }
}

export interface ChainCheck {
  /** Gives the heads of other chains that the entry remembers. */
  add(entry: Entry): RememberedHead[]
  /** All was read. */
  end(): void
  /** Something that another chain, which was read later, says of this one: only the head can be compared now. */
  addLate(anchor: Anchor): void
  report(): ChainReport
}

/** @param last How many entries the store counts. */
export function createChainCheck(chain: string, last: number, anchors: readonly Anchor[]): ChainCheck {
  const found = createProblemList()
  const window = createHashWindow(chain)
  const waiting = [...anchors].sort((a, b) => a.n - b.n)
  let entries = 0
  let newest = 0
  let provenUpTo = 0
  let vouchedUpTo = 0
  /** The newest entry of which we know the hash from somebody's word, be it after a fault. */
  let anchored = 0
  let broken = false

  const problem = (kind: Problem['kind'], message: string, where: Partial<Problem> = {}) => {
    found.add({ kind, message: `chain ${quoteName(chain)}: ${message}`, chain, ...where })
  }

  // Where an entry is missing or one too many, every later one disagrees: that is told as one problem.
  let run: { from: number; to: number; seenFrom: number; seenAt: number; problem: Problem } | undefined
  const changed = (from: number, to: number, seenAt: number) => {
    broken = true
    if (run?.seenAt === seenAt - 1) {
      run = { ...run, from: Math.min(run.from, from), to: Math.max(run.to, to), seenAt }
      Object.assign(run.problem, describeChange(chain, run))
      return
    }
    const place = { from, to, seenFrom: seenAt, seenAt }
    const problem: Problem = { kind: 'changed', chain, ...describeChange(chain, place) }
    run = { ...place, problem }
    found.add(problem)
  }

  const comparePrev = (n: number, prev: ChainHead) => {
    // With a full list there is nothing to gain, and following a hostile file's word costs hashes.
    if (found.omitted > 0) return
    if (prev.n >= n) {
      changed(n, n, n)
      return
    }
    const known = window.at(prev.n)
    if (known === 'forgotten') return
    if (known === 'unknown') {
      window.adopt(prev)
      anchored = Math.max(anchored, prev.n)
      return
    }
    if (known.hash === prev.hash) {
      anchored = Math.max(anchored, prev.n)
      if (!broken) vouchedUpTo = Math.max(vouchedUpTo, prev.n)
      return
    }
    if (prev.n <= anchored) {
      // Others said something else of that part before, and were right: this entry is the odd one.
      changed(n, n, n)
      return
    }
    changed(anchored + 1, prev.n, n)
    window.adopt(prev)
    anchored = prev.n
  }

  const compareAnchor = (anchor: Anchor) => {
    if (anchor.n > newest) {
      const missing = nameRange(newest + 1, anchor.n)
      problem(
        'truncated',
        `it ends at entry ${newest}, but ${describe(anchor)} knows entry ${anchor.n}; lost: ${missing}`,
        {
          from: newest + 1,
          to: anchor.n,
        },
      )
      return
    }
    const known = window.at(anchor.n)
    // Unknown after a gap, which was reported; forgotten if it came too late: either way it covers nothing.
    if (anchor.hash === undefined || known === 'forgotten' || known === 'unknown') return
    if (known.hash === anchor.hash) {
      anchored = Math.max(anchored, anchor.n)
      if (broken) return
      if (anchor.by.kind === 'checkpoint') provenUpTo = Math.max(provenUpTo, anchor.n)
      else vouchedUpTo = Math.max(vouchedUpTo, anchor.n)
      return
    }
    broken = true
    const from = Math.min(Math.max(provenUpTo, vouchedUpTo) + 1, anchor.n)
    problem(
      anchor.by.kind === 'checkpoint' ? 'checkpoint_mismatch' : 'changed',
      `${describe(anchor)} has another hash at entry ${anchor.n}: something in ${nameRange(from, anchor.n)} changed`,
      { from, to: anchor.n },
    )
  }

  return {
    add(entry) {
      const { n } = entry
      entries += 1
      if (!Number.isSafeInteger(n) || n <= newest) {
        broken = true
        problem('gap', `entry ${n} comes after entry ${newest}`, { from: n, to: n, seenAt: newest })
        return []
      }
      if (n !== newest + 1) {
        broken = true
        problem('gap', `missing: ${nameRange(newest + 1, n - 1)}`, { from: newest + 1, to: n - 1, seenAt: n })
      }
      newest = n
      window.append(n, entry.body)
      const body = readEntryBody(entry)
      if (body.kind === 'bad') problem('bad_body', `the body of entry ${n} ${body.why}`, { from: n, to: n })
      else if (body.prev !== null) comparePrev(n, body.prev)
      for (let next = waiting[0]; next !== undefined && next.n <= n; next = waiting[0]) {
        waiting.shift()
        compareAnchor(next)
      }
      return body.kind === 'good' ? body.after : []
    },
    end() {
      if (newest < last) {
        problem('truncated', `it ends at entry ${newest}, but the store counts ${last}`, {
          from: newest + 1,
          to: last,
        })
      }
      for (const anchor of waiting.splice(0)) compareAnchor(anchor)
      window.shrink()
    },
    addLate: compareAnchor,
    report() {
      const head = window.head() ?? null
      return {
        chain,
        entries,
        head,
        provenUpTo,
        vouchedUpTo,
        problems: found.problems,
        omitted: found.omitted,
      }
    },
  }
}

function describeChange(
  chain: string,
  { from, to, seenFrom, seenAt }: { from: number; to: number; seenFrom: number; seenAt: number },
): { message: string; from: number; to: number; seenAt: number } {
  const shown = `${nameRange(seenFrom, seenAt)} ${seenFrom === seenAt ? 'shows' : 'show'}`
  const message = `chain ${quoteName(chain)}: ${nameRange(from, to)} changed, moved, inserted or removed, as ${shown}`
  return { message, from, to, seenAt }
}

function describe(anchor: Anchor): string {
  return anchor.by.kind === 'checkpoint' ? 'a signed checkpoint' : `the chain ${quoteName(anchor.by.chain)}`
}
