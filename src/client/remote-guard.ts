/**
 * `guard`, `hold` and `judge` over HTTP: the port of `guard/contract.ts` for a server elsewhere. One exchange reviews, waits and
 * claims; it is repeated with the same key until its answer was heard, so a server may restart in the middle and an answer may be
 * lost. No clock is compared with the server's: a lease is a duration, counted from when the claim was sent.
 */

import type { ToolCall } from '../core/call.ts'
import { defined } from '../core/defined.ts'
import { type Clock, startStopwatch } from '../core/time/clock.ts'
import { misuse, misuseOfGuard } from '../guard/check-use.ts'
import type {
  Guard,
  GuardOptions,
  GuardResult,
  HoldOptions,
  NotRun,
  Refused,
  RefusedCode,
  Replayed,
  RunTool,
} from '../guard/contract.ts'
import { createHeld, type HeldData, type HoldPort, type LiveHeld } from '../guard/create-held.ts'
import { resultText } from '../guard/kept-result.ts'
import { runHeld } from '../guard/run-held.ts'
import type { WireHold, WireJudgeResult, WireReplayed } from '../wire/types/hold.ts'
import { isTransientError, pause } from './stream/stream-connection.ts'
import { backOffMs } from './transport/back-off.ts'
import { type ClientError, isClientError } from './transport/client-error.ts'
import { withTimeLimit } from './transport/time-limit.ts'
import type { Transport } from './transport/transport.ts'

export interface RemoteGuardParts {
  transport: Pick<Transport, 'url' | 'json'>
  clock: Clock
  random: () => number
  /** How long a result waits for its outcome to be on the record. */
  recordWithinMs: number
  /** While nothing is known of the call, a server that can't be reached is given this long. Afterwards people are waiting. */
  patienceMs?: number
  /** Told of what nobody waits for, such as a lease that could not be renewed. */
  onFault: (fault: { doing: string; error: unknown }) => void
}

/** Proxies in between give up after a minute or less. */
const HOLD_MS = 25_000
/** Beyond what the server was asked to take: then it hangs. */
const ANSWER_WITHIN_MS = 15_000
const PATIENCE_MS = 10_000
const GIVE_BACK_WITHIN_MS = 2_000

