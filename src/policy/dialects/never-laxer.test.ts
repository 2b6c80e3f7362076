/**
 * An import never lets through what Claude Code would have stopped. The models here are written from its
 * documentation, as plainly as can be, and know nothing of our matchers.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePolicy, strictness } from '../index.ts'
import { importClaudePermissions } from './claude-permissions.ts'

type Verdict = 'allow' | 'ask' | 'deny'
type Lists = Partial<Record<Verdict, string[]>>

const PLACES = { roots: ['/w'], home: '/h' }
const STRICTNESS: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 }

/** Deny before ask before allow; what none names is asked about. */
function decide(lists: Lists, fits: (pattern: string, list: Verdict) => boolean): Verdict {
  const found = (['deny', 'ask', 'allow'] as const).find((list) =>
    lists[list]?.some((pattern) => fits(pattern, list)),
  )
  return found ?? 'ask'
}

const wrapped = (tool: string, lists: Lists): Lists =>
  Object.fromEntries(
    Object.entries(lists).map(([list, patterns]) => [list, patterns?.map((each) => `${tool}(${each})`)]),
  )

const listsOf = (pattern: fc.Arbitrary<string>) => {
  const some = fc.array(pattern, { maxLength: 3 })
  return fc.record({ allow: some, ask: some, deny: some })
}

