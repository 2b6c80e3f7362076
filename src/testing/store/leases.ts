/** `leases`: one holder at a time by the store's clock, and a fence that tells a holder from the one before. */
import { defined } from '../../core/defined.ts'
import type { JsonValue } from '../../core/json/json.ts'
import type { Lease } from '../../stores/store.ts'
import { START } from './drafts.ts'
import type { StoreTest, Suite } from './store-test.ts'

const LEASE = 1000

export function describeLeases({ describe, it, itShared }: Suite): void {
  describe('leases', () => {
    it("P4: a free one is taken, and is nobody else's until its very end", async (t) => {
      const mine = await take(t, 'one', 'a', { pid: 7 })
      t.expect(mine).toEqual({
        name: 'one',
        holder: 'a',
        fence: mine.fence,
        until: START + LEASE,
        note: { pid: 7 },
      })
      t.expect(Number.isSafeInteger(mine.fence)).toBe(true)
      await t.setTime(START + LEASE - 1)
      t.expect(await take(t, 'one', 'b')).toEqual(mine)
      t.expect(await t.store.leases.list('')).toEqual([mine])
      await t.setTime(START + LEASE)
      t.expect(await t.store.leases.list('')).toEqual([])
      const theirs = await take(t, 'one', 'b')
      t.expect(theirs).toEqual({ name: 'one', holder: 'b', fence: theirs.fence, until: START + 2 * LEASE })
      t.expect(theirs.fence > mine.fence).toBe(true)
    })

    it('P4: its holder prolongs it with the fence that it had, and says what it likes of itself', async (t) => {
      const first = await take(t, 'one', 'a', 'before')
      await t.setTime(START + LEASE - 1)
      const prolonged = await take(t, 'one', 'a', ['now', null])
      t.expect(prolonged).toEqual({ ...first, until: START + 2 * LEASE - 1, note: ['now', null] })
      t.expect('note' in (await take(t, 'one', 'a'))).toBe(false)
      await t.setTime(START + LEASE)
      t.expect((await take(t, 'one', 'b')).holder).toBe('a')
    })

    it('P4: a holder that was paused past the end gets a new fence, and never its own again', async (t) => {
      const before = await take(t, 'one', 'a')
      await t.setTime(START + LEASE)
      const after = await take(t, 'one', 'a')
      t.expect(after.fence > before.fence).toBe(true)
    })

    it('P4: a fence is never given out twice, whether the lease was freed or ended', async (t) => {
      const fences: number[] = []
      for (let round = 0; round < 6; round++) {
        const holder = `holder-${round % 2}`
        fences.push((await take(t, 'one', holder)).fence)
        await take(t, `other-${round}`, holder)
        if (round % 3 === 0) await t.store.leases.release('one', holder)
        else await t.setTime(START + (round + 1) * LEASE)
      }
      t.expect(fences).toEqual(fences.toSorted((a, b) => a - b))
      t.expect(new Set(fences).size).toBe(fences.length)
    })

    it('P4: is freed by its holder and by nobody else', async (t) => {
      const mine = await take(t, 'one', 'a')
      await t.store.leases.release('one', 'b')
      await t.store.leases.release('no such', 'a')
      t.expect(await take(t, 'one', 'b')).toEqual(mine)
      await t.store.leases.release('one', 'a')
      t.expect(await t.store.leases.list('one')).toEqual([])
      t.expect((await take(t, 'one', 'b')).holder).toBe('b')
      await t.store.leases.release('one', 'a')
      t.expect((await t.store.leases.list('one')).map((lease) => lease.holder)).toEqual(['b'])
    })

    it('are listed by name, those whose name begins so', async (t) => {
      for (const name of ['node/b', 'node/a', 'node', 'turn/s1', 'nodes', 'node/a%', 'node/_']) {
        await take(t, name, 'a', name)
      }
      const names = async (prefix: string) => (await t.store.leases.list(prefix)).map((lease) => lease.name)
      t.expect(await names('node/')).toEqual(['node/_', 'node/a', 'node/a%', 'node/b'])
      t.expect(await names('turn/')).toEqual(['turn/s1'])
      t.expect(await names('node/a%')).toEqual(['node/a%'])
      t.expect(await names('%')).toEqual([])
      t.expect((await names('')).length).toBe(7)
      t.expect((await t.store.leases.list('turn/'))[0]?.note).toBe('turn/s1')
    })

    it('texts come back exactly, and what is handed in or out can be changed afterwards', async (t) => {
      const name = 'n\u0000 \u2028😀{}*'
      const note: { [key: string]: JsonValue } = { "it's": ['\u0000', 1.5e300] }
      const taken = await take(t, name, "o'\\holder", note)
      note["it's"] = 'changed'
      const kept = { ...taken, note: { "it's": ['\u0000', 1.5e300] } }
      t.expect(await t.store.leases.list(name)).toEqual([kept])
      t.expect(taken.holder).toBe("o'\\holder")
    })

    it('P4: of many concurrent takers one has it, and all are told who', async (t) => {
      const all = await Promise.all(Array.from({ length: 12 }, (_, index) => take(t, 'one', `h${index}`)))
      t.expect(new Set(all.map((lease) => `${lease.holder} ${lease.fence}`)).size).toBe(1)
    })

    itShared('P4: of takers through several store objects one has it', async (t) => {
      const stores = [t.store, await t.another(), await t.another()]
      for (let round = 0; round < 5; round++) {
        const all = await Promise.all(
          stores.map((store, index) =>
            store.leases.take({ name: `lease-${round}`, holder: `h${index}`, leaseMs: LEASE }),
          ),
        )
        t.expect(new Set(all.map((lease) => `${lease.holder} ${lease.fence}`)).size).toBe(1)
        for (const store of stores) t.expect(await store.leases.list(`lease-${round}`)).toEqual([all[0]])
      }
      for (const store of stores.slice(1)) await store.close()
    })
  })
}

function take(t: StoreTest, name: string, holder: string, note?: JsonValue): Promise<Lease> {
  return t.store.leases.take({ name, holder, leaseMs: LEASE, ...defined({ note }) })
}
