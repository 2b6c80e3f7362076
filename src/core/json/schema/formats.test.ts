import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { FORMATS } from './formats.ts'

/** Each format with texts that have it, with texts that do not, and with what a well-known library says. */
const CASES: [format: string, library: z.ZodType, right: string[], wrong: string[], alphabet: string][] = [
  [
    'date-time',
    z.iso.datetime({ offset: true }),
    ['2026-01-02T03:04:05Z', '2024-02-29T23:59:59.123+23:59', '0000-02-29T00:00:00-00:00'],
    [
      '2026-01-02',
      '2026-01-02T03:04Z',
      '2026-01-02 03:04:05Z',
      '2026-01-02T24:00:00Z',
      '2026-01-02T03:04:05',
    ],
    '0123456789-:.TZ+',
  ],
  [
    'date',
    z.iso.date(),
    ['2026-12-31', '2000-02-29', '2024-02-29'],
    [
      '2026-02-29',
      '1900-02-29',
      '2026-04-31',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
      '26-01-01',
      '2026-1-1',
    ],
    '0123456789-',
  ],
  [
    'duration',
    z.iso.duration(),
    ['P3W', 'P1Y', 'P1Y2M3DT4H5M6S', 'PT0,5S', 'PT1.5S', 'P2DT3M'],
    ['P', 'PT', 'P1', 'P1DT', 'P1W2D', '1D', 'P-1D', 'PT1.5H', 'P1D\n', 'P1M1Y'],
    'P0123YMWDTHS.,',
  ],
  [
    'email',
    z.email(),
    ['a@b.org', "o'neil.x+y@a-b.example.museum", 'a_-@1.co'],
    [
      'a@',
      '@b.org',
      'a b@c.de',
      '.a@b.org',
      'a..b@c.de',
      "a'@b.org",
      'a.@b.org',
      'a@b',
      'a@-b.org',
      'a@b@c.de',
      'a@b.c1',
    ],
    "ab1_'+-.@",
  ],
  [
    'hostname',
    z.hostname(),
    ['localhost', 'a-b.example.org', 'example.org.', '1.2'],
    ['', '.', '-a', 'a-', 'a..b', 'a_b', 'a b', `${'a'.repeat(64)}.org`, `${'a.'.repeat(127)}aa`],
    'ab1-.',
  ],
  [
    'ipv4',
    z.ipv4(),
    ['127.0.0.1', '255.255.255.255', '0.0.0.0'],
    ['256.1.1.1', '01.1.1.1', '1.1.1', '1.1.1.1.'],
    '0125.',
  ],
  [
    'ipv6',
    z.ipv6(),
    ['::1', 'fe80::1:2', '::ffff:1.2.3.4'],
    ['1', ':::', '1::2::3', 'g::1', '::1]', '1:2:3:4:5:6:7'],
    '01af:.',
  ],
  [
    'uri',
    z.url(),
    ['https://example.org/a?b#c', 'mailto:a@b.org', 'urn:x:y', ' http://a '],
    ['a', '//a', 'http://', 'http://a b'],
    'ahtp:/.@ [] ',
  ],
  [
    'uuid',
    z.guid(),
    ['0195F3a0-0000-7000-8000-00000000000a'],
    ['0195f3a0', '0195f3a0-0000-7000-8000-00000000000g'],
    '01aA-',
  ],
]

describe('formats', () => {
  it('all of them are tried here', () => {
    expect(CASES.map(([format]) => format).sort()).toEqual([...FORMATS.keys()].sort())
  })

  it.each(CASES)('%s', (format, library, right, wrong, alphabet) => {
    const has = FORMATS.get(format)!
    expect(right.filter((text) => !has(text))).toEqual([])
    expect(wrong.filter(has)).toEqual([])
    const made = fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 24 })
    // A text that has the format with one piece of it replaced is more often right than one that is made up.
    const changed = fc
      .tuple(
        fc.constantFrom(...right, ...wrong),
        fc.nat(30),
        fc.nat(3),
        fc.string({ unit: fc.constantFrom(...alphabet, '\n'), maxLength: 3 }),
      )
      .map(([text, at, length, piece]) => text.slice(0, at) + piece + text.slice(at + length))
    fc.assert(
      fc.property(fc.oneof(made, changed), (text) => {
        expect(has(text), JSON.stringify(text)).toBe(library.safeParse(text).success)
      }),
      { numRuns: 2000 },
    )
  })
})
