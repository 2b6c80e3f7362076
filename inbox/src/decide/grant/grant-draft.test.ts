import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDuration } from '../../../../src/core/time/duration.ts'
import type { GrantScope } from '../../../../src/core/verdict.ts'
import {
  chooseGrantSpan,
  DURATIONS,
  GRANT_ONCE,
  type GrantDraft,
  grantSpansOf,
  grantTermsOf,
  isValidGrant,
} from './grant-draft.ts'

const ALL: GrantScope[] = ['once', 'session', 'always']

describe('how long an approval holds', () => {
  it('offers only what the rules allow, and once in any case', () => {
    expect(grantSpansOf(ALL)).toEqual(['once', 'times', 'hour', 'session', 'always'])
    expect(grantSpansOf(['once', 'session'])).toEqual(['once', 'times', 'hour', 'session'])
    expect(grantSpansOf(['once'])).toEqual(['once'])
    expect(grantSpansOf([])).toEqual(['once'])
  })

  it('means the narrowest that the words can mean', () => {
    expect(grantTermsOf(GRANT_ONCE, ALL)).toEqual({})
    expect(grantTermsOf(chooseGrantSpan('session', ALL), ALL)).toEqual({ scope: 'session' })
    expect(grantTermsOf(chooseGrantSpan('always', ALL), ALL)).toEqual({ scope: 'always' })
    expect(grantTermsOf(chooseGrantSpan('hour', ALL), ALL)).toEqual({
      scope: 'session',
      grant: { expiresIn: '1h' },
    })
    expect(grantTermsOf(chooseGrantSpan('times', ['once', 'always']), ['once', 'always'])).toEqual({
      scope: 'always',
      grant: { uses: 5 },
    })
  })

  it('carries the suggestion and the bounds', () => {
    const bounds = { suggestion: 'shape', expiresIn: '8h', uses: '3' } as const
    const choice = { ...chooseGrantSpan('always', ALL), ...bounds }
    expect(grantTermsOf(choice, ALL)).toEqual({
      scope: 'always',
      grant: { suggestion: 'shape', expiresIn: '8h', uses: 3 },
    })
    const below = { ...chooseGrantSpan('session', ALL), withSubSessions: true }
    expect(grantTermsOf(below, ALL)).toEqual({ scope: 'session', grant: { includeSubSessions: true } })
  })

  it.each(['0', '-1', '1.5', 'x', '1e3', ' 5', '1000001'])('takes no %j for a number of calls', (uses) => {
    const choice = { ...chooseGrantSpan('times', ALL), uses }
    expect(isValidGrant(choice, ALL)).toBe(false)
    expect(grantTermsOf(choice, ALL)).toEqual({})
  })

  it('property: never more than was offered, whatever is chosen', () => {
    const choices: fc.Arbitrary<GrantDraft> = fc.record({
      span: fc.constantFrom('once', 'session', 'always', 'hour', 'times'),
      where: fc.constantFrom('session', 'always'),
      expiresIn: fc.constantFrom('', ...DURATIONS),
      uses: fc.oneof(fc.constant(''), fc.nat().map(String), fc.string()),
      suggestion: fc.constantFrom('', 'call', 'tool'),
      what: fc.string(),
      withSubSessions: fc.boolean(),
    })
    fc.assert(
      fc.property(choices, fc.subarray(ALL), (choice, scopes) => {
        const { scope, grant } = grantTermsOf(choice, scopes)
        if (choice.span === 'once') expect(scope).toBeUndefined()
        if (scope === undefined) {
          expect(grant).toBeUndefined()
          return
        }
        expect(scopes).toContain(scope)
        if (grant?.uses !== undefined) expect(grant.uses).toBeGreaterThanOrEqual(1)
        if (choice.span === 'times') expect(grant?.uses).toBeDefined()
        if (choice.span === 'hour') expect(parseDuration(grant?.expiresIn ?? '')).toBeGreaterThan(0)
      }),
    )
  })
})
