/**
 * One of all processes on a store polls or has the connection: the one with the lease. Which of them decides doesn't matter,
 * since every decision is a compare-and-set in the store. A process that can't renew stops before the lease has ended.
 */
import type { Clock } from '../../core/time/clock.ts'
import type { LeaseVerbs } from '../../stores/lease-verbs.ts'
import type { ReceiverTurn } from './contract.ts'

export interface OneReceiverParts {
  service: string
  leases: Pick<LeaseVerbs, 'take' | 'release'>
  /** The same after a restart: its turn goes on at once. */
  holder: string
  clock: Pick<Clock, 'now' | 'after'>
  report(fault: { doing: string; error: unknown }): void
}

export interface OneReceiver extends ReceiverTurn {
  close(): Promise<void>
}

const LEASE_MS = 20_000
const RENEW_EVERY_MS = 5_000
const MARGIN_MS = 4_000

export function createOneReceiver({ service, leases, holder, clock, report }: OneReceiverParts): OneReceiver {
  const name = `chats/${service}`
  let turn: AbortController | undefined
  let waiting: ((signal: AbortSignal | undefined) => void)[] = []
  let timer: { cancel(): void } | undefined
  let looking: Promise<void> | undefined
  let isClosed = false
  /** Ends the turn of a process that hears nothing of the store, before another can have the lease. */
  let expiry: { cancel(): void } | undefined

  async function look(): Promise<void> {
    const askedAt = clock.now()
    try {
      const lease = await leases.take({ name, holder, leaseMs: LEASE_MS })
      if (lease.holder === holder) begin(LEASE_MS - MARGIN_MS - (clock.now() - askedAt))
      else end()
    } catch (error) {
      report({ doing: `asking whose turn it is to receive from ${service}`, error })
    }
  }

  function begin(forMs: number): void {
    expiry?.cancel()
    if (isClosed) return
    expiry = clock.after(forMs, end)
    turn ??= new AbortController()
    for (const resolve of waiting.splice(0)) resolve(turn.signal)
  }

  function end(): void {
    expiry?.cancel()
    turn?.abort()
    turn = undefined
  }

  function keepLooking(): void {
    timer?.cancel()
    if (isClosed) return
    looking ??= look().finally(() => {
      looking = undefined
      if (!isClosed) timer = clock.after(RENEW_EVERY_MS, keepLooking)
    })
  }

  return {
    next() {
      if (isClosed) return Promise.resolve(undefined)
      if (turn !== undefined) return Promise.resolve(turn.signal)
      const { promise, resolve } = Promise.withResolvers<AbortSignal | undefined>()
      waiting.push(resolve)
      if (timer === undefined) keepLooking()
      return promise
    },
    async close() {
      isClosed = true
      timer?.cancel()
      end()
      for (const resolve of waiting) resolve(undefined)
      waiting = []
      await looking
      // Where that fails, it ends by itself.
      await leases.release(name, holder).catch(() => {})
    },
  }
}
