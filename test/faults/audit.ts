/**
 * Holds what everybody was told against what the store has: every acknowledged decision is there, every request has one
 * decision, every claim one run, every chain verifies.
 */
import { type JournalReport, pageJournal, verifyJournal } from '../../src/journal/index.ts'
import type { Store } from '../../src/stores/store.ts'
import type { Ledger } from './load.ts'

export interface Audit {
  opened: number
  decided: number
  runs: number
  /** What somebody was told and the store does not have. Empty, unless the store may lose. */
  lost: { what: string; request: string; at: number }[]
  /** The same as steps of requests: three people may have been told of one decision. */
  lostSteps: number
  /** What the journal itself says of entries that are missing. */
  explained: string[]
  /** What must never be, whatever was lost. */
  broken: string[]
  journal: JournalReport
  /** Entries of the type `store.replaced`. */
  replaced: { lost: number }[]
}

const PAGE = 500

export async function audit(store: Store, ledger: Ledger): Promise<Audit> {
  const broken: string[] = []
  const lost: Audit['lost'] = []
  for (const { request, code, text } of ledger.surprises) {
    // Of a request that is gone nobody knows anything.
    const isGone = code === 'unknown_id' && request !== undefined && ledger.opened.has(request)
    if (!isGone || (await store.get(request)) !== undefined) broken.push(text)
  }
  for (const [id, { digest, at }] of ledger.opened) {
    const request = await store.get(id)
    if (request === undefined) lost.push({ what: 'request', request: id, at })
    else if (request.digest !== digest) broken.push(`${id} has another digest than the agent was told`)
  }
  const toldOf = new Map<string, Set<string>>()
  for (const { request: id, by, kind, at } of ledger.decisions) {
    const told = toldOf.get(id) ?? new Set()
    toldOf.set(id, told.add(`${kind} by ${by}`))
    const decision = (await store.get(id))?.progress.decision
    if (decision === undefined) lost.push({ what: 'decision', request: id, at })
    else if (decision.by !== by || decision.kind !== kind)
      lost.push({ what: `decision (now ${decision.kind} by ${decision.by})`, request: id, at })
  }
  for (const [id, told] of toldOf)
    if (told.size > 1) lost.push({ what: `decided twice: ${[...told].join(', ')}`, request: id, at: 0 })
  const runsOf = new Map<string, number>()
  for (const { request: id } of ledger.runs) runsOf.set(id, (runsOf.get(id) ?? 0) + 1)
  for (const [id, count] of runsOf)
    if (count > 1) lost.push({ what: `ran ${count} times`, request: id, at: 0 })
  for (const { request: id, claimId, at } of ledger.claims) {
    if ((await store.get(id))?.progress.claim?.id !== claimId) lost.push({ what: 'claim', request: id, at })
  }
  for (const { request: id, at } of ledger.reports) {
    if ((await store.get(id))?.state !== 'done') lost.push({ what: 'outcome', request: id, at })
  }
  const { decided, replaced } = await readEntries(store)
  for (const [id, count] of decided) if (count > 1) broken.push(`${id} has ${count} decisions on the record`)
  const journal = await verifyJournal(pageJournal(store.journal))
  const explained: string[] = []
  for (const problem of [...journal.problems, ...journal.chains.flatMap(({ problems }) => problems)])
    (problem.explainedBy === undefined ? broken : explained).push(problem.message)
  return {
    opened: ledger.opened.size,
    decided: toldOf.size,
    runs: ledger.runs.length,
    lost,
    lostSteps: new Set(lost.map(({ what, request }) => `${what} ${request}`)).size,
    explained,
    broken,
    journal,
    replaced,
  }
}

async function readEntries(
  store: Store,
): Promise<{ decided: Map<string, number>; replaced: { lost: number }[] }> {
  const decided = new Map<string, number>()
  const replaced: { lost: number }[] = []
  for (const { chain, last } of await store.journal.chains()) {
    for (let after = 0; after < last; ) {
      const page = await store.journal.read(chain, after, PAGE)
      if (page.length === 0) break
      for (const { n, type, request, body } of page) {
        after = n
        if (type === 'request.decided' && request !== undefined)
          decided.set(request, (decided.get(request) ?? 0) + 1)
        if ((type as string) === 'store.replaced') replaced.push(JSON.parse(body) as { lost: number })
      }
    }
  }
  return { decided, replaced }
}
