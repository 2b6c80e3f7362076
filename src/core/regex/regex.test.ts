import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { BanksmanError } from '../errors.ts'
import { sayInEnglish } from '../reasons/english.ts'
import { reasonIn } from '../reasons/reasoned-error.ts'
import { expandedSize } from './expanded-size.ts'
import { compileRegex, isRegexEverFound, MAX_REGEX_INSTRUCTIONS } from './regex.ts'

describe('compileRegex', () => {
  it('finds the expression anywhere in the text', () => {
    const cases: [source: string, yes: string[], no: string[]][] = [
      ['prod', ['prod', 'preprod', 'production'], ['Prod', 'pro d', '']],
      ['^prod$', ['prod'], ['prod\n', '\nprod', 'preprod', 'production']],
      ['(?m)^prod$', ['prod', 'x\nprod\ny'], ['xprod', 'x\nprody']],
      ['(?i)straße|k', ['STRAßE', 'K', '\u212a'], ['strasse']],
      ['a.c', ['abc', 'a😀c'], ['a\nc', 'ac']],
      ['(?s)a.c', ['a\nc'], ['ac']],
      ['^.$', ['😀', 'é'], ['', 'ab', 'e\u0301']],
      ['\\brm\\b', ['rm', 'rm -rf', 'sudo rm', 'rm\n'], ['rmdir', 'farm', 'r m', 'rm_']],
      ['\\Brm\\B', ['farms'], ['rm', 'farm', 'rms']],
      ['^(?:dev|staging)-[a-z0-9]{1,20}$', ['dev-a1', 'staging-x'], ['prod-x', 'dev-', 'dev-A']],
      ['\\p{Cyrillic}', ['аdmin'], ['admin']],
      ['x*', ['', 'y'], []],
      ['$', ['', 'a'], []],
      ['[^a]', ['b', '\n', '😀'], ['', 'aaa']],
      ['(a)(b)?(?P<name>c)', ['ac', 'abc'], ['bc']],
      ['\\Aa\\z', ['a'], ['a\n', 'ba']],
      ['\\Qa.b\\E', ['a.b'], ['axb']],
    ]
    for (const [source, yes, no] of cases) {
      const finds = compileRegex(source)
      for (const text of yes) expect(finds(text), `${source} in ${JSON.stringify(text)}`).toBe(true)
      for (const text of no) expect(finds(text), `${source} in ${JSON.stringify(text)}`).toBe(false)
    }
  })

  const piece = fc.constantFrom(
    ...['a', 'b', '.', '[ab]', '[^a]', '\\b', '\\B', '^', '$', '\\w', '\\W', '\\s', '(?i:K)', '\\pL', '😀'],
    ...['(?m:^)', '(?m:$)', '(?s:.)', '\\A', '\\z', '(?:)', '[a-c\\n]'],
  )
  const { source } = fc.letrec<{
    source: string
    atom: string
    joined: string
    repeated: string
    either: string
  }>((tie) => ({
    source: fc.oneof({ maxDepth: 5 }, tie('atom'), tie('joined'), tie('repeated'), tie('either')),
    atom: piece,
    joined: fc.tuple(tie('source'), tie('source')).map(([one, other]) => one + other),
    repeated: fc
      .tuple(tie('source'), fc.constantFrom('*', '+', '?', '{2}', '{0,3}', '*?', '{2,}'))
      .map(([one, times]) => `(?:${one})${times}`),
    either: fc.tuple(tie('source'), tie('source')).map(([one, other]) => `(${one}|${other})`),
  }))
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', 'k', '_', ' ', '\n', 'é', '😀', '\u212a', '\ud83d'),
    maxLength: 12,
  })

  it('property: agrees with the library that compiled the program', () => {
    fc.assert(
      fc.property(source, fc.array(text, { minLength: 1, maxLength: 8 }), (expression, samples) => {
        const theirs = RE2JS.compile(expression)
        fc.pre(theirs.programSize() <= MAX_REGEX_INSTRUCTIONS)
        const ours = compileRegex(expression)
        for (const sample of samples) expect(ours(sample)).toBe(theirs.test(sample))
      }),
      { numRuns: 1500 },
    )
  })

  it('property: agrees with the engine of the language where both mean the same', () => {
    const shared = fc.string({
      unit: fc.constantFrom('a', 'b', '(?:a|b)', '[ab]', '.', '*', '?', '|', '^', '$'),
      maxLength: 8,
    })
    const small = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
    fc.assert(
      fc.property(shared, fc.array(small, { minLength: 1, maxLength: 8 }), (expression, samples) => {
        fc.pre(expression !== '' && isRegExp(expression) && isRe2(expression))
        const ours = compileRegex(expression)
        for (const sample of samples) expect(ours(sample)).toBe(new RegExp(expression, 'u').test(sample))
      }),
      { numRuns: 1500 },
    )
  })

  it('P5: is done with expressions on which others take ages', () => {
    const long = 'a'.repeat(10_000)
    for (const slow of [
      '(a+)+!',
      '(a|aa)*!',
      '(?:a?){60}a{60}!',
      '(.*.*.*)*!',
      '[ab]*a[ab]{150}!',
      'a[^!]{190}!',
    ]) {
      expect(compileRegex(slow)(long), slow).toBe(false)
    }
    expect(compileRegex('(a+)+$')(long)).toBe(true)
  })

  it('P5: knows from the text what would become too large, before a compiler writes it out', () => {
    const huge = [
      `(?:${'a.'.repeat(450)}){1000}`,
      `(?:${'a?'.repeat(450)}){1000}`,
      '.{1000}'.repeat(140),
      '[^a]{0,1000}'.repeat(80),
      `(?:(?:(?:${'x'.repeat(400)}){10}){10}){10}`,
      `[]{1}](?:\\Q)\\E${'b'.repeat(500)}){900}`,
      `(?:\\)${'b'.repeat(500)}){900}`,
      `(?:[)]${'b'.repeat(500)}){900}`,
      `(?:[[:alpha:])]${'b'.repeat(500)}){900}`,
    ]
    for (const source_ of huge) {
      expect(expandedSize(source_), source_.slice(0, 30)).toBeGreaterThan(10_000)
      expect(refusalOf(source_).message).toContain('instructions')
    }
  })

  it('property: the size known from the text is not below that of the program', () => {
    fc.assert(
      fc.property(source, (expression) => {
        const size = RE2JS.compile(expression).programSize()
        expect(size).toBeLessThanOrEqual(4 * expandedSize(expression) + 10)
      }),
      { numRuns: 1500 },
    )
  })

  it('refuses what RE2 does not have, and says so', () => {
    const cases: [source: string, words: string][] = [
      ['(?=a)', 'RE2 has no look-around'],
      ['a(?!b)', 'RE2 has no look-around'],
      ['(?<=a)b', 'RE2 has no look-around'],
      ['(?<!a)b', 'RE2 has no look-around'],
      ['(a)\\1', 'RE2 has no back-references'],
      ['(?P<x>a)\\k<x>', 'RE2 has no back-references'],
      ['(?>a)', 'no atomic groups or possessive repetition'],
      ['a**', 'not RE2 syntax: invalid nested repetition operator'],
      ['a(b', 'missing closing )'],
      ['a[b', 'missing closing ]'],
      ['*a', 'missing argument to repetition operator'],
      ['/a(/i', 'without the slashes'],
      ['\\', 'trailing backslash'],
      ['a{1001}', 'invalid repeat count'],
      ['', 'is empty'],
      ['a\ud800', 'lone surrogate'],
      ['a'.repeat(1001), 'the limit is 1000'],
    ]
    for (const [source_, words] of cases) {
      const error = refusalOf(source_)
      expect(error.message).toContain(words)
    }
  })

  it('P5: refuses a program that would take too long, and says how large it is', () => {
    const fits = `a{${MAX_REGEX_INSTRUCTIONS - 2}}`
    expect(compileRegex(fits)('a'.repeat(MAX_REGEX_INSTRUCTIONS - 2))).toBe(true)
    const error = refusalOf(`a{${MAX_REGEX_INSTRUCTIONS - 1}}`)
    expect(error.message).toContain(`comes to ${MAX_REGEX_INSTRUCTIONS + 1} instructions`)
    expect(error.message).toContain(`the limit is ${MAX_REGEX_INSTRUCTIONS}`)
    expect(refusalOf('(?:(?:a{10}){10}){10}').message).toContain('instructions')
  })
})

