/**
 * The channel's contract: where people are asked.
 *
 * The gateway commits a request and its deliveries first and then presents them, at least once each, whatever
 * crashes (P1). A channel MUST therefore take the same delivery twice. It MUST NOT decide by itself: what comes
 * back from a person goes to `gateway.decide` with the identity that the channel authenticated, and the gateway
 * checks whether that person may (P6). An answer may arrive before `present` has returned.
 *
 * A channel says which origins it serves; for others it abstains and is not asked at all (P8). It is
 * - `durable` when a request waits there until someone looks (an inbox, a chat): `reaches` says whether any of
 *   the eligible people is known to it;
 * - `live` when it exists only while someone is connected (a socket, a terminal): the gateway knows that from
 *   the presence leases that the channel renews.
 *
 * Several processes may serve the same channel on one store. A delivery is taken by one of them. In a live channel that is
 * one that somebody is connected to, and not always the right person: a channel that can't show the request to anybody it
 * is for MUST say `later`, and then it is left for the process that can. It MUST NOT take having shown it to nobody for
 * having shown it (P1).
 */
import type { LinkedAccount } from '../core/authority.ts'
import type { Origin } from '../core/call.ts'
import type { JsonValue } from '../core/json/json.ts'
import type { Request } from '../core/request.ts'
import type { ApprovalBounds } from '../display/words/approval-bounds.ts'
import type { Locale } from '../display/words/rendering-words.ts'

export interface Channel {
  readonly name: string
  readonly kind: 'durable' | 'live'
  /** People come and look: committing the request is presenting it, and there is nothing to deliver. */
  readonly pull?: boolean
  /** It only says that something waits, and people answer elsewhere: it is never what makes anybody reachable (P8). */
  readonly onlyTells?: boolean
  /** How long a request waits that came up in this channel, where no rule says otherwise. */
  readonly deadlineMs?: number
  serves(origin: Origin | undefined): boolean
  /** For a durable channel: whether one of these people can be asked here. */
  reaches?(people: readonly string[]): boolean | Promise<boolean>
  /** Shows the request. What it returns is kept and handed to `update`. Throwing means: try again later. */
  present?(presentation: Presentation): Promise<JsonValue | undefined>
  /** The request has changed since it was shown: answered (perhaps elsewhere), expired, voted on. */
  update?(presentation: Presentation): Promise<JsonValue | undefined>
  /** Tells a person of their own accounts, where they can be told in words. That it fails changes nothing. */
  tell?(notice: AccountNotice): Promise<void>
  /**
   * Writes a notice to a person or a chat that a session came from. Throwing means: try again later; `NotNow` says when. `gone`: it
   * can't be written there, and trying again doesn't help.
   */
  notify?(notice: ChannelNotice): Promise<'told' | 'gone'>
  close?(): Promise<void>
}

/** Something that a person is told and has nothing to decide about. The channel shows each part as plain text. */
export interface ChannelNotice {
  /** Where to. A person's account, or a chat: as the origin of a session names it. */
  conversation: string
  /** Whose session it is: where the conversation is a group that the configuration doesn't name, they are told in private. */
  owner: string
  /** In the channel's language. */
  words(locale: Locale): NoticeWords
}

/** Nothing is wrong, or it may be right by then: the same again after this time. */
export class NotNow extends Error {
  readonly retryAfterMs: number
  constructor(retryAfterMs: number) {
    super(`it can't be written just now; again in ${Math.ceil(retryAfterMs / 1000)} s`)
    this.name = 'NotNow'
    this.retryAfterMs = retryAfterMs
  }
}

export interface NoticeWords {
  /** A sign before the title, such as ✅. */
  sign?: string
  /** Shown strong. */
  title: string
  /** Behind the title, on the same line. */
  detail?: string
  /** What a session or its tools said: made visible, marked as its words, never markup, a link or a mention. */
  quoted?: string
  /** Above it: whose words they are. Absent: that a session said so. */
  label?: string
}

/** An account was linked to a person, or is no longer. */
export interface AccountNotice {
  kind: 'linked' | 'unlinked'
  /** And whose it is, or was. */
  account: LinkedAccount
  /** Who did it. */
  by: string
}

export interface Presentation {
  request: Request
  /**
   * Whether it can be approved here. Where a hidden value forbids it (P9), the channel MUST NOT offer it: it shows the
   * reason and links to the inbox. The gateway refuses it all the same.
   */
  approvable: { here: true } | { here: false; bounds: ApprovalBounds }
  /** What `present` or the last `update` returned. */
  reference?: JsonValue
  /** 1 for the first try. More than 1: it may have been shown before. */
  attempt: number
  /** Nothing went wrong, but it is too early: it is asked again after this time, also by another process. */
  later(inMs: number): void
}
