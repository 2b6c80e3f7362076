/**
 * Whether people are asked well, in figures: how often which rule asks and what comes of it, how long people take, and
 * who decides faster than anyone can read. Pure arithmetic on what `oversight.ts` has read.
 */

import type { DecisionKind } from '../../core/decision.ts'
import { isFinal, type RequestState } from '../../core/request.ts'
import type { VerdictKind } from '../../core/verdict.ts'

/** One call, as far as it counts. */
export interface CallFact {
  at: number
  verdict: VerdictKind
  /** Where people were asked. */
  request?: RequestFact
}

export interface RequestFact {
  state: RequestState
  /** That asked, each once. */
  rules: string[]
  createdAt: number
  decision?: { kind: DecisionKind; by: string; at: number }
}

export interface Period {
  days: number
  /** How many minutes the reader's day begins before that of UTC. */
  offsetMinutes: number
  from: number
  to: number
}

export interface OversightFigures {
  calls: number
  /** The oldest first. */
  perDay: { day: string; allowed: number; denied: number; asked: number }[]
  /** The noisiest first. */
  rules: RuleFigures[]
  states: Partial<Record<RequestState, number>>
  timeToDecide: {
    decided: number
    medianMs: number | null
    p90Ms: number | null
    /** The last has no upper bound. */
    buckets: { belowMs: number | null; count: number }[]
  }
  /** Of the requests that are over; null where there are none. */
  expiredShare: number | null
  quick: { decisions: number; streaks: Streak[] }
  /** Who decided most first. */
  people: { by: string; decided: number; approved: number; medianMs: number | null }[]
}

export interface RuleFigures {
  rule: string
  asked: number
  approved: number
  rejected: number
  expired: number
  medianMs: number | null
}

export interface Streak {
  by: string
  count: number
  from: number
  to: number
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const BUCKETS: readonly number[] = [1000, 5000, 15_000, MINUTE, 5 * MINUTE, 60 * MINUTE, DAY]
/** Nobody reads a call and makes up their mind in less. */
const QUICK_MS = 1000
const SHORTEST_STREAK = 3
const MAX_STREAKS = 10
const APPROVING: readonly DecisionKind[] = ['approve', 'edit']
const REFUSING: readonly DecisionKind[] = ['reject', 'terminate']

/** So many of the reader's days, today's included, up to now. */
export function periodOf(days: number, offsetMinutes: number, now: number): Period {
  const shift = offsetMinutes * MINUTE
  const today = Math.floor((now + shift) / DAY)
  return { days, offsetMinutes, from: (today - days + 1) * DAY - shift, to: now }
}

export function figuresOf(facts: readonly CallFact[], period: Period): OversightFigures {
  const inside = facts.filter(({ at }) => at >= period.from && at <= period.to)
  const requests = inside.flatMap(({ request }) => request ?? [])
  const decided = requests.flatMap(decisionFactsOf)
  const times = decided.map(({ tookMs }) => tookMs)
  const over = requests.filter(({ state }) => isFinal(state))
  return {
    calls: inside.length,
    perDay: perDay(inside, period),
    rules: ruleFigures(requests),
    states: statesOf(requests),
    timeToDecide: {
      decided: decided.length,
      medianMs: medianOf(times),
      p90Ms: percentileOf(times, 90),
      buckets: bucketsOf(times),
    },
    expiredShare: over.length === 0 ? null : over.filter(hasExpired).length / over.length,
    quick: quickOnes(decided),
    people: peopleOf(decided),
  }
}

/** The middle one, or the mean of the two in the middle. */
export function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((one, other) => one - other)
  const half = sorted.length >>> 1
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}

/** The smallest that at least so many percent do not exceed. */
export function percentileOf(values: readonly number[], percent: number): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil((values.length * percent) / 100) - 1)]!
}

interface DecisionFact {
  by: string
  kind: DecisionKind
  at: number
  createdAt: number
  tookMs: number
}

function decisionFactsOf({ decision, createdAt }: RequestFact): DecisionFact[] {
  if (decision === undefined) return []
  // Two machines' clocks may disagree; nobody decides before they are asked.
  return [{ ...decision, createdAt, tookMs: Math.max(0, decision.at - createdAt) }]
}

