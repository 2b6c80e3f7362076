import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BanksmanError } from '../../core/errors.ts'
import type { MatchResult } from './match-result.ts'
import { compilePathPattern } from './path-pattern.ts'

const places = { roots: ['/space/app'], home: '/home/ana' }

describe('compilePathPattern', () => {
  it('starts relative patterns at the root', () => {
    for (const pattern of ['./src/**', 'src/**', './src', 'src/', './src/', './/src/./**']) {
      check(pattern, {
        '/space/app/src/a.ts': 'yes',
        '/space/app/src/a/b/c.ts': 'yes',
        '/space/app/src': 'yes',
        '/space/app/srcs/a.ts': 'no',
        '/space/app/a.ts': 'no',
        '/space/app': 'no',
      })
    }
    check('./src/**', { '/space/app/x/src/a.ts': 'no', '/src/a.ts': 'no', '/space/src/a.ts': 'no' })
    check('.', { '/space/app': 'yes', '/space/app/x': 'yes', '/work': 'no', '/space/apple': 'no' })
    check('./**', { '/space/app': 'yes', '/space/app/x/y': 'yes', '/space/x': 'no' })
    check('../lib/**', { '/space/lib/x': 'yes', '/space/app/lib/x': 'no' })
    check('..', { '/space/x': 'yes', '/x': 'no' })
    check('../../../..', { '/x': 'yes' })
  })

  it('starts at every root', () => {
    const matches = compilePathPattern('./src/**', { roots: ['/a', '/b/'] }, '')
    expect(matches('/a/src/x', 'x')).toBe('yes')
    expect(matches('/b/src/x', 'x')).toBe('yes')
    expect(matches('/c/src/x', 'x')).toBe('no')
  })

  it('takes / and // as the top, and ~ as the home folder', () => {
    check('/etc', { '/etc': 'yes', '/etc/passwd': 'yes', '/etcetera': 'no', '/space/app/etc/x': 'no' })
    check('//etc/**', { '/etc/passwd': 'yes' })
    check('/', { '/': 'yes', '/x': 'yes' })
    check('/**/id_rsa', { '/home/ana/.ssh/id_rsa': 'yes', '/id_rsa': 'yes', '/x/id_rsa.pub': 'no' })
    check('~/.ssh', { '/home/ana/.ssh/id_rsa': 'yes', '/srv/ben/.ssh/id_rsa': 'no' })
    check('~', { '/home/ana': 'yes', '/home/ana/x': 'yes', '/home/anabel': 'no' })
    check('~/*.pem', { '/home/ana/x.pem': 'yes', '/home/ana/y/x.pem': 'no' })
  })

  it('takes a name without a slash at any depth', () => {
    for (const pattern of ['.env', '**/.env']) {
      check(pattern, {
        '/space/app/.env': 'yes',
        '/space/app/a/b/.env': 'yes',
        '/space/app/.env/x': 'yes',
        '/space/app/.env.local': 'no',
        '/space/app/x.env': 'no',
        '/elsewhere/x': 'no',
      })
    }
    check('*.pem', { '/space/app/x.pem': 'yes', '/space/app/a/b/x.pem': 'yes', '/space/app/pem': 'no' })
    check('node_modules/', { '/space/app/a/node_modules/x': 'yes' })
    check('./.env', { '/space/app/.env': 'yes', '/space/app/a/.env': 'no' })
    check('*', { '/space/app/x': 'yes', '/space/app/x/y': 'yes' })
    check('**', { '/space/app': 'yes', '/space/app/x/y': 'yes' })
  })

  it('P5: such a name outside of the roots satisfies no allow, and fits for a deny', () => {
    for (const pattern of ['.env', '**/.env', '**']) {
      const matches = compilePathPattern(pattern, places, '')
      expect(matches('/elsewhere/.env', 'x')).toBe('unknown')
      expect(matches('/elsewhere/.env', 'x', true)).toBe('yes')
    }
    const env = compilePathPattern('.env', { roots: ['/x/.env/app'] }, '')
    // What the folders above the root are called says nothing of the files in it.
    expect(env('/x/.env/app/a', 'a', true)).toBe('no')
    expect(env('/x/.env/other', 'a', true)).toBe('yes')
    expect(compilePathPattern('./.env', places, '')('/elsewhere/.env', 'x', true)).toBe('no')
  })

  it('P5: is unknown below what a wildcard at the end stands for', () => {
    check('./src/*', { '/space/app/src/a': 'yes', '/space/app/src/a/b': 'unknown', '/space/app/src': 'no' })
    check('*.pem', { '/space/app/x.pem/y': 'unknown' })
    check('./src/*/', { '/space/app/src/a/b': 'yes' })
    check('./src/*/**', { '/space/app/src/a/b': 'yes', '/space/app/src/a': 'yes' })
    check('./*/secrets', { '/space/app/a/secrets/b': 'yes' })
  })

  it('P5: without the fact of where the path leads it is unknown, whatever is written', () => {
    for (const pattern of ['./src/**', '/etc', '~/.ssh', '.env', '**']) {
      const matches = compilePathPattern(pattern, places, '')
      for (const written of ['/etc/passwd', 'src/a.ts', '/nowhere', '~/.ssh/x', '.env', '']) {
        expect(matches(undefined, written)).toBe('unknown')
        expect(matches(undefined, written, true)).toBe('unknown')
      }
      for (const none of ['', 'src/a', './x', '/space/app/../x', '/space/app/..', '/a//b', '/a/./b', 'C:x']) {
        expect(matches(none, 'x'), none).toBe('unknown')
      }
    }
  })

  it('P5: without roots or a home folder, patterns that start there are unknown', () => {
    for (const pattern of ['./src/**', 'src/**', '.', '..']) {
      expect(compilePathPattern(pattern, { roots: [] }, '')('/space/app/src/x', 'x')).toBe('unknown')
      expect(compilePathPattern(pattern, { roots: ['work'] }, '')('/space/app/src/x', 'x')).toBe('unknown')
    }
    expect(compilePathPattern('~/x', { roots: ['/work'] }, '')('/space/x', 'x')).toBe('unknown')
    const env = compilePathPattern('.env', { roots: [] }, '')
    expect(env('/x/.env', 'x')).toBe('unknown')
    expect(env('/x/.env', 'x', true)).toBe('yes')
    expect(env('/x/y', 'x', true)).toBe('no')
  })

  it('P5: is unknown where it depends on whether the file system ignores case or the form of letters', () => {
    check('./secrets', {
      '/space/app/Secrets/x': 'unknown',
      '/SPACE/app/secrets': 'unknown',
      '/space/app/\u017fecrets': 'unknown',
      '/space/app/sec\u200crets': 'unknown',
    })
    check('.ENV', { '/space/app/.env': 'unknown', '/elsewhere/.Env': 'unknown' })
    check('./caf\u00e9/*.pem', {
      '/space/app/caf\u00e9/x.pem': 'yes',
      '/space/app/cafe\u0301/x.pem': 'unknown',
      '/space/app/CAFE\u0301/X.PEM': 'unknown',
      '/space/app/cafe/x.pem': 'no',
    })
    check('/Stra\u00dfe', { '/STRASSE/x': 'unknown' })
    check('./a?', { '/space/app/ae\u0301': 'unknown' })
    // A full-width star is a letter like any other.
    check('./\uff0a', { '/space/app/x': 'no', '/space/app/\uff0a': 'yes' })
  })

  it('P5: a path that is named as the pattern says and leads elsewhere can not be ruled out', () => {
    const tmp = compilePathPattern('/tmp/**', places, '')
    expect(tmp('/private/tmp/x', '/tmp/x')).toBe('unknown')
    expect(tmp('/private/tmp/x', '/a/../tmp/x')).toBe('unknown')
    expect(tmp('/private/tmp/x', '/a/tmp/x')).toBe('no')
    expect(compilePathPattern('~/.ssh', places, '')('/keys/x', '~/.ssh/x')).toBe('unknown')
    expect(compilePathPattern('./src/**', places, '')('/etc/passwd', '/space/app/src/link')).toBe('unknown')
  })

  it('takes paths with drives', () => {
    const windows = { roots: ['C:\\work\\app'], home: 'C:\\Users\\ana' }
    const holds = (pattern: string, path: string, anywhere?: boolean) =>
      compilePathPattern(pattern, windows, '')(path, 'x', anywhere)
    expect(holds('./src/**', 'C:\\work\\app\\src\\x')).toBe('yes')
    expect(holds('./src/**', 'c:\\work\\app\\SRC\\x')).toBe('unknown')
    expect(holds('C:\\Windows', 'C:\\Windows\\x')).toBe('yes')
    expect(holds('C:/Windows/**', 'D:\\Windows\\x')).toBe('no')
    expect(holds('~/.ssh', 'C:\\Users\\ana\\.ssh\\x')).toBe('yes')
    expect(holds('/etc', 'C:\\etc\\x')).toBe('unknown')
    expect(holds('.env', 'D:\\x\\.env', true)).toBe('yes')
    expect(holds('./src/**', 'C:\\work\\app\\src.\\x')).toBe('unknown')
  })

  it('property: relative to the root, it is what the same pattern is from the top', () => {
    const name = fc.stringMatching(/^[ab*?]{1,3}$/).filter((text) => !text.includes('**'))
    const names = fc.array(fc.oneof(name, fc.constant('**')), { minLength: 1, maxLength: 4 })
    const path = fc.array(fc.stringMatching(/^[abAB]{1,3}$/), { maxLength: 5 })
    fc.assert(
      fc.property(names, path, (pattern, given) => {
        const joined = pattern.join('/')
        const inside = ['/space/app', ...given].join('/')
        const relative = compilePathPattern(`./${joined}`, places, '')(inside, 'x')
        expect(compilePathPattern(`/space/app/${joined}`, places, '')(inside, 'x')).toBe(relative)
        expect(compilePathPattern(`./${joined}`, places, '')(['/else', ...given].join('/'), 'x')).toBe('no')
      }),
      { numRuns: 3000 },
    )
  })

  it('property: changing case never turns a fit into a no', () => {
    const path = fc.array(fc.stringMatching(/^[a-cA-Cé]{1,3}$/), { minLength: 1, maxLength: 4 })
    const pattern = fc.array(fc.constantFrom('a', 'B', '*', '**', 'a*', '?b', 'é'), {
      minLength: 1,
      maxLength: 3,
    })
    fc.assert(
      fc.property(pattern, path, (names, given) => {
        const matches = compilePathPattern(`./${names.join('/')}`, places, '')
        const plain = `/space/app/${given.join('/')}`
        fc.pre(matches(plain, 'x') !== 'no')
        for (const other of [plain.toUpperCase(), plain.toLowerCase(), plain.normalize('NFD')]) {
          expect(matches(other, 'x')).not.toBe('no')
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('refuses what it does not understand, and says what would be right', () => {
    const cases: [pattern: string, words: string][] = [
      ['', 'is empty'],
      ['src\\x', 'write / between folders'],
      ['*.{ts,js}', 'write several patterns'],
      ['[ab].env', 'write several patterns'],
      ['!src', 'write not around it'],
      ['~bob/x', 'only ~/ is known'],
      ['src/**.ts', 'as in **/*.ts'],
      ['src/a**b', 'as in **/a*b'],
      ['***', 'must stand alone'],
      ['src/../x', '.. can only stand at the beginning'],
      ['/a/../b', '.. can only stand at the beginning'],
      ['~/../b', '.. can only stand at the beginning'],
      ['a\ud800', 'lone surrogate'],
      ['a'.repeat(1001), 'the limit is 1000'],
    ]
    for (const [pattern, words] of cases) {
      const error = refusalOf(pattern)
      expect(error.message, pattern).toContain(words)
      expect(error.details.pointer).toBe('/path')
    }
  })
})

function check(pattern: string, cases: Record<string, MatchResult>): void {
  const matches = compilePathPattern(pattern, places, '')
  for (const [path, holds] of Object.entries(cases)) {
    expect(matches(path, 'written'), `${pattern} on ${path}`).toBe(holds)
  }
}

function refusalOf(pattern: string): BanksmanError {
  try {
    compilePathPattern(pattern, places, '/path')
  } catch (error) {
    if (error instanceof BanksmanError && error.code === 'invalid_policy') return error
    throw error
  }
  throw new Error(`${pattern} was accepted`)
}
