/** `list`, `count`, `due` and `nextDeadline`: what there is, in a fixed order, a page at a time. */
import type { Request } from '../../core/request.ts'
import type { ListQuery } from '../../stores/store.ts'
import { MINUTE, START } from './drafts.ts'
import type { StoreTest, Suite } from './store-test.ts'

export function describeListing({ describe, it }: Suite): void {
  describe('list', () => {
    it('orders by deadline, then by id', async (t) => {
      for (const [id, expiresInMs] of [
        ['rb', 50],
        ['ra', 50],
        ['rd', 10],
        ['rc', 900],
        ['re', 50],
      ] as const) {
        await t.opened(id, { request: { expiresInMs } })
      }
      t.expect(await ids(t, { state: 'pending' })).toEqual(['rd', 'ra', 'rb', 're', 'rc'])
    })

    it("P6: one subject's requests alone, and a cursor that knows of no others", async (t) => {
      for (const id of ['r1', 'r2', 'r3', 'r4']) {
        const submittedBy = id === 'r2' || id === 'r4' ? 'agent-2' : 'agent-1'
        await t.opened(id, { request: { submittedBy } })
      }
      t.expect(await ids(t, { state: 'pending', submittedBy: 'agent-2' })).toEqual(['r2', 'r4'])
      t.expect(await ids(t, { state: 'pending', session: 's1', submittedBy: 'agent-1' })).toEqual([
        'r1',
        'r3',
      ])
      t.expect(await t.store.list({ state: 'pending', limit: 1, submittedBy: 'agent-3' })).toEqual({
        items: [],
      })
    })

    it('orders by creation where there is no deadline', async (t) => {
      const requests: Request[] = []
      for (const [id, at] of [
        ['rc', 0],
        ['ra', 5],
        ['rb', 5],
      ] as const) {
        await t.setTime(START + at)
        requests.push(await t.opened(id, { request: { expiresInMs: 100 - at * 10 } }))
      }
      for (const request of requests.reverse()) await t.moved(request, 'rejected')
      t.expect(await ids(t, { state: 'rejected' })).toEqual(['rc', 'ra', 'rb'])
    })

    it('follows a request from state to state and from deadline to deadline', async (t) => {
      const one = await t.opened('r1')
      await t.opened('r2')
      const later = await t.moved(one, 'pending', { deadline: { inMs: 2 * MINUTE } })
      t.expect(await ids(t, { state: 'pending' })).toEqual(['r2', 'r1'])
      await t.moved(later, 'approved', { deadline: { inMs: MINUTE } })
      t.expect(await ids(t, { state: 'pending' })).toEqual(['r2'])
      t.expect(await ids(t, { state: 'approved' })).toEqual(['r1'])
      t.expect([
        await t.store.count('pending'),
        await t.store.count('approved'),
        await t.store.count('done'),
      ]).toEqual([1, 1, 0])
    })

    it('gives whole requests', async (t) => {
      const request = await t.opened('r1')
      t.expect(await t.store.list({ state: 'pending' })).toEqual({ items: [request] })
      t.expect(await t.store.list({ state: 'pending', session: 's1' })).toEqual({ items: [request] })
      t.expect(await t.store.list({ state: 'done' })).toEqual({ items: [] })
    })

    it('gives at most 200 at a time, and all of them page by page', async (t) => {
      const wanted = await openMany(t, 450)
      const sizes: number[] = []
      t.expect(await ids(t, { state: 'pending', limit: 100_000 }, sizes)).toEqual(wanted)
      t.expect(sizes).toEqual([200, 200, 50])
      t.expect(await ids(t, { state: 'pending', limit: 150 })).toEqual(wanted)
      t.expect(await t.store.count('pending')).toBe(450)
    })

    it('a last page that is full has no cursor', async (t) => {
      await openMany(t, 4)
      const first = await t.store.list({ state: 'pending', limit: 2 })
      const second = await t.store.list({ state: 'pending', limit: 2, cursor: first.cursor! })
      t.expect(second.items.map((request) => request.id)).toEqual(['r002', 'r003'])
      t.expect(second.cursor).toBe(undefined)
    })

    it('pages that many requests of one deadline fill', async (t) => {
      for (let index = 0; index < 7; index++) await t.opened(`r${index}`)
      t.expect(await ids(t, { state: 'pending', limit: 2 })).toEqual([
        'r0',
        'r1',
        'r2',
        'r3',
        'r4',
        'r5',
        'r6',
      ])
    })

    it('keeps to the session, live or over', async (t) => {
      for (let index = 0; index < 12; index++) {
        const request = await t.opened(`r${index % 10}${index}`, { request: { session: `s${index % 3}` } })
        if (index % 2 === 0) await t.moved(request, 'rejected')
      }
      for (const session of ['s0', 's1', 's2', 's3']) {
        for (const state of ['pending', 'rejected'] as const) {
          const wanted = (await t.store.list({ state })).items.filter(
            (request) => request.session === session,
          )
          t.expect(await ids(t, { state, session, limit: 1 })).toEqual(wanted.map((request) => request.id))
        }
      }
    })

    it('a page goes on where the last one ended, whatever came and went', async (t) => {
      await openMany(t, 6)
      const first = await t.store.list({ state: 'pending', limit: 3 })
      for (const request of first.items) await t.moved(request, 'rejected')
      await t.opened('before', { request: { expiresInMs: 1 } })
      await t.opened('behind', { request: { expiresInMs: 10 * MINUTE } })
      t.expect(await ids(t, { state: 'pending', cursor: first.cursor! })).toEqual([
        'r003',
        'r004',
        'r005',
        'behind',
      ])
    })

    it('without a state: those in any state, in the same order, page by page', async (t) => {
      const states = ['pending', 'approved', 'running', 'unknown', 'done', 'expired', 'lapsed'] as const
      for (const [index, state] of states.entries()) {
        for (const session of ['s1', 's2']) {
          const id = `r${index}-${session}`
          const submittedBy = index % 2 === 0 ? 'agent-1' : 'agent-2'
          const expiresInMs = ((index * 37) % 11) + 1
          const request = await t.opened(id, { request: { session, submittedBy, expiresInMs } })
          const deadline = index < 3 ? 'keep' : 'none'
          if (state !== 'pending') await t.moved(request, state, { deadline })
        }
      }
      const all: Request[] = []
      for (const state of states) all.push(...(await t.store.list({ state })).items)
      const key = (request: Request) => request.deadline ?? request.createdAt
      all.sort((a, b) => key(a) - key(b) || (a.id < b.id ? -1 : 1))
      t.expect((await t.store.list({})).items).toEqual(all)
      const wanted = all.map((request) => request.id)
      for (const limit of [1, 3, 14, 200]) t.expect(await ids(t, { limit })).toEqual(wanted)
      const isOf = (session: string) => (id: string) => id.endsWith(session)
      t.expect(await ids(t, { session: 's2', limit: 2 })).toEqual(wanted.filter(isOf('s2')))
      t.expect(await ids(t, { session: 's9' })).toEqual([])
      const theirs = all.filter((request) => request.submittedBy === 'agent-2').map((request) => request.id)
      t.expect(await ids(t, { submittedBy: 'agent-2', limit: 2 })).toEqual(theirs)
      t.expect((await t.store.list({ limit: 14 })).cursor).toBe(undefined)
    })

    it('P5: what is no cursor is refused, not read from the start', async (t) => {
      await openMany(t, 3)
      for (const cursor of ['', 'nonsense', 'W10', '%%%', 'bnVsbA', 'x'.repeat(5000)]) {
        t.expect(await t.codeOf(t.store.list({ state: 'pending', cursor }))).toBe('invalid')
        t.expect(await t.codeOf(t.store.list({ cursor }))).toBe('invalid')
        t.expect(await t.codeOf(t.store.calls.list({ cursor }))).toBe('invalid')
        t.expect(await t.codeOf(t.store.grants.list({ cursor }))).toBe('invalid')
        t.expect(await t.codeOf(t.store.sessions.list({ cursor }))).toBe('invalid')
      }
    })
  })

  describe('due', () => {
    it('P5: has what has come to its deadline at that very millisecond, longest overdue first', async (t) => {
      const one = await t.opened('r1', { request: { expiresInMs: 30 } })
      await t.opened('r2', { request: { expiresInMs: 10 } })
      await t.opened('r3', { request: { expiresInMs: 20 } })
      await t.moved(one, 'approved', { deadline: { inMs: 15 } })
      t.expect(await dueAt(t, START + 9)).toEqual([])
      t.expect(await dueAt(t, START + 10)).toEqual(['r2'])
      t.expect(await dueAt(t, START + 19)).toEqual(['r2', 'r1'])
      t.expect(await dueAt(t, START + 20)).toEqual(['r2', 'r1', 'r3'])
      t.expect(await dueAt(t, START + 20, 2)).toEqual(['r2', 'r1'])
    })

    it('has pending, approved and running ones, and none that has ended', async (t) => {
      for (const [index, state] of (
        ['pending', 'approved', 'running', 'done', 'unknown', 'expired'] as const
      ).entries()) {
        const request = await t.opened(`r${index}`)
        const live = index < 3
        if (state !== 'pending') await t.moved(request, state, { deadline: live ? { inMs: MINUTE } : 'none' })
      }
      t.expect(await dueAt(t, START + MINUTE)).toEqual(['r0', 'r1', 'r2'])
      const [first] = await t.store.due(1)
      t.expect(first).toEqual(await t.store.get('r0'))
    })

    it('tells when the next deadline comes', async (t) => {
      t.expect(await t.store.nextDeadline()).toBe(undefined)
      const one = await t.opened('r1', { request: { expiresInMs: 50 } })
      const two = await t.opened('r2', { request: { expiresInMs: 40 } })
      t.expect(await t.store.nextDeadline()).toBe(START + 40)
      await t.moved(two, 'rejected')
      t.expect(await t.store.nextDeadline()).toBe(START + 50)
      const running = await t.moved(one, 'running', { deadline: { inMs: 30 } })
      t.expect(await t.store.nextDeadline()).toBe(START + 30)
      await t.setTime(START + 1000)
      t.expect(await t.store.nextDeadline()).toBe(START + 30)
      await t.moved(running, 'unknown')
      t.expect(await t.store.nextDeadline()).toBe(undefined)
    })

    it('without a deadline nothing is ever due', async (t) => {
      await t.moved(await t.opened('r1'), 'running', { deadline: 'none' })
      t.expect(await dueAt(t, START + 1000 * MINUTE)).toEqual([])
      t.expect(await t.store.nextDeadline()).toBe(undefined)
    })
  })
}

/** All ids of a list, page by page. */
async function ids(t: StoreTest, query: ListQuery, sizes: number[] = []): Promise<string[]> {
  const found: string[] = []
  let next: ListQuery | undefined = query
  while (next !== undefined) {
    const { items, cursor } = await t.store.list(next)
    sizes.push(items.length)
    found.push(...items.map((request) => request.id))
    next = cursor === undefined ? undefined : { ...query, cursor }
  }
  return found
}

/** Opens them with deadlines in the order of their ids; gives the ids in that order. */
async function openMany(t: StoreTest, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `r${String(index).padStart(3, '0')}`)
  await Promise.all(names.map((id, index) => t.opened(id, { request: { expiresInMs: MINUTE + index } })))
  return names
}

async function dueAt(t: StoreTest, at: number, limit = 10): Promise<string[]> {
  await t.setTime(at)
  return (await t.store.due(limit)).map((request) => request.id)
}