export function createRemoteGuard(parts: RemoteGuardParts): Guard {
  const { transport, clock, random, patienceMs = PATIENCE_MS } = parts

  async function post<T>(
    path: string[],
    body: unknown,
    { signal, withinMs = ANSWER_WITHIN_MS, query = {} }: PostOptions = {},
  ): Promise<T> {
    const limit = withTimeLimit(clock, { url: transport.url, withinMs, signal })
    try {
      return await transport.json<T>({
        method: 'POST',
        path: ['v1', ...path],
        body,
        query,
        signal: limit.signal,
      })
    } finally {
      limit.release()
    }
  }

  /** Asks until there is an answer; `sinceSent` measures from the exchange that gave it. */
  async function take(
    call: ToolCall<object>,
    key: string,
    options: HoldOptions,
  ): Promise<{ answer: Exclude<WireHold, { kind: 'pending' }> | NotRun; sinceSent: () => number }> {
    const { signal, holdMs = Number.POSITIVE_INFINITY } = options
    const elapsed = startStopwatch(clock)
    const { can, join } = options
    const body = { call, key, can, join, remember: isSet(options.remember) }
    let requestId: string | undefined
    let failures = 0
    /** It may have been claimed without anybody's hearing of it; a caller with a key of its own comes back for it. */
    const unheard = async (answer: NotRun): Promise<NotRun> => {
      if (options.key === undefined) await giveBack(call, key)
      return answer
    }
    for (;;) {
      const sinceSent = startStopwatch(clock)
      // The first exchange doesn't wait: the caller wants to hear that somebody is asked.
      const spanMs = requestId === undefined ? 0 : Math.max(0, Math.min(HOLD_MS, holdMs - elapsed()))
      if (signal?.aborted) return { answer: await abandoned(call, key, requestId, failures > 0), sinceSent }
      try {
        const answer = checked(
          await post<WireHold>(
            ['holds'],
            { ...body, waitsFor: requestId },
            { signal, withinMs: spanMs + ANSWER_WITHIN_MS, query: { hold: `${Math.round(spanMs)}ms` } },
          ),
          key,
        )
        if (answer.kind !== 'pending') return { answer, sinceSent }
        const isNew = requestId === undefined
        requestId = answer.requestId
        if (isNew && answer.asked !== undefined) options.onAsked?.(answer.asked)
        if (elapsed() >= holdMs) {
          const over = pendingOf('hold_over', requestId)
          // Whoever makes the call again under another id would find its place taken, and people would be asked twice.
          return { answer: join === true ? await unheard(over) : over, sinceSent }
        }
        // A server that is closing answers at once; another one takes over.
        failures = requestId === undefined || (!isNew && sinceSent() < spanMs / 2) ? failures + 1 : 0
        if (requestId === undefined && elapsed() >= patienceMs)
          return { answer: await unheard(pendingOf('aborted', undefined)), sinceSent }
      } catch (error) {
        if (signal?.aborted) return { answer: await abandoned(call, key, requestId, true), sinceSent }
        failures++
        const isOver = requestId === undefined ? elapsed() >= patienceMs : elapsed() >= holdMs
        if (requestId !== undefined && isOver && isPassing(error))
          return { answer: await unheard(pendingOf('hold_over', requestId)), sinceSent }
        if (isOver || !isPassing(error)) return { answer: await unheard(refusedBy(error)), sinceSent }
      }
      if (failures > 0) await pause(clock, backOffMs(failures, random()), signal)
    }
  }

  /** The caller waits no longer. A claim that is under way is given back, or comes too late. */
  async function abandoned(
    { session, callId }: ToolCall<object>,
    key: string,
    requestId: string | undefined,
    wasSent: boolean,
  ): Promise<NotRun> {
    if (!wasSent && requestId === undefined) return pendingOf('aborted', undefined)
    const released = await giveBack({ session, callId }, key)
    return pendingOf('aborted', requestId ?? released?.requestId)
  }

  /** Nobody waits long for it: whoever hangs up wants to go on. */
  async function giveBack(
    { session, callId }: Pick<HeldData, 'session' | 'callId'>,
    key: string,
  ): Promise<{ requestId?: string } | undefined> {
    const cause = 'the caller no longer waits'
    const releasing = release({ session, callId, key }, cause).catch((error) => {
      parts.onFault({ doing: `giving back call ${callId}`, error })
    })
    const released = await Promise.race([releasing, pause(clock, GIVE_BACK_WITHIN_MS, undefined)])
    return released ?? undefined
  }

  function release(
    { session, callId, key }: Pick<HeldData, 'session' | 'callId' | 'key'>,
    cause: string,
  ): Promise<{ requestId?: string }> {
    return post(['holds', 'release'], { session, callId, key, cause })
  }

  function portOf(options: HoldOptions): HoldPort {
    return {
      async renew({ requestId, claimId }) {
        const path = ['requests', requestId!, 'claim', 'renew']
        const { stop, stopped } = await post<{ stop: boolean; stopped?: { by: string; reason?: string } }>(
          path,
          { claimId },
        )
        return { stop: stop ? (stopped ?? {}) : undefined }
      },
      async report({ requestId, claimId, session, callId, key }, ended) {
        const said = {
          outcome: ended.ok ? 'ok' : 'error',
          summary: ended.summary?.toWellFormed(),
          result: resultText(ended, options, requestId !== undefined),
        }
        if (requestId === undefined) await post(['holds', 'outcome'], { session, callId, key, ...said })
        else await post(['requests', requestId, 'outcome'], { claimId, ...said })
      },
      release: (held, cause) => release(held, cause).then(() => {}),
      isPassing,
      fault: (doing, error) => parts.onFault({ doing, error }),
    }
  }

  async function hold(
    call: ToolCall<object>,
    options: HoldOptions = {},
  ): Promise<LiveHeld | Replayed | NotRun> {
    const key = options.key ?? newKey()
    const { answer, sinceSent } = await take(call, key, options)
    if (answer.kind === 'ran') return revived(answer)
    if (answer.kind !== 'held') return answer as NotRun
    const times = { clock, recordWithinMs: parts.recordWithinMs, closed: () => false }
    const held = createHeld(answer, portOf(options), times, sinceSent)
    if (!options.signal?.aborted) return held
    // It came in the same moment: nobody runs it.
    await held
      .release('the caller no longer waits')
      .catch((error) => parts.onFault({ doing: `giving back call ${call.callId}`, error }))
    return pendingOf('aborted', answer.requestId)
  }

  async function guard<T>(
    call: ToolCall<object>,
    run: RunTool<T>,
    options: GuardOptions = {},
  ): Promise<GuardResult<T>> {
    const mistake = misuseOfGuard(run, options)
    if (mistake !== undefined) return mistake
    try {
      // A key that somebody gives is left out, as in the gateway.
      const held = await hold(call, { ...options, key: undefined } as HoldOptions)
      return held.kind === 'held' ? await runHeld(held, run, options, refusedBy) : (held as GuardResult<T>)
    } catch (error) {
      return refusedBy(error)
    }
  }

  return {
    judge: (call, { signal } = {}) => post<WireJudgeResult>(['judge'], call, { signal }),
    // The same casts as in the gateway: JSON of the shape that the call has.
    hold: (async (call, options) => misuse(options) ?? hold(call, options).catch(refusedBy)) as Guard['hold'],
    guard: guard as Guard['guard'],
  }
}

