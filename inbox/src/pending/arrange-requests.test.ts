import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wireRequest } from '../../../test/fixtures/wire-request.ts'
import { arrangeRequests, lineageOf, matchesSearch } from './arrange-requests.ts'

const of = (id: string, session: string, agent?: string) =>
  wireRequest({ id, session, ...(agent === undefined ? {} : { agent: { name: agent, parents: ['root'] } }) })

describe('the list of what waits', () => {
  it('puts what one agent asks in one session together, the most urgent group first', () => {
    const items = arrangeRequests([of('1', 'a', 'x'), of('2', 'b'), of('3', 'a', 'x'), of('4', 'a', 'y')])
    expect(
      items.map((item) =>
        item.kind === 'group' ? lineageOf(item.group.requests[0]!).join(' › ') : item.key,
      ),
    ).toEqual(['root › x', '1', '3', '2', '4'])
  })

  it('property: shows every request once, in order inside its group', () => {
    const some = fc.array(
      fc.record({ session: fc.constantFrom('a', 'b', 'c'), agent: fc.constantFrom('x', 'y') }),
    )
    fc.assert(
      fc.property(some, (all) => {
        const requests = all.map(({ session, agent }, index) => of(String(index), session, agent))
        const shown = arrangeRequests(requests).filter((item) => item.kind === 'request')
        expect(shown.map(({ key }) => Number(key)).sort((one, other) => one - other)).toEqual(
          all.map((_, at) => at),
        )
        for (const item of arrangeRequests(requests)) {
          if (item.kind !== 'group') continue
          const ids = item.group.requests.map(({ id }) => Number(id))
          expect(ids).toEqual([...ids].sort((one, other) => one - other))
          expect(ids.length).toBeGreaterThan(1)
        }
      }),
    )
  })

  it('finds by all of the words, in whatever is shown', () => {
    const request = wireRequest({
      tool: 'Bash',
      session: 'nightly',
      agent: { name: 'coder', parents: ['root'] },
    })
    expect(matchesSearch(request, ' bash NIGHT ')).toBe(true)
    expect(matchesSearch(request, 'root coder')).toBe(true)
    expect(matchesSearch(request, 'bash daily')).toBe(false)
    expect(matchesSearch(request, '  ')).toBe(true)
  })
})
