/**
 * Cards that were sent, and the handles of their buttons, as records in the store: they outlive restarts, and every node knows
 * them. A handle is sixteen random bytes. It says nothing to anyone who reads it, and is no authority: who clicks is looked up.
 *
 * A card is committed before it is sent, with its request, version, digest, place and what each handle stands for. It is bound
 * to its message as soon as the service has named that. A click on a bound card counts on that message alone. A click that
 * comes earlier must come from the chat, or, where the card went to a person, from that person. A handle that the card had
 * before an edit is still known, and stands for nothing.
 */
import { randomBytes } from 'node:crypto'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json/json.ts'
import { type Request, shownDigest } from '../../core/request.ts'
import type { RecordChange, RecordVerbs, StoredRecord } from '../../stores/record-verbs.ts'
import type { CardAction } from './card/card.ts'
import type { ChatAddress, ChatClick, MessageReference } from './contract.ts'

/** A card as it is kept. */
export interface KeptCard {
  readonly request: string
  /** Of the request as it was last shown on the card. */
  readonly version: number
  readonly digest: string
  readonly place: ChatAddress
  /** By handle. Empty once nothing can be answered any more. */
  readonly actions: Readonly<Record<string, CardAction>>
  readonly message?: MessageReference
  /** When it was sent, by the service's clock; absent where nobody knows. */
  readonly sentAt?: number
  /** When the request was first seen to be over, by the store's clock. */
  readonly settledAt?: number
  /** The message is no more. */
  readonly isGone?: true
  /** A test card: `request` is the id of the test. */
  readonly isTest?: true
}

export interface FoundCard extends KeptCard {
  readonly key: string
}

export interface CardShown {
  request: CardRequest
  actions: Readonly<Record<string, CardAction>>
}

/** What is kept of a request with its card. A test card has one that nobody can decide. */
export type CardRequest = Pick<Request, 'id' | 'version' | 'state' | 'deadline' | 'digest' | 'progress'>

export interface Cards {
  open(place: ChatAddress, shown: CardShown & { isTest?: true }): Promise<FoundCard>
  /** What the card shows from now on. Its other handles stand for nothing. To be called before the message is changed. */
  show(card: FoundCard, shown: CardShown): Promise<FoundCard>
  /** The service has named the message. Throws `unknown_id` where it is another card's. */
  bind(card: FoundCard, sent: MessageReference & { at?: number }): Promise<FoundCard>
  lose(card: FoundCard): Promise<void>
  ofRequest(request: string): Promise<FoundCard[]>
  /** The newest first. Undefined: there are more than anybody looks through. */
  inChat(chat: string): Promise<FoundCard[] | undefined>
  onMessage(message: MessageReference): Promise<FoundCard | undefined>
  /**
   * The card that a click is on. Undefined where the handle is nobody's, or another card's or chat's. Without an action, the
   * card has changed since.
   */
  clicked(click: ChatClick): Promise<{ card: FoundCard; action: CardAction | undefined } | undefined>
}

export interface CardsParts {
  service: string
  records: RecordVerbs
  now(): number
}

const CARD = 'chat_card'
const HANDLE = 'chat_handle'
const MESSAGE = 'chat_message'
const HANDLE_BYTES = 16
const HANDLE_SHAPE = /^[\w-]{22}$/
const DAY_MS = 86_400_000
/** A card answers for some days after its request is over: with who decided it. */
const KEPT_AFTER_MS = 7 * DAY_MS
/** Of a request without a deadline. */
const KEPT_MS = 60 * DAY_MS
const REPLIES_KNOWN_MS = 3_600_000
const MAX_TRIES = 20
const MAX_PAGES = 5

export function newHandle(): string {
  return randomBytes(HANDLE_BYTES).toString('base64url')
}

