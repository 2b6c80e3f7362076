/**
 * What a journal says itself of entries that are missing from it: a store whose server was replaced had lost them, and
 * the process that noticed went on in another chain. That explains a loss. It does not make it good: whoever can take
 * entries away can also write such an excuse, so what it is about stays a problem.
 */

import { parseJson } from '../../core/json/parse-json.ts'
import type { Entry } from '../entry.ts'
import { nameRange, type Problem, quoteName } from '../problems.ts'
import { isCount } from '../read-body.ts'

export interface Replacement {
  /** The chain that lacks entries, and which. */
  chain: string
  from: number
  to: number
  /** Where that is on record. */
  by: { chain: string; n: number }
}

/** Undefined where the entry tells of no loss, or not in a way that can be understood. */
export function readReplacement(entry: Entry): Replacement | undefined {
  if (entry.type !== 'store.replaced') return undefined
  let body: { chain?: unknown; known?: { n?: unknown }; lost?: unknown } | null
  try {
    body = parseJson(entry.body)
  } catch {
    return undefined
  }
  const known = body?.known?.n
  if (typeof body?.chain !== 'string' || !isCount(known) || !isCount(body.lost) || body.lost > known)
    return undefined
  const by = { chain: entry.chain, n: entry.n }
  return { chain: body.chain, from: known - body.lost + 1, to: known, by }
}

/** Says of each problem whether a replacement has it on record. */
export function explainProblems(problems: readonly Problem[], replacements: readonly Replacement[]): void {
  for (const problem of problems) {
    const { chain, from, to } = problem
    if (chain === undefined || from === undefined || to === undefined || !EXPLAINED.has(problem.kind))
      continue
    const found = replacements.find((one) => one.chain === chain && one.from <= to && from <= one.to)
    if (found === undefined) continue
    problem.explainedBy = found.by
    problem.message += `; chain ${quoteName(found.by.chain)} says at entry ${found.by.n} that the store was replaced and had lost ${nameRange(found.from, found.to)}`
  }
}

const EXPLAINED: ReadonlySet<Problem['kind']> = new Set<Problem['kind']>([
  'truncated',
  'changed',
  'missing_chain',
  'checkpoint_mismatch',
])
