import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BanksmanError } from '../../core/errors.ts'
import { compilePolicy, lexicalFacts, strictness } from '../index.ts'
import { importOpencodePermission } from './opencode-permission.ts'

const outside = (then: 'ask' | 'deny') => [
  { name: 'outside the workspace', when: { kind: ['read', 'edit', 'shell'], not: { path: './**' } }, then },
]
const blockOf = (value: unknown) => importOpencodePermission(value).block

describe("opencode's permission", () => {
  it.each([
    ['one action', 'allow', { allow: ['*'] }],
    ['a denial of everything', 'deny', { deny: ['*'], rules: outside('deny') }],
    [
      'a tool',
      { bash: 'ask', webfetch: 'deny' },
      { deny: ['WebFetch'], ask: ['Bash'], rules: outside('ask') },
    ],
    [
      'patterns behind the one for everything',
      { bash: { '*': 'ask', 'git status *': 'allow', 'rm *': 'deny' } },
      { deny: ['Bash(rm *)'], allow: ['Bash(git status *)'], rules: outside('ask') },
    ],
    [
      'patterns before it, which never count',
      { bash: { 'git *': 'allow', '*': 'ask' } },
      { ask: ['Bash'], rules: outside('ask') },
    ],
    [
      'exceptions of a denial',
      { bash: { '*': 'deny', 'git *': 'allow' } },
      { deny: ['Bash'], rules: outside('ask') },
    ],
    ['all tools but some', { '*': 'ask', read: 'allow' }, { allow: ['Read'], rules: outside('ask') }],
    ['an allow before the ask for all', { read: 'allow', '*': 'ask' }, { ask: ['*'], rules: outside('ask') }],
    [
      'a denial of all with exceptions',
      { '*': 'deny', read: 'allow' },
      { deny: ['*'], rules: outside('deny') },
    ],
    ['tools of MCP servers', { 'db_*': 'deny' }, { deny: ['opencode__db_*'], rules: outside('ask') }],
    [
      'names with a wildcard',
      { 'web*': 'deny' },
      { deny: ['opencode__web*', 'WebFetch', 'WebSearch', 'opencode__websearch'], rules: outside('ask') },
    ],
    [
      'folders outside',
      { read: 'allow', external_directory: 'deny' },
      { allow: ['Read'], rules: outside('deny') },
    ],
    ['folders outside that are allowed', { read: 'allow', external_directory: 'allow' }, { allow: ['Read'] }],
  ])('reads %s', (_, value, block) => {
    expect(blockOf(value)).toEqual(block)
    expect(() => compilePolicy(blockOf(value), { roots: ['/w'] })).not.toThrow()
  })

  it('widens patterns of files that stop, and leaves out those that allow', () => {
    const { block, notes } = importOpencodePermission({
      edit: { 'src/*': 'allow', '*.env': 'deny' },
      read: { '*.md': 'allow' },
    })
    expect(block.deny).toContain('Edit')
    expect(block.allow).toBeUndefined()
    expect(notes.map(({ effect }) => effect)).toEqual(expect.arrayContaining(['dropped', 'stricter']))
  })

  it.each([[3], [null], [['allow']], ['never'], [{ bash: 'never' }], [{ bash: { '*': 1 } }]])(
    'refuses %j',
    (value) => {
      expect(() => importOpencodePermission(value)).toThrow(BanksmanError)
    },
  )

  it('never lets through what opencode would have stopped', () => {
    const action = fc.constantFrom('allow', 'ask', 'deny')
    const pattern = fc.constantFrom('*', 'git *', 'git push *', 'ls', 'rm *', 'gi? x', 'git push')
    const value = fc.oneof(
      action,
      fc.array(fc.tuple(pattern, action), { maxLength: 4 }).map((all) => Object.fromEntries(all)),
    )
    const fields = fc.array(fc.tuple(fc.constantFrom('*', 'bash', 'read'), value), {
      minLength: 1,
      maxLength: 3,
    })
    const words = fc.constantFrom('git push x', 'git push', 'git status', 'ls', 'rm x', 'gi1 x')
    const fits = (one: string, text: string) =>
      new RegExp(
        `^${one
          .replace(/[.+^${}()|[\]\\]/g, '\\$&')
          .replaceAll('*', '.*')
          .replaceAll('?', '.')}$`,
        's',
      ).test(text) ||
      (one.endsWith(' *') && text === one.slice(0, -2))
    fc.assert(
      fc.property(fields, words, (all, command) => {
        const permission = Object.fromEntries(
          all.map(([name, one]) => [name, name === '*' && typeof one !== 'string' ? 'ask' : one]),
        )
        let found = 'allow'
        for (const [name, one] of Object.entries(permission)) {
          if (name !== '*' && name !== 'bash') continue
          if (typeof one === 'string') found = one
          else for (const [each, then] of Object.entries(one)) if (fits(each, command)) found = then
        }
        const policy = compilePolicy(blockOf(permission), { roots: ['/w'] })
        const call = { tool: 'Bash', arguments: { command }, cwd: '/w' }
        const verdict = policy.evaluate(call, lexicalFacts(policy, call))
        expect(strictness(verdict), JSON.stringify([permission, command])).toBeGreaterThanOrEqual(
          { allow: 0, ask: 1, deny: 2 }[found] ?? 0,
        )
      }),
    )
  })
})