export function createCards({ service, records, now }: CardsParts): Cards {
  const cardKey = (request: string, id: string) => JSON.stringify([service, request, id])
  const messageKey = ({ chat, message }: MessageReference) => JSON.stringify([service, chat, message])
  const handleKey = (handle: string) => JSON.stringify([service, handle])

  const keptFor = ({ deadline }: Pick<Request, 'deadline'>) =>
    deadline === null ? KEPT_MS : Math.max(0, deadline - now()) + KEPT_AFTER_MS
  /** What is left of a record's time: changing it doesn't make it live longer. */
  const left = ({ expiresAt }: StoredRecord) =>
    expiresAt === undefined ? KEPT_MS : Math.max(1, expiresAt - now())

  const handlesOf = (key: string, actions: CardShown['actions'], expiresInMs: number): RecordChange[] =>
    Object.keys(actions).map((handle) => ({
      kind: HANDLE,
      key: handleKey(handle),
      version: 0,
      value: { card: key },
      expiresInMs,
    }))

  async function read(key: string): Promise<{ record: StoredRecord; card: FoundCard } | undefined> {
    const record = await records.get(CARD, key)
    return record && { record, card: toCard(record) }
  }

  /** Changes the card as it is now, with more changes in the same commit. */
  async function change(
    key: string,
    how: (card: FoundCard, record: StoredRecord) => { card: KeptCard; more?: RecordChange[]; forMs?: number },
  ): Promise<FoundCard> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const found = await read(key)
      if (found === undefined) throw new BanksmanError('unknown_id', 'this card is no longer kept')
      const { card, more = [], forMs = left(found.record) } = how(found.card, found.record)
      const own = {
        kind: CARD,
        key,
        version: found.record.version,
        value: toValue(card),
        expiresInMs: forMs,
      }
      if ((await records.change([own, ...more])).won) return { ...card, key }
    }
    throw new BanksmanError(
      'store_unavailable',
      `a card changed ${MAX_TRIES} times while it was being changed`,
    )
  }

  async function listed(kind: string, prefix: string): Promise<StoredRecord[] | undefined> {
    const items: StoredRecord[] = []
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const { items: more, cursor: next } = await records.list({ kind, prefix, ...defined({ cursor }) })
      items.push(...more)
      if (next === undefined) return items
      cursor = next
    }
    return undefined
  }

  async function pointed(record: StoredRecord | undefined): Promise<FoundCard | undefined> {
    const key = (record?.value as { card?: unknown } | undefined)?.card
    return typeof key === 'string' ? (await read(key))?.card : undefined
  }

  /** A reply to what is over is told so for a while, and then taken for any other message. */
  async function forgetSoon(message: MessageReference): Promise<void> {
    const key = messageKey(message)
    const { version, value, expiresAt = 0 } = (await records.get(MESSAGE, key)) ?? {}
    if (version === undefined || value === undefined || expiresAt <= now() + REPLIES_KNOWN_MS) return
    await records.change([{ kind: MESSAGE, key, version, value, expiresInMs: REPLIES_KNOWN_MS }])
  }

  return {
    async open(place, { request, actions, isTest }) {
      const key = cardKey(request.id, newHandle())
      const expiresInMs = keptFor(request)
      const card: KeptCard = {
        request: request.id,
        version: request.version,
        digest: shownDigest(request),
        place,
        actions,
        ...defined({ isTest }),
      }
      const own = { kind: CARD, key, version: 0, value: toValue(card), expiresInMs }
      const { won } = await records.change([own, ...handlesOf(key, actions, expiresInMs)])
      if (!won) throw new BanksmanError('store_unavailable', 'a handle was drawn twice; try again')
      return { ...card, key }
    },
    async show({ key, message }, { request, actions }) {
      const isOver = request.state !== 'pending'
      if (isOver && message !== undefined) await forgetSoon(message)
      return change(key, (card, record) => {
        const forMs = isOver ? left(record) : keptFor(request)
        const fresh = Object.fromEntries(
          Object.entries(actions).filter(([handle]) => !Object.hasOwn(card.actions, handle)),
        )
        return {
          card: {
            ...card,
            version: request.version,
            digest: shownDigest(request),
            actions,
            ...(isOver ? { settledAt: card.settledAt ?? now() } : {}),
          },
          more: handlesOf(key, fresh, forMs),
          forMs,
        }
      })
    },
    async bind({ key }, { chat, message, at }) {
      const bound = { chat, message }
      const there = await records.get(MESSAGE, messageKey(bound))
      const isOther = there !== undefined && (there.value as { card?: unknown }).card !== key
      // A click says what it likes of its message. Trying again would not help, and would keep everybody else waiting.
      if (isOther) throw new BanksmanError('unknown_id', "this message is another card's")
      return change(key, (card, record) => {
        const isSame = card.message?.chat === chat && card.message.message === message
        const pointer = { kind: MESSAGE, key: messageKey(bound), version: 0, value: { card: key } }
        return {
          card: { ...card, message: bound, ...defined({ sentAt: at ?? card.sentAt }) },
          more: isSame || there !== undefined ? [] : [{ ...pointer, expiresInMs: left(record) }],
        }
      })
    },
    async lose({ key }) {
      await change(key, (card) => ({ card: { ...card, isGone: true } }))
    },
    async ofRequest(request) {
      const found = await listed(CARD, JSON.stringify([service, request]).slice(0, -1))
      return (found ?? []).map(toCard).filter((card) => card.request === request)
    },
    async inChat(chat) {
      const found = await listed(MESSAGE, `${JSON.stringify([service, chat]).slice(0, -1)},`)
      if (found === undefined) return undefined
      const cards = await Promise.all(found.map(pointed))
      return cards
        .filter((card) => card !== undefined && card.message?.chat === chat)
        .sort((one, other) => (other!.sentAt ?? 0) - (one!.sentAt ?? 0)) as FoundCard[]
    },
    async onMessage(message) {
      const card = await pointed(await records.get(MESSAGE, messageKey(message)))
      return card !== undefined && isOn(card, message) ? card : undefined
    },
    async clicked(click) {
      if (!HANDLE_SHAPE.test(click.handle)) return undefined
      const card = await pointed(await records.get(HANDLE, handleKey(click.handle)))
      if (card === undefined || !isFrom(card, click)) return undefined
      const action = Object.hasOwn(card.actions, click.handle) ? card.actions[click.handle] : undefined
      return { card, action }
    },
  }
}

function isOn({ message }: KeptCard, { chat, message: id }: MessageReference): boolean {
  return message !== undefined && message.chat === chat && message.message === id
}

function isFrom(card: KeptCard, click: ChatClick): boolean {
  if (card.message !== undefined) return isOn(card, click)
  const { place } = card
  return place.kind === 'chat' ? place.chat === click.chat : place.account === click.account.account
}

function toCard({ key, value }: StoredRecord): FoundCard {
  return { ...(value as unknown as KeptCard), key }
}

function toValue(card: KeptCard & { key?: string }): JsonValue {
  const { key: _, ...value } = card
  return value as unknown as JsonValue
}
