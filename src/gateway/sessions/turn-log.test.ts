import { describe, expect, it, onTestFinished } from 'vitest'
import { ana, ben, eve, openTestGateway, type TestGateway } from '../fixtures/test-gateway.ts'

async function open(): Promise<TestGateway> {
  const house = await openTestGateway()
  onTestFinished(() => house.close())
  return house
}

const begun = { session: 's1', at: 0, turn: { kind: 'begun' }, unfinished: true }

describe('the turn log', () => {
  it('P6: belongs to whoever began it; admins may read, others do not know of it', async () => {
    const house = await open()
    const { turns } = house.gateway
    expect(await turns.append(begun, ben)).toBe(true)
    await expect(turns.append({ ...begun, at: 1 }, eve)).rejects.toMatchObject({ code: 'not_yours' })
    expect(await turns.read('s1', {}, ben)).toEqual([{ kind: 'begun' }])
    expect(await turns.read('s1', {}, ana)).toEqual([{ kind: 'begun' }])
    await expect(turns.read('s1', {}, eve)).rejects.toMatchObject({ code: 'unknown_id' })
    await expect(turns.read('s2', {}, ana)).rejects.toMatchObject({ code: 'unknown_id' })
  })

  it('P7: a second writer is told, and what is unfinished is found', async () => {
    const house = await open()
    const { turns } = house.gateway
    await turns.append(begun, ben)
    expect(await turns.append(begun, ben)).toBe(false)
    expect(await turns.unfinished()).toMatchObject([{ id: 's1', owner: 'ben', ownerRole: 'approver' }])
    await turns.append({ ...begun, at: 1, unfinished: false }, ben)
    expect(await turns.unfinished()).toEqual([])
  })

  it('P10: what is older than the retention time is erased, on the record', async () => {
    const house = await open()
    await house.gateway.turns.append({ ...begun, unfinished: false }, ben)
    await house.clock.advance(1000)
    await house.gateway.history.eraseOlderThan(500)
    expect(await house.gateway.turns.read('s1', {}, ben)).toEqual([null])
    const chains = await house.store.journal.chains()
    const entries = await house.store.journal.read(chains[0]!.chain, 0, 100)
    expect(entries.map(({ type }) => type)).toContain('turns.erased')
  })
})
