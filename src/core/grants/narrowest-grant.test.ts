import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Vote } from '../decision.ts'
import { defined } from '../defined.ts'
import { GRANT_WIDTHS, type GrantWidth } from '../verdict.ts'
import { narrowestGrant } from './narrowest-grant.ts'

type Said = Pick<Vote, 'scope' | 'grant'>

const OFFERED: Record<string, GrantWidth> = {
  call: 'call',
  shape: 'shape',
  'argument:/a': 'argument',
  'argument:/b': 'argument',
  tool: 'tool',
}
const widthOf = (id: string) => OFFERED[id]
const left = (...votes: Said[]) => narrowestGrant(votes, widthOf)

const bound = fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined })
const said: fc.Arbitrary<Said> = fc
  .record({
    scope: fc.constantFrom('session', 'always', 'session', 'always', 'once', undefined),
    suggestion: fc.constantFrom(undefined, ...Object.keys(OFFERED), 'gone'),
    expiresInMs: bound,
    uses: bound,
    includeSubSessions: fc.constantFrom(true, false, undefined),
  })
  .map(({ scope, ...terms }) => ({
    ...defined({ scope }),
    grant: Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined)),
  }))

describe('what several voters leave behind', () => {
  it('is what one alone said', () => {
    expect(left({ scope: 'always', grant: { suggestion: 'tool', uses: 5, expiresInMs: 60_000 } })).toEqual({
      scope: 'always',
      suggestion: 'tool',
      uses: 5,
      expiresInMs: 60_000,
      includeSubSessions: false,
    })
    expect(left({ scope: 'session' })).toEqual({
      scope: 'session',
      suggestion: 'call',
      includeSubSessions: false,
    })
  })

  it('P5: is nothing where one says once, or says nothing, or nobody votes', () => {
    expect(left()).toBeUndefined()
    expect(left({ scope: 'always' }, {})).toBeUndefined()
    expect(left({ scope: 'always' }, { scope: 'once' })).toBeUndefined()
  })

  it('P5: is exactly the call where they differ at the same width, or where one is no longer offered', () => {
    const always = (suggestion: string): Said => ({ scope: 'always', grant: { suggestion } })
    expect(left(always('argument:/a'), always('argument:/b'))?.suggestion).toBe('call')
    expect(left(always('argument:/a'), always('argument:/a'))?.suggestion).toBe('argument:/a')
    expect(left(always('tool'), always('argument:/b'))?.suggestion).toBe('argument:/b')
    expect(left(always('gone'))?.suggestion).toBe('call')
    expect(left(always('tool'), always('gone'))?.suggestion).toBe('call')
  })

  it('P5: is never wider than what any of them said, in whichever order they said it', () => {
    const width = (id: string) => GRANT_WIDTHS.indexOf(widthOf(id) ?? 'call')
    fc.assert(
      fc.property(fc.array(said, { minLength: 1, maxLength: 5 }), (votes) => {
        const grant = left(...votes)
        expect(left(...votes.toReversed())).toEqual(grant)
        if (votes.some((vote) => vote.scope === undefined || vote.scope === 'once')) {
          expect(grant).toBeUndefined()
          return
        }
        for (const { scope, grant: terms } of votes) {
          if (scope === 'session') expect(grant?.scope).toBe('session')
          expect(width(grant!.suggestion)).toBeLessThanOrEqual(width(terms?.suggestion ?? 'call'))
          if (terms?.uses !== undefined) expect(grant?.uses).toBeLessThanOrEqual(terms.uses)
          if (terms?.expiresInMs !== undefined)
            expect(grant?.expiresInMs).toBeLessThanOrEqual(terms.expiresInMs)
          if (terms?.includeSubSessions !== true) expect(grant?.includeSubSessions).toBe(false)
        }
      }),
    )
  })
})
