/** `transitionAll`: several requests change in one step, or none does. */
import type { Request } from '../../core/request.ts'
import type { Change, Store, TransitionAllResult } from '../../stores/store.ts'
import { grantDraft, MINUTE, START } from './drafts.ts'
import type { StoreTest, Suite } from './store-test.ts'

export function describeTransitionAll({ describe, it, itShared }: Suite): void {
  describe('transitionAll', () => {
    it('P2: changes all requests one version up, each with its entry and its grant', async (t) => {
      const [one, two, three] = await openThree(t, { deliveries: [{ channel: 'chat' }] })
      await t.setTime(START + 7)
      const result = await t.store.transitionAll([
        t.change(one, 'approved', { deadline: { inMs: 1000 }, grant: grantDraft('g1') }),
        t.change(two, 'rejected', { guard: 'before_deadline' }),
        t.change(three, 'pending', { deadline: 'keep', progress: voted(three) }),
      ])
      t.expect(result).toEqual({ won: true, deadlines: [START + 1007, null, START + MINUTE] })
      t.expect(await t.store.get('r1')).toEqual({
        ...one,
        state: 'approved',
        version: 2,
        deadline: START + 1007,
      })
      t.expect(await t.store.get('r2')).toEqual({ ...two, state: 'rejected', version: 2, deadline: null })
      t.expect(await t.store.get('r3')).toEqual({ ...three, version: 2, progress: voted(three) })
      t.expect(await t.store.grants.get('g1')).toEqual(grantDraft('g1'))
      t.expect(await t.store.count('pending')).toBe(1)
      t.expect((await t.store.deliveries.take(['chat'], 9, 9)).length).toBe(3)
    })

    it('frees the places of those that no longer wait', async (t) => {
      const [one, two] = await openThree(t)
      t.expect((await t.open('r4', { maxPending: 3 })).kind).toBe('refused')
      await t.store.transitionAll([t.change(one, 'rejected'), t.change(two, 'rejected')])
      t.expect((await t.open('r4', { maxPending: 2 })).kind).toBe('opened')
      t.expect((await t.open('r5', { maxPending: 2 })).kind).toBe('refused')
    })

    it('P2: loses whole when some lose, and names each of these with what it is', async (t) => {
      const [one, two, three] = await openThree(t, { deliveries: [{ channel: 'chat' }] })
      const approved = await t.moved(two, 'approved', { deadline: { inMs: MINUTE } })
      await loses(
        t,
        [
          t.change(one, 'approved', { grant: grantDraft('g1') }),
          t.change(two, 'rejected'),
          t.change(three, 'rejected'),
          t.change({ ...one, id: 'none' }, 'rejected'),
        ],
        [
          { id: 'r2', request: approved },
          { id: 'none', request: undefined },
        ],
      )
      t.expect([await t.store.get('r1'), await t.store.get('r3')]).toEqual([one, three])
      t.expect(await t.store.grants.get('g1')).toBe(undefined)
    })

    it('P5: loses when the deadline of one has come, or has not come where it must', async (t) => {
      const [one] = await openThree(t)
      const late = await t.opened('late', { request: { expiresInMs: 2 * MINUTE } })
      await t.setTime(START + MINUTE)
      const guard = 'before_deadline'
      await loses(
        t,
        [t.change(late, 'rejected', { guard }), t.change(one, 'approved', { guard })],
        [{ id: 'r1', request: one }],
      )
      await loses(
        t,
        [
          t.change(one, 'expired', { guard: 'after_deadline' }),
          t.change(late, 'expired', { guard: 'after_deadline' }),
        ],
        [{ id: 'late', request: late }],
      )
    })

    it('P2: a request that is named twice loses, in whatever version', async (t) => {
      const [one, two] = await openThree(t)
      const again = { ...one, version: 2 }
      await loses(
        t,
        [
          t.change(one, 'pending', { deadline: 'keep' }),
          t.change(two, 'rejected'),
          t.change(again, 'rejected'),
        ],
        [{ id: 'r1', request: one }],
      )
      await loses(t, [t.change(one, 'rejected'), t.change(one, 'rejected')], [{ id: 'r1', request: one }])
      t.expect([await t.store.get('r1'), await t.store.get('r2')]).toEqual([one, two])
    })

    it('P5: fails whole when the id of one grant is taken', async (t) => {
      const [one, two, three] = await openThree(t)
      await t.moved(three, 'approved', { grant: grantDraft('g1') })
      const failing = t.store.transitionAll([
        t.change(one, 'approved', { grant: grantDraft('g2') }),
        t.change(two, 'approved', { grant: grantDraft('g1', { createdBy: 'eve' }) }),
      ])
      t.expect(await t.codeOf(failing)).toBe('store_unavailable')
      t.expect([await t.store.get('r1'), await t.store.get('r2')]).toEqual([one, two])
      t.expect(await t.store.grants.get('g2')).toBe(undefined)
    })

    it('of nothing wins and writes nothing', async (t) => {
      t.expect(await t.store.transitionAll([])).toEqual({ won: true, deadlines: [] })
    })

    it('P2: of many that overlap, no request is changed twice and none is changed alone', async (t) => {
      for (let round = 0; round < 5; round++) {
        const requests = await openRound(t, round)
        const people = Array.from({ length: 6 }, (_, index) => `person-${index}`)
        const wants = people.map((_, index) => [requests[index]!, requests[(index + 1) % 6]!])
        const results = await Promise.all(
          wants.map((both, index) => t.store.transitionAll(rejections(t, both, people[index]!, 'chain-1'))),
        )
        await checkRound(t, t.store, wants, people, results)
      }
    })

    itShared('P2: the same through several store objects', async (t) => {
      const stores: Store[] = [t.store, await t.another(), await t.another()]
      for (let round = 0; round < 10; round++) {
        const requests = await openRound(t, round)
        const people = stores.map((_, index) => `person-${index}`)
        // Each wants one that both others want too, in another order.
        const wants = [
          [requests[0]!, requests[1]!, requests[2]!],
          [requests[2]!, requests[3]!, requests[0]!],
          [requests[4]!, requests[2]!],
        ]
        const results = await Promise.all(
          stores.map((store, index) =>
            store.transitionAll(rejections(t, wants[index]!, people[index]!, `chain-of-${index}`)),
          ),
        )
        t.expect(results.filter((result) => result.won).length).toBe(1)
        for (const store of stores) await checkRound(t, store, wants, people, results)
      }
      for (const store of stores.slice(1)) await store.close()
    })
  })
}

