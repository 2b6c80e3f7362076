/**
 * The driver's contract: one place where people are asked, as the server puts it together.
 *
 * The server makes a driver for each channel that is configured, and opens the gateway with their `channel`s. Then it calls
 * `connect` once on each, whether or not there is an agent. The gateway may deliver before that: a channel that can't show a
 * request yet says `later`. The server mounts what `connect` gives back, and closes it. A channel that needs no address of its
 * own, such as a long connection to a chat service, has no doors.
 *
 * Deciding and conversing are two contracts. Deciding is always there. Conversing is there only if this server has an agent. A
 * driver MUST work without it: it takes answers, and refuses to pass on what somebody says (`withAgent`).
 *
 * A driver MUST NOT make an identity. It hands on who acts as it got it: the caller of a credential, which a door checked, or an
 * account that the driver verified itself. The gateway looks the person up at that moment (P6), refuses an account that belongs
 * to nobody (`unlinked_account`) and writes the proof into the journal. So a driver MUST NOT remember whose account it was.
 */

import type { Identified, LinkedAccount, VerifiedAccount } from '../core/authority.ts'
import type { CallContent } from '../core/call.ts'
import type { Conversations } from '../core/conversation.ts'
import type { DecisionInput } from '../core/decision.ts'
import type { KnownTool } from '../core/known-tool.ts'
import { reasonOf } from '../core/reasons/reason-of.ts'
import { reasonedError } from '../core/reasons/reasoned-error.ts'
import type { Request, RequestState } from '../core/request.ts'
import type { LinkClaim, LinkClaimed } from '../core/support/account-linking.ts'
import type { Clock } from '../core/time/clock.ts'
import type { QuietHours } from '../core/time/quiet-hours.ts'
import type { Locale } from '../display/words/rendering-words.ts'
import type { PushSubscriptionInput, WirePush } from '../wire/types/push.ts'
import type { Channel } from './channel.ts'
import type { Door } from './door.ts'

export interface ChannelDriver {
  readonly channel: Channel
  connect(ports: ChannelPorts): ConnectedChannel
}

export interface ConnectedChannel {
  doors?: readonly Door[]
  /** Logging in leaves a cookie for the doors below this path. */
  cookiePath?: string
  /** A folder whose files are served below a path, which begins and ends with a slash. */
  pages?: { prefix: string; folder: string }
  /** Where people have their browsers told of requests. One channel has it at most. */
  push?: PushSubscribing
  /** A chat that people can link their accounts of. */
  chat?: ChatDesk
  /** Ends what the driver has open. It is called before the gateway closes. */
  close?(): Promise<void>
}

export interface ChannelPorts {
  readonly deciding: Deciding
  /** Absent: this server has no agent. */
  readonly conversing: Conversing | undefined
  /** Absent: this server has no secretary, and what people write in chats is only taken for answers. */
  readonly secretary: SecretaryTalk | undefined
  /**
   * Accounts of a service that were linked by hand, beside those that the directory has, to write to people there. It proves
   * nothing about who acts: that is looked up by the gateway.
   */
  linked(service: string): Promise<readonly LinkedAccount[]>
  /** An account has sent what looks like the code of a link. Nothing is linked by it: the person confirms it elsewhere. */
  claimLink(claim: LinkClaim): Promise<LinkClaimed>
  /** A test card was clicked: the person that it counts as, undefined for nobody. Throws `unknown_id` where the test is over. */
  clickTest(id: string, account: VerifiedAccount): Promise<string | undefined>
  /** When a person is not to be disturbed. */
  quietHours(subject: string): Promise<QuietHours | undefined>
  /** Somebody is connected to a live channel (P8). */
  arrive(presence: {
    channel: string
    connection: string
    subject: string
    conversation?: string
  }): Promise<{ leave(): void }>
  readonly clock: Pick<Clock, 'now' | 'after'>
  /** For ids that can't be guessed. */
  randomId(): string
  report(fault: { doing: string; error: unknown }): void
}