interface PostOptions {
  signal?: AbortSignal | undefined
  withinMs?: number
  query?: Record<string, string>
}

const KINDS: ReadonlySet<string> = new Set(['held', 'ran', 'refused', 'answered', 'pending'])

/** What is not clearly an answer to this hold lets nothing run. */
function checked(answer: WireHold, key: string): WireHold {
  const isObject = typeof answer === 'object' && answer !== null
  if (!isObject || !KINDS.has(answer.kind))
    throw new TypeError('the server answered with something that is no hold')
  if (answer.kind !== 'held') return answer
  const { arguments: args, requestId, claimId, leaseMs } = answer
  const isWhole =
    answer.key === key &&
    typeof args === 'object' &&
    args !== null &&
    (requestId === undefined || (typeof claimId === 'string' && typeof leaseMs === 'number' && leaseMs > 0))
  if (!isWhole) throw new TypeError("the server's hold is not the one that was asked for")
  return answer
}

function revived({ error, value, ok, ...rest }: WireReplayed): Replayed {
  if (ok) return { ...rest, ok, value }
  const told = new Error(error?.message ?? 'it failed')
  if (error !== undefined) told.name = error.name
  return { ...rest, ok, error: told }
}

function pendingOf(because: 'hold_over' | 'aborted', requestId: string | undefined): NotRun {
  return { kind: 'pending', because, ...defined({ requestId }) }
}

/** The same may succeed later: the server is away or starting, something in between answers for it, or its store is down. */
function isPassing(error: unknown): boolean {
  return isClientError(error) && isTransientError(error)
}

function refusedBy(error: unknown): Refused {
  const because = error instanceof Error ? error.message : String(error)
  const refused = { kind: 'refused' as const, state: 'error' as const, because }
  if (!isClientError(error)) return { ...refused, code: 'unexpected_answer', mayRetry: false }
  return { ...refused, code: codeOf(error), mayRetry: isPassing(error) }
}

function codeOf({ code }: ClientError): RefusedCode {
  // A request, too, can be unreachable, and that means something else.
  return code === 'unreachable' ? 'server_unreachable' : (code as RefusedCode)
}

function isSet(remember: HoldOptions['remember']): boolean | undefined {
  return remember === undefined ? undefined : remember !== false
}

function newKey(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
