/**
 * `replay`: what another policy would have said of the calls that are on record. Nothing is changed, and nobody is
 * asked. Paths are looked up as they lead today; the agent and the origin of a call that nobody was asked about are not
 * on record, so rules about these are judged as if the call had none.
 */

import { type CallContent, contentOf } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import type { Actor } from '../../core/session.ts'
import { JOINED_RULE, REPLAY_CHANGES, type ReplayChange, type Verdict } from '../../core/verdict.ts'
import type { PastCall, Store } from '../../stores/store.ts'
import type { JudgedCall, Policy } from '../gateway-parts.ts'
import type { Host } from '../host.ts'
import type { Judge } from '../judging/judge.ts'
import { createYieldBetweenCalls } from '../record/yield-between-calls.ts'

export interface Replay {
  days: number
  /** How many calls were judged again. */
  calls: number
  /** Those whose arguments were erased can't be judged again. */
  erased: number
  /** There are more calls in these days than were looked through. */
  isCut: boolean
  unchanged: number
  /** By tool, by what was said then and by what would be said. */
  groups: ReplayGroup[]
}

export interface ReplayGroup {
  change: ReplayChange
  tool: string
  was: Verdict['kind']
  would: Verdict['kind']
  /** The rule that would decide. */
  rule: string | undefined
  because: string
  reason?: Reason
  calls: number
  /** Of these calls, how many a person refused. */
  rejected: number
  examples: CallContent[]
}

export type ReplayVerb = (
  candidate: Policy,
  query: { days?: number; limit?: number },
  actor: Actor,
) => Promise<Replay>

export interface ReplayPorts {
  judge: Pick<Judge, 'gatherFacts' | 'modes'>
  store: Pick<Store, 'calls' | 'now' | 'sessions'>
  host: Pick<Host, 'giveWay'>
}

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30
const DEFAULT_LIMIT = 5000
const MAX_LIMIT = 50_000
/** Each may hold a megabyte. */
const PAGE = 10
const MAX_EXAMPLES = 3

export function createReplay(ports: ReplayPorts): ReplayVerb {
  return async (candidate, query, actor) => {
    if (actor.role === 'agent') {
      throw new BanksmanError('forbidden', "an agent's credential can't try policies out")
    }
    const days = query.days ?? DEFAULT_DAYS
    const limit = Math.min(query.limit ?? DEFAULT_LIMIT, MAX_LIMIT)
    const since = ports.store.now() - days * DAY_MS
    const groups = new Map<string, ReplayGroup>()
    const counts = { calls: 0, erased: 0, unchanged: 0 }
    const pause = createYieldBetweenCalls(ports.host)
    let read = 0
    let cursor: string | undefined
    do {
      const page = await ports.store.calls.history({ limit: PAGE, ...defined({ cursor }) })
      const recent = page.items.filter((call) => call.createdAt >= since)
      for (const past of recent) {
        // It was asked about with the call that it joined, which is here too.
        if (past.rule === JOINED_RULE) continue
        if (past.bytes === '') {
          counts.erased++
          continue
        }
        await pause(past.bytes.length)
        const content = contentOf(past.bytes)
        const verdict = await judgedBy(ports, candidate, past, content)
        counts.calls++
        const change = changeOf(past, verdict)
        if (change === undefined) counts.unchanged++
        else add(groups, change, past, content, verdict)
      }
      read += page.items.length
      cursor = recent.length === 0 ? undefined : page.cursor
    } while (cursor !== undefined && read < limit)
    return { days, ...counts, isCut: cursor !== undefined, groups: [...groups.values()].sort(worstFirst) }
  }
}

async function judgedBy(
  { judge, store }: ReplayPorts,
  candidate: Policy,
  past: PastCall,
  { tool, arguments: args, cwd, definition }: CallContent,
): Promise<Verdict> {
  const call: JudgedCall = { tool, arguments: args, session: past.session, cwd, definition }
  const source = { remote: false, lookups: candidate.lookups }
  const facts = await judge.gatherFacts?.(call, source).catch(() => undefined)
  const mode = judge.modes.inForce(await store.sessions.get(past.session))
  return candidate.evaluate(call, facts, mode === undefined ? {} : { mode })
}

/** What a grant let through was asked about once, and would be let through again. */
function changeOf(past: PastCall, verdict: Verdict): ReplayChange | undefined {
  const granted = past.verdict === 'allow' && past.rule?.startsWith('grant ') === true
  if (granted && verdict.kind !== 'deny') return undefined
  if (past.verdict === verdict.kind) return undefined
  if (past.verdict === 'deny') return 'denial undone'
  if (verdict.kind === 'deny') return 'denial added'
  return verdict.kind === 'allow' ? 'prompt removed' : 'prompt added'
}

function add(
  groups: Map<string, ReplayGroup>,
  change: ReplayChange,
  past: PastCall,
  content: CallContent,
  verdict: Verdict,
): void {
  const key = JSON.stringify([change, past.tool, past.verdict, verdict.kind, verdict.rule])
  const group = groups.get(key) ?? {
    change,
    tool: past.tool,
    was: past.verdict,
    would: verdict.kind,
    rule: verdict.rule,
    because: verdict.because,
    ...defined({ reason: verdict.reason }),
    calls: 0,
    rejected: 0,
    examples: [],
  }
  groups.set(key, group)
  group.calls++
  if (past.request?.state === 'rejected' || past.request?.state === 'terminated') group.rejected++
  if (group.examples.length < MAX_EXAMPLES) group.examples.push(content)
}

function worstFirst(a: ReplayGroup, b: ReplayGroup): number {
  return REPLAY_CHANGES.indexOf(a.change) - REPLAY_CHANGES.indexOf(b.change) || b.calls - a.calls
}
