/** `endSessions`: a session, its sub-sessions and all that lives in them end in one step, or nothing changes. */
import type { Request, RequestState } from '../../core/request.ts'
import type { Change, Ending } from '../../stores/store.ts'
import { MINUTE, START } from './drafts.ts'
import type { StoreTest, Suite } from './store-test.ts'

export function describeEnding({ describe, it }: Suite): void {
  describe('endSessions', () => {
    it('P5: ends sessions and changes their requests in one step', async (t) => {
      const one = await t.opened('r1')
      const two = await t.moved(await t.opened('r2', inChild), 'approved', { deadline: { inMs: MINUTE } })
      const three = await t.moved(await t.opened('r3'), 'running', { deadline: { inMs: MINUTE } })
      await t.setTime(START + 5)
      const stop = { by: 'ana', reason: 'enough' }
      const won = await end(
        t,
        ['s1', 's2'],
        [
          t.change(one, 'terminated'),
          t.change(two, 'cancelled'),
          t.change(three, 'running', { deadline: 'keep', progress: { stop } }),
        ],
      )
      t.expect(won).toEqual({ won: true })
      t.expect(await states(t)).toEqual(['terminated', 'cancelled', 'running'])
      t.expect((await t.store.get('r3'))?.progress).toEqual({ stop })
      for (const id of ['s1', 's2']) {
        t.expect((await t.store.sessions.get(id))?.ended).toEqual({
          at: START + 5,
          by: 'ana',
          reason: 'enough',
        })
      }
      t.expect(await t.open('r4')).toEqual({ kind: 'refused', code: 'session_ended' })
      t.expect(await t.open('r5', inChild)).toEqual({ kind: 'refused', code: 'session_ended' })
    })

    it('P2: loses whole when one change loses', async (t) => {
      const one = await t.opened('r1', { deliveries: [{ channel: 'chat' }] })
      const two = await t.opened('r2')
      const approved = await t.moved(two, 'approved', { deadline: { inMs: MINUTE } })
      await loses(t, ['s1'], () => [t.change(one, 'cancelled'), t.change(two, 'cancelled')])
      t.expect(await t.store.get('r1')).toEqual(one)
      t.expect(await t.store.get('r2')).toEqual(approved)
    })

    it('P5: loses when the deadline of a decision has come', async (t) => {
      const request = await t.opened('r1')
      await t.setTime(START + MINUTE)
      await loses(t, ['s1'], () => [t.change(request, 'terminated', { guard: 'before_deadline' })])
    })

    for (const state of ['pending', 'approved', 'running'] as const) {
      it(`P5: loses when a ${state} request is not among the changes`, async (t) => {
        const one = await t.opened('r1')
        const other = await t.opened('r2', inChild)
        if (state !== 'pending') await t.moved(other, state, { deadline: { inMs: MINUTE } })
        await loses(t, ['s1', 's2'], () => [t.change(one, 'cancelled')])
        t.expect(await states(t)).toEqual(['pending', state])
      })
    }

    it('a request that can change no more by itself needs no change', async (t) => {
      await t.moved(await t.opened('r1'), 'done')
      await t.moved(await t.opened('r2'), 'unknown')
      t.expect(await end(t, ['s1'], [])).toEqual({ won: true })
      t.expect(await states(t)).toEqual(['done', 'unknown'])
    })

    it('P5: loses when a sub-session goes on, however young it is', async (t) => {
      await t.record('c1')
      await t.record('c1', { call: { session: 's2' }, session: { parent: 's1' } })
      await t.record('c1', { call: { session: 's3' }, session: { parent: 's2' } })
      await loses(t, ['s1'], () => [])
      await loses(t, ['s1', 's2'], () => [])
      t.expect(await end(t, ['s2', 's3'], [])).toEqual({ won: true })
      t.expect(await end(t, ['s1'], [])).toEqual({ won: true })
    })

    it('a session that has ended keeps how it ended first', async (t) => {
      await t.record('c1')
      t.expect(await end(t, ['s1'], [])).toEqual({ won: true })
      await t.setTime(START + 9)
      const entry = t.entry({ type: 'session.ended' })
      t.expect(await t.store.endSessions({ sessions: ['s1'], by: 'ben', changes: [], entry })).toEqual({
        won: true,
      })
      t.expect((await t.store.sessions.get('s1'))?.ended).toEqual({ at: START, by: 'ana', reason: 'enough' })
    })

    it('P5: an ending and an opening in the same moment leave nothing alive in an ended session', async (t) => {
      for (let round = 0; round < 10; round++) {
        const session = `s${round}`
        const request = await t.opened(`first-${round}`, { request: { session } })
        const opening = () => t.open(`second-${round}`, { request: { session } })
        const ending = () => end(t, [session], [t.change(request, 'terminated')])
        const [ended, opened] =
          round % 2 === 0
            ? await Promise.all([ending(), opening()])
            : await Promise.all([opening(), ending()]).then(([a, b]) => [b, a] as const)
        if (ended.won) t.expect(opened).toEqual({ kind: 'refused', code: 'session_ended' })
        else t.expect(opened.kind).toBe('opened')
        const live = await t.store.list({ state: 'pending', session })
        t.expect(live.items.length).toBe(ended.won ? 0 : 2)
      }
    })

    it('P5: what follows an ending in the same moment finds the session ended', async (t) => {
      await t.record('c1')
      const [, ended, recorded, opened] = await Promise.all([
        t.record('c2'),
        end(t, ['s1'], []),
        t.record('c3'),
        t.open('r1'),
      ])
      t.expect(ended).toEqual({ won: true })
      t.expect([recorded, opened]).toEqual([
        { kind: 'refused', code: 'session_ended' },
        { kind: 'refused', code: 'session_ended' },
      ])
    })

    it('P2: of many concurrent endings one wins', async (t) => {
      const request = await t.opened('r1')
      const results = await Promise.all(
        Array.from({ length: 8 }, () => end(t, ['s1'], [t.change(request, 'terminated')])),
      )
      t.expect(results.filter((result) => result.won).length).toBe(1)
    })
  })
}

const inChild = { request: { session: 's2' }, session: { parent: 's1' } }

function end(t: StoreTest, sessions: string[], changes: Change[], over: Partial<Ending> = {}) {
  const entry = t.entry({ type: 'session.ended' })
  return t.store.endSessions({ sessions, by: 'ana', reason: 'enough', changes, entry, ...over })
}

async function loses(t: StoreTest, sessions: string[], changes: () => Change[]): Promise<void> {
  const cursor = await t.store.journal.cursor()
  t.expect(await end(t, sessions, changes())).toEqual({ won: false })
  for (const id of sessions) t.expect((await t.store.sessions.get(id))?.ended).toBe(undefined)
  t.expect(await t.store.journal.feed(cursor, 10)).toEqual({ events: [], complete: true })
}

/** Of r1, r2, … as long as there are any. */
async function states(t: StoreTest): Promise<RequestState[]> {
  const found: RequestState[] = []
  for (let index = 1; ; index++) {
    const request: Request | undefined = await t.store.get(`r${index}`)
    if (request === undefined) return found
    found.push(request.state)
  }
}
