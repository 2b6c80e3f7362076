/**
 * What a verification of the journal found, sorted out for a page: whether anything is wrong, up to where each chain is proof, and
 * what nothing speaks for. What can't be read of a report counts as not proven.
 */
import type { WireJournalReport } from '../../../../../src/client/index.ts'

/**
 * - `broken`: something is wrong;
 * - `empty`: there is nothing to verify;
 * - `unproven`: it agrees with itself, and that is all;
 * - `proven`: signed checkpoints speak for it as far as they reach.
 */
export type JournalFinding = 'broken' | 'empty' | 'unproven' | 'proven'

export interface JournalFindings {
  finding: JournalFinding
  entries: number
  requests: number
  /** How many things are wrong, in all. */
  wrong: number
  chains: ChainFindings[]
  /** What is wrong across the chains. */
  problems: FoundProblem[]
  omitted: number
}

export interface ChainFindings {
  chain: string
  entries: number
  /** One after another, without a gap between them. */
  stretches: Stretch[]
  problems: FoundProblem[]
  omitted: number
}

/** `proven`: by a signed checkpoint. `vouched`: by later entries. `alone`: by nothing yet. */
export interface Stretch {
  kind: 'proven' | 'vouched' | 'alone'
  from: number
  to: number
}

export interface FoundProblem {
  kind: string
  message: string
  from?: number
  to?: number
  request?: string
}

export function journalFindingsOf(report: WireJournalReport): JournalFindings {
  const chains = listOf(report.chains).map(chainOf)
  const problems = listOf(report.problems).map(problemOf)
  const omitted = countOf(report.omitted)
  const wrong = [...chains, { problems, omitted }].reduce(
    (sum, part) => sum + part.problems.length + part.omitted,
    0,
  )
  const entries = countOf(report.entries)
  const isProven = chains.some(({ stretches }) => stretches.some(({ kind }) => kind === 'proven'))
  const isBroken = report.ok !== true || wrong > 0
  return {
    finding: isBroken ? 'broken' : entries === 0 ? 'empty' : isProven ? 'proven' : 'unproven',
    entries,
    requests: countOf(report.requests),
    wrong,
    chains,
    problems,
    omitted,
  }
}

function chainOf(report: Readonly<Record<string, unknown>>): ChainFindings {
  const entries = countOf(report.entries)
  const head = recordOf(report.head)
  const proven = countOf(report.provenUpTo)
  const vouched = Math.max(countOf(report.vouchedUpTo), proven)
  const last = Math.max(head === undefined ? entries : countOf(head.n), vouched)
  const stretches: Stretch[] = [
    { kind: 'proven', from: 1, to: proven },
    { kind: 'vouched', from: proven + 1, to: vouched },
    { kind: 'alone', from: vouched + 1, to: last },
  ]
  return {
    chain: textOf(report.chain),
    entries,
    stretches: stretches.filter(({ from, to }) => from <= to),
    problems: listOf(report.problems).map(problemOf),
    omitted: countOf(report.omitted),
  }
}

function problemOf(problem: Readonly<Record<string, unknown>>): FoundProblem {
  const { from, to, request } = problem
  return {
    kind: textOf(problem.kind),
    message: textOf(problem.message),
    ...(typeof from === 'number' && typeof to === 'number' ? { from, to } : {}),
    ...(typeof request === 'string' ? { request } : {}),
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}

function listOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map((item) => recordOf(item) ?? {}) : []
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
