/**
 * Who is pushed to where. A person's subscriptions are kept under the person, whom the credential names (P6), and each
 * belongs to the credential that it was made with: when that is revoked or has expired, nothing more goes there.
 */
import { createHash } from 'node:crypto'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json/json.ts'
import type { QuietHours } from '../../core/time/quiet-hours.ts'

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
export interface SubscriptionStore {
  get(key: string): Promise<JsonValue | undefined>
  /** False where another has changed it since it was read, and then nothing is changed. */
  change(key: string, before: JsonValue | undefined, value: JsonValue): Promise<boolean>
}

export interface Subscriptions {
  of(subject: string): Promise<readonly Subscription[]>
  put(subject: string, subscription: Subscription): Promise<void>
  /** Forgetting what is not there is a success. */
  remove(subject: string, id: string): Promise<void>
  /** Whether one of these people has some. True where that can't be told just now: it then shows when they are asked. */
  mayReach(people: readonly string[]): Promise<boolean>
}

/** More than anyone has devices. The oldest gives way, since nobody else could take it out. */
export const MAX_SUBSCRIPTIONS = 10
/** One person's devices don't subscribe at once: whoever loses this often is up against something broken. */
const MAX_TRIES = 50
/** Few enough to be read at once. */
const CHUNK = 50

export function createSubscriptions(keeping: SubscriptionStore): Subscriptions {
  /** People who had some when they were last read. That they have none is never remembered: another node adds some. */
  const subscribed = new Set<string>()
  /** Changes of this process come one after the other: they lose to those of other nodes only. */
  let turn: Promise<unknown> = Promise.resolve()

  async function of(subject: string): Promise<readonly Subscription[]> {
    return note(subject, readAll(await keeping.get(keyOf(subject))))
  }

  function note(subject: string, found: readonly Subscription[]): readonly Subscription[] {
    if (found.length > 0) subscribed.add(subject)
    else subscribed.delete(subject)
    return found
  }

  function change(
    subject: string,
    how: (now: readonly Subscription[]) => readonly Subscription[],
  ): Promise<void> {
    const mine = turn.then(() => changeNow(subject, how))
    turn = mine.catch(() => {})
    return mine
  }

  async function changeNow(
    subject: string,
    how: (now: readonly Subscription[]) => readonly Subscription[],
  ): Promise<void> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const kept = await keeping.get(keyOf(subject))
      const before = readAll(kept)
      const after = how(before)
      if (after === before || (await keeping.change(keyOf(subject), kept, after as unknown as JsonValue))) {
        note(subject, after)
        return
      }
    }
    throw new BanksmanError(
      'store_unavailable',
      `the push subscriptions of ${JSON.stringify(subject)} changed ${MAX_TRIES} times while they were being changed`,
    )
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
    async mayReach(people) {
      if (people.some((subject) => subscribed.has(subject))) return true
      for (let from = 0; from < people.length; from += CHUNK) {
        const found = await Promise.all(
          people.slice(from, from + CHUNK).map((subject) => of(subject).catch(() => undefined)),
        )
        if (found.some((subscriptions) => subscriptions?.length !== 0)) return true
      }
      return false
    },
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