function isRegExp(source: string): boolean {
  try {
    return new RegExp(source, 'u') instanceof RegExp
  } catch {
    return false
  }
}

function isRe2(source: string): boolean {
  try {
    return RE2JS.compile(source).programSize() > 0
  } catch {
    return false
  }
}

/** Its words, which whoever knows the place makes of it. */
function refusalOf(source: string): { message: string } {
  try {
    compileRegex(source)
  } catch (error) {
    if (error instanceof BanksmanError && error.code === 'invalid_policy')
      return { message: sayInEnglish(reasonIn(error.details)!) }
    throw error
  }
  throw new Error(`${source} was accepted`)
}

describe('isRegexEverFound', () => {
  it.each(['$a', 'a^', '[^\\s\\S]', 'x\\b\\B', 'a\\by', '\\z.', '^(?:$a|b^)$'])(
    'no text has %s in it',
    (source) => {
      expect(isRegexEverFound(source)).toBe(false)
    },
  )

  it('property: what is found in a text is found somewhere', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '.',
      '^',
      '$',
      '\\b',
      '\\B',
      '|',
      '(?:a)',
      'a*',
      'b+',
      '[^a]',
      '\\n',
      '(?m:^)',
      '(?m:$)',
    )
    const source = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''))
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n'), maxLength: 6 })
    fc.assert(
      fc.property(source, text, (expression, sample) => {
        if (compileRegex(expression)(sample)) expect(isRegexEverFound(expression)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
