/** What the reader wants to see of the past, as it stands in the address and as the server is asked. */

import type { HistoryQuery, RequestState } from '../../../../../src/client/index.ts'
import { defined } from '../../../../../src/core/defined.ts'

export const VERDICT_FILTERS = ['ask', 'allow', 'deny'] as const
export type VerdictFilter = (typeof VERDICT_FILTERS)[number]

/** In the order of a request's life. */
export const STATE_FILTERS = [
  'pending',
  'approved',
  'running',
  'done',
  'unknown',
  'lapsed',
  'rejected',
  'answered',
  'declined',
  'terminated',
  'expired',
  'cancelled',
  'unreachable',
] as const satisfies readonly RequestState[]

const TEXTS = ['tool', 'session', 'by', 'rule', 'text'] as const
const DAYS = ['since', 'until'] as const

export interface HistoryFilters {
  verdict?: VerdictFilter
  state?: RequestState
  tool?: string
  session?: string
  /** Who decided. */
  by?: string
  rule?: string
  text?: string
  /** The first and the last day, `2026-01-05`, as the reader's calendar has them. */
  since?: string
  until?: string
}

export type FilterName = keyof HistoryFilters

/** What can't be read is passed over: a link from elsewhere must not show an empty page. */
export function readFilters(query: Readonly<Record<string, string>> = {}): HistoryFilters {
  const filters: HistoryFilters = {}
  const given = (name: string) => (Object.hasOwn(query, name) ? query[name]?.trim() : undefined)
  const verdict = VERDICT_FILTERS.find((known) => known === given('verdict'))
  const state = STATE_FILTERS.find((known) => known === given('state'))
  if (verdict !== undefined) filters.verdict = verdict
  if (state !== undefined) filters.state = state
  for (const name of TEXTS) {
    const value = given(name)
    if (value !== undefined && value !== '') filters[name] = value
  }
  for (const name of DAYS) {
    const value = given(name)
    if (value !== undefined && startOf(value) !== undefined) filters[name] = value
  }
  return filters
}

/** For the address: only what is set. Other settings of the page are the page's. */
export function writeFilters(filters: HistoryFilters): Record<string, string> {
  const query: Record<string, string> = {}
  for (const [name, value] of Object.entries(readFilters(filters as Record<string, string>))) {
    query[name] = value
  }
  return query
}

/** Both days are meant whole, by the reader's own midnight. */
export function toHistoryQuery({ since, until, ...rest }: HistoryFilters): HistoryQuery {
  const from = since === undefined ? undefined : startOf(since)
  const to = until === undefined ? undefined : startOf(until, 1)
  return {
    ...rest,
    ...defined({ since: from?.toISOString() }),
    // The moment before the next day begins, whichever way the end is counted.
    ...(to === undefined ? {} : { until: new Date(to.getTime() - 1).toISOString() }),
  }
}

export function countFilters(filters: HistoryFilters): number {
  return Object.keys(filters).length
}

function startOf(day: string, daysLater = 0): Date | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
  if (year === undefined) return undefined
  const start = new Date(Number(year), Number(month) - 1, Number(date))
  // 31 February is no day.
  if (start.getMonth() !== Number(month) - 1 || start.getDate() !== Number(date)) return undefined
  start.setDate(start.getDate() + daysLater)
  return start
}
