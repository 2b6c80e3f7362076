import { describe, expect, it, onTestFinished } from 'vitest'
import {
  ana,
  ben,
  eve,
  journalEntriesOf,
  openTestGateway,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

async function open(): Promise<TestGateway> {
  const setup = await openTestGateway()
  onTestFinished(() => setup.close())
  return setup
}

const begun = { session: 's1', at: 0, turn: { kind: 'begun' }, unfinished: true }

describe('the turn log', () => {
  it('P6: belongs to whoever began it; admins may read, others do not know of it', async () => {
    const setup = await open()
    const { turns } = setup.gateway
    expect(await turns.append(begun, ben)).toBe(true)
    await expect(turns.append({ ...begun, at: 1 }, eve)).rejects.toMatchObject({ code: 'not_yours' })
    expect(await turns.read('s1', {}, ben)).toEqual([{ kind: 'begun' }])
    expect(await turns.read('s1', {}, ana)).toEqual([{ kind: 'begun' }])
    await expect(turns.read('s1', {}, eve)).rejects.toMatchObject({ code: 'unknown_id' })
    await expect(turns.read('s2', {}, ana)).rejects.toMatchObject({ code: 'unknown_id' })
  })

  it('P7: a second writer is told, and what is unfinished is found', async () => {
    const setup = await open()
    const { turns } = setup.gateway
    await turns.append(begun, ben)
    expect(await turns.append(begun, ben)).toBe(false)
    expect(await turns.unfinished()).toMatchObject([{ id: 's1', owner: 'ben', ownerRole: 'approver' }])
    await turns.append({ ...begun, at: 1, unfinished: false }, ben)
    expect(await turns.unfinished()).toEqual([])
  })

  it('P10: what was said in a turn is in the journal, cut and without its secrets', async () => {
    const setup = await open()
    const secret = `ghp_${'aB3dE5fG7h'.repeat(3)}abcdef`
    const end = { session: 's1', turn: 't1', status: 'completed', by: 'ben', cwd: '/shop' } as const
    await setup.gateway.turns.noteEnd({
      ...end,
      prompt: `use ${secret}`,
      response: `${'x'.repeat(3000)} ${secret}`,
    })
    const entries = await journalEntriesOf(setup)
    const body = entries.find(({ type }) => type === 'session.turn_ended')!.body
    expect(body).not.toContain(secret)
    expect(body).not.toContain(secret.slice(0, 12))
    const { prompt, response, ...about } = JSON.parse(body)
    expect(about).toMatchObject(end)
    expect(prompt).toMatch(/^use ⟨masked: /)
    expect(response).toContain('characters left out⟩')
    expect(response.length).toBeLessThan(2100)
  })

  it('P10: what is older than the retention time is erased, on the record', async () => {
    const setup = await open()
    await setup.gateway.turns.append({ ...begun, unfinished: false }, ben)
    await setup.clock.advance(1000)
    await setup.gateway.history.eraseOlderThan(500)
    expect(await setup.gateway.turns.read('s1', {}, ben)).toEqual([null])
    const chains = await setup.store.journal.chains()
    const entries = await setup.store.journal.read(chains[0]!.chain, 0, 100)
    expect(entries.map(({ type }) => type)).toContain('turns.erased')
  })
})
