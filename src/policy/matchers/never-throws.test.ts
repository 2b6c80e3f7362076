/**
 * No value of a call makes a matcher throw, and nothing in a policy makes compiling fail with anything but an error
 * that says where and what.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBanksmanError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json/json.ts'
import { compileRegex } from '../../core/regex/regex.ts'
import type { ArgumentCondition } from '../language/language.ts'
import { compileCondition } from './condition.ts'
import { compileGlob } from './globs/glob.ts'
import { compileDomainHost, compileHostPattern } from './host.ts'
import { hostOf } from './host-address.ts'
import { isInside } from './inside-roots.ts'
import { compilePathPattern } from './path-pattern.ts'
import { checkPointer, compilePointer, valuesAt } from './pointer.ts'
import { compileTimeWindow } from './time-window.ts'

const places = { roots: ['/space/app'], home: '/home/ana' }
const answers = ['yes', 'no', 'unknown']

const BLOCKS: ArgumentCondition[] = [
  { equals: { a: [1, null, 'x'] } },
  { oneOf: ['a', 1, null, [], {}] },
  { glob: ['*a*b*', 'x'] },
  { regex: '(?i)\\b[a-z]+\\d*$' },
  { gt: 1, lt: 100 },
  { gte: -1, lte: 5.5 },
  { exists: true },
  { path: ['./src/**', '~/.ssh', '*.pem', '/etc'] },
  { host: ['example.com', '*.example.com', 'ssh://h:22', '[::1]'] },
  { not: { any: [{ glob: 'a' }, { path: '**' }, { all: [{ host: '*' }, { equals: '' }] }] } },
]

/** Texts that are nearly what a matcher is about, and any text at all, with lone surrogates too. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.webUrl({ size: 'small' }),
  fc.string({
    unit: fc.constantFrom('/', '.', '..', '*', '~', 'a', '\\', ':', '@', '[', ']', '%', '\0', 'é', '\ud800'),
  }),
)
const json = fc.oneof(text, fc.jsonValue({ stringUnit: 'binary' })) as fc.Arbitrary<JsonValue>

describe('matchers', () => {
  it('P5: conditions answer for any JSON value, wherever it is said to lead', () => {
    const conditions = BLOCKS.map((block) => compileCondition(block, '', places))
    fc.assert(
      fc.property(
        fc.option(json, { nil: undefined }),
        fc.option(text, { nil: undefined }),
        (value, resolved) => {
          for (const holds of conditions) expect(answers).toContain(holds(value, { resolved }))
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('P5: matchers of texts answer for any text', () => {
    const hosts = ['*', 'example.com', '*.example.com', '127.0.0.1', 'https://[::1]:8443', 'ssh://h']
    const urls = [
      ...hosts.map((one) => compileHostPattern(one, '')),
      compileDomainHost('example.com', '').url,
    ]
    const paths = ['./src/**', '**/a*/?', '~/x', '/', '.env', '..'].map((one) =>
      compilePathPattern(one, places, ''),
    )
    const found = [
      compileGlob('*a*'),
      compileRegex('^a|\\pL\\b'),
      (one: string) => isInside(one, places.roots),
    ]
    fc.assert(
      fc.property(text, text, fc.boolean(), (one, other, anywhere) => {
        for (const matches of urls) expect(answers).toContain(matches(one))
        for (const matches of paths) expect(answers).toContain(matches(one, other, anywhere))
        for (const matches of found) expect(typeof matches(one)).toBe('boolean')
        expect(['string', 'undefined']).toContain(typeof hostOf(one))
      }),
      { numRuns: 1000 },
    )
  })

  it('P5: windows answer for any number', () => {
    const windows = [{ from: '22:00', to: '06:00', zone: 'Europe/Berlin' }, { days: ['mon'] }].map((block) =>
      compileTimeWindow(block, ''),
    )
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.integer()), (atMs) => {
        for (const holds of windows) expect(answers).toContain(holds(atMs))
      }),
    )
  })

  it('P5: pointers read any JSON value', () => {
    const steps = fc.array(fc.oneof(text, fc.constantFrom('*', '0', '-', '__proto__', 'length', '~', '~1')))
    fc.assert(
      fc.property(json, steps, (value, names) => {
        const pointer = names.map((name) => `/${name}`).join('')
        expect(Array.isArray(valuesAt(value, pointer))).toBe(true)
        expect(() => compilePointer(pointer)(value)).not.toThrow()
      }),
    )
  })

  it('P5: compiling takes a block or says what is wrong with it', () => {
    const key = fc.constantFrom(
      'equals',
      'oneOf',
      'glob',
      'regex',
      'gt',
      'path',
      'host',
      'not',
      'all',
      'from',
      'days',
      'zone',
    )
    const block = fc.oneof(json, fc.dictionary(key, fc.oneof(json, fc.array(fc.dictionary(key, json)))))
    fc.assert(
      fc.property(block, (value) => {
        takesOrRefuses(() => compileCondition(value, '/at', places))
        takesOrRefuses(() => compileTimeWindow(value, '/at'))
        takesOrRefuses(() => checkPointer(value, '/at'))
        if (typeof value !== 'string') return
        takesOrRefuses(() => compileRegex(value))
        takesOrRefuses(() => compileHostPattern(value, '/at'))
        takesOrRefuses(() => compileDomainHost(value, '/at').url)
        takesOrRefuses(() => compilePathPattern(value, places, '/at'))
      }),
      { numRuns: 1000 },
    )
  })
})

function takesOrRefuses(act: () => unknown): void {
  try {
    act()
  } catch (error) {
    expect(isBanksmanError(error, 'invalid_policy'), String(error)).toBe(true)
  }
}
