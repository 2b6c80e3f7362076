/**
 * Expressions of ours that run on what agents write. Each of these texts took time in the square of its length: minutes,
 * at this one.
 */
import { expect, it } from 'vitest'
import { writeOutBraces } from './matchers/spellings.ts'
import { wildcardMeets } from './matchers/wildcard-meets.ts'
import { excludedNames } from './recursive-reads/sweep.ts'
import { whyTemplateShowsMore } from './shell/scripts/template.ts'
import { whereItLeads } from './starter/where-it-leads.ts'
import { findSteering } from './steering-files/find-steering.ts'

const LENGTH = 1_000_000

it('P5: a long run of slashes that is not at the end', () => {
  expect(whereItLeads('a', `${'/'.repeat(LENGTH)}b`)).toMatch(/b\/a$/)
})

it('P5: brackets that nothing closes', () => {
  expect(wildcardMeets('['.repeat(LENGTH), 'a')).toEqual(expect.any(Boolean))
})

it.each(['a', '{', ',', 'a{', '{,', '{..', 'a,'])('P5: braces that nothing closes: %s', (piece) => {
  // The longest that is written out.
  const text = piece.repeat(Math.floor(16_384 / piece.length))
  expect(writeOutBraces(text)).toBe(text)
})

it('braces are written out as before', () => {
  expect(writeOutBraces('x a{b,c}d {1..3} {e} {,f} g')).toBe('x abd acd ? {e}  f g')
})

it('P5: the end of an exclusion that does not end so', () => {
  expect(excludedNames([`${'/'.repeat(LENGTH)}b`])).toEqual(['/b'])
  expect(excludedNames(['a/**', '**/b', './c/', 'd/*/**//', 'e/***', 'f*'])).toEqual([
    'a',
    'b',
    '/c',
    'd',
    'f*',
  ])
})

it('P5: actions of a template that nothing ends', () => {
  expect(whyTemplateShowsMore('{{'.repeat(LENGTH), ['.Name'])).toEqual({ code: 'script.open' })
  expect(whyTemplateShowsMore('{{.Name}} {{', ['.Name'])).toEqual({ code: 'script.open' })
  expect(whyTemplateShowsMore('{{.Name}} {{.Name}} x', ['.Name'])).toBeUndefined()
})

it.each([' .', '. ', ':', 'a:', '.', ' ', '/', '. /'])('P5: names that end in nothing: %j', (piece) => {
  expect(findSteering(`${piece.repeat(LENGTH)}x`)).toEqual(expect.any(Array))
})
