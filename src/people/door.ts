/**
 * The door's contract: what a channel exports so that `http/` can mount it. A channel knows no HTTP library.
 *
 * `http/` calls a door. Host, origin, size, places and identity are checked before a channel hears of a request. A channel
 * MUST NOT take anybody's word for who they are.
 *
 * There are four kinds. What a kind may not have isn't in its type, and is refused when the door is mounted.
 *
 * - `credential`: for people with a token, or with a cookie where the door takes one. No agent's token gets in (P11). The body
 *   is JSON: a form or `text/plain` is refused, because any page can make a browser send those. Requests count against the
 *   token's places.
 * - `signed`: for another service's server, which signs what it sends. No token and no cookie is read, and a request that a
 *   browser made is refused. The door reads the bytes, up to its limit, and calls `verify` with them. Only bytes that were
 *   verified are decoded and parsed: JSON strictly, or a form in which each name stands once. `verify` MUST compare in constant
 *   time and MUST refuse old timestamps. Returning anything but `true`, or throwing, is a no. A service may send the same thing
 *   twice: the channel MUST recognise it by the service's own id.
 * - `public`: for anybody; GET without a body. It MUST NOT tell anything that is worth protecting, nor change anything.
 * - `socket`: a WebSocket. The credential comes over the socket.
 *
 * Signed and public doors have places of their own. A flood at one of them takes no place away from other doors, from people
 * or from sockets, and none of those takes a place of theirs.
 */
import type { JsonValue } from '../core/json/json.ts'
import type { Actor } from '../core/session.ts'
import type { Locale } from '../display/words/rendering-words.ts'

export type Door = CredentialDoor | SignedDoor | PublicDoor | SocketDoor

interface DoorPlace {
  /** The channel's name. It is the `via` of everybody who comes in here. */
  channel: string
  /** `{name}` stands for one step of the path. */
  path: string
  summary: string
}

export interface CredentialDoor extends DoorPlace {
  kind: 'credential'
  method: 'GET' | 'POST'
  /** With `bearer_or_cookie`, the cookie that a person's login left is taken where there is no header. */
  credential: 'bearer' | 'bearer_or_cookie'
  maxBodyBytes: number
  answer(request: CallerRequest): Promise<DoorAnswer>
}

/** It takes POST. */
export type SignedDoor = SignedJsonDoor | SignedFormDoor

interface SignedDoorTerms extends DoorPlace {
  kind: 'signed'
  maxBodyBytes: number
  /** How many requests are served at once. */
  places: number
  verify(sent: SentBytes): boolean
}

export interface SignedJsonDoor extends SignedDoorTerms {
  body: 'json'
  answer(request: SignedRequest<JsonValue>): Promise<SignedAnswer>
}

export interface SignedFormDoor extends SignedDoorTerms {
  body: 'form'
  answer(request: SignedRequest<ReadonlyMap<string, string>>): Promise<SignedAnswer>
}

/** It takes GET. */
export interface PublicDoor extends DoorPlace {
  kind: 'public'
  /** How many requests are served at once. */
  places: number
  answer(request: DoorRequest): Promise<DoorAnswer>
}

export interface DoorRequest {
  step(name: string): string
  query(name: string): string | undefined
  header(name: string): string | undefined
  /** Aborts when the client has gone, or the server closes. */
  signal: AbortSignal
  locale: Locale
  /** The `host:port` by which we were called. */
  host: string
}

export interface CallerRequest extends DoorRequest {
  caller: DoorCaller
  /** The body as text. It throws `too_large` past the door's limit. */
  text(): Promise<string>
}

/** What came in, before anything has looked into it. */
export interface SentBytes {
  bytes: Uint8Array
  header(name: string): string | undefined
  query(name: string): string | undefined
  /** Milliseconds since the epoch, to compare a signed time with. */
  now: number
}

export interface SignedRequest<Body> extends DoorRequest {
  /** The bytes that were verified. */
  bytes: Uint8Array
  body: Body
}

export interface DoorCaller {
  actor: Actor
  /** The credential's id, which is no secret. */
  token: string
  credential: 'bearer' | 'cookie'
  /** Whether the credential would be accepted now. */
  stillHolds(): Promise<boolean>
}

/** What a service's server can be told: it reads no stream. */
export type SignedAnswer =
  | { kind: 'json'; status: number; body: unknown; headers?: Record<string, string> }
  /** Sent as `text/plain`, so that no browser takes it for a page. */
  | { kind: 'text'; status: number; body: string }
  | { kind: 'empty'; status: 200 | 204 }

export type DoorAnswer =
  | SignedAnswer
  /**
   * A stream. Each text goes out in one write, and the next is asked for when that was taken. Iterating ends when the client
   * has gone. Keep-alives are the channel's own.
   */
  | { kind: 'stream'; headers: Record<string, string>; body: AsyncIterable<string> }

export interface SocketDoor extends Omit<DoorPlace, 'path'> {
  kind: 'socket'
  paths: string[]
  maxFrameBytes: number
  /** A socket that hasn't said who it is by then is closed. */
  helloWithinMs: number
  /** The subprotocol to answer with, of those that the client offers. */
  chooseProtocol?(offered: readonly string[]): string | undefined
  /** The secret among the offered subprotocols. A client with a valid one gets in however many silent sockets there are. */
  secretIn?(offered: readonly string[]): string | undefined
  open(socket: ClientSocket, handshake: SocketHandshake): SocketClient
}

/** The connection to one client. */
export interface ClientSocket {
  /** False when it was not sent: the connection is closed, or the client does not read and was cut off. */
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
  /** Whose secret it is; undefined unless it is a valid credential of a person. It counts against the limits of connections. */
  identify(secret: string): Promise<DoorCaller | undefined>
  closing: AbortSignal
}

/** The channel's side of one client. */
export interface SocketClient {
  /** A frame has come; undefined for a binary one. */
  hear(text: string | undefined): void
  gone(): void
}
