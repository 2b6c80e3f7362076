// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell text
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../test/fixtures/property-runs.ts'
import { pathMentions } from '../paths/path-mentions.ts'
import { compileCommandPattern } from '../patterns/command-pattern.ts'
import { readShell, readWords } from './read-shell.ts'

const TOKENS =
  'a rm ls cd sudo env sh -c eval find -exec {} \\; xargs if then else fi for in do done while case esac function ( ) ' +
  '{ } [[ ]] (( )) $( ` " \' ; && || | & < > >> <<E <<< $X ${ } ${x:- * ? [ ] ~ = x= \\ # ! time coproc select $\' $" ' +
  '<( >( 2>&1 E @( +( , .. -- - / . \u200b \r \0 \u202e'
const token = fc.constantFrom(...TOKENS.split(' '), ' ', '\n', '\t')
const anyText = fc.oneof(
  fc.array(token, { maxLength: 30 }).map((parts) => parts.join('')),
  fc.array(token, { maxLength: 30 }).map((parts) => parts.join(' ')),
  fc.string({ unit: 'binary', maxLength: 60 }),
)

/** Lines in which nothing is left open, so that more can be put behind them. */
const word = fc.constantFrom(
  'a',
  'b1',
  '-x',
  '"c d"',
  "'$(e)'",
  '$F',
  '*.g',
  '$(h i)',
  '`j`',
  '~/k',
  'l=m',
  '\\;',
)
const simple = fc
  .tuple(
    fc.constantFrom('x', 'rm', 'env y', 'sudo z', "sh -c 'p; q'", '/bin/ls'),
    fc.array(word, { maxLength: 3 }),
  )
  .map(([program, words]) => [program, ...words].join(' '))
const line = fc.oneof(
  simple,
  simple.map((each) => `( ${each} )`),
  simple.map((each) => `{ ${each}; }`),
  simple.map((each) => `if ${each}; then ${each}; fi`),
  simple.map((each) => `for i in 1; do ${each}; done`),
)

const shown = (text: string) =>
  readShell(text).commands.map(({ text, through, transparent }) => [text, through, transparent])

describe('reading', () => {
  it('property: P5: nothing makes it throw, and it says the same every time', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const reading = readShell(text)
        expect(readShell(text)).toEqual(reading)
        for (const command of reading.commands) {
          pathMentions(command)
          compileCommandPattern('rm *')(command)
          for (const doubt of command.doubts) expect(reading.doubts).toContain(doubt)
          expect(command.start).toBeGreaterThanOrEqual(0)
          expect(command.end).toBeLessThanOrEqual(text.length)
        }
      }),
      { numRuns: runs(2000) },
    )
  })

  it('property: P5: nor does any list of words', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(token, anyText), { maxLength: 6 }), (words) => {
        expect(readWords(words)).toEqual(readWords(words))
        expect(readWords(words).commands.length > 0 || readWords(words).doubts.length > 0).toBe(true)
      }),
      { numRuns: runs(1000) },
    )
  })

  it('property: P5: a line is no more and no less than its parts', () => {
    fc.assert(
      fc.property(
        line,
        line,
        fc.constantFrom('; ', '\n', ' && ', ' || ', ' | ', ' & ', '\n\n# c\n'),
        (one, other, mark) => {
          expect(shown(one + mark + other)).toEqual([...shown(one), ...shown(other)])
        },
      ),
      { numRuns: runs(1000) },
    )
  })

  it('property: P5: what is put around a line takes nothing away from it', () => {
    const around = fc.constantFrom<(text: string) => string>(
      (text) => `(${text}\n)`,
      (text) => `{ ${text}\n}`,
      (text) => `echo $(${text}\n)`,
      (text) => `echo "$(${text}\n)"`,
      (text) => `cat <(${text}\n)`,
      (text) => `while ${text}\ndo o; done`,
      (text) => `f() { ${text}\n}`,
      (text) => `sh -c '${text.replaceAll("'", "'\\''")}'`,
      (text) => `eval '${text.replaceAll("'", "'\\''")}'`,
    )
    fc.assert(
      fc.property(line, fc.array(around, { minLength: 1, maxLength: 3 }), (text, layers) => {
        const whole = layers.reduce((inner, layer) => layer(inner), text)
        const found = readShell(whole).commands.map((command) => command.text)
        for (const [each] of shown(text)) expect(found).toContain(each)
      }),
      { numRuns: runs(800) },
    )
  })

  it('property: P5: cutting a line short never hides what stands before the cut and is complete', () => {
    fc.assert(
      fc.property(line, line, fc.nat(), (one, other, at) => {
        const cut = other.slice(0, at % (other.length + 1))
        const found = shown(`${one}\n${cut}`).map(([text]) => text)
        for (const [text] of shown(one)) expect(found).toContain(text)
      }),
      { numRuns: runs(800) },
    )
  })
})

describe('size', () => {
  it('P5: hundreds of commands are read', () => {
    const { commands, doubts } = readShell(`${'git status; '.repeat(499)}rm x`)
    expect(commands).toHaveLength(500)
    expect(commands.at(-1)?.text).toBe('rm x')
    expect(doubts).toEqual([])
  })

  it('P5: what a deny is about is found in a line that is too long', () => {
    const { commands, doubts } = readShell(`${'git status; '.repeat(10_000)}rm x`)
    expect(commands.map(({ text }) => text)).toContain('rm x')
    expect(doubts.map(({ kind }) => kind)).toEqual(['too long'])
  })

  it.each([
    ['groups', (n: number) => `${'{ '.repeat(n)}rm x${'; }'.repeat(n)}`],
    ['sub-shells', (n: number) => `${'( '.repeat(n)}rm x${' )'.repeat(n)}`],
    ['substitutions', (n: number) => `${'echo $('.repeat(n)}rm x${')'.repeat(n)}`],
    ['quoted substitutions', (n: number) => `${'echo "$('.repeat(n)}rm x${')"'.repeat(n)}`],
    ['defaults', (n: number) => `echo ${'${x:-'.repeat(n)}$(rm x)${'}'.repeat(n)}`],
    ['loops', (n: number) => `${'for i in 1; do '.repeat(n)}rm x${'; done'.repeat(n)}`],
    ['processes', (n: number) => `${'cat <('.repeat(n)}rm x${')'.repeat(n)}`],
    ['evals', (n: number) => `${'eval '.repeat(n)}rm x`],
    ['wrappers', (n: number) => `${'nice '.repeat(n)}rm x`],
    ['find', (n: number) => `find ${'-delete -exec find '.repeat(n)} -exec rm x \\;`],
  ])('P5: what lies deep is read or in doubt: %s', (_, nest) => {
    for (const depth of [10, 100, 1000, 5000]) {
      const { commands, doubts } = readShell(nest(depth))
      const seen = commands.some(({ text }) => text === 'rm x')
      expect(seen || doubts.length > 0).toBe(true)
      if (depth === 10) expect(seen).toBe(true)
    }
  })
})
