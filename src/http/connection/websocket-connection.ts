/**
 * The line to one client over a WebSocket: all that holds for every socket, whatever is said on it.
 *
 * Who has not said who they are takes one of few places and is sent away after a time; who has, counts against their
 * credential. A client that answers no ping, or whose credential no longer holds, is let go. Neither a reader who does
 * not read nor a writer of pings costs memory: what is sent and not taken is bounded.
 */
import type { WebSocket } from 'ws'
import { isBanksmanError } from '../../core/errors.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import { type Caller, identify } from '../access/authentication.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import { every } from './every.ts'
import type { LiveConnectionParts } from './live-connection.ts'

export interface WebSocketConnection {
  /** False when it was not sent: the line is over, or the client does not read and was cut off. */
  send(text: string): boolean
  /** Resolves when the connection has taken it, or is no more. */
  deliver(text: string): Promise<void>
  close(code: number, reason: string): void
  /** Reports the fault and closes. */
  fail(error: unknown): void
  readonly buffered: number
  /** Aborted when the line is over, however it ended. */
  readonly over: AbortSignal
  /** Called once when the line is over, at once when it is already. */
  onEnd(callback: () => void): void
  /**
   * Whose secret it is; undefined for anything that is not a live credential, or that is not `welcome`. A line is one
   * person's: after the first only the same credential is known again. Closes the line when they have too many.
   */
  introduce(secret: string, welcome?: (caller: Caller) => boolean): Promise<Caller | undefined>
  /** To be called when the connection has ended. */
  end(): void
}

export interface WebSocketConnectionOptions extends LiveConnectionParts {
  closing: AbortSignal | undefined
  locale: Locale
  /** Where it was said, for the record. */
  via: string
  /** Whether the client may be on another machine. */
  remote: boolean
  helloWithinMs: number
  /** They came with a credential that holds, and need no place among those who have not said who they are. */
  isKnown?: boolean
  /** What to tell those who did not say who they are. */
  helloReason: string
}

export const CLOSE = {
  restart: 1012,
  later: 1013,
  unsupported: 1003,
  fault: 1011,
  tooMany: 1008,
  unauthenticated: 4401,
  forbidden: 4403,
} as const

/** Who lets this much pile up does not read. */
const MAX_BUFFERED_BYTES = 1024 * 1024
/** No token has such an id. */
const UNNAMED = ''
const NO_PLACE = { leave() {} }

/** Undefined when there is no place left: the socket was told, and is closed. */
export function openWebSocketConnection(
  socket: WebSocket,
  options: WebSocketConnectionOptions,
): WebSocketConnection | undefined {
  const { gateway, settings, report, connections, closing, clock, locale, via, remote } = options
  const place = options.isKnown === true ? NO_PLACE : enter(connections, UNNAMED, settings.unnamedSockets)
  if (place === undefined || closing?.aborted) {
    place?.leave()
    if (closing?.aborted) socket.close(CLOSE.restart, RESTARTING)
    else socket.close(CLOSE.later, 'too many sockets that have not said who they are')
    return undefined
  }
  const over = new AbortController()
  const onEnd: (() => void)[] = []
  let caller: Caller | undefined
  let isAlive = true

  const hello = clock.after(options.helloWithinMs, () => close(CLOSE.unauthenticated, options.helloReason))
  const tick = every(clock, settings.keepAliveMs, () => void keepAlive().catch(fail))
  const onClosing = () => close(CLOSE.restart, RESTARTING)
  closing?.addEventListener('abort', onClosing)
  socket.on('pong', () => {
    isAlive = true
  })
  // Each ping is answered by itself: who pings without reading would fill our memory with answers.
  socket.on('ping', () => {
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) cut()
  })

  function close(code: number, reason: string): void {
    socket.close(code, reason)
    end()
  }

  /** For a client who doesn't read: no farewell would reach them. */
  function cut(): void {
    socket.terminate()
    end()
  }

  function end(): void {
    if (over.signal.aborted) return
    over.abort()
    place?.leave()
    hello.cancel()
    tick.cancel()
    closing?.removeEventListener('abort', onClosing)
    for (const each of onEnd.splice(0)) finish(each)
  }

  /** One that fails must not keep the others from letting go. */
  function finish(callback: () => void): void {
    try {
      callback()
    } catch (error) {
      report?.({ doing: 'ending a socket', error })
    }
  }

  function fail(error: unknown): void {
    report?.({ doing: 'talking over a socket', error })
    close(CLOSE.fault, 'something went wrong inside; come back')
  }

  async function keepAlive(): Promise<void> {
    if (!isAlive) return cut()
    isAlive = false
    socket.ping()
    if (caller === undefined || (await caller.stillHolds())) return
    close(CLOSE.unauthenticated, NOT_VALID)
  }

  return {
    over: over.signal,
    close,
    fail,
    end,
    get buffered() {
      return socket.bufferedAmount
    },
    send(text) {
      if (socket.readyState !== socket.OPEN) return false
      if (socket.bufferedAmount > MAX_BUFFERED_BYTES) {
        cut()
        return false
      }
      socket.send(text)
      return true
    },
    async deliver(text) {
      if (socket.readyState !== socket.OPEN) return
      await new Promise<void>((resolve) => socket.send(text, () => resolve()))
    },
    onEnd(callback) {
      if (over.signal.aborted) finish(callback)
      else onEnd.push(callback)
    },
    async introduce(secret, welcome = () => true) {
      const named = await identify(gateway, secret, via, locale).catch((error) => {
        if (!isBanksmanError(error, 'forbidden')) throw error
        close(CLOSE.forbidden, 'this token is good for something else only')
        return undefined
      })
      if (named === undefined || over.signal.aborted || !welcome(named)) return undefined
      if (caller !== undefined) return caller.token === named.token ? caller : undefined
      const held = enter(connections, named.token, settings.connectionsPerToken)
      if (held === undefined) {
        close(CLOSE.later, `at most ${settings.connectionsPerToken} connections for one credential`)
        return undefined
      }
      const validity = named.follow()
      const onRevoked = () => close(CLOSE.unauthenticated, NOT_VALID)
      validity.over.addEventListener('abort', onRevoked)
      onEnd.push(held.leave, validity.release)
      place.leave()
      hello.cancel()
      caller = remote ? { ...named, actor: { ...named.actor, remote: true } } : named
      return caller
    },
  }
}

const NOT_VALID = 'the credential is no longer valid'
const RESTARTING = 'the server is restarting; come back'

function enter(connections: ConnectionLimits, key: string, limit: number): { leave(): void } | undefined {
  try {
    return connections.enter(key, limit)
  } catch {
    return undefined
  }
}
