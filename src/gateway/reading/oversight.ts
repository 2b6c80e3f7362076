/** `oversight`: reads the calls of the last days and what became of their requests, for the figures of them. */

import { BanksmanError } from '../../core/errors.ts'
import type { Actor } from '../../core/session.ts'
import { JOINED_RULE } from '../../core/verdict.ts'
import type { PastCall, Store } from '../../stores/store.ts'
import { pastCallPages } from '../record/past-call-pages.ts'
import {
  type CallFact,
  figuresOf,
  type OversightFigures,
  type Period,
  periodOf,
} from './oversight-figures.ts'
import { rulesOf } from './search-history.ts'

export interface Oversight extends OversightFigures, Pick<Period, 'days' | 'from' | 'to'> {
  /** There are more calls in these days than were looked through. */
  isCut: boolean
}

export interface OversightQuery {
  days?: number
  /** How many minutes the reader's day begins before that of UTC. */
  offsetMinutes?: number
}

export type OversightVerb = (query: OversightQuery, actor: Actor) => Promise<Oversight>

/** Enough to see a habit; the bytes of the calls are read with them. */
const MAX_CALLS = 5000
const MAX_CHARACTERS = 256 * 1024 * 1024
const DEFAULT_DAYS = 14
const MAX_DAYS = 90
/** The places where the day begins last and first. */
const OFFSETS = { least: -12 * 60, most: 14 * 60 } as const

export function createOversight(store: Pick<Store, 'calls' | 'get' | 'now'>): OversightVerb {
  return async ({ days = DEFAULT_DAYS, offsetMinutes = 0 }, actor) => {
    if (actor.role === 'agent') {
      throw new BanksmanError('forbidden', "an agent's credential can't see how people decide")
    }
    within('days', days, 1, MAX_DAYS)
    within('offset', offsetMinutes, OFFSETS.least, OFFSETS.most)
    const period = periodOf(days, offsetMinutes, store.now())
    const { from, to } = period
    const facts: CallFact[] = []
    let isCut = false
    for await (const { calls, next } of pastCallPages(store, {
      since: from,
      calls: MAX_CALLS,
      characters: MAX_CHARACTERS,
    })) {
      for (const call of calls)
        if (call.createdAt >= from && call.rule !== JOINED_RULE) facts.push(await factOf(store, call))
      isCut = next !== undefined
    }
    return { days, from, to, isCut, ...figuresOf(facts, period) }
  }
}

async function factOf(
  store: Pick<Store, 'get'>,
  { createdAt: at, verdict, request: asked }: PastCall,
): Promise<CallFact> {
  const request = asked === undefined ? undefined : await store.get(asked.id)
  if (request === undefined) return { at, verdict }
  const { state, createdAt, progress } = request
  const { decision } = progress
  return {
    at,
    verdict,
    request: {
      state,
      rules: rulesOf(request),
      createdAt,
      ...(decision === undefined
        ? {}
        : { decision: { kind: decision.kind, by: decision.by, at: decision.at } }),
    },
  }
}

function within(field: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw new BanksmanError('invalid', `${field} must be a whole number from ${least} to ${most}`, {
    pointer: `/${field}`,
  })
}
