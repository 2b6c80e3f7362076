/** Several store objects on the same data: other processes, or this one after a restart. */
import type { Store } from '../../stores/store.ts'
import { grantDraft, MINUTE, START, sessionDraft, tokenDraft } from './drafts.ts'
import type { Suite } from './store-test.ts'

export function describeSharing({ describe, itShared }: Suite): void {
  describe('several store objects on the same data', () => {
    itShared('P7: what was committed is there after a restart', async (t) => {
      const request = await t.opened('r1', { deliveries: [{ channel: 'chat' }] })
      const vote = { by: 'ana', at: START, via: 'inbox', digest: request.digest }
      const voted = await t.moved(request, 'pending', { deadline: 'keep', progress: { votes: [vote] } })
      await t.moved(await t.opened('r2'), 'approved', {
        deadline: { inMs: 5 },
        grant: grantDraft('g1', { usesLeft: 2 }),
      })
      await t.record('c1', { consume: ['g1'] })
      await t.store.tokens.create(tokenDraft('t1'), t.entry())
      await t.store.settings.set('key', { a: 1 })
      await t.append(0, 'hello')
      await t.store.deliveries.take(['chat'], 1, 5)
      const chains = await t.store.journal.chains()
      await t.store.close()

      const store = await t.another()
      t.expect(await store.get('r1')).toEqual(voted)
      t.expect(await store.nextDeadline()).toBe(START + 5)
      t.expect(await store.grants.get('g1')).toMatchObject({ uses: 1, usesLeft: 1 })
      t.expect(await store.tokens.find('hash-t1')).toEqual(tokenDraft('t1'))
      t.expect(await store.settings.get('key')).toEqual({ a: 1 })
      t.expect(await store.turns.read('s1', 0, 9)).toEqual(['hello'])
      t.expect((await store.lookup('s1', 'c1', 'deploy')).known?.verdict).toBe('allow')
      t.expect(await store.journal.chains()).toEqual(chains)
      await t.setTime(START + 5)
      t.expect((await store.deliveries.take(['chat'], 1, 5)).map((delivery) => delivery.attempts)).toEqual([
        2,
      ])
      await store.close()
    })

    itShared('P2: of concurrent decisions through several of them one wins', async (t) => {
      const stores: Store[] = [t.store, await t.another(), await t.another()]
      const requests = []
      for (let index = 0; index < 10; index++) requests.push(await t.opened(`r${index}`))
      for (const request of requests) {
        const results = await Promise.all(
          stores.map((store, index) => {
            const by = `person-${index}`
            const decision = { kind: 'reject', by, at: START, via: 'inbox', digest: request.digest } as const
            const entry = t.entry({ chain: `chain-of-${index}`, request: request.id, version: 2 })
            return store.transition(t.change(request, 'rejected', { progress: { decision }, entry }))
          }),
        )
        const winners = results.flatMap((result, index) => (result.won ? [`person-${index}`] : []))
        t.expect(winners.length).toBe(1)
        for (const result of results) {
          if (!result.won) t.expect(result.request?.progress.decision?.by).toBe(winners[0])
        }
        for (const store of stores)
          t.expect((await store.get(request.id))?.progress.decision?.by).toBe(winners[0])
      }
      for (const store of stores.slice(1)) await store.close()
    })

    itShared('P4: uses, turns and login codes are taken once among them', async (t) => {
      const stores: Store[] = [t.store, await t.another()]
      await t.moved(await t.opened('r1'), 'approved', {
        deadline: { inMs: MINUTE },
        grant: grantDraft('g1', { usesLeft: 1 }),
      })
      await t.store.tokens.create(tokenDraft('code', { use: 'login' }), t.entry())
      const chain = (index: number) => t.entry({ chain: `chain-of-${index}` })
      const turns = await Promise.all(
        stores.map((store, index) =>
          store.turns.append({
            session: sessionDraft('s1'),
            at: 0,
            turn: index,
            unfinished: false,
            entry: chain(index + stores.length),
          }),
        ),
      )
      t.expect(turns.filter((result) => result === 'appended').length).toBe(1)
      const keys = await Promise.all(
        stores.map((store, index) => store.tokens.exchange('code', tokenDraft(`key-${index}`), chain(index))),
      )
      t.expect(keys.filter(Boolean).length).toBe(1)
      await stores[1]!.close()
    })

    itShared('P7: one hears of what another has committed, and a read sees it', async (t) => {
      const other = await t.another()
      const heard = new Promise<boolean>((resolve) => {
        const leave = other.watch((hint) => {
          leave()
          resolve(hint.local)
        })
      })
      await t.opened('r1')
      t.expect(await heard).toBe(false)
      t.expect((await other.get('r1'))?.state).toBe('pending')
      t.expect((await other.journal.feed(undefined, 9)).events.length).toBe(1)
      await other.close()
    })

    itShared('namespaces know nothing of each other', async (t) => {
      const other = await t.another({ namespace: 'elsewhere' })
      await t.opened('r1', { deliveries: [{ channel: 'chat' }] })
      await t.store.settings.set('key', 1)
      await t.store.presence.renew({ channel: 'pet', connection: 'k1', subject: 'ana' }, MINUTE)
      t.expect(await other.get('r1')).toBe(undefined)
      t.expect(await other.list({ state: 'pending' })).toEqual({ items: [] })
      t.expect(await other.count('pending')).toBe(0)
      t.expect(await other.nextDeadline()).toBe(undefined)
      t.expect(await other.sessions.get('s1')).toBe(undefined)
      t.expect(await other.deliveries.take(['chat'], 9, 9)).toEqual([])
      t.expect(await other.presence.list('pet')).toEqual([])
      t.expect(await other.settings.get('key')).toBe(undefined)
      t.expect(await other.journal.chains()).toEqual([])
      t.expect((await other.journal.feed(undefined, 9)).events).toEqual([])
      const change = t.change((await t.store.get('r1'))!, 'rejected')
      t.expect(await other.transition(change)).toEqual({ won: false, request: undefined })
      await other.close()
    })
  })
}
