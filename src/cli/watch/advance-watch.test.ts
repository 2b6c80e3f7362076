import { describe, expect, it } from 'vitest'
import { makeRequest } from '../fixtures/requests.ts'
import { watching } from '../fixtures/watching.ts'
import { watchWords } from './watch-words.ts'

const words = watchWords('en')

describe('one request at a time', () => {
  it('is fetched whole, shown, approved, and the next follows', () => {
    const watch = watching()
    watch.feed({ kind: 'listed', requests: [makeRequest('a'), makeRequest('b')] })
    expect(watch.fetches()).toEqual(['a'])
    watch.fetched(makeRequest('a'))
    watch.press('y')
    expect(watch.decisions()).toEqual([
      { kind: 'decide', id: 'a', decision: { decision: 'approve', digest: 'digest of a' } },
    ])
    watch.recorded(makeRequest('a', { state: 'approved', version: 2 }))
    expect(watch.said()).toContain('Approved.')
    expect(watch.fetches()).toEqual(['a', 'b'])
  })

  it('says that nothing waits, once', () => {
    const watch = watching()
    watch.feed({ kind: 'listed', requests: [] })
    watch.feed({ kind: 'listed', requests: [] })
    expect(watch.said()).toEqual([words.idle])
  })

  it('shows only what this person may decide and has not voted on', () => {
    const watch = watching()
    const vote = { by: 'ana', at: '2026-01-01T00:00:00.000Z', via: 'http', digest: 'digest of voted' }
    watch.feed({
      kind: 'listed',
      requests: [
        makeRequest('others', { yours: false }),
        makeRequest('over', { state: 'approved' }),
        makeRequest('voted', { votes: [vote] }),
        makeRequest('mine', { votes: [{ ...vote, digest: 'digest of mine', by: 'ben' }] }),
      ],
    })
    expect(watch.fetches()).toEqual(['mine'])
  })

  it('one that changed while it was fetched is fetched again', () => {
    const watch = watching()
    watch.change(makeRequest('a'))
    watch.change(makeRequest('a', { version: 3, digest: 'edited' }))
    watch.fetched(makeRequest('a'))
    expect(watch.shown()).toEqual([])
    watch.fetched(makeRequest('a', { version: 3, digest: 'edited' }))
    watch.press('y')
    expect(watch.decisions()).toEqual([
      { kind: 'decide', id: 'a', decision: { decision: 'approve', digest: 'edited' } },
    ])
  })

  it('a skipped one does not come back, unless it changes', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('s')
    watch.feed({ kind: 'listed', requests: [makeRequest('a')] })
    expect(watch.fetches()).toEqual(['a'])
    watch.change(makeRequest('a', { version: 2, digest: 'edited' }))
    expect(watch.fetches()).toEqual(['a', 'a'])
  })

  it('a vote below the quorum is said to be one, and is not asked for again', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('y')
    const voted = makeRequest('a', {
      version: 2,
      votes: [{ by: 'ana', at: '2026-01-01T00:00:00.000Z', via: 'http', digest: 'digest of a' }],
    })
    watch.recorded(voted, false)
    watch.change(voted)
    expect(watch.said()).toEqual([words.voted, words.idle])
    expect(watch.fetches()).toEqual(['a'])
  })

  it('tells how it ended, once', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('y')
    watch.recorded(makeRequest('a', { state: 'approved', version: 2 }))
    const done = makeRequest('a', { state: 'done', version: 4 })
    watch.change(makeRequest('a', { state: 'running', version: 3 }))
    watch.change(done)
    watch.change(done)
    expect(watch.outputs.filter(({ kind }) => kind === 'ended')).toHaveLength(1)
  })
})

describe('others are faster', () => {
  it('P2: who comes too late is told, and the next follows', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.change(makeRequest('b'))
    watch.press('y')
    watch.refused('a', 'already_decided')
    expect(watch.said()).toEqual([words.refused('it is already_decided')])
    expect(watch.fetches()).toEqual(['a', 'b'])
  })

  it('an answer from elsewhere is shown at once', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.change(
      makeRequest('a', {
        state: 'rejected',
        version: 2,
        decision: { kind: 'reject', by: 'ben', at: '2026-01-01T00:00:00.000Z', via: 'http', digest: 'x' },
      }),
    )
    expect(watch.outputs.at(-2)).toMatchObject({ kind: 'gone', request: { id: 'a' } })
  })

  it('P3: when the arguments change on the screen, it is shown again and needs a new look', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('z', 2000)
    watch.change(makeRequest('a', { version: 2, digest: 'edited' }))
    watch.press('y')
    expect(watch.decisions()).toEqual([])
    watch.fetched(makeRequest('a', { version: 2, digest: 'edited' }))
    watch.press('y', 100)
    expect(watch.decisions()).toEqual([])
    watch.press('y')
    expect(watch.decisions()).toEqual([
      { kind: 'decide', id: 'a', decision: { decision: 'approve', digest: 'edited' } },
    ])
  })

  it('P3: a digest that is no longer asked is not sent again by itself', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('y')
    watch.refused('a', 'digest_mismatch')
    expect(watch.decisions()).toHaveLength(1)
    expect(watch.fetches()).toEqual(['a', 'a'])
  })

  it('after a lost connection the request on the screen is asked for again', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.feed({ kind: 'connection', status: { kind: 'lost', retryInMs: 800 } })
    watch.feed({ kind: 'connection', status: { kind: 'lost', retryInMs: 1600 } })
    watch.feed({ kind: 'connection', status: { kind: 'connected' } })
    watch.feed({ kind: 'listed', requests: [] })
    expect(watch.said()).toEqual([words.lost(1), words.connected])
    watch.fetched(makeRequest('a', { state: 'expired', version: 2 }))
    expect(watch.outputs.some(({ kind }) => kind === 'gone')).toBe(true)
  })

  it('whether it arrived is not known: it stays, and can be sent again', () => {
    const watch = watching()
    watch.appear(makeRequest('a'))
    watch.press('y')
    watch.refused('a', 'unreachable')
    watch.press('y')
    expect(watch.decisions()).toHaveLength(2)
  })
})
