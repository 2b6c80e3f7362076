/**
 * The chat contract: what one chat service has to do so that people can be asked in it. Everything else is written once, in
 * the files beside this one: where a card goes, its handles, clicks, text answers, floods, who receives.
 *
 * The driver of a service verifies, parses, renders and sends.
 * - It MUST NOT decide anything. It hands over clicks and messages as they came (`ChatHost`).
 * - It MUST NOT make an identity. It hands over the account that the service vouched for, with the service's own id of it.
 *   Names, user names and addresses prove nothing. A click or message without a usable account is dropped by the driver.
 * - `render` is pure. It escapes every text of the card, so that none of it can become markup, a link or a mention; only
 *   `mentions` mention, and only `inbox` links. It MUST measure the final payload, after escaping, and say `tooLong` rather
 *   than cut anything. It MUST draw every text of the card, above the buttons or in the order of the card's members.
 * - `describe`, `check`, `send`, `notify` and `update` fail with a `ChatFault`, which says what to do about it. No fault, report or log may have a secret of
 *   the service in it, such as a token.
 * - What comes in is confirmed to the service only after `ChatHost.click` or `ChatHost.message` has resolved: then it is
 *   committed. Where they reject, the service is to send it again. A service may send the same thing twice.
 * - Names that people or a service choose (`senderName`, `ChatDescription`) are only shown. They prove nothing, they are handed over
 *   as they came, and whoever shows them makes them visible first.
 * - `acknowledge` tells the person who clicked, and nobody else. It is called once for a click, within `limits.ackWithinMs`.
 *   That it failed changes nothing: what was decided counts.
 */
import type { VerifiedAccount } from '../../core/authority.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Door } from '../door.ts'
import type { ChatDescription } from '../driver.ts'
import type { Card } from './card/card.ts'

export type { ChatDescription }

export interface ChatService {
  /** The channel's name, its key in the configuration, and the service of its accounts: `telegram`. */
  readonly name: string
  /** The organisation or workspace that we are set up for, as accounts name it. Empty where the service has none. */
  readonly tenant: string
  readonly limits: ChatLimits
  /** Asks the service who we are to it. It is asked each time, so it also shows whether the credentials are good. */
  describe(): Promise<ChatDescription>
  /** What keeps us from receiving, or from writing to these chats, as far as the service tells. It changes nothing. */
  check(chats: readonly string[]): Promise<readonly ChatObstacle[]>
  /** What the person who sets it up can do about a fault. */
  advise(fault: unknown): string
  render(card: Card): RenderedCard | { tooLong: true }
  /** Sends a new message. Where it is not known whether it arrived, it fails: a second card is allowed. */
  send(to: ChatAddress, card: RenderedCard, options: { isSilent: boolean }): Promise<SentMessage>
  /** Changes a message that `send` named. That it shows this already is a success. */
  update(message: MessageReference, card: RenderedCard): Promise<void>
  /** Sends a notice. Nothing of it is markup, a link or a mention, and it has no buttons. */
  notify(to: ChatAddress, notice: ShownNotice, options: { isSilent: boolean }): Promise<void>
  /** Plain text, as an answer to a message where one is named. Longer than the service takes, it is cut. */
  say(to: ChatAddress, text: string, answering?: string): Promise<void>
  /** Whether this account can read the chat. False where that can't be told. */
  sees(chat: string, account: string): Promise<boolean>
  /** Begins to receive. It is called once. */
  receive(host: ChatHost): ChatReceiver
}

export interface ChatObstacle {
  detail: string
  advice: string
  /** While it is there, nothing comes in or nothing can be written. */
  isBlocking: boolean
  /** Takes it away, once somebody has said yes to the question. */
  remove?: { question: string; run(): Promise<void> }
}

export interface ChatReceiver {
  /** Where the service calls us. Absent where we call it. */
  doors?: readonly Door[]
  /** Ends connections. What is being handled is waited for. */
  close(): Promise<void>
}

