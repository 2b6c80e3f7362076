/**
 * A hold in the hands of its runner, the same near and far: its lease is renewed while it runs, and its end is said until
 * somebody has heard it.
 */

import { defined } from '../core/defined.ts'
import { BanksmanError } from '../core/errors.ts'
import type { JsonObject } from '../core/json/json.ts'
import { type Clock, startStopwatch } from '../core/time/clock.ts'
import type { Held, HeldOutcome } from './contract.ts'

/** What the gateway or a server gave, as plain data. */
export interface HeldData {
  kind: 'held'
  key: string
  session: string
  callId: string
  arguments: JsonObject
  edited?: JsonObject
  by?: string
  requestId?: string
  claimId?: string
  /** How long the claim lasts unless it is renewed. Absent: it needs no renewal. */
  leaseMs?: number
}

/** How the holder speaks to the gateway. Each may be repeated. */
export interface HoldPort {
  renew(held: HeldData): Promise<{ stop?: { by?: string; reason?: string } | undefined }>
  report(held: HeldData, outcome: HeldOutcome): Promise<void>
  release(held: HeldData, cause: string): Promise<void>
  /** Whether the same may succeed later: the store or the server is away. */
  isPassing(error: unknown): boolean
  /** Told of what nobody waits for. */
  fault(doing: string, error: unknown): void
  /** It is no longer in anybody's hands here. */
  dropped?(): void
}

export interface HoldTimes {
  clock: Clock
  /** How long a result waits for its outcome to be on the record. */
  recordWithinMs: number
  /** Nothing is tried any longer. */
  closed(): boolean
}

const RETRY_MS = 1000
/** Ten minutes of trying. After that the outcome is unknown, and a person sees it. */
const MAX_REPORTS = 600
const MAX_RELEASE_TRIES = 10

export interface LiveHeld extends Held {
  /** Resolves when the report has come through or was given up. */
  reported: Promise<boolean> | undefined
  stop(reason: unknown): void
  /** Lets go of it without a word: its lease ends by itself. */
  drop(): void
}

/** `sinceSent`: how long ago the claim was sent, which is before anybody could have granted it. */
export function createHeld(
  data: HeldData,
  port: HoldPort,
  times: HoldTimes,
  sinceSent: () => number,
): LiveHeld {
  const { clock } = times
  const { leaseMs } = data
  const controller = new AbortController()
  let age = sinceSent
  let ended = false
  let timer = leaseMs === undefined ? undefined : clock.after(leaseMs / 3, () => void renewLater())

  async function renew(): Promise<void> {
    const sent = startStopwatch(clock)
    const { stop } = await port.renew(data)
    age = sent
    if (stop !== undefined) controller.abort(stopped(stop))
  }

  async function renewLater(): Promise<void> {
    let goesOn = true
    await renew().catch((error) => {
      // The tool runs on: it can't be called back. A late report is still taken.
      fault(`renewing the lease of ${data.requestId}`, error)
      goesOn = port.isPassing(error)
    })
    if (!ended && goesOn) timer = clock.after(leaseMs! / 3, () => void renewLater())
  }

  /** Whoever listens for faults must not become one. */
  function fault(doing: string, error: unknown): void {
    try {
      port.fault(doing, error)
    } catch {
      // There is nobody left to tell.
    }
  }

  function end(): void {
    ended = true
    timer?.cancel()
  }

  async function keepReporting(outcome: HeldOutcome): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      try {
        await port.report(data, outcome)
        return true
      } catch (error) {
        fault(`reporting the outcome of ${data.requestId ?? data.callId}`, error)
        if (!port.isPassing(error) || times.closed() || attempt >= MAX_REPORTS) return false
        await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve))
      }
    }
  }

  const held: LiveHeld = {
    kind: 'held',
    key: data.key,
    arguments: data.arguments,
    ...defined({ edited: data.edited, by: data.by, requestId: data.requestId }),
    signal: controller.signal,
    reported: undefined,
    async ready() {
      if (leaseMs !== undefined && age() > leaseMs / 2) await renew()
      controller.signal.throwIfAborted()
      if (ended) throw new BanksmanError('not_running', 'the hold is over: it was reported or given back')
    },
    report(outcome) {
      end()
      held.reported ??= keepReporting(outcome)
      return inTime(held.reported, times)
    },
    async release(cause) {
      // It is renewed meanwhile: a claim that nobody keeps can't be given back.
      for (let attempt = 1; ; attempt++) {
        const failed = await port.release(data, cause).then(
          () => undefined,
          (error: unknown) => ({ error }),
        )
        if (failed === undefined) return end()
        if (!port.isPassing(failed.error) || times.closed() || attempt >= MAX_RELEASE_TRIES)
          throw failed.error
        await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve))
      }
    },
    stop: (reason) => controller.abort(reason),
    drop() {
      end()
      port.dropped?.()
    },
  }
  return held
}

/** False where it takes too long: it goes on, and nobody waits for it. */
function inTime(reporting: Promise<boolean>, { clock, recordWithinMs }: HoldTimes): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = clock.after(recordWithinMs, () => resolve(false))
    reporting.then((isRecorded) => {
      timer.cancel()
      resolve(isRecorded)
    })
  })
}

function stopped({ by = 'the agent', reason }: { by?: string; reason?: string }): BanksmanError {
  return new BanksmanError('cancelled', `stopped by ${by}${reason ? `: ${reason}` : ''}`)
}
