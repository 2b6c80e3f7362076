/**
 * The door's contract: what a channel exports so that `http/` can mount it. A channel knows no HTTP library and no
 * gateway; it is given a desk to work at, and visits.
 *
 * Who it is that comes is settled before the channel hears of it, from the credential alone (P6). Host and origin were
 * checked too. A door MUST NOT take anybody's word for who they are.
 */
import type { CallContent } from '../core/call.ts'
import type { Conversations } from '../core/conversation.ts'
import type { DecisionInput } from '../core/decision.ts'
import type { KnownTool } from '../core/known-tool.ts'
import type { Request, RequestState } from '../core/request.ts'
import type { Actor } from '../core/session.ts'
import type { Locale } from '../display/words/rendering-words.ts'

/** What a channel works with. The gateway fits it. */
export interface ChannelContext {
  readonly conversations: Conversations
  decide(
    id: string,
    input: DecisionInput,
    actor: Actor,
  ): Promise<{ request: Request; decided: boolean; repeated: boolean }>
  get(id: string, actor: Actor): Promise<Request>
  /** What the catalogue knows of a call's tool: it is handed to `display` with the call. */
  knownTool(call: Pick<CallContent, 'tool' | 'arguments' | 'definition'>): KnownTool
  list(
    query: { state: RequestState; session?: string; limit?: number; cursor?: string },
    actor: Actor,
  ): Promise<{ items: Request[]; cursor?: string }>
  /** Somebody is connected to a live channel (P8). */
  arrive(presence: {
    channel: string
    connection: string
    subject: string
    conversation?: string
  }): Promise<{ leave(): void }>
  /** What changes from now on, at every process on the same store. Absent: it is not told. */
  watch?(options: { signal: AbortSignal }): AsyncIterable<RequestChange>
  report(fault: { doing: string; error: unknown }): void
  now(): number
  /** Calls back once. */
  after(delayMs: number, callback: () => void): { cancel(): void }
  /** For ids that can't be guessed. */
  randomId(): string
}

export type RequestChange =
  | { kind: 'change'; entry: { type: string; request?: string; body: string } }
  /** Something may have been missed: what matters is to be read again. */
  | { kind: 'reset' }

export type Door = HttpDoor | SocketDoor

export interface HttpDoor {
  kind: 'http'
  method: 'GET' | 'POST'
  /** `{name}` stands for one step of the path. */
  path: string
  summary: string
  /** `cookie`: a cookie that a person's login left behind is taken where there is no header. */
  credential: 'bearer' | 'bearer_or_cookie' | 'none'
  maxBodyBytes: number
  answer(visit: DoorRequest): Promise<DoorAnswer>
}

export interface DoorRequest {
  /** Absent at a door without credential. */
  caller: DoorCaller | undefined
  step(name: string): string
  query(name: string): string | undefined
  header(name: string): string | undefined
  /** The body as text. It throws `too_large` past the limit of the door. */
  text(): Promise<string>
  /** Aborts when the visitor has gone, or the server closes. */
  signal: AbortSignal
  locale: Locale
  /** The `host:port` by which we were called. */
  host: string
}

export interface DoorCaller {
  actor: Actor
  /** The credential's id, which is no secret. */
  token: string
  credential: 'bearer' | 'cookie'
  /** Whether the credential would still be accepted. */
  stillHolds(): Promise<boolean>
}

export type DoorAnswer =
  | { kind: 'json'; status: number; body: unknown; headers?: Record<string, string> }
  /**
   * A stream. Each text goes out in one write, and the next is asked for when that was taken. Iterating ends when the visitor
   * has gone. Keep-alives are the channel's own.
   */
  | { kind: 'stream'; headers: Record<string, string>; body: AsyncIterable<string> }

export interface SocketDoor {
  kind: 'socket'
  paths: string[]
  summary: string
  maxFrameBytes: number
  /** Sockets that have not yet said who they are: closed after this time. */
  helloWithinMs: number
  /** The subprotocol to answer with, of those that the client offers. */
  chooseProtocol?(offered: readonly string[]): string | undefined
  /** The secret among the offered subprotocols. Who brings one that holds gets in however many silent sockets there are. */
  secretIn?(offered: readonly string[]): string | undefined
  open(wire: ClientSocket, visit: SocketHandshake): SocketClient
}

/** The line to one client. */
export interface ClientSocket {
  /** False when it was not sent: the line is closed, or the client does not read and was cut off. */
  send(text: string): boolean
  close(code: number, reason: string): void
  /** What has been sent and not yet taken, in bytes. */
  readonly buffered: number
}

export interface SocketHandshake {
  query(name: string): string | undefined
  /** The subprotocols that the client offered. */
  protocols: readonly string[]
  locale: Locale
  host: string
  /** Whose secret it is; undefined for anything that is not a live credential of a person. It counts against the limits of connections. */
  identify(secret: string): Promise<DoorCaller | undefined>
  closing: AbortSignal
}

/** The channel's side of one client. */
export interface SocketClient {
  /** A frame has come; undefined for a binary one. */
  hear(text: string | undefined): void
  gone(): void
}
