import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../../test/fixtures/until.ts'
import type { TurnEvent } from '../../../core/conversation.ts'
import type { SessionProgress } from '../../../core/progress.ts'
import { openTestGateway, type TestGateway } from '../../../gateway/fixtures/test-gateway.ts'
import { createSessionRecords, type SessionRecords } from '../session-records.ts'
import { createSessionNotices, type SessionNotices } from './session-notices.ts'

let setup: TestGateway
let records: SessionRecords
let notices: SessionNotices
let told: string[]
let isAway: boolean
let expired: string[]

const end = (turn: string) => ({ kind: 'turn_ended', session: 's', turn }) as TurnEvent

function open(): SessionNotices {
  return createSessionNotices({
    records,
    async notify(_, { words }) {
      if (isAway) throw new Error('the chat is away')
      const { title, quoted = '' } = words('en')
      told.push(`${title} ${quoted}`.trim())
      return 'told'
    },
    clock: setup.clock,
    report() {},
    progress: async (session, turn = 't2') =>
      ({
        session,
        state: 'idle',
        turn: { id: turn, begunAt: 0, calls: 0, ended: { at: 0, status: 'completed', text: turn } },
      }) as unknown as SessionProgress,
    expiredIn: async () => expired.map((id) => ({ id })),
  })
}

beforeEach(async () => {
  setup = await openTestGateway()
  records = createSessionRecords(setup.store.records)
  await records.create('s', {
    owner: 'ben',
    agent: 'coder',
    folder: '/shop',
    createdAt: 0,
    lastAt: 0,
    used: { turns: 0, workedMs: 0 },
    extended: 0,
    toldAt: { channel: 'chat', conversation: 'ben' },
  })
  told = []
  isAway = false
  expired = []
  notices = open()
})
afterEach(async () => {
  notices.close()
  await setup.close()
})

const restart = async () => {
  notices.close()
  notices = open()
  await notices.resume()
}

describe('what owners of sessions are told', () => {
  it('P7: an end that could not be told for an hour is told after a restart, though later ones were told', async () => {
    isAway = true
    notices.observe(end('t1'))
    // So often, and so far apart, it is tried.
    for (let tries = 0; tries < 40; tries++) await setup.clock.advance(5 * 60_000)
    isAway = false
    notices.observe(end('t2'))
    await until(() => told.length === 1)
    expect(told).toEqual(['Done t2'])
    // What is noted of it is in the record by then.
    for (let reads = 0; reads < 20; reads++) await records.find('s')
    await restart()
    await until(() => told.includes('Done t1'))
  })

  it('P7: of two requests that expire in another order than they were made, both are told, once', async () => {
    notices.expired('s', 'req_2')
    await until(async () => (await records.find('s'))?.toldExpiries?.length === 1)
    notices.expired('s', 'req_1')
    await until(async () => (await records.find('s'))?.toldExpiries?.length === 2)
    const expiries = () => told.filter((each) => each.startsWith('Nobody'))
    expect(expiries()).toHaveLength(2)
    expired = ['req_2', 'req_1']
    await restart()
    await until(() => told.includes('Done t2'))
    expect(expiries()).toHaveLength(2)
    expired = ['req_4', 'req_3', 'req_2', 'req_1']
    await restart()
    await until(async () => (await records.find('s'))?.toldExpiries?.length === 4)
    expect(expiries()).toHaveLength(3)
  })
})
