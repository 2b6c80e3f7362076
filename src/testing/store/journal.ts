/** `journal`: gapless numbers, exact bodies, and a feed in which nothing is ever slipped in before what was read. */
import type { Feed } from '../../stores/store.ts'
import { tokenDraft } from './drafts.ts'
import type { Suite } from './store-test.ts'

export function describeJournal({ describe, it }: Suite): void {
  describe('journal', () => {
    it('P10: numbers each chain from 1, and tells the number once it is committed', async (t) => {
      const entries = ['a', 'b', 'a', 'a', 'b'].map((chain) => t.entry({ chain, type: 'attempt.refused' }))
      for (const entry of entries) {
        const appended = t.store.journal.append(entry)
        await appended
        t.expect(entry.numbers.length).toBe(1)
      }
      t.expect(entries.map((entry) => entry.numbers[0])).toEqual([1, 1, 2, 3, 2])
      const chains = await t.store.journal.chains()
      t.expect(chains.sort((x, y) => (x.chain < y.chain ? -1 : 1))).toEqual([
        { chain: 'a', last: 3 },
        { chain: 'b', last: 2 },
      ])
    })

    it('P10: numbers many at once without a gap, in the order in which they were handed in', async (t) => {
      const entries = Array.from({ length: 50 }, () => t.entry())
      await Promise.all(entries.map((entry) => t.store.journal.append(entry)))
      t.expect(entries.map((entry) => entry.numbers[0])).toEqual(entries.map((_, index) => index + 1))
    })

    it('P10: what is refused, loses or fails uses up no number, and holds up no neighbour', async (t) => {
      const request = await t.opened('r1')
      await t.store.tokens.create(tokenDraft('t1'), t.entry())
      const outcomes = await Promise.allSettled([
        t.store.journal.append(t.entry()),
        t.store.tokens.create(tokenDraft('t1'), t.entry()),
        t.open('r2', { maxPending: 0 }),
        t.store.transition(t.change(request, 'rejected', { version: 5 })),
        t.store.endSessions({ sessions: ['s1'], by: 'ana', changes: [], entry: t.entry() }),
        t.store.tokens.create(tokenDraft('t2'), t.entry()),
        t.store.transition(t.change(request, 'rejected')),
        t.store.tokens.create(tokenDraft('t1'), t.entry()),
        t.store.settings.set('key', 1, t.entry()),
      ])
      t.expect(outcomes.map((outcome) => outcome.status === 'fulfilled')).toEqual([
        true,
        false,
        true,
        true,
        true,
        true,
        true,
        false,
        true,
      ])
      // r1, t1, and of the nine the append, t2, the decision and the setting; the audit finds them gapless.
      t.expect(await t.store.journal.chains()).toEqual([{ chain: 'chain-1', last: 6 }])
      t.expect((await t.store.get('r1'))?.state).toBe('rejected')
      t.expect((await t.store.tokens.list()).length).toBe(2)
    })

    it('P10: reads a part of a chain', async (t) => {
      for (let index = 0; index < 5; index++) await t.store.journal.append(t.entry())
      const numbers = async (after: number, limit: number) =>
        (await t.store.journal.read('chain-1', after, limit)).map((entry) => entry.n)
      t.expect(await numbers(0, 2)).toEqual([1, 2])
      t.expect(await numbers(2, 2)).toEqual([3, 4])
      t.expect(await numbers(5, 2)).toEqual([])
      t.expect(await t.store.journal.read('other', 0, 2)).toEqual([])
    })

    it('P10: gives back what an entry is about, and every byte of its body', async (t) => {
      const body = '{"é":"\\u0000 \u2028 😀","n":1e21}'
      await t.store.journal.append(t.entry({ type: 'request.voted', request: 'r1', version: 4, body }))
      await t.store.journal.append(t.entry({ type: 'chain.closed' }))
      const [first, second] = await t.store.journal.read('chain-1', 0, 2)
      t.expect(first).toEqual({
        chain: 'chain-1',
        n: 1,
        type: 'request.voted',
        request: 'r1',
        version: 4,
        body,
      })
      t.expect(Object.keys(second!).sort()).toEqual(['body', 'chain', 'n', 'type'])
    })
  })

  describe('feed', () => {
    it('has everything from the beginning, in the order of the commits, page by page', async (t) => {
      const bodies: string[] = []
      for (let index = 0; index < 7; index++) {
        const entry = t.entry({ chain: `chain-${index % 3}` })
        bodies.push(entry.body)
        await t.store.journal.append(entry)
      }
      const seen: string[] = []
      let page = await t.store.journal.feed(undefined, 3)
      while (page.events.length > 0) {
        t.expect(page.complete).toBe(true)
        t.expect(page.events.length <= 3).toBe(true)
        seen.push(...page.events.map((event) => event.entry.body))
        page = await t.store.journal.feed(page.events.at(-1)!.cursor, 3)
      }
      t.expect(seen).toEqual(bodies)
    })

    it('P10: gives out no number that the writer knows to be taken', async (t) => {
      await t.store.journal.append({ ...t.entry(), follows: 0 })
      await t.store.journal.append({ ...t.entry(), follows: 1 })
      for (const follows of [3, 4, Number.MAX_SAFE_INTEGER]) {
        const refused = { ...t.entry(), follows }
        t.expect(await t.codeOf(t.store.journal.append(refused))).toBe('store_unavailable')
        const other = { ...t.entry({ chain: 'new' }), follows }
        t.expect(await t.codeOf(t.store.journal.append(other))).toBe('store_unavailable')
      }
      await t.store.journal.append({ ...t.entry(), follows: 2 })
      t.expect(await t.store.journal.chains()).toEqual([{ chain: 'chain-1', last: 3 }])
    })

    it('goes on from a cursor taken at any time', async (t) => {
      const empty = await t.store.journal.cursor()
      t.expect(await t.store.journal.feed(empty, 9)).toEqual({ events: [], complete: true })
      await t.opened('r1')
      const cursor = await t.store.journal.cursor()
      await t.moved((await t.store.get('r1'))!, 'rejected')
      t.expect(steps(await t.store.journal.feed(empty, 9))).toEqual(['r1 1', 'r1 2'])
      t.expect(steps(await t.store.journal.feed(cursor, 9))).toEqual(['r1 2'])
      t.expect(await t.store.journal.feed(await t.store.journal.cursor(), 9)).toEqual({
        events: [],
        complete: true,
      })
    })

    it('P5: says so when it can not show what lies after a cursor', async (t) => {
      await t.store.journal.append(t.entry())
      for (const cursor of [
        '',
        'nonsense',
        '-1',
        '1.5',
        ' 1',
        '0x1',
        '99999999',
        '1e1',
        'NaN',
        '9'.repeat(30),
      ]) {
        t.expect(await t.store.journal.feed(cursor, 9)).toEqual({ events: [], complete: false })
      }
    })
  })
}

function steps(feed: Feed): string[] {
  return feed.events.map(({ entry }) => `${entry.request} ${entry.version}`)
}
