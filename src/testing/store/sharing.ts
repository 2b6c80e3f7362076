/** Several store objects on the same data: other processes, or this one after a restart. */
import { setTimeout as pause } from 'node:timers/promises'
import type { JsonValue } from '../../core/json/json.ts'
import type { Hint, Store } from '../../stores/store.ts'
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

    itShared(
      'P7: a hint of another names the requests that have changed, or says that any may have',
      async (t) => {
        const other = await t.another()
        const hints: Hint[] = []
        const leave = other.watch((hint) => void hints.push(hint))
        const isTold = (...ids: string[]) =>
          ids.every((id) =>
            hints.some((hint) => !hint.local && (hint.requests === undefined || hint.requests.includes(id))),
          )
        const one = await t.opened('r1')
        const two = await t.opened('r2')
        await until(() => isTold('r1', 'r2'))
        hints.length = 0
        await t.moved(one, 'rejected')
        await until(() => isTold('r1'))
        hints.length = 0
        await t.store.transitionAll([t.change(two, 'approved')])
        await until(() => isTold('r2'))
        hints.length = 0
        const three = await t.opened('r3', { session: { id: 's2' }, request: { session: 's2' } })
        const change = t.change(three, 'cancelled')
        const ending = { sessions: ['s2'], by: 'ana', changes: [change], entry: t.entry() }
        t.expect(await t.store.endSessions(ending)).toEqual({ won: true })
        await until(() => isTold('r3'))
        leave()
        await other.close()
      },
    )

    itShared('P2: of concurrent changes of a setting through several of them none is lost', async (t) => {
      const stores = [t.store, await t.another(), await t.another()]
      await t.store.settings.set('key', [])
      const add = async (store: Store, word: string) => {
        for (let round = 0; round < 100; round++) {
          const before = (await store.settings.get('key')) as JsonValue[]
          if (await store.settings.change('key', before, [...before, word])) return
        }
        throw new Error(`${word} lost a hundred times`)
      }
      const words = Array.from({ length: 12 }, (_, index) => `w${index}`)
      await Promise.all(words.map((word, index) => add(stores[index % 3]!, word)))
      const kept = (await t.store.settings.get('key')) as string[]
      t.expect(kept.toSorted()).toEqual(words.toSorted())
      for (const store of stores.slice(1)) await store.close()
    })

    itShared('P1: a taker that was paused past its lease changes nothing', async (t) => {
      const paused = t.store
      const other = await t.another()
      await t.opened('r1', { deliveries: [{ channel: 'chat' }] })
      const [taken] = await paused.deliveries.take(['chat'], 1, 10)
      await t.setTime(START + 10)
      const [next] = await other.deliveries.take(['chat'], 1, 10)
      t.expect(await paused.deliveries.shown(taken!, 1, 'late')).toBe(false)
      t.expect(await paused.deliveries.failed(taken!, 0)).toBe(false)
      t.expect(await paused.deliveries.list('r1')).toEqual([next])
      t.expect(await other.deliveries.shown(next!, 1, 'm1')).toBe(true)
      t.expect(await paused.deliveries.shown(taken!, 1, 'late')).toBe(false)
      t.expect((await paused.deliveries.list('r1'))[0]?.reference).toBe('m1')
      await other.close()
    })

    itShared('P10: a step whose writer knows more of its chain than is there is not taken', async (t) => {
      const request = await t.opened('r1')
      const follows = Number.MAX_SAFE_INTEGER
      const change = t.change(request, 'rejected', { entry: { ...t.entry(), follows } })
      t.expect(await t.codeOf(t.store.transition(change))).toBe('store_unavailable')
      t.expect(await t.codeOf(t.store.transitionAll([change]))).toBe('store_unavailable')
      t.expect(await t.codeOf(t.open('r2', { entry: { ...t.entry(), follows } }))).toBe('store_unavailable')
      t.expect(await t.codeOf(t.record('c1', { entry: { ...t.entry(), follows } }))).toBe('store_unavailable')
      t.expect(await t.codeOf(t.store.settings.set('key', 1, { ...t.entry(), follows }))).toBe(
        'store_unavailable',
      )
      const record = { kind: 'card', key: 'a', version: 0, value: 1 }
      t.expect(await t.codeOf(t.store.records.change([record], { ...t.entry(), follows }))).toBe(
        'store_unavailable',
      )
      t.expect(await t.store.records.get('card', 'a')).toBe(undefined)
      t.expect(await t.store.get('r1')).toEqual(request)
      t.expect(await t.store.get('r2')).toBe(undefined)
      t.expect((await t.store.calls.list({})).items).toEqual([])
      t.expect(await t.store.settings.get('key')).toBe(undefined)
      t.expect((await t.moved(request, 'rejected')).version).toBe(2)
    })

    itShared('namespaces know nothing of each other', async (t) => {
      const other = await t.another({ namespace: 'elsewhere' })
      await t.opened('r1', { deliveries: [{ channel: 'chat' }] })
      await t.store.settings.set('key', 1)
      await t.store.presence.renew({ channel: 'pet', connection: 'k1', subject: 'ana' }, MINUTE)
      await t.store.leases.take({ name: 'one', holder: 'a', leaseMs: MINUTE })
      t.expect(await other.get('r1')).toBe(undefined)
      t.expect(await other.list({ state: 'pending' })).toEqual({ items: [] })
      t.expect(await other.count('pending')).toBe(0)
      t.expect(await other.nextDeadline()).toBe(undefined)
      t.expect(await other.sessions.get('s1')).toBe(undefined)
      t.expect(await other.deliveries.take(['chat'], 9, 9)).toEqual([])
      t.expect(await other.presence.list('pet')).toEqual([])
      t.expect(await other.settings.get('key')).toBe(undefined)
      t.expect(await other.settings.change('key', 1, 2)).toBe(false)
      t.expect(await other.leases.list('')).toEqual([])
      t.expect((await other.leases.take({ name: 'one', holder: 'b', leaseMs: 9 })).holder).toBe('b')
      const [taken] = await t.store.deliveries.take(['chat'], 9, 9)
      t.expect(await other.deliveries.shown(taken!, 1, 'm')).toBe(false)
      t.expect(await other.deliveries.failed(taken!, 0)).toBe(false)
      t.expect(await other.journal.chains()).toEqual([])
      t.expect((await other.journal.feed(undefined, 9)).events).toEqual([])
      const change = t.change((await t.store.get('r1'))!, 'rejected')
      t.expect(await other.transition(change)).toEqual({ won: false, request: undefined })
      await other.close()
    })
  })
}

/** Hints come in their own time. */
async function until(condition: () => boolean): Promise<void> {
  for (let look = 0; look < 1000; look++) {
    if (condition()) return
    await pause(10)
  }
  throw new Error('it did not come to that in ten seconds')
}