/** What a service can take, as data. */
export interface ChatLimits {
  /** How many buttons of ours fit a card. */
  maxButtons: number
  /** A form's fields can be filled in on the card. Otherwise people are asked to reply. */
  hasForms: boolean
  /** A message can come without a sound. */
  canBeSilent: boolean
  /** A click that isn't acknowledged by then shows an error to the person. */
  ackWithinMs: number
  /** How many messages and changes one chat takes in that time. */
  pace: Readonly<Record<'person' | 'chat', { count: number; inMs: number }>>
}

/** A person is written to in the private chat of their account, whatever its id is. */
export type ChatAddress = { kind: 'person'; account: string } | { kind: 'chat'; chat: string }

export interface MessageReference {
  chat: string
  message: string
}

export interface SentMessage extends MessageReference {
  /** When it was sent, by the service's clock: messages of people are compared with it. */
  at: number
}

/** Texts that were made visible, and are short enough for every service. */
export interface ShownNotice {
  /** A picture before the title. Empty: none. */
  sign: string
  /** Ours; shown strong. */
  title: string
  /** Ours; behind the title. */
  detail: string
  /** What a session said, drawn so that nobody takes it for our words or for a card. */
  quoted?: { label: string; text: string }
}

/** A card as the service takes it. Only the driver looks into it. */
export interface RenderedCard {
  payload: JsonObject
}

/** What goes wrong with a service, by what is to be done about it. */
export type ChatFaultKind =
  /** The chat or message is no more, or the bot may not write there. Trying again doesn't help. */
  | { kind: 'gone' }
  /** It may work later: after this time, where the service said so. */
  | { kind: 'retry'; afterMs?: number }
  /** The service doesn't take it as it is. Trying again doesn't help. */
  | { kind: 'refused' }
  /** The chat has another id now. */
  | { kind: 'moved'; chat: string }

export class ChatFault extends Error {
  readonly what: ChatFaultKind
  constructor(what: ChatFaultKind, message: string) {
    super(message)
    this.name = 'ChatFault'
    this.what = what
  }
}

/** What a driver hands what came in to. */
export interface ChatHost {
  /** Resolves when the click was handled: decided and committed, or refused. Rejects where the store can't tell. */
  click(click: ChatClick, acknowledge: Acknowledge): Promise<void>
  message(message: ChatMessage): Promise<void>
  /** Whether this process receives for all: of several on one store, one polls or has the connection. */
  readonly receiving: ReceiverTurn
  readonly clock: Pick<Clock, 'now' | 'after'>
  /** A connection is open. It is called for each, by services that have one. */
  connected?(): void
  report(fault: { doing: string; error: unknown }): void
}

export interface ReceiverTurn {
  /** Resolves when it is this process's turn, and with undefined when it was closed. The signal aborts when the turn is over. */
  next(): Promise<AbortSignal | undefined>
}

/** Tells the person who clicked. `isAlert`: they have to see it. */
export type Acknowledge = (answer: { text: string; isAlert: boolean } | undefined) => Promise<void>

interface ChatInput {
  /** The service's own id of what came in, the same when it is sent again. */
  event: string
  /** Verified. Whose it is, is looked up by the gateway. */
  account: VerifiedAccount
  chat: string
}

export interface ChatClick extends ChatInput {
  /** The message that the button is on, as the service says. */
  message: string
  handle: string
  /** What was filled in, by the names of the form's fields. */
  form?: Readonly<Record<string, readonly string[]>>
}

export interface ChatMessage extends ChatInput {
  message: string
  /** A chat of this account with the bot, and nobody else. */
  isPrivate: boolean
  text: string
  /** The message that it answers, in the same chat. */
  replyTo?: string
  isForwarded: boolean
  isEdited: boolean
  isBot: boolean
  /** In a group: it names the bot. Absent where the service doesn't tell. */
  isAddressed?: true
  /** What the service shows as the sender's name. They choose it. Absent where the service doesn't say. */
  senderName?: string
  /** By the service's clock. */
  writtenAt: number
}
