/**
 * Who is pushed to where. A person's subscriptions are kept under the person, whom the credential names (P6), and each
 * belongs to the credential that it was made with: when that is revoked or has expired, nothing more goes there.
 */
import { createHash } from 'node:crypto'
import type { JsonValue } from '../../core/json.ts'
import type { QuietHours } from '../../core/wire-record.ts'

export interface Subscription {
  /** The endpoint's digest. The endpoint itself is shown to nobody: who knows it can push there. */
  id: string
  endpoint: string
  /** The id of the credential. */
  token: string
  createdAt: number
  quiet?: QuietHours
}

/** Where they are kept. The store's settings fit it. */
export interface Keeping {
  get(key: string): Promise<JsonValue | undefined>
  set(key: string, value: JsonValue): Promise<void>
}

export interface Subscriptions {
  of(subject: string): Promise<readonly Subscription[]>
  put(subject: string, subscription: Subscription): Promise<void>
  /** Forgetting what is not there is a success. */
  remove(subject: string, id: string): Promise<void>
  /** False when it is known that this person has none. */
  mayHave(subject: string): boolean
}

/** More than anyone has devices. The oldest gives way, since nobody else could take it out. */
export const MAX_SUBSCRIPTIONS = 10

export function createSubscriptions(keeping: Keeping): Subscriptions {
  /** What was last read or written. Only this process writes: the data folder has one server. */
  const known = new Map<string, readonly Subscription[]>()
  let turn: Promise<unknown> = Promise.resolve()

  async function of(subject: string): Promise<readonly Subscription[]> {
    const remembered = known.get(subject)
    if (remembered !== undefined) return remembered
    const read = readAll(await keeping.get(keyOf(subject)))
    // Somebody may have changed them while they were being read.
    const found = known.get(subject) ?? read
    known.set(subject, found)
    return found
  }

  /** One change after the other: each starts from what the last one left. */
  function change(
    subject: string,
    how: (now: readonly Subscription[]) => readonly Subscription[],
  ): Promise<void> {
    const mine = turn.then(async () => {
      const before = await of(subject)
      const after = how(before)
      if (after === before) return
      await keeping.set(keyOf(subject), after as unknown as JsonValue)
      known.set(subject, after)
    })
    turn = mine.catch(() => {})
    return mine
  }

  return {
    of,
    put: (subject, subscription) =>
      change(subject, (now) => {
        const before = now.find(({ id }) => id === subscription.id)
        const others = now.filter(({ id }) => id !== subscription.id)
        const createdAt = before?.createdAt ?? subscription.createdAt
        return [...others, { ...subscription, createdAt }].slice(-MAX_SUBSCRIPTIONS)
      }),
    remove: (subject, id) =>
      change(subject, (now) => (now.some((one) => one.id === id) ? now.filter((one) => one.id !== id) : now)),
    mayHave: (subject) => known.get(subject)?.length !== 0,
  }
}

export function endpointId(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('hex')
}

function keyOf(subject: string): string {
  return `push:${subject}`
}

function readAll(value: JsonValue | undefined): readonly Subscription[] {
  return Array.isArray(value) ? (value as unknown as Subscription[]) : []
}
