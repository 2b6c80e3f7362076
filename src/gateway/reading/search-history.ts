/**
 * `search`: the calls on record for people to look back on, whether anyone was asked about them or not. It filters above
 * the store, so one request looks through a bounded number of calls, and goes on where it stopped when it is asked again.
 *
 * What a person looks for is found only in what they are shown: a search never looks under a mask (P9).
 */

import { contentOf } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import { currentTerms, type Request, type RequestState, STATES, shownBytes } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import { VERDICT_KINDS, type VerdictKind } from '../../core/verdict.ts'
import { renderCall } from '../../display/render.ts'
import { makeVisible } from '../../display/text/visible.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import { compileGlob } from '../../policy/matchers/globs/glob.ts'
import type { Policy } from '../../policy/policy.ts'
import type { CallRecord, PastCall, Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import { cursorWithin, pastCallPages } from '../record/past-call-pages.ts'
import { createYieldBetweenCalls } from '../record/yield-between-calls.ts'

export interface HistorySearch {
  cursor?: string
  limit?: number
  verdict?: VerdictKind
  /** Only requests in this state. */
  state?: RequestState
  /** A name, or a glob in which `*` is the only wildcard. */
  tool?: string
  session?: string
  /** Who decided or voted. */
  by?: string
  /** One of the rules that asked, or the one that settled it. */
  rule?: string
  /** Stands in what is shown of it: its summary, its reason or its tool. Upper and lower case are the same. */
  text?: string
  /** From this moment on, and before that one. */
  since?: number
  until?: number
  /** In which language summaries are written and looked through. */
  locale?: Locale
}

/** A call about which nobody was asked. */
export type UnaskedCall = Omit<CallRecord, 'commitmentKey'>

export type FoundCall =
  | { kind: 'asked'; request: Request }
  /** The summary is one line, with masks. */
  | { kind: 'settled'; call: UnaskedCall; summary: string }

export interface FoundCalls {
  items: FoundCall[]
  /** Where to go on; also where the page is short, because only so many calls are looked through at a time. */
  cursor?: string
  looked: number
  /** When the oldest that was looked at was made. */
  back?: number
}

export type SearchHistoryVerb = (search: HistorySearch, actor: Actor) => Promise<FoundCalls>

export interface SearchPorts {
  policy: () => Policy
  store: Pick<Store, 'calls' | 'get'>
  host: Pick<Host, 'giveWay'>
}

/** A second's work at most. */
const MAX_LOOKED = 2000
const MAX_CHARACTERS = 32 * 1024 * 1024
const MAX_LIMIT = 200
const DEFAULT_LIMIT = 50
const MAX_TEXT = 256
/** Of one value. A summary shows less. */
const SHOWN = 400

export function createSearchHistory(ports: SearchPorts): SearchHistoryVerb {
  return async (search, actor) => {
    if (actor.role === 'agent') {
      throw new BanksmanError('forbidden', "an agent's credential can't look through the history")
    }
    checkSearch(search)
    const { cursor, since, limit = DEFAULT_LIMIT } = search
    const filter = createFilter(ports, search)
    const found: FoundCalls = { items: [], looked: 0 }
    const pages = pastCallPages(ports.store, {
      ...(cursor === undefined ? { first: limit } : { cursor }),
      ...defined({ since }),
      calls: MAX_LOOKED,
      characters: MAX_CHARACTERS,
    })
    const pause = createYieldBetweenCalls(ports.host)
    for await (const page of pages) {
      const taken = await takeFrom(page.calls, filter, found, limit, pause)
      const next = await cursorWithin(ports.store, page, taken)
      if (next === undefined) delete found.cursor
      else found.cursor = next
      if (found.items.length === limit) break
    }
    return found
  }
}

type Filter = (call: PastCall) => Promise<FoundCall | undefined>

/** Says how many calls it looked at before there were enough. */
async function takeFrom(
  calls: readonly PastCall[],
  filter: Filter,
  found: FoundCalls,
  limit: number,
  pause: (characters: number) => Promise<void>,
): Promise<number> {
  for (const [index, call] of calls.entries()) {
    await pause(call.bytes.length)
    found.looked++
    found.back = Math.min(found.back ?? call.createdAt, call.createdAt)
    const item = await filter(call)
    if (item !== undefined) found.items.push(item)
    if (found.items.length === limit) return index + 1
  }
  return calls.length
}

/** What the call itself says is looked at first, since it costs nothing; then its request; the text last. */
function createFilter({ policy, store }: SearchPorts, search: HistorySearch): Filter {
  const { locale = 'en', by, rule, state } = search
  const isTool = search.tool === undefined ? () => true : compileGlob(search.tool)
  const text = search.text?.toLowerCase()

  const isWanted = (call: PastCall) =>
    (search.verdict === undefined || call.verdict === search.verdict) &&
    (search.session === undefined || call.session === search.session) &&
    (search.since === undefined || call.createdAt >= search.since) &&
    (search.until === undefined || call.createdAt < search.until) &&
    isTool(call.tool)

  const says = (call: { tool: string; because: string }, summary: () => string) =>
    text === undefined ||
    [call.tool, makeVisible(call.because).text, summary()].some((shown) => shown.toLowerCase().includes(text))

  async function asked(id: string): Promise<FoundCall | undefined> {
    const request = await store.get(id)
    if (request === undefined) return undefined
    if (state !== undefined && request.state !== state) return undefined
    if (by !== undefined && !whoDecided(request).includes(by)) return undefined
    if (rule !== undefined && !rulesOf(request).includes(rule)) return undefined
    const summary = () => summaryOf(policy(), request.tool, shownBytes(request), locale)
    return says(request, summary) ? { kind: 'asked', request } : undefined
  }

  return async (call) => {
    if (!isWanted(call)) return undefined
    const { verdict, request } = call
    if (verdict === 'ask') return request === undefined ? undefined : asked(request.id)
    if (state !== undefined || by !== undefined) return undefined
    if (rule !== undefined && call.rule !== rule) return undefined
    const summary = summaryOf(policy(), call.tool, call.bytes, locale)
    return says(call, () => summary) ? { kind: 'settled', call: { ...call, verdict }, summary } : undefined
  }
}

/** The rules that ask, each once. */
export function rulesOf(request: Request): string[] {
  return [...new Set(currentTerms(request).conditions.map((condition) => condition.rule))]
}

function whoDecided({ progress }: Request): (string | undefined)[] {
  const { decision, votes = [], edit } = progress
  return [decision?.by, edit?.by, ...votes.map((vote) => vote.by)]
}

/** Of erased arguments only the tool is left. */
function summaryOf(policy: Policy, tool: string, bytes: string, locale: Locale): string {
  const content = bytes === '' ? { tool, arguments: {} } : contentOf(bytes)
  const known = policy.knownTool(content)
  return renderCall(content, { locale, limit: SHOWN, known }).summary
}

function checkSearch(search: HistorySearch): void {
  const { limit, verdict, state, since, until } = search
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT)) {
    invalid('limit', `a whole number from 1 to ${MAX_LIMIT}`, limit)
  }
  if (verdict !== undefined && !VERDICT_KINDS.includes(verdict)) {
    invalid('verdict', `one of ${VERDICT_KINDS.join(', ')}`, verdict)
  }
  if (state !== undefined && !STATES.includes(state)) invalid('state', `one of ${STATES.join(', ')}`, state)
  for (const field of ['tool', 'session', 'by', 'rule', 'text'] as const) {
    const value: unknown = search[field]
    const isText = typeof value === 'string' && value !== '' && value.length <= MAX_TEXT
    if (value !== undefined && !isText) invalid(field, `a text of 1 to ${MAX_TEXT} characters`, value)
  }
  for (const field of ['since', 'until'] as const) {
    const value: unknown = search[field]
    if (value !== undefined && !Number.isFinite(value)) invalid(field, 'a moment', value)
  }
  if (since !== undefined && until !== undefined && since >= until) {
    throw new BanksmanError('invalid', 'since must be before until', { pointer: '/since' })
  }
}

function invalid(field: string, wanted: string, found: unknown): never {
  const shown = JSON.stringify(found)?.slice(0, 100)
  throw new BanksmanError('invalid', `${field} must be ${wanted}; found ${shown}`, { pointer: `/${field}` })
}
