/**
 * Test cards: a person has one sent to their own chat account and clicks it, to see that cards arrive and clicks come back, and as
 * whom they count. A test card decides nothing.
 */

import type { VerifiedAccount } from '../../core/authority.ts'
import { defined } from '../../core/defined.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json/json.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Actor } from '../../core/session.ts'
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import type { RecordWaits } from './await-record.ts'
import { checkOwnCredential } from './check-own-credential.ts'
import type { FindPerson } from './find-person.ts'
import type { CountLimit, RecordCounts } from './record-counts.ts'

export interface TestCard {
  id: string
  service: string
  /** Who clicked. The person is absent where the account is nobody's any more. */
  clicked?: { tenant: string; account: string; person?: string; at: number }
}

export interface TestCards {
  begin(service: string, actor: Actor): Promise<TestCard>
  get(id: string, actor: Actor): Promise<TestCard>
  /** The same, once it was clicked, or the time is over. */
  wait(id: string, actor: Actor, how: { holdMs: number; signal?: AbortSignal }): Promise<TestCard>
  /** The person that the click counts as. Undefined where the account is nobody's. Throws where the test is over. */
  click(id: string, account: VerifiedAccount): Promise<string | undefined>
}

export interface TestCardPorts {
  store: Pick<Store, 'records' | 'now'>
  host: Pick<Host, 'newId'>
  counts: RecordCounts
  waits: RecordWaits
  findPerson: FindPerson
}

interface KeptTest extends Omit<TestCard, 'id'> {
  subject: string
}

const KIND = 'chat_test'
/** How long a test card can be clicked. */
const TEST_CARD_MS = 60 * 60_000
const TESTS: CountLimit = { of: 'chat_test', max: 10, inMs: 60 * 60_000 }

export function createTestCards({ store, host, counts, waits, findPerson }: TestCardPorts): TestCards {
  const { records, now } = store

  async function read(id: string) {
    const record = await records.get(KIND, id)
    if (record === undefined) throw reasonedError('unknown_id', reasonOf('test-card.over'))
    return { record, test: record.value as unknown as KeptTest }
  }

  async function get(id: string, actor: Actor): Promise<TestCard> {
    checkOwnCredential(actor, 'tests a chat')
    const { subject, ...test } = (await read(id)).test
    if (subject === actor.subject) return { id, ...test }
    throw reasonedError('unknown_id', reasonOf('test-card.over'))
  }

  async function personOf(account: VerifiedAccount): Promise<string | undefined> {
    try {
      return (await findPerson(account)).subject
    } catch (error) {
      if (isBanksmanError(error, 'unlinked_account')) return undefined
      throw error
    }
  }

  return {
    async begin(service, actor) {
      checkOwnCredential(actor, 'tests a chat')
      const { subject } = actor
      if (!(await counts.take(TESTS, subject)))
        throw reasonedError('rate_limited', reasonOf('test-card.many', { count: TESTS.max }))
      const id = host.newId('tst')
      const value = { subject, service } satisfies KeptTest
      await records.change([{ kind: KIND, key: id, version: 0, value, expiresInMs: TEST_CARD_MS }])
      return { id, service }
    },
    get,
    wait: (id, actor, how) =>
      waits.until(id, { ...how, read: () => get(id, actor), isDone: ({ clicked }) => clicked !== undefined }),
    async click(id, account) {
      const person = await personOf(account)
      const { record, test } = await read(id)
      if (test.clicked !== undefined) return person
      const clicked = { tenant: account.tenant, account: account.account, at: now(), ...defined({ person }) }
      const value = { ...test, clicked } as unknown as JsonValue
      const expiresInMs = Math.max(1, (record.expiresAt ?? now()) - now())
      // Who loses has clicked as well.
      await records.change([{ kind: KIND, key: id, version: record.version, value, expiresInMs }])
      waits.wake(id)
      return person
    },
  }
}
