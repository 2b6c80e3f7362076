import { describe, expect, it } from 'vitest'
import type { WireRequest } from '../../client/index.ts'
import { makeQuestion, makeRequest } from '../fixtures/requests.ts'
import { watching } from '../fixtures/watching.ts'
import { watchWords } from './watch-words.ts'

const words = watchWords('en')

/** The first is on the screen, the others wait, and all are asked for. */
function gathering(...requests: WireRequest[]) {
  const watch = watching()
  watch.feed({ kind: 'listed', requests })
  watch.fetched(requests[0]!)
  watch.press('A')
  return watch
}
const gathered = (watch: ReturnType<typeof watching>, ...requests: WireRequest[]) =>
  watch.feed({ kind: 'gathered', id: 'a', requests, at: watch.at() })

describe('approving all that waits', () => {
  it('P3: shows each of them whole, and approves what was shown', () => {
    const watch = gathering(makeRequest('a'), makeRequest('b'), makeRequest('c'))
    expect(watch.actions.at(-1)).toEqual({ kind: 'gather', id: 'a', ids: ['b', 'c'] })
    gathered(watch, makeRequest('b'), makeRequest('c', { version: 4, digest: 'as edited' }))
    expect(watch.shown()).toEqual(['a', 'b', 'c'])
    watch.press('y')
    expect(watch.decisions()).toEqual([
      { kind: 'decide', id: 'a', decision: { decision: 'approve', digest: 'digest of a' } },
      { kind: 'decide', id: 'b', decision: { decision: 'approve', digest: 'digest of b' } },
      { kind: 'decide', id: 'c', decision: { decision: 'approve', digest: 'as edited' } },
    ])
  })

  it('tells the result of each; one that changed meanwhile is shown again, one that is over is not', () => {
    const watch = gathering(makeRequest('a'), makeRequest('b'), makeRequest('c'), makeRequest('d'))
    gathered(watch, makeRequest('b'), makeRequest('c'), makeRequest('d'))
    watch.press('y')
    watch.recorded(makeRequest('b', { state: 'approved', version: 2 }))
    watch.refused('c', 'digest_mismatch')
    watch.refused('d', 'already_decided')
    watch.recorded(makeRequest('a', { state: 'approved', version: 2 }))
    expect(watch.said()).toEqual([
      words.ended('write_file: b', 'Approved.'),
      words.ended('write_file: c', words.refused('it is digest_mismatch')),
      words.ended('write_file: d', words.refused('it is already_decided')),
      'Approved.',
    ])
    expect(watch.fetches().at(-1)).toBe('c')
  })

  it('P9: leaves out what has to be uncovered, and says where that is approved', () => {
    const covered = { uncover: ['/password'], uncovered: true, because: 'Open it in the inbox to approve' }
    const watch = gathering(makeRequest('a'), makeRequest('b'), makeRequest('c'))
    gathered(watch, makeRequest('b', { covered }), makeRequest('c'))
    watch.press('y')
    expect(watch.decisions().map(({ id }) => id)).toEqual(['a', 'c'])
    expect(watch.said()).toContainEqual(expect.stringContaining('https://inbox.example/#/pending/b'))
  })

  it('the last of them can be refused after the first was recorded', () => {
    const watch = gathering(makeRequest('a'), makeRequest('b'))
    gathered(watch, makeRequest('b'))
    watch.press('y')
    watch.recorded(makeRequest('a', { state: 'approved', version: 2 }))
    watch.refused('b', 'digest_mismatch')
    expect(watch.fetches().at(-1)).toBe('b')
  })

  it('y before they can have been read approves nothing, and n goes back', () => {
    const watch = gathering(makeRequest('a'), makeRequest('b'))
    watch.press('y')
    gathered(watch, makeRequest('b'))
    watch.press('y', 300)
    expect(watch.decisions()).toEqual([])
    watch.press('n')
    expect(watch.said()).toContain(words.notConfirmed)
    watch.press('y')
    expect(watch.decisions()).toMatchObject([{ id: 'a' }])
  })

  it.each(['high', 'critical'] as const)('P5: not where one of them is %s', (severity) => {
    const own = gathering(makeRequest('a', { severity }), makeRequest('b'))
    expect(own.said()).toEqual([words.highRiskAmongThem])
    const other = gathering(makeRequest('a'), makeRequest('b', { severity }))
    gathered(other, makeRequest('b', { severity }))
    expect(other.said()).toEqual([words.highRiskAmongThem])
    other.press('y')
    expect(other.decisions()).toMatchObject([{ id: 'a' }])
  })

  it('leaves out what is not to be approved: questions, other people’s, what is over', () => {
    const watch = gathering(makeRequest('a'), makeQuestion('q'), makeRequest('b'))
    gathered(
      watch,
      makeQuestion('q'),
      makeRequest('b', { state: 'expired' }),
      makeRequest('c', { yours: false }),
    )
    expect(watch.said()).toEqual([words.noOthers])
  })

  it('not where nothing else waits, nor where it is more than anyone reads', () => {
    expect(gathering(makeRequest('a')).said()).toEqual([words.noOthers])
    const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((id) => makeRequest(id))
    expect(gathering(...many).said()).toEqual([words.tooManyTogether(8)])
  })
})