describe('commands', () => {
  const word = fc.constantFrom('git', 'status', 'push', 'gi', 'ls', 'lsof', '-la', 'npm', 'x', 'npm-check')
  const command = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
  const line = fc
    .tuple(
      command,
      fc.array(fc.tuple(fc.constantFrom(' && ', '; ', ' | ', ' || '), command), { maxLength: 2 }),
    )
    .map(([first, more]) => ({
      text: first + more.map(([operator, next]) => operator + next).join(''),
      commands: [first, ...more.map(([, next]) => next)],
    }))
  const pattern = fc
    .tuple(
      fc.array(fc.oneof(word, word, fc.constant('*')), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', ':*', ' *', '*'),
    )
    .map(([words, end]) => words.join(' ') + end)

  const fits = (written: string, text: string): boolean => {
    const each = written.replace(/:\*$/, ' *')
    if (each === '*' || each === text) return true
    const isOnlyStar = each.indexOf('*') === each.length - 1
    if (isOnlyStar && each.endsWith(' *') && text === each.slice(0, -2)) return true
    const expression = each.split('*').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${expression.join('.*')}$`, 's').test(text)
  }

  /** A deny or an ask of one command is one of the line; an allow must be of all. */
  const model = (lists: Lists, commands: string[]): Verdict => {
    const verdicts = commands.map((text) => decide(lists, (each) => fits(each, text)))
    return verdicts.reduce((a, b) => (STRICTNESS[b] > STRICTNESS[a] ? b : a))
  }

  it('P5: a line is never judged more leniently than there', () => {
    let same = 0
    fc.assert(
      fc.property(listsOf(pattern), line, (lists, { text, commands }) => {
        const { block } = importClaudePermissions(wrapped('Bash', lists))
        const verdict = compilePolicy(block, PLACES).evaluate({ tool: 'Bash', arguments: { command: text } })
        const there = model(lists, commands)
        expect(strictness(verdict), `${there} there, here ${verdict.because}`).toBeGreaterThanOrEqual(
          STRICTNESS[there],
        )
        if (verdict.kind === there) same++
      }),
      { numRuns: 1000 },
    )
    // Most are the same: an import that denied everything would pass the rest.
    expect(same).toBeGreaterThan(700)
  })
})

describe('paths', () => {
  const name = fc.constantFrom('a', 'b', 'src', '.env', 'x.md')
  const wild = fc.oneof(name, name, fc.constantFrom('*', '*.md', 'a*', '**', '.env.?'))
  const body = fc.array(wild, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))
  const pattern = fc
    .tuple(fc.constantFrom('', './', '/', '~/', '//', '//w/'), body, fc.constantFrom('', '', '/', '/**'))
    .map(([anchor, middle, end]) => anchor + middle + end)
  const path = fc
    .tuple(
      fc.constantFrom('/w', '/h', ''),
      fc.array(fc.oneof(name, fc.constantFrom('.env.x', 'ab')), { minLength: 1, maxLength: 4 }),
    )
    .map(([folder, names]) => `${folder}/${names.join('/')}`)

  const fitsNames = (patterns: string[], names: string[], before = '*'): boolean => {
    const [first, ...rest] = patterns
    // What names a folder is about all that is in it.
    if (first === undefined) return true
    if (first === '**') {
      // The folder itself is what tools that search are given.
      if (rest.length === 0) return names.length > 0 || !/[*?]/.test(before)
      return names.some((_, index) => fitsNames(rest, names.slice(index)))
    }
    const [next, ...others] = names
    if (next === undefined) return false
    const expression = first
      .replace(/[.+^$()|]/g, '\\$&')
      .replaceAll('*', '[^/]*')
      .replaceAll('?', '[^/]')
    return new RegExp(`^${expression}$`).test(next) && fitsNames(rest, others, first)
  }

  const fits = (written: string, list: Verdict, file: string): boolean => {
    const [, anchor = '', rest = ''] = /^(\/\/|~\/|\/|\.\/|)(.*)$/.exec(written) ?? []
    const base = anchor === '//' ? '' : anchor === '~/' ? '/h' : '/w'
    if (!file.startsWith(`${base}/`)) return false
    const parts = rest
      .replace(/\/$/, '')
      .split('/')
      .filter((part, index, all) => part !== '**' || all[index - 1] !== '**')
    const isName = parts.length === 1 || (list !== 'allow' && parts.length === 2 && parts[1] === '**')
    const isDeep = isName && (anchor === '' || (anchor === './' && list !== 'allow'))
    return fitsNames(isDeep ? ['**', ...parts] : parts, file.slice(base.length + 1).split('/'))
  }

  it.each([
    ['Read', 'Read', '/file_path'],
    ['Read', 'Grep', '/path'],
    ['Edit', 'Edit', '/file_path'],
    ['Edit', 'Write', '/file_path'],
  ])('P5: by %s(…), %s is never judged more leniently than there', (rule, tool, pointer) => {
    let same = 0
    fc.assert(
      fc.property(listsOf(pattern), path, (lists, file) => {
        const { block } = importClaudePermissions(wrapped(rule, lists))
        const verdict = compilePolicy(block, PLACES).evaluate(
          { tool, arguments: { [pointer.slice(1)]: file }, cwd: '/w' },
          { paths: { [pointer]: { resolved: file, exists: true } } },
        )
        const there = decide(lists, (each, list) => fits(each, list, file))
        // Below what a wildcard at the end stands for, a person is asked where it was denied.
        const least = there === 'allow' ? 0 : 1
        expect(strictness(verdict), `${there} there, here ${verdict.because}`).toBeGreaterThanOrEqual(least)
        if (verdict.kind === there) same++
      }),
      { numRuns: 500 },
    )
    expect(same).toBeGreaterThan(300)
  })

  it('P5: a deny without a wildcard at its end is a deny', () => {
    const plain = fc.tuple(pattern, name).map(([each, last]) => `${each.replace(/\/(\*\*)?$/, '')}/${last}`)
    fc.assert(
      fc.property(plain, path, (each, file) => {
        const { block } = importClaudePermissions({ deny: [`Read(${each})`], allow: ['Read', 'Edit'] })
        const verdict = compilePolicy(block, PLACES).evaluate(
          { tool: 'Read', arguments: { file_path: file }, cwd: '/w' },
          { paths: { '/file_path': { resolved: file, exists: true } } },
        )
        if (fits(each, 'deny', file))
          expect(verdict.kind, `${each} and ${file}: ${verdict.because}`).toBe('deny')
      }),
      { numRuns: 500 },
    )
  })
})