async function openThree(t: StoreTest, over = {}): Promise<[Request, Request, Request]> {
  return [await t.opened('r1', over), await t.opened('r2', over), await t.opened('r3', over)]
}

function voted(request: Request) {
  return { votes: [{ by: 'ana', at: START, via: 'inbox', digest: request.digest }] }
}

async function loses(
  t: StoreTest,
  changes: Change[],
  lost: Extract<TransitionAllResult, { won: false }>['lost'],
): Promise<void> {
  const cursor = await t.store.journal.cursor()
  t.expect(await t.store.transitionAll(changes)).toEqual({ won: false, lost })
  t.expect(await t.store.journal.feed(cursor, 10)).toEqual({ events: [], complete: true })
}

async function openRound(t: StoreTest, round: number): Promise<Request[]> {
  const requests: Request[] = []
  for (let index = 0; index < 6; index++) {
    requests.push(await t.opened(`r${round}-${index}`, { request: { session: `s${round}` } }))
  }
  return requests
}

function rejections(t: StoreTest, requests: readonly Request[], by: string, chain: string): Change[] {
  return requests.map((request) => {
    const decision = { kind: 'reject', by, at: START, via: 'inbox', digest: request.digest } as const
    const entry = t.entry({ chain, type: 'request.decided', request: request.id, version: 2 })
    return t.change(request, 'rejected', { progress: { decision }, entry })
  })
}

/** Who won decided all that they wanted; who lost decided none, and was told of one that another decided. */
async function checkRound(
  t: StoreTest,
  store: Store,
  wants: readonly Request[][],
  people: readonly string[],
  results: readonly TransitionAllResult[],
): Promise<void> {
  t.expect(results.some((result) => result.won)).toBe(true)
  for (const [index, wanted] of wants.entries()) {
    const result = results[index]!
    const deciders = await Promise.all(
      wanted.map(async ({ id }) => (await store.get(id))?.progress.decision?.by),
    )
    if (result.won) {
      t.expect(deciders).toEqual(wanted.map(() => people[index]))
      continue
    }
    t.expect(deciders.includes(people[index])).toBe(false)
    t.expect(result.lost.length > 0).toBe(true)
    for (const { id, request } of result.lost) {
      t.expect(request).toEqual(await store.get(id))
      t.expect(request?.state).toBe('rejected')
    }
  }
}
