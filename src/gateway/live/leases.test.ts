import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ana, openTestGateway, type TestGateway } from '../fixtures/test-gateway.ts'

async function openTwo(): Promise<[TestGateway, TestGateway]> {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-leases-'))
  const one = await openTestGateway({ path: join(folder, 'test.db') })
  const other = await openTestGateway({ path: join(folder, 'test.db'), clock: one.clock })
  onTestFinished(async () => {
    await one.close()
    await other.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return [one, other]
}

describe('leases of gateways', () => {
  it('one of several gateways has it, until it is given back or ends', async () => {
    const [one, other] = await openTwo()
    const lease = { name: 'task', leaseMs: 1000 }
    const { leases } = one.gateway
    expect(leases.holder).not.toBe(other.gateway.leases.holder)
    expect(await leases.take({ ...lease, note: { a: 1 } })).toMatchObject({ holder: leases.holder })
    expect(await other.gateway.leases.take(lease)).toMatchObject({ holder: leases.holder, note: { a: 1 } })
    await other.gateway.leases.release('task')
    expect(await other.gateway.leases.list('ta')).toMatchObject([{ name: 'task' }])
    await leases.release('task')
    expect(await other.gateway.leases.take(lease)).toMatchObject({ holder: other.gateway.leases.holder })
    one.clock.jump(1000)
    expect(await leases.take(lease)).toMatchObject({ holder: leases.holder })
  })

  it('two holders of one gateway do not take each other’s for their own', async () => {
    const [one] = await openTwo()
    const { leases } = one.gateway
    const [first, second] = [leases.newHolder(), leases.newHolder()]
    expect(new Set([leases.holder, first, second]).size).toBe(3)
    await leases.take({ name: 'task', holder: first, leaseMs: 1000 })
    expect(await leases.take({ name: 'task', holder: second, leaseMs: 1000 })).toMatchObject({
      holder: first,
    })
  })

  it('what another gateway writes in a turn log is hinted at', async () => {
    const [one, other] = await openTwo()
    const { promise: told, resolve } = Promise.withResolvers<void>()
    const listening = other.gateway.turns.onElsewhere(() => {
      other.gateway.turns.read('s1', {}, ana).then(
        (turns) => turns.length > 0 && resolve(),
        () => {},
      )
    })
    await one.gateway.turns.append({ session: 's1', at: 0, turn: {}, unfinished: true }, ana)
    await told
    listening.remove()
  })
})
