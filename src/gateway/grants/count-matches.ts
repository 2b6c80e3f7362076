/**
 * How often a grant would have held, had there been one: counted over the calls of the last thirty days. It is what
 * tells a person how wide a suggestion is. Paths are looked up as they lead today, and what was erased can't be counted.
 */
import { type CallContent, contentOf, definitionDigest } from '../../core/call.ts'
import type { GrantMatch } from '../../core/grants/grant.ts'
import type { Request } from '../../core/request.ts'
import { shownBytes } from '../../core/request.ts'
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import type { Judge } from '../judging/judge.ts'
import { pastCallPages } from '../record/past-call-pages.ts'
import { createYieldBetweenCalls } from '../record/yield-between-calls.ts'
import { createPastMatcher } from './past-matcher.ts'

export interface Matched {
  calls: number
  /** How many calls of any tool were looked through. */
  of: number
  days: number
  /** Of those that match: how many people were asked about, and how many of these they refused. */
  asked: number
  rejected: number
  /** Of those that match: how many the policy denied. No grant would have let these through. */
  denied: number
  /** Some that match, no two the same. */
  examples: CallContent[]
  /** There are more calls in these days than were looked through. */
  isCut: boolean
}

export interface CountMatchesPorts {
  judge: Pick<Judge, 'policy' | 'gatherFacts'>
  store: Pick<Store, 'calls' | 'now'>
  host: Pick<Host, 'giveWay'>
}

const DAYS = 30
const DAY_MS = 86_400_000
/** A second's work at most, and enough to see a habit. */
const MAX_CALLS = 2000
const MAX_CHARACTERS = 100_000_000
/** The disk is asked about no more calls than this. */
const MAX_LOOKED_UP = 500
const MAX_EXAMPLES = 3

export async function countMatches(
  { judge, store, host }: CountMatchesPorts,
  request: Request,
  matches: readonly GrantMatch[],
): Promise<Matched[]> {
  const tallies = matches.map((match) => ({
    match,
    calls: 0,
    asked: 0,
    rejected: 0,
    denied: 0,
    examples: new Map(),
  }))
  const definition = definitionDigest(contentOf(shownBytes(request)).definition)
  const isMatch = createPastMatcher(judge, definition, MAX_LOOKED_UP)
  const since = store.now() - DAYS * DAY_MS
  const pause = createYieldBetweenCalls(host)
  let of = 0
  let isCut = false
  for await (const page of pastCallPages(store, { calls: MAX_CALLS, characters: MAX_CHARACTERS, since })) {
    isCut = page.next !== undefined
    for (const call of page.calls) {
      if (call.createdAt < since || call.request?.id === request.id) continue
      of++
      if (call.tool !== request.tool || call.bytes === '') continue
      await pause(call.bytes.length)
      const content = contentOf(call.bytes)
      for (const tally of tallies) {
        if (!(await isMatch(tally.match, call, content))) continue
        tally.calls++
        if (call.verdict === 'ask') tally.asked++
        if (call.verdict === 'deny') tally.denied++
        if (REFUSED.includes(call.request?.state ?? '')) tally.rejected++
        if (tally.examples.size < MAX_EXAMPLES) tally.examples.set(call.digest, content)
      }
    }
  }
  return tallies.map(({ match: _, examples, ...counts }) => ({
    ...counts,
    of,
    days: DAYS,
    examples: [...examples.values()],
    isCut,
  }))
}

const REFUSED: readonly string[] = ['rejected', 'terminated']
