/**
 * Verifies a journal (P10): finds entries that were edited, removed, moved or inserted, chains that were cut or
 * taken away, and requests whose versions don't add up; and says up to where that is proof.
 *
 * It reads the source once and keeps, apart from one chain's newest hashes, only a line for each chain and a
 * number for each request. Checkpoints are read before the journal, so that none can speak of an entry that was
 * written while the journal was being read.
 */

import { type Checkpoint, verifyCheckpoint } from '../checkpoints/checkpoint.ts'
import type { TrustedKeys } from '../checkpoints/trusted-keys.ts'
import type { JournalSource } from '../journal-source.ts'
import { createProblemList, type Problem, type ProblemList, quoteName } from '../problems.ts'
import { isCount, isStep } from '../read-body.ts'
import { type Anchor, type ChainCheck, type ChainReport, createChainCheck } from './chain-check.ts'
import { explainProblems, type Replacement, readReplacement } from './replacements.ts'
import { createVersionCheck } from './version-check.ts'

export interface VerifyOptions {
  /** From where the journal's writer can't reach them. Without them nothing is proof. */
  checkpoints?: readonly Checkpoint[]
  /** Without keys no checkpoint counts. */
  keys?: TrustedKeys
}

export interface JournalReport {
  /** No problem was found. How much that is worth, `provenUpTo` of each chain says. */
  ok: boolean
  entries: number
  requests: number
  chains: ChainReport[]
  /** Those that are not about the entries of one chain that is there. */
  problems: Problem[]
  /** How many more of these there were than are listed. */
  omitted: number
}

/** A store that is replaced more often than this in the life of a journal needs no explanation. */
const MAX_REPLACEMENTS = 1000

export async function verifyJournal(
  source: JournalSource,
  options: VerifyOptions = {},
): Promise<JournalReport> {
  const found = createProblemList()
  const versions = createVersionCheck()
  const anchors = anchorsOf(options, found)
  const sizes = await source.chains()
  const lastOf = new Map(sizes.map(({ chain, last }) => [chain, last]))
  const checks = new Map<string, ChainCheck>()
  const replacements: Replacement[] = []

  const begin = (chain: string) => {
    const check = createChainCheck(chain, lastOf.get(chain) ?? 0, anchors.get(chain) ?? [])
    anchors.delete(chain)
    checks.set(chain, check)
    return check
  }
  const remember = (chain: string, anchor: Anchor) => {
    const check = checks.get(chain)
    if (check !== undefined) check.addLate(anchor)
    else anchors.set(chain, [...(anchors.get(chain) ?? []), anchor])
  }

  let current: { chain: string; check: ChainCheck } | undefined
  let entries = 0
  for await (const entry of source.entries()) {
    entries += 1
    if (current?.chain !== entry.chain) {
      current?.check.end()
      // Back to a chain that was ended: its numbers don't go on where it was left, and that is told.
      current = { chain: entry.chain, check: checks.get(entry.chain) ?? begin(entry.chain) }
    }
    for (const { chain, ...head } of current.check.add(entry)) {
      remember(chain, { ...head, by: { kind: 'chain', chain: entry.chain } })
    }
    const replacement = readReplacement(entry)
    if (replacement !== undefined && replacements.length < MAX_REPLACEMENTS) replacements.push(replacement)
    if (isStep(entry.type) && typeof entry.request === 'string' && isCount(entry.version)) {
      versions.add(entry.request, entry.version)
    }
  }
  current?.check.end()
  for (const { chain } of sizes) {
    // The store counts entries of this chain, but none came.
    if (!checks.has(chain)) begin(chain).end()
  }
  for (const [chain, known] of anchors) reportMissing(chain, known, found)

  const { requests, found: inVersions } = versions.end()
  const chains = [...checks.values()].map((check) => check.report())
  const problems = [...found.problems, ...inVersions.problems]
  for (const each of [problems, ...chains.map((chain) => chain.problems)]) explainProblems(each, replacements)
  return {
    ok: problems.length === 0 && chains.every((chain) => chain.problems.length === 0),
    entries,
    requests,
    chains,
    problems,
    omitted: found.omitted + inVersions.omitted,
  }
}

/** The checkpoints with a good signature, by chain. What is wrong with the others is reported. */
function anchorsOf({ checkpoints = [], keys }: VerifyOptions, found: ProblemList): Map<string, Anchor[]> {
  for (const problem of keys?.problems ?? []) found.add(problem)
  const anchors = new Map<string, Anchor[]>()
  for (const checkpoint of checkpoints) {
    const verdict = keys === undefined ? 'unknown_key' : verifyCheckpoint(checkpoint, keys)
    if (verdict === 'valid') {
      const { chain, n, hash } = checkpoint
      const anchor: Anchor = { n, hash, by: { kind: 'checkpoint' } }
      const others = anchors.get(chain)
      if (others === undefined) anchors.set(chain, [anchor])
      else others.push(anchor)
    } else found.add(refused(checkpoint, verdict))
  }
  return anchors
}

function refused({ chain, n, keyId }: Checkpoint, kind: 'bad_signature' | 'unknown_key'): Problem {
  const why =
    kind === 'bad_signature'
      ? `does not bear a good signature of the key ${quoteName(keyId)}`
      : `is signed by the key ${quoteName(keyId)}, which is not trusted`
  return {
    kind,
    message: `the checkpoint of chain ${quoteName(chain)} at entry ${n} ${why}: it proves nothing`,
    chain,
    from: n,
    to: n,
  }
}

function reportMissing(chain: string, anchors: Anchor[], found: ProblemList): void {
  const signed = anchors.some((anchor) => anchor.by.kind === 'checkpoint')
  const others = anchors.flatMap(({ by }) =>
    by.kind === 'chain' ? [`the chain ${quoteName(by.chain)}`] : [],
  )
  const witnesses = [...(signed ? ['a signed checkpoint'] : []), ...new Set(others)]
  const to = Math.max(...anchors.map((anchor) => anchor.n))
  found.add({
    kind: 'missing_chain',
    message: `chain ${quoteName(chain)} is not there, but ${witnesses.slice(0, 3).join(' and ')} knows its entry ${to}`,
    chain,
    from: 1,
    to,
  })
}
