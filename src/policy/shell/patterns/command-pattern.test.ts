import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../test/fixtures/property-runs.ts'
import { quoteWord } from '../../../core/support/quote-word.ts'
import { readShell, readWords } from '../read/read-shell.ts'
import { compileCommandPattern } from './command-pattern.ts'

function holds(pattern: string, line: string) {
  const [command] = readShell(line).commands
  if (command === undefined) throw new Error(`no command in ${line}`)
  return compileCommandPattern(pattern)(command)
}

describe('command patterns', () => {
  it.each([
    ['git status *', 'git status', 'yes'],
    ['git status *', 'git status -s "a b"', 'yes'],
    ['git status *', 'git statusx', 'no'],
    ['git status*', 'git statusx', 'yes'],
    ['git status', 'git status', 'yes'],
    ['git status', 'git status -s', 'no'],
    ['npm run test:*', 'npm run test', 'yes'],
    ['npm run test:*', 'npm run test --watch', 'yes'],
    ['npm run test:*', 'npm run tests', 'no'],
    ['npm run test:*', 'npm run test:unit', 'no'],
    ['git:*', 'git push', 'yes'],
    ['*', 'anything "at all"', 'yes'],
    ['* --force *', 'git push --force', 'yes'],
    ['* --force *', 'git push --force-with-lease', 'no'],
    ['git * main', 'git push origin main', 'yes'],
    ['git * main', 'git main', 'no'],
    ['*passwd*', 'cat /etc/passwd', 'yes'],
    ['', 'ls', 'no'],
    [':*', 'ls', 'no'],
    ['  ls   -la  ', 'ls -la', 'yes'],
  ])('%s on %s: %s', (pattern, line, expected) => {
    expect(holds(pattern, line)).toBe(expected)
  })

  it.each([
    ['rm *', '/bin/rm x', 'yes'],
    ['rm *', './rm x', 'yes'],
    ['rm *', "r''m x", 'yes'],
    ['/bin/rm *', 'rm x', 'yes'],
    ['/bin/rm *', '/usr/bin/rm x', 'yes'],
    ['./gradlew *', './gradlew build', 'yes'],
    ['rm /etc/*', 'rm "/etc/my file"', 'yes'],
    ['rm /etc/*', "rm '/etc/x'", 'yes'],
    ['git commit -m "x y"', "git commit -m 'x y'", 'yes'],
    ["git commit -m 'x y'", 'git commit -m x\\ y', 'yes'],
    ['git commit -m x\\ y', 'git commit -m "x y"', 'yes'],
    ['git commit -m "x y"', 'git commit -m x y', 'no'],
    ['git commit -m x y', 'git commit -m "x y"', 'no'],
    ['echo "a\\"b"', "echo 'a\"b'", 'yes'],
    ['git commit -m "fix: *"', 'git commit -m "fix: a b"', 'yes'],
    ['cat ~/x', 'cat ~/x', 'yes'],
    ['cat ~/x', "cat '~/x'", 'no'],
    ["cat '~/x'", "cat '~/x'", 'yes'],
    ["cat '~/x'", 'cat ~/x', 'no'],
    ['echo *', "echo '*'", 'yes'],
    ['echo a*b', "echo 'a*b'", 'yes'],
    ['my\\ *', "'my x'", 'yes'],
  ])('P5: neither quotes nor paths matter: %s on %s: %s', (pattern, line, expected) => {
    expect(holds(pattern, line)).toBe(expected)
  })

  it.each([
    ['./scripts/*', './scripts/x.sh a', 'yes'],
    ['./scripts/*', 'scripts/x.sh', 'yes'],
    ['./scripts/*', './other/x.sh', 'no'],
    ['./scripts/*', 'rm x', 'no'],
    ['/usr/bin/*', 'rm x', 'yes'],
    ['*/etc/passwd*', 'cat /etc/passwd', 'yes'],
    ['*/etc/passwd*', 'cat /etc/hosts', 'no'],
    ['*/rm *', 'rm x', 'yes'],
    ['*/rm *', '/opt/rm x', 'yes'],
  ])('P5: a wildcard in a path does not stand for every program: %s on %s: %s', (pattern, line, expected) => {
    expect(holds(pattern, line)).toBe(expected)
  })

  it.each([
    ['cat *', 'cat $X', 'yes'],
    ['cat *', 'cat "$X" y', 'yes'],
    ['cat *', 'cat *.ts', 'yes'],
    ['git log --oneline *', 'git log --oneline $X', 'yes'],
    ['*', '$X', 'yes'],
    ['cat "*"', 'cat "$X"', 'yes'],
    ['cat * y', 'cat "$X" y', 'yes'],
    ['cat * y', 'cat $X y', 'unknown'],
    ['cat x', 'cat $X', 'unknown'],
    ['cat', 'cat $X', 'unknown'],
    ['cat', 'cat "$X"', 'no'],
    ['rm -rf *', 'rm $X', 'unknown'],
    ['rm -rf *', 'rm -r"$X"', 'unknown'],
    ['rm *', '$X', 'unknown'],
    ['rm *', '$(which rm) -rf', 'unknown'],
    ['rm -rf', '$X -rf', 'unknown'],
    ['rm -rf', '$X -r', 'no'],
    ['rmdir *', 'rm $X', 'no'],
    ['rm /etc/*', 'rm /e*', 'unknown'],
    ['rm /etc/*', 'rm src/*.ts', 'no'],
    ['* --force', 'git push "$X"', 'unknown'],
    ['* --force', 'git push "$X" main', 'no'],
    ['git push *', 'git "$X"', 'unknown'],
    ['git push *', 'git -C "$X" push', 'no'],
    ['git *push *', 'git -C "$X" push', 'yes'],
    ['ls a b', 'ls {a,b}', 'unknown'],
    ['rm *', 'xargs rm', 'no'],
    ['rm *', 'RM x', 'unknown'],
    ['rm *', 'ＲＭ x', 'unknown'],
    ['RM *', 'rm x', 'no'],
  ])('P5: what is known only later: %s on %s: %s', (pattern, line, expected) => {
    expect(holds(pattern, line)).toBe(expected)
  })

  it('P5: a quote without its partner is an error, not a pattern that never holds', () => {
    expect(() => compileCommandPattern('rm "x')).toThrow(/has a " without its partner/)
    expect(() => compileCommandPattern("rm 'x")).toThrow(/has a ' without its partner/)
    expect(() => compileCommandPattern("rm it\\'s")).not.toThrow()
  })
})

describe('properties', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '-', "'"), maxLength: 4 })
  const words = fc.array(letters, { minLength: 1, maxLength: 4 }).filter(([program]) => program !== '')
  const patternWord = fc.string({ unit: fc.constantFrom('a', 'b', '-', '*'), minLength: 1, maxLength: 3 })
  const patterns = fc
    .tuple(fc.array(patternWord, { minLength: 1, maxLength: 4 }), fc.boolean())
    .map(([parts, open]) => parts.join(' ') + (open ? ' *' : ''))

  /** As slow as it is plain. */
  function naive(pattern: string, list: readonly string[]): boolean {
    const open = pattern.endsWith(' *')
    const text = list.join('\0')
    const stem = (open ? pattern.slice(0, -2) : pattern).replaceAll(' ', '\0')
    return fits(stem, text) || (open && fits(`${stem}\0*`, text))
  }
  function fits(pattern: string, text: string): boolean {
    if (pattern === '') return text === ''
    if (pattern.startsWith('*'))
      return fits(pattern.slice(1), text) || (text !== '' && fits(pattern, text.slice(1)))
    return text !== '' && pattern[0] === text[0] && fits(pattern.slice(1), text.slice(1))
  }

  it('property: it agrees with a naive matcher where everything is known', () => {
    fc.assert(
      fc.property(patterns, words, (pattern, list) => {
        const [command] = readWords(list).commands
        expect(command && compileCommandPattern(pattern)(command)).toBe(naive(pattern, list) ? 'yes' : 'no')
      }),
      { numRuns: runs(5000) },
    )
  })

  /** A hole, and the words that it may come to. */
  const hole = fc.oneof(
    letters.map((value) => ({ source: quoteWord(value), values: [value] })),
    fc.tuple(letters).map((values) => ({ source: '"$X"', values })),
    fc.array(letters, { maxLength: 2 }).map((values) => ({ source: '$X', values })),
    fc
      .array(letters, { minLength: 1, maxLength: 2 })
      .map((values) => ({ source: 'a*b', values: values.map((value) => `a${value}b`) })),
  )

  it('property: P5: yes holds whatever a hole comes to, and no never does', () => {
    fc.assert(
      fc.property(
        patterns,
        fc.constantFrom('a', 'ab', 'b'),
        fc.array(hole, { maxLength: 3 }),
        (pattern, program, rest) => {
          const [command] = readShell([program, ...rest.map(({ source }) => source)].join(' ')).commands
          const said = command && compileCommandPattern(pattern)(command)
          const fits = naive(pattern, [program, ...rest.flatMap(({ values }) => values)])
          if (said !== 'unknown') expect(said).toBe(fits ? 'yes' : 'no')
        },
      ),
      { numRuns: runs(5000) },
    )
  })

  it('a command of any length is compared', () => {
    const [command] = readShell(`rm ${'a "$X" '.repeat(1400)}b`).commands
    const many = `rm ${'*a'.repeat(1000)}*b`
    expect(command && compileCommandPattern(many)(command)).toBe('yes')
    expect(command && compileCommandPattern(`${many}c`)(command)).toBe('no')
    expect(command && compileCommandPattern(`rm ${'a '.repeat(2000)}b`)(command)).toBe('no')
    const [hidden] = readShell(`rm ${'$X '.repeat(1000)}b`).commands
    expect(hidden && compileCommandPattern(`rm ${'a '.repeat(2000)}b`)(hidden)).toBe('unknown')
  })
})
