/** What a page, a look for what is due, and a decision cost with 100 pending requests and with 100,000, side by side. */
import type { Store } from '../../src/stores/store.ts'
import { requestDraft, sessionDraft } from '../../src/testing/store/drafts.ts'
import { type Figure, interleave, microsecondsEach, ratio } from '../measure.ts'
import type { SharedServer } from './servers.ts'

const FEW = 100
const MANY = 100_000
const TOGETHER = 500
const TIMES = 200
const DAY = 24 * 60 * 60_000

export async function benchStorePending(server: SharedServer, rounds: number): Promise<Figure[]> {
  const few = await server.open('bench_pending', 'few')
  const many = await server.open('bench_pending', 'many')
  try {
    await fill(few, FEW)
    await fill(many, MANY)
    const sizes = [
      { store: few, count: FEW },
      { store: many, count: MANY },
    ]
    const contestants = Object.entries(PENDING_WORK).flatMap(([what, work]) =>
      sizes.map(({ store, count }) => ({
        name: `${server.name}: ${what} with ${count.toLocaleString('en')} pending`,
        unit: 'µs',
        run: () => work(store),
      })),
    )
    for (const { run } of contestants) await run()
    const figures = await interleave(contestants, rounds)
    return figures.flatMap((figure, index) =>
      index % 2 === 0
        ? [figure]
        : [
            figure,
            ratio(
              `${server.name}: ${Object.keys(PENDING_WORK)[(index - 1) / 2]}, many / few (target at most 1.5)`,
              figure,
              figures[index - 1]!,
            ),
          ],
    )
  } finally {
    await few.close()
    await many.close()
  }
}

export const PENDING_WORK: Record<string, (store: Store) => Promise<number>> = {
  'a list page of 50': (store) => each(() => store.list({ state: 'pending', limit: 50 })),
  'a look for what is due': (store) =>
    each(async () => {
      await store.due(200)
      await store.nextDeadline()
    }),
  'a decision': (store) => decideSome(store),
}

function each(work: () => Promise<unknown>): Promise<number> {
  return microsecondsEach(TIMES, async () => {
    for (let count = 0; count < TIMES; count++) await work()
  })
}

/** Votes, so that as many are pending afterwards as before. */
async function decideSome(store: Store): Promise<number> {
  const { items } = await store.list({ state: 'pending', limit: 100 })
  return microsecondsEach(items.length, async () => {
    for (const { id, version } of items) {
      const { won } = await store.transition({
        id,
        version,
        from: 'pending',
        to: 'pending',
        progress: { votes: [{ by: 'ana', at: 1, via: 'bench', digest: 'd' }] },
        deadline: 'keep',
        guard: 'before_deadline',
        entry: entry('request.voted', id, version + 1),
      })
      if (!won) throw new Error(`${id} was changed by somebody else`)
    }
  })
}

export async function fill(store: Store, count: number, from = 0): Promise<void> {
  const end = from + count
  for (let begun = from; begun < end; begun += TOGETHER) {
    await Promise.all(
      Array.from({ length: Math.min(TOGETHER, end - begun) }, (_, index) => {
        const id = `req_${String(begun + index).padStart(9, '0')}`
        const draft = requestDraft(id, { session: `s${(begun + index) % 2000}`, expiresInMs: DAY })
        return store.open({
          request: draft,
          state: 'pending',
          session: sessionDraft(draft.session),
          deliveries: [],
          maxPending: 1_000_000,
          entry: entry('request.opened', id, 1),
        })
      }),
    )
  }
}

function entry(type: 'request.opened' | 'request.voted', request: string, version: number) {
  return { chain: 'bench', type, request, version, body: '{"at":1,"v":1}', committed: () => {} }
}