const hasExpired = ({ state }: RequestFact) => state === 'expired'
const isOneOf = (kinds: readonly DecisionKind[], decision: { kind: DecisionKind } | undefined) =>
  decision !== undefined && kinds.includes(decision.kind)

function perDay(
  calls: readonly CallFact[],
  { days, offsetMinutes, from }: Period,
): OversightFigures['perDay'] {
  const noon = from + offsetMinutes * MINUTE + DAY / 2
  const rows = Array.from({ length: days }, (_, index) => ({
    day: new Date(noon + index * DAY).toISOString().slice(0, 10),
    allowed: 0,
    denied: 0,
    asked: 0,
  }))
  const column = { allow: 'allowed', deny: 'denied', ask: 'asked' } as const
  for (const { at, verdict } of calls) {
    const row = rows[Math.floor((at - from) / DAY)]
    if (row !== undefined) row[column[verdict]]++
  }
  return rows
}

function ruleFigures(requests: readonly RequestFact[]): RuleFigures[] {
  const byRule = Map.groupBy(
    requests.flatMap((request) => request.rules.map((rule) => ({ rule, request }))),
    ({ rule }) => rule,
  )
  return [...byRule]
    .map(([rule, asked]) => {
      const own = asked.map(({ request }) => request)
      return {
        rule,
        asked: own.length,
        approved: own.filter(({ decision }) => isOneOf(APPROVING, decision)).length,
        rejected: own.filter(({ decision }) => isOneOf(REFUSING, decision)).length,
        expired: own.filter(hasExpired).length,
        medianMs: medianOf(own.flatMap(decisionFactsOf).map(({ tookMs }) => tookMs)),
      }
    })
    .sort((one, other) => other.asked - one.asked || inOrder(one.rule, other.rule))
}

function statesOf(requests: readonly RequestFact[]): OversightFigures['states'] {
  const states: OversightFigures['states'] = {}
  for (const { state } of requests) states[state] = (states[state] ?? 0) + 1
  return states
}

function bucketsOf(times: readonly number[]): OversightFigures['timeToDecide']['buckets'] {
  const buckets = [...BUCKETS, null].map((belowMs) => ({ belowMs, count: 0 }))
  for (const time of times) {
    buckets.find(({ belowMs }) => belowMs === null || time < belowMs)!.count++
  }
  return buckets
}

function peopleOf(decided: readonly DecisionFact[]): OversightFigures['people'] {
  return [...Map.groupBy(decided, ({ by }) => by)]
    .map(([by, own]) => ({
      by,
      decided: own.length,
      approved: own.filter((decision) => isOneOf(APPROVING, decision)).length,
      medianMs: medianOf(own.map(({ tookMs }) => tookMs)),
    }))
    .sort((one, other) => other.decided - one.decided || inOrder(one.by, other.by))
}

/**
 * A decision can be thought about from when its request was there and the one before was off the table. Somebody who
 * comes back to ten requests and decides them one after the other without reading is quick in all but the first.
 */
function quickOnes(decided: readonly DecisionFact[]): OversightFigures['quick'] {
  const streaks: Streak[] = []
  let decisions = 0
  for (const [by, own] of Map.groupBy(decided, ({ by }) => by)) {
    let previous = Number.NEGATIVE_INFINITY
    let streak: Streak | undefined
    for (const { at, createdAt } of own.toSorted(byTime)) {
      const isQuick = at - Math.max(createdAt, previous) < QUICK_MS
      previous = at
      if (!isQuick) {
        streak = undefined
        continue
      }
      decisions++
      if (streak === undefined) {
        streak = { by, count: 0, from: at, to: at }
        streaks.push(streak)
      }
      streak.count++
      streak.to = at
    }
  }
  return {
    decisions,
    streaks: streaks
      .filter(({ count }) => count >= SHORTEST_STREAK)
      .sort((one, other) => other.count - one.count || other.to - one.to || inOrder(one.by, other.by))
      .slice(0, MAX_STREAKS),
  }
}

function byTime(one: DecisionFact, other: DecisionFact): number {
  return one.at - other.at || one.createdAt - other.createdAt
}

function inOrder(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
