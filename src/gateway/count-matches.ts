/**
 * How often a grant would have held, had there been one: counted over the calls of the last thirty days. It is what
 * tells a person how wide a suggestion is. Paths are looked up as they lead today, and what was erased can't be counted.
 */
import { type CallContent, contentOf, definitionDigest } from '../core/call.ts'
import type { GrantMatch } from '../core/grant.ts'
import type { Request } from '../core/request.ts'
import { shownBytes } from '../core/request.ts'
import type { Facts } from '../core/verdict.ts'
import type { PastCall } from '../stores/store.ts'
import type { Hall } from './hall.ts'
import type { JudgedCall } from './parts.ts'

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

const DAYS = 30
const DAY_MS = 86_400_000
/** A second's work at most, and enough to see a habit. */
const MAX_CALLS = 2000
/** Each may hold a megabyte. */
const PAGE = 50
/** The disk is asked about no more calls than this. */
const MAX_LOOKED_UP = 500
const MAX_EXAMPLES = 3

export async function countMatches(
  hall: Hall,
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
  const matcher = createMatcher(hall, definitionDigest(contentOf(shownBytes(request)).definition))
  const since = hall.store.now() - DAYS * DAY_MS
  let of = 0
  let read = 0
  let cursor: string | undefined
  do {
    const page = await hall.store.calls.history({ limit: PAGE, ...(cursor === undefined ? {} : { cursor }) })
    const recent = page.items.filter((call) => call.createdAt >= since)
    for (const call of recent) {
      if (call.request?.id === request.id) continue
      of++
      if (call.tool !== request.tool || call.bytes === '') continue
      const content = contentOf(call.bytes)
      for (const tally of tallies) {
        if (!(await matcher(tally.match, call, content))) continue
        tally.calls++
        if (call.verdict === 'ask') tally.asked++
        if (call.verdict === 'deny') tally.denied++
        if (REFUSED.includes(call.request?.state ?? '')) tally.rejected++
        if (tally.examples.size < MAX_EXAMPLES) tally.examples.set(call.digest, content)
      }
    }
    read += page.items.length
    // Those that were written down late may be older than what follows; a whole page of them is not.
    cursor = recent.length === 0 ? undefined : page.cursor
  } while (cursor !== undefined && read < MAX_CALLS)
  const isCut = cursor !== undefined
  return tallies.map(({ match: _, examples, ...counts }) => ({
    ...counts,
    of,
    days: DAYS,
    examples: [...examples.values()],
    isCut,
  }))
}

const REFUSED: readonly string[] = ['rejected', 'terminated']

type Matcher = (match: GrantMatch, call: PastCall, content: CallContent) => Promise<boolean>

/** Facts are gathered only where it does not match without them, and once for each call. */
function createMatcher(hall: Hall, definition: string): Matcher {
  const gathered = new Map<PastCall, Facts | undefined>()

  async function factsOf(past: PastCall, call: JudgedCall): Promise<Facts | undefined> {
    if (gathered.has(past) || gathered.size >= MAX_LOOKED_UP) return gathered.get(past)
    // A call of which nothing can be looked up, for whatever reason, is counted by what it says itself.
    const facts = await hall.gatherFacts?.(call, { remote: false }).catch(() => undefined)
    gathered.set(past, facts)
    return facts
  }

  return async (match, past, { tool, arguments: args, cwd, definition: described }) => {
    if (definitionDigest(described) !== definition) return false
    const policy = hall.policy()
    const call: JudgedCall = { tool, arguments: args, session: past.session, cwd, definition: described }
    if (policy.matches(match, call, past.digest)) return true
    if (match.kind === 'exact') return false
    const facts = await factsOf(past, call)
    return facts !== undefined && policy.matches(match, call, past.digest, facts)
  }
}
