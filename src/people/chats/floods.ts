/**
 * Many requests at once: after five cards in a minute a chat gets one summary card for all others, with a link to the inbox.
 * A high-risk request always gets a card of its own. What was counted is in the store, so that a restart or another node doesn't
 * begin anew; those that come together are counted together, in one commit and one change of the summary.
 */
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json/json.ts'
import { currentTerms, type Request } from '../../core/request.ts'
import { isHighRisk } from '../../core/verdict.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import type { RecordVerbs } from '../../stores/record-verbs.ts'
import type { Card } from './card/card.ts'
import { chatWords } from './card/words.ts'
import {
  type ChatAddress,
  ChatFault,
  type ChatService,
  type MessageReference,
  type RenderedCard,
} from './contract.ts'
import { addressKey, type Pace } from './pace.ts'

export interface Floods {
  /** True: the summary stands for it. False: it gets a card of its own. Fails as the service does. */
  takes(request: Request, to: ChatAddress): Promise<boolean>
  /** It is over, and counts no more. */
  settle(request: Request): Promise<void>
}

export interface FloodsParts {
  service: Pick<ChatService, 'name' | 'limits' | 'render' | 'send' | 'update'>
  records: RecordVerbs
  pace: Pace
  locale: Locale
  inbox(): string | undefined
  now(): number
}

/** Of one chat. */
interface FloodState {
  to: ChatAddress
  /** The requests that got cards there in the last minute, and when. */
  sent: [request: string, at: number][]
  /** The requests that the summary stands for. */
  pending: string[]
  summary?: MessageReference
  /** How many the summary says. */
  said: number
}

interface FloodJob {
  request: Request
  isOver: boolean
  resolve(isTaken: boolean): void
  reject(error: unknown): void
}

const KIND = 'chat_flood'
const CARDS = 5
/** High-risk requests have cards beyond that. */
const MAX_SENT = 100
const IN_MS = 60_000
const KEPT_MS = 7 * 86_400_000
/** Beyond that the summary says no more than that there are many. */
const MAX_COUNTED = 1000
const MAX_TRIES = 20

export function createFloods({ service, records, pace, locale, inbox, now }: FloodsParts): Floods {
  const jobs = new Map<string, { to: ChatAddress; waiting: FloodJob[] }>()
  const prefix = `${JSON.stringify([service.name]).slice(0, -1)},`
  const keyOf = (to: ChatAddress) => JSON.stringify([service.name, addressKey(to)])

  function add(request: Request, to: ChatAddress, isOver: boolean): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const job = { request, isOver, resolve, reject }
      const key = keyOf(to)
      const open = jobs.get(key)
      if (open !== undefined) {
        open.waiting.push(job)
        return
      }
      jobs.set(key, { to, waiting: [job] })
      void work(key)
    })
  }

  /** One round after the other, each for all that have come meanwhile. */
  async function work(key: string): Promise<void> {
    for (;;) {
      const { to, waiting } = jobs.get(key)!
      const round = waiting.splice(0)
      if (round.length === 0) break
      await handle(key, to, round).catch((error) => {
        for (const { reject } of round) reject(error)
      })
    }
    jobs.delete(key)
  }

  async function handle(key: string, to: ChatAddress, round: readonly FloodJob[]): Promise<void> {
    const taken = new Set<FloodJob>()
    const state = await change(key, to, (before) => {
      taken.clear()
      return round.reduce((now, job) => count(now, job, taken), before)
    })
    for (const job of round) if (!taken.has(job)) job.resolve(false)
    try {
      if (state.pending.length !== state.said) await say(key, state)
    } catch (error) {
      for (const job of taken) job.reject(error)
      return
    }
    for (const job of taken) job.resolve(true)
  }

  function count(state: FloodState, job: FloodJob, taken: Set<FloodJob>): FloodState {
    const { id } = job.request
    if (job.isOver) return { ...state, pending: state.pending.filter((one) => one !== id) }
    if (state.pending.includes(id)) {
      taken.add(job)
      return state
    }
    const sent = state.sent.filter(([, at]) => at > now() - IN_MS)
    // It was to get one, and is tried again.
    if (sent.some(([one]) => one === id)) return { ...state, sent }
    if (isHighRisk(currentTerms(job.request).severity) || sent.length < CARDS)
      return { ...state, sent: [...sent, [id, now()] as [string, number]].slice(-MAX_SENT) }
    taken.add(job)
    return { ...state, sent, pending: [...state.pending, id].slice(-MAX_COUNTED) }
  }

  /** A summary of its own for a new flood; the last one is changed while it lasts. */
  async function say(key: string, state: FloodState): Promise<void> {
    const rendered = service.render(summaryCard(state.pending.length))
    if ('tooLong' in rendered) throw new ChatFault({ kind: 'refused' }, 'a summary is too long')
    const isNew = state.summary === undefined || state.said === 0
    if (isNew && state.pending.length === 0) return
    const afterMs = pace.take(state.to)
    if (afterMs > 0) throw new ChatFault({ kind: 'retry', afterMs }, 'this chat takes no more just now')
    const said = state.pending.length
    const kept = isNew ? undefined : await updated(state.summary!, rendered)
    const summary = kept ?? (said === 0 ? undefined : await sent(state.to, rendered))
    await change(key, state.to, ({ summary: _, ...now }) => ({ ...now, said, ...defined({ summary }) }))
  }

  /** Undefined: somebody has deleted it, or it can't be changed any more. Then another stands for what is pending. */
  async function updated(
    summary: MessageReference,
    rendered: RenderedCard,
  ): Promise<MessageReference | undefined> {
    try {
      await service.update(summary, rendered)
      return summary
    } catch (error) {
      if (error instanceof ChatFault && error.what.kind !== 'retry') return undefined
      throw error
    }
  }

  async function sent(to: ChatAddress, rendered: RenderedCard): Promise<MessageReference> {
    const { chat, message } = await service.send(to, rendered, { isSilent: false })
    return { chat, message }
  }

  function summaryCard(pending: number): Card {
    const words = chatWords(locale)
    const url = inbox()
    return {
      locale,
      tone: pending === 0 ? 'over' : 'pending',
      title: pending === 0 ? words.told.nothingPending : words.floodTitle(pending),
      mentions: [],
      parts: pending === 0 ? [] : [{ kind: 'words', text: words.flood }],
      buttons: [],
      forms: [],
      inbox: url === undefined ? undefined : { label: words.openInbox, url },
    }
  }

  async function change(
    key: string,
    to: ChatAddress,
    how: (state: FloodState) => FloodState,
  ): Promise<FloodState> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const record = await records.get(KIND, key)
      const before = (record?.value as unknown as FloodState | undefined) ?? {
        to,
        sent: [],
        pending: [],
        said: 0,
      }
      const after = how(before)
      const value = after as unknown as JsonValue
      const { won } = await records.change([
        { kind: KIND, key, version: record?.version ?? 0, value, expiresInMs: KEPT_MS },
      ])
      if (won) return after
    }
    throw new BanksmanError('store_unavailable', `a chat's count changed ${MAX_TRIES} times meanwhile`)
  }

  return {
    takes: (request, to) => add(request, to, false),
    async settle(request) {
      const { items } = await records.list({ kind: KIND, prefix })
      const states = items.map(({ value }) => value as unknown as FloodState)
      for (const { to } of states.filter(({ pending }) => pending.includes(request.id)))
        await add(request, to, true)
    },
  }
}
