import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wireRequest } from '../../../../test/fixtures/wire-request.ts'
import { createRequestCache } from './request-cache.ts'

const atOnce = (run: () => void) => run()

function boardOf(...requests: Parameters<typeof wireRequest>[0][]) {
  const board = createRequestCache(atOnce)
  for (const parts of requests) board.put(wireRequest(parts))
  return board
}
const ids = (requests: readonly { id: string }[]) => requests.map(({ id }) => id)

describe('the board', () => {
  it('lists the pending ones by the time they have left, those without a deadline last', () => {
    const board = boardOf(
      { id: 'later', expiresAt: '2026-01-01T03:00:00.000Z' },
      { id: 'never', expiresAt: null },
      { id: 'soon', expiresAt: '2026-01-01T02:00:00.000Z' },
      { id: 'over', state: 'rejected', expiresAt: null },
    )
    expect(ids(board.pending())).toEqual(['soon', 'later', 'never'])
  })

  it('tells who follows one request at once, and the list with the frame', () => {
    const frames: (() => void)[] = []
    const board = createRequestCache((run) => frames.push(run))
    const followed = board.follow('one')
    board.put(wireRequest({ id: 'one' }))
    expect([followed.value?.state, board.pending().length]).toEqual(['pending', 0])
    for (const frame of frames.splice(0)) frame()
    board.put(wireRequest({ id: 'one', state: 'approved', version: 2 }))
    expect([followed.value?.state, board.pending().length]).toEqual(['approved', 1])
    for (const frame of frames.splice(0)) frame()
    expect(board.pending()).toEqual([])
    board.drop('one')
    expect(followed.value).toBeUndefined()
  })

  it('lists what is over by its last change, the latest first', () => {
    const board = boardOf(
      { id: 'one', state: 'approved', version: 2 },
      { id: 'two', state: 'rejected', version: 2 },
      { id: 'one', state: 'done', version: 4 },
    )
    expect(board.recent().map(({ id, state }) => `${id} ${state}`)).toEqual(['one done', 'two rejected'])
  })

  it('P5: keeps what nobody knows the outcome of apart, until it is known', () => {
    const board = boardOf(
      { id: 'lost', state: 'unknown', version: 3 },
      { id: 'over', state: 'lapsed', version: 3 },
      { id: 'not reported', state: 'unknown', notReported: true, version: 3 },
      { id: 'also lost', state: 'unknown', version: 3 },
    )
    expect([ids(board.unsettled()), ids(board.recent())]).toEqual([
      ['also lost', 'lost'],
      ['not reported', 'over'],
    ])
    for (let count = 0; count < 200; count++) board.put(wireRequest({ id: `done ${count}`, state: 'done' }))
    expect(ids(board.unsettled())).toEqual(['also lost', 'lost'])
    board.put(wireRequest({ id: 'lost', state: 'done', version: 4 }))
    expect([ids(board.unsettled()), ids(board.recent())[0]]).toEqual([['also lost'], 'lost'])
  })

  it('P2: a late list does not bring back as pending what was decided', () => {
    const board = boardOf({ id: 'a', state: 'rejected', version: 2 }, { id: 'a', version: 1 })
    expect(board.pending()).toEqual([])
  })

  it('P9: what is here whole is not replaced by the same thing cut', () => {
    const whole = wireRequest({ id: 'a' })
    const cut = wireRequest({ id: 'a', shortened: true })
    const board = createRequestCache(atOnce)
    expect(board.put(whole)).toBe('new')
    expect(board.put(cut)).toBe('old')
    expect(board.get('a')).toBe(whole)
    const other = createRequestCache(atOnce)
    other.put(cut)
    other.put(whole)
    expect(other.get('a')).toBe(whole)
  })

  it('a newer version that comes cut does replace an older one that was whole', () => {
    const newer = wireRequest({ id: 'a', version: 2, digest: 'd2', shortened: true })
    const board = boardOf({ id: 'a' })
    expect(board.put(newer)).toBe('changed')
    expect(board.get('a')).toBe(newer)
  })

  it('drops one', () => {
    const board = boardOf({ id: 'a' }, { id: 'b', state: 'done' })
    board.drop('b')
    board.drop('never there')
    expect(board.get('b')).toBeUndefined()
    expect(board.recent()).toEqual([])
    expect(ids(board.pending())).toEqual(['a'])
  })

  it('forgets the oldest of what is over, and never what is pending', () => {
    const board = boardOf({ id: 'waiting' })
    for (let count = 0; count < 60; count++) board.put(wireRequest({ id: `over-${count}`, state: 'done' }))
    expect(board.recent()).toHaveLength(50)
    expect(board.recent()[0]?.id).toBe('over-59')
    expect(ids(board.pending())).toEqual(['waiting'])
  })

  it('tells once of all that came since it told last', () => {
    const due: (() => void)[] = []
    const board = createRequestCache((run) => due.push(run))
    for (const id of ['a', 'b', 'c']) board.put(wireRequest({ id }))
    expect(due).toHaveLength(1)
    expect(board.pending()).toEqual([])
    due.shift()?.()
    expect(board.changes.value).toBe(1)
    expect(board.pending()).toHaveLength(3)
    board.put(wireRequest({ id: 'd' }))
    expect(due).toHaveLength(1)
  })

  it('property: in whatever order versions arrive, the highest of each is what is shown, in order', () => {
    const heard = fc.array(
      fc.record({
        id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
        version: fc.integer({ min: 1, max: 6 }),
        minute: fc.integer({ min: 10, max: 20 }),
      }),
    )
    fc.assert(
      fc.property(heard, (all) => {
        const board = boardOf(
          ...all.map(({ id, version, minute }) => ({
            id,
            version,
            state: version > 3 ? ('rejected' as const) : ('pending' as const),
            expiresAt: `2026-01-01T02:${minute}:00.000Z`,
          })),
        )
        const known = new Set(all.map((one) => one.id))
        for (const id of known) {
          const highest = Math.max(...all.filter((one) => one.id === id).map(({ version }) => version))
          expect(board.get(id)?.version).toBe(highest)
        }
        expect([...ids(board.pending()), ...ids(board.recent())].sort()).toEqual([...known].sort())
        const deadlines = board.pending().map(({ expiresAt }) => expiresAt)
        expect(deadlines).toEqual([...deadlines].sort())
      }),
    )
  })
})
