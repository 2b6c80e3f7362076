/**
 * A turn is run by one process at a time: by whoever holds its lease in the store. The lease is renewed while the turn runs
 * and given back when it is over. Who dies, or is paused for longer than it lasts, loses the turn to any other process.
 *
 * Nothing that a process remembers makes the lease its own: before a tool runs the store is asked again, and what is
 * written goes through the log, which takes nothing from who was replaced. Between the store's word and the tool's first
 * instruction there is still a moment; whoever takes over therefore never runs again what may have run.
 */
import { defined } from '../../../core/defined.ts'
import type { JsonObject } from '../../../core/json/json.ts'
import type { Lease } from '../../../gateway/live/leases.ts'
import type { SessionHostParts } from '../host-parts.ts'
import { SessionLost } from '../log/turn-log.ts'

export interface SessionLease {
  /** Throws `SessionLost` where the turn is not ours any more, and the store's fault where that can't be known. */
  confirm(): Promise<void>
  /** Says of which turn it is now, or that none runs, and confirms it. */
  use(turn: string | undefined): Promise<void>
  /** Gives it back. */
  end(): Promise<void>
}

/** `theirs`, without a lease: this process can't run it, and nobody does. */
export type TakenLease = { kind: 'ours'; lease: SessionLease } | { kind: 'theirs'; lease: Lease | undefined }

export interface SessionLeases {
  readonly holder: string
  /** `onLost` is called once, when the turn is another's by now, or may be. */
  take(session: string, turn: string, onLost: () => void): Promise<TakenLease>
  /** Who runs a turn of the session. */
  find(session: string): Promise<Lease | undefined>
  /** All turns that are run, by session. */
  all(): Promise<Map<string, Lease>>
  /** Whether the process that had it is known to have ended. */
  isLeft(lease: Lease): boolean
  /** Gives all back that are held. */
  endAll(): Promise<void>
}

const NAME = 'turn/'
/** Longer than a garbage collection, a slow disk or a lost packet; a turn whose process died waits for so long. */
const TURN_LEASE_MS = 30_000
const RENEW_EVERY_MS = TURN_LEASE_MS / 3
/** After a renewal that the store could not do. */
const RETRY_MS = 1000

export function createSessionLeases({
  gateway: { leases },
  clock,
  report,
  place,
}: SessionHostParts): SessionLeases {
  const holder = leases.newHolder()
  /** Leases on their way back: one that is taken again meanwhile would be given back with them. */
  const ending = new Map<string, Promise<void>>()
  const held = new Set<SessionLease>()

  function isLeft(lease: Lease): boolean {
    const at = placeIn(lease)
    return lease.holder !== holder && at !== undefined && place?.hasEnded(at) === true
  }

  async function ask(session: string, turn: string | undefined): Promise<Lease> {
    const note: JsonObject = defined({ turn, at: place?.name })
    return leases.take({ name: NAME + session, holder, leaseMs: TURN_LEASE_MS, note })
  }

  function hold(
    session: string,
    first: string,
    { fence }: Lease,
    askedAt: number,
    onLost: () => void,
  ): SessionLease {
    let turn: string | undefined = first
    let isOver = false
    let surelyUntil = askedAt + TURN_LEASE_MS
    let underway: Promise<unknown> = Promise.resolve()
    let timer = clock.after(RENEW_EVERY_MS, renew)

    function lose(): void {
      if (isOver) return
      isOver = true
      timer.cancel()
      onLost()
    }

    /** A new fence is a new lease: ours had ended, and who had it meanwhile is not known. */
    async function confirm(): Promise<void> {
      if (isOver) throw new SessionLost(session)
      const at = clock.now()
      const lease = await ask(session, turn)
      if (lease.holder !== holder || lease.fence !== fence) lose()
      if (isOver) throw new SessionLost(session)
      surelyUntil = at + TURN_LEASE_MS
    }

    function renew(): void {
      underway = confirm().then(
        () => again(RENEW_EVERY_MS),
        (error) => {
          if (isOver) return
          report({ doing: `renewing the lease of a turn of session ${session}`, error })
          if (clock.now() >= surelyUntil) lose()
          else again(RETRY_MS)
        },
      )
    }

    function again(delayMs: number): void {
      if (!isOver) timer = clock.after(delayMs, renew)
    }

    const lease: SessionLease = {
      confirm,
      use(next) {
        turn = next
        return confirm()
      },
      async end() {
        if (!held.delete(lease)) return
        isOver = true
        timer.cancel()
        const done = underway
          .then(() => leases.release(NAME + session, holder))
          .catch((error) => report({ doing: `giving back the lease of session ${session}`, error }))
          .finally(() => {
            if (ending.get(session) === done) ending.delete(session)
          })
        ending.set(session, done)
        await done
      },
    }
    held.add(lease)
    return lease
  }

  return {
    holder,
    isLeft,
    async endAll() {
      await Promise.all([...held].map((lease) => lease.end()))
    },
    async take(session, turn, onLost) {
      await ending.get(session)
      const askedAt = clock.now()
      let lease = await ask(session, turn)
      if (isLeft(lease)) {
        await leases.release(NAME + session, lease.holder)
        lease = await ask(session, turn)
      }
      if (lease.holder !== holder) return { kind: 'theirs', lease }
      return { kind: 'ours', lease: hold(session, turn, lease, askedAt, onLost) }
    },
    async find(session) {
      const found = await leases.list(NAME + session)
      return found.find(({ name }) => name === NAME + session)
    },
    async all() {
      const found = await leases.list(NAME)
      return new Map(found.map((lease) => [lease.name.slice(NAME.length), lease]))
    },
  }
}

/** The turn that the holder says it runs. */
export function leasedTurn({ note }: Lease): string | undefined {
  const turn = (note as { turn?: unknown } | undefined)?.turn
  return typeof turn === 'string' ? turn : undefined
}

function placeIn({ note }: Lease): string | undefined {
  const at = (note as { at?: unknown } | undefined)?.at
  return typeof at === 'string' ? at : undefined
}