export interface Deciding {
  decide(
    id: string,
    input: DecisionInput,
    by: Identified,
  ): Promise<{ request: Request; decided: boolean; repeated: boolean }>
  get(id: string, by: Identified): Promise<Request>
  list(
    query: { state: RequestState; session?: string; limit?: number; cursor?: string },
    by: Identified,
  ): Promise<{ items: Request[]; cursor?: string }>
  /** What the catalogue knows of a call's tool: it is handed to `display` with the call. */
  knownTool(call: Pick<CallContent, 'tool' | 'arguments' | 'definition'>): KnownTool
  /** What changes from now on, at every process on the same store. */
  watch(options: { signal: AbortSignal }): AsyncIterable<RequestChange>
}

export type RequestChange =
  | { kind: 'change'; entry: { type: string; request?: string; body: string } }
  /** Something may have been missed: what matters is to be read again. */
  | { kind: 'reset' }

/** `Conversations`, for whoever acts. */
export interface Conversing {
  say(saying: Parameters<Conversations['say']>[0], by: Identified): ReturnType<Conversations['say']>
  interrupt(
    session: string,
    input: Parameters<Conversations['interrupt']>[1],
    by: Identified,
  ): Promise<boolean>
  events(
    session: string,
    options: Parameters<Conversations['events']>[1],
    by: Identified,
  ): ReturnType<Conversations['events']>
  entries(
    session: string,
    page: Parameters<Conversations['entries']>[1],
    by: Identified,
  ): ReturnType<Conversations['entries']>
  running(session: string, by: Identified): Promise<string | undefined>
}

/**
 * What people write to the bot in a chat, beyond answers to cards: commands, and words for a session or for the secretary. The chat
 * tells who wrote it where; what it means is the secretary's business.
 */
export interface SecretaryTalk {
  /** Every message in this chat goes to a session: a plain y or n too, which is an answer only as a reply to a card. */
  isDirect(place: TalkPlace, by: Identified): Promise<boolean>
  /**
   * Resolves when it is on the record. Undefined: it isn't meant for us, such as what people say to each other in a group. What
   * the secretary has to say later comes by `Channel.notify`. Throws what the writer is told, alone: `unlinked_account`, `not_yours`.
   */
  hear(message: TalkMessage, by: Identified): Promise<TalkAnswer | undefined>
}

export interface TalkPlace {
  service: string
  chat: string
  /** A chat of this account with the bot, and nobody else. */
  isPrivate: boolean
  account: string
}

export interface TalkMessage extends TalkPlace {
  text: string
  /** The service's own id, the same when it is sent again. */
  event: string
  /** The language of the chat. */
  locale: Locale
  /** In a group: whoever wrote it has named the bot, so it is meant for us. */
  isAddressed?: true
}

/** In words of ours; what a session said is in it only where it was made visible and marked. */
export interface TalkAnswer {
  /** Absent: it was heard, and what there is to say comes later. */
  text?: string
  /** To who wrote, and nobody else. */
  isAlone?: boolean
}

/** How people find our bot. */
export interface ChatDescription {
  /** What the service calls it: `@deploys_bot`. */
  bot: string
  /** What the service calls the workspace. Absent where it has none or doesn't say. */
  workspace?: string
  /** Opens a private chat with the bot. */
  address: string
  /** The same, with a code filled in. The code is of letters, digits and hyphens. Absent where an address can't carry one. */
  addressWithCode?(code: string): string
}

/** A chat as people see it in their settings. */
export interface ChatDesk {
  readonly service: string
  /** The tenant that our bot works in. */
  readonly tenant: string
  readonly textAnswers: boolean
  /** What the service says of our bot, or what went wrong when it was asked. */
  describe(): Promise<ChatDescription | { fault: string }>
  /** Sends a test card to the person's account. Throws `invalid` where they have none; a fault of the service is told. */
  sendTest(test: { id: string; subject: string }): Promise<{ fault?: string }>
}

/** Who it is comes from the credential, never from what was sent (P6). */
export interface PushSubscribing {
  state(subject: string): Promise<WirePush>
  subscribe(who: { subject: string; token: string }, input: PushSubscriptionInput): Promise<WirePush>
  unsubscribe(subject: string, endpoint: string): Promise<void>
}

export interface ConversingPorts extends ChannelPorts {
  readonly conversing: Conversing
}

/** Throws what somebody is told who talks to a server without an agent. */
export function withAgent(ports: ChannelPorts): ConversingPorts {
  const { conversing } = ports
  if (conversing !== undefined) return { ...ports, conversing }
  throw reasonedError('unknown_route', reasonOf('session.nobody-here'))
}
