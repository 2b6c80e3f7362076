import { afterEach, describe, expect, it } from 'vitest'
import { callRecord, sessionDraft } from '../../testing/store/drafts.ts'
import {
  aCall,
  agent,
  ana,
  approve,
  ask,
  askedRequest,
  ben,
  eve,
  openTestGateway,
  policyFrom,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

const DAY = 86_400_000
const policy = policyFrom(({ tool }) => {
  if (tool.startsWith('read_')) return { kind: 'allow', because: 'fine' }
  return tool === 'drop' ? { kind: 'deny', because: 'never' } : ask(tool)
})

async function open(): Promise<void> {
  setup = await openTestGateway({ policy })
}

const oversight = (query = {}, actor = ana) => setup.gateway.history.oversight(query, actor)

describe('oversight', () => {
  it('reads what was asked, what came of it and how long it took', async () => {
    await open()
    await setup.gateway.review(aCall({ tool: 'read_file' }), agent)
    await setup.gateway.review(aCall({ tool: 'drop' }), agent)
    await setup.gateway.flush()
    const first = await askedRequest(setup)
    await setup.clock.advance(4000)
    await approve(setup, first, ben)
    const second = await askedRequest(setup)
    await setup.clock.advance(20_000)
    await setup.gateway.decide(second.id, { decision: 'reject', digest: second.digest }, ana)
    await askedRequest(setup, { tool: 'pay' })
    await setup.clock.advance(2 * DAY)
    await setup.gateway.expire()
    const figures = await oversight({ days: 7 }, eve)
    expect(figures).toMatchObject({
      days: 7,
      isCut: false,
      calls: 5,
      to: setup.clock.now(),
      states: { expired: 1, rejected: 1 },
      expiredShare: 1 / 3,
      timeToDecide: { decided: 2, medianMs: 12_000, p90Ms: 20_000 },
      quick: { decisions: 0 },
      rules: [
        { rule: 'deploy', asked: 2, approved: 1, rejected: 1, expired: 0, medianMs: 12_000 },
        { rule: 'pay', asked: 1, approved: 0, rejected: 0, expired: 1, medianMs: null },
      ],
      people: [{ by: 'ana' }, { by: 'ben' }],
    })
    const sum = (key: 'allowed' | 'denied' | 'asked') =>
      figures.perDay.reduce((total, row) => total + row[key], 0)
    expect([sum('allowed'), sum('denied'), sum('asked')]).toEqual([1, 1, 3])
  })

  it('counts a call that joined the request of the same call with that one, and not as allowed', async () => {
    await open()
    const call = aCall({ tool: 'deploy', callId: 'first' })
    const joining = { join: true, holdMs: 0 }
    await setup.gateway.hold(call, joining)
    await setup.clock.advance(60_000)
    await setup.gateway.hold({ ...call, callId: 'again' }, joining)
    const { items } = await setup.store.calls.list({})
    expect(items.map(({ rule }) => rule)).toContain('joined')
    const { calls, perDay } = await oversight()
    expect(calls).toBe(1)
    expect(perDay.reduce((total, { allowed }) => total + allowed, 0)).toBe(0)
  })

  it('counts what lies in the days that are asked for, and nothing before', async () => {
    await open()
    await askedRequest(setup, { tool: 'old' })
    await setup.clock.advance(3 * DAY)
    await askedRequest(setup, { tool: 'new' })
    expect((await oversight({ days: 1 })).rules.map(({ rule }) => rule)).toEqual(['new'])
    expect((await oversight({ days: 5 })).calls).toBe(2)
    expect((await oversight()).days).toBe(14)
  })

  it('finds a person who waves everything through', async () => {
    await open()
    for (let index = 0; index < 4; index++) await approve(setup, await askedRequest(setup), ben)
    const { quick } = await oversight()
    expect(quick.decisions).toBe(4)
    expect(quick.streaks).toEqual([{ by: 'ben', count: 4, from: setup.clock.now(), to: setup.clock.now() }])
  })

  it('looks at 5,000 calls at most, and says so', async () => {
    await open()
    const entry = { chain: 'x', type: 'calls.judged' as const, body: '{}', committed: () => {} }
    const session = sessionDraft('s1')
    const createdAt = setup.clock.now()
    const calls = Array.from({ length: 5050 }, (_, index) => ({
      session,
      call: callRecord(`c${index}`, { createdAt }),
    }))
    await setup.store.recordAll({ calls, entry })
    expect(await oversight()).toMatchObject({ calls: 5000, isCut: true })
  })

  it("P11: is not for an agent's credential", async () => {
    await open()
    await expect(oversight({}, agent)).rejects.toMatchObject({ code: 'forbidden' })
  })

  it.each([
    ['days', { days: 0 }],
    ['days', { days: 91 }],
    ['days', { days: 1.5 }],
    ['offset', { offsetMinutes: 841 }],
    ['offset', { offsetMinutes: Number.NaN }],
  ])('refuses what makes no sense by name: %s %j', async (field, query) => {
    await open()
    await expect(oversight(query)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(field),
    })
  })
})
