import { describe, expect, it } from 'vitest'
import { compilePolicy, type PolicyBlock } from '../index.ts'
import type { ArgumentCondition } from '../language/language.ts'

const warnings = (block: PolicyBlock, tools = {}) =>
  compilePolicy(block, { tools }).warnings.map(({ message }) => message)
const rule = (when: object, then = 'ask') => ({ rules: [{ name: 'r', when, then }] }) as PolicyBlock

describe('warnings', () => {
  it('a policy that means what it says has none', () => {
    expect(
      warnings(
        {
          extends: 'banksman:starter',
          deny: ['Bash(rm *)', 'Read(./.env)'],
          ask: ['Bash(git push *)', 'WebFetch'],
          allow: ['Bash(git *)', 'mcp__github__*'],
          rules: [{ name: 'r', when: { tool: 'Bash', command: 'make *' }, then: 'allow' }],
        },
        { 'mcp__*': { kind: 'network' } },
      ),
    ).toEqual([])
  })

  it('names that no known tool has', () => {
    expect(warnings({ deny: ['bash', 'Read'], allow: ['deploy'] })).toEqual([
      'deny: "bash", allow: "deploy": no tool of that name is known. Tools of your own are made known under tools:',
    ])
    expect(warnings({ allow: ['deploy', 'db_*'] }, { deploy: {}, db_read: { kind: 'read' } })).toEqual([])
  })

  it('entries that a stricter one covers', () => {
    expect(warnings({ deny: ['Bash'], allow: ['Bash(ls *)'] })[0]).toBe(
      'allow: "Bash(ls *)" has no effect: deny: "Bash" is stricter and says it already',
    )
    expect(warnings({ deny: ['*'], ask: ['Re*'] })[0]).toContain('has no effect')
    expect(warnings({ deny: ['R*'], allow: ['*'] })).toEqual([])
  })

  it('a shell that is allowed as a whole', () => {
    expect(warnings({ allow: ['Bash'] })).toEqual([
      'allow: "Bash" allows every command, whatever it is; Bash(git status *) allows one',
    ])
  })

  it.each([
    ['Bash(rm -rf *)', []],
    ['Bash(git push --force *)', []],
    ['Bash(rm -rf*)', []],
    ['Bash(deploy *)', []],
    [
      'Bash(git push --force)',
      [
        'further words would still pass, as in `git push --force x`. Write `git push --force *` to match those too',
      ],
    ],
    [
      'Bash(deploy -f *)',
      [
        'another name of `-f` would still pass: the options of `deploy` are not known here. Name each spelling, or the command without its options',
      ],
    ],
    [
      'Bash(git push --zap *)',
      [
        'another name of `--zap` would still pass: no such option of `git` is known here. Name each spelling, or the command without its options',
      ],
    ],
  ])('P5: a deny or an ask that another spelling escapes: %s', (entry, escapes) => {
    const found = (list: string) => escapes.map((gap) => `${list}: ${JSON.stringify(entry)}: ${gap}`)
    expect(warnings({ deny: [entry] })).toEqual(found('deny'))
    expect(warnings({ ask: [entry] })).toEqual(found('ask'))
    expect(warnings({ allow: [entry] })).toEqual([])
    const command = entry.slice('Bash('.length, -1)
    expect(warnings(rule({ tool: 'Bash', command }, 'deny'))).toEqual(
      escapes.map((gap) => `rule "r" with ${JSON.stringify(command)}: ${gap}`),
    )
    expect(warnings(rule({ tool: 'Bash', command }, 'allow'))).toEqual([])
  })

  it.each([
    [{ tool: 'Read', command: 'ls *' }, 'Read runs no shell commands'],
    [{ tool: 'WebFetch', path: './**' }, 'WebFetch has no path'],
    [{ tool: ['Read', 'Edit'], host: 'example.com' }, 'Read, Edit has no address'],
    [{ tool: 'Bash', kind: 'read' }, 'Bash is not of the kind read'],
    [{ tool: 'Bash', arguments: { '/timeout': { gt: 5, lt: 3 } } }, 'no value at /timeout'],
    [{ tool: 'Bash', arguments: { '/timeout': { gte: 5, lt: 5 } } }, 'no value at /timeout'],
  ])('rules that can never match: %j', (when, why) => {
    expect(warnings(rule(when))).toEqual([
      `rule "r" can never match: ${why}${why.startsWith('no value') ? ' is within these bounds' : ''}`,
    ])
  })

  it('says nothing of shell commands of the kind network', () => {
    expect(warnings(rule({ tool: 'Bash', kind: 'network' }))).toEqual([])
    expect(warnings(rule({ kind: 'network', command: 'curl *' }))).toEqual([])
  })

  it('rules that a deny leaves nothing to', () => {
    expect(warnings({ deny: ['Web*'], ...rule({ tool: 'WebFetch' }) })).toEqual([
      'rule "r" has no effect: deny: "Web*" denies all that it is about',
    ])
    expect(warnings({ deny: ['Web*'], ...rule({ tool: 'WebFetch' }, 'deny') })).toEqual([])
    expect(warnings(rule({ tool: 'Bash', arguments: { '/timeout': { gte: 5, lte: 5 } } }))).toEqual([])
  })

  it.each<[why: string, block: PolicyBlock]>([
    ['deny: "db_drop" has no effect: deny: "db_*" covers it', { deny: ['db_*', 'db_drop'] }],
    [
      'rule "lax" has no effect: rule "strict" is stricter',
      {
        rules: [
          { name: 'strict', when: { tool: 'Web*' }, then: 'ask' },
          { name: 'lax', when: { tool: 'WebFetch', host: 'a.example' }, then: 'allow' },
        ],
      },
    ],
    [
      'rule "lax" has no effect: rule "strict" is stricter',
      {
        rules: [
          { name: 'lax', when: { tool: 'WebFetch', host: 'a.example' }, then: 'allow' },
          { name: 'strict', when: { tool: 'WebFetch', host: 'a.example' }, then: 'deny' },
        ],
      },
    ],
    ['no tool "Baash" is known; did you mean "Bash"?', rule({ tool: 'Baash' })],
    [
      'allowedDecisions has neither approve nor edit',
      { rules: [{ name: 'r', when: { tool: 'Read' }, then: 'ask', allowedDecisions: ['respond'] }] },
    ],
    [
      'a test is about the tool "Bsh", which is not known and which no list and no rule names; did you mean "Bash"?',
      { tests: [{ call: { tool: 'Bsh' }, verdict: 'ask' }] },
    ],
    [
      'a test names the rule "prod", which is not there; did you mean "prodd"?',
      {
        ...rule({ tool: 'Read' }),
        rules: [{ name: 'prodd', when: { tool: 'Read' }, then: 'ask' }],
        tests: [{ call: { tool: 'Read' }, verdict: 'ask', rule: 'prod' }],
      },
    ],
  ])('tells: %s', (why, block) => {
    expect(warnings(block)).toContainEqual(expect.stringContaining(why))
  })

  it('a test of a tool that a list or a rule names needs no tools:', () => {
    const tests = (tool: string) => [{ call: { tool }, verdict: 'ask' as const }]
    expect(warnings({ ...rule({ any: [{ tool: 'deploy' }] }), tests: tests('deploy') })).toEqual([])
    expect(warnings({ ask: ['send_*'], tests: tests('send_mail') })).toEqual([])
  })

  it.each([
    [{ all: [{ tool: 'Read' }, { tool: 'Write' }] }, 'no tool is named by all'],
    [{ kind: 'read', command: 'ls *' }, 'a tool of the kind read runs no shell commands'],
    [{ subAgent: false, parent: 'x' }, 'has no parent'],
    [
      { tool: 'Bash', arguments: { '/commnd': { equals: 'x' } } },
      'Bash has no argument "commnd"; did you mean /command?',
    ],
    [{ tool: 'x', arguments: { '/a': { equals: 'b', oneOf: ['c', 'd'] } } }, 'no value at /a'],
    [{ tool: 'x', arguments: { '/a': { equals: 'b', glob: 'c*' } } }, 'no value at /a'],
    [{ tool: 'x', arguments: { '/a': { exists: false, gt: 3 } } }, 'no value at /a'],
    [{ tool: 'x', arguments: { '/a': { all: [{ gt: 5 }, { lt: 4 }] } } }, 'no value at /a'],
    [
      { tool: 'x', all: [{ arguments: { '/a': { equals: 1 } } }, { arguments: { '/a': { equals: 2 } } }] },
      'no value at /a',
    ],
  ])('a rule that can never match: %j', (when, why) => {
    expect(warnings(rule(when, 'deny'))).toContainEqual(
      expect.stringMatching(new RegExp(`^rule "r" can never match: .*${why.replace(/[?/]/g, '\\$&')}`)),
    )
  })

  it.each<[condition: ArgumentCondition, why: string, then?: string]>([
    [{ equals: '1000' }, 'is a text. If the tool takes a number, write 1000 without quotes'],
    [{ oneOf: ['1', '2'] }, 'without quotes'],
    [{ equals: 'yes' }, 'is a text, not true or false'],
    [{ equals: null }, 'exists: false'],
    [{ equals: 'prod*' }, 'for a wildcard write glob: "prod*"'],
    [{ equals: '^prod' }, 'write regex: "^prod"'],
    [{ equals: 'prod ' }, 'ends with a space'],
    [{ oneOf: [1, 'a'] }, 'oneOf has values of several kinds side by side'],
    [{ oneOf: [['a', 'b']] }, 'a list in oneOf is compared as a whole'],
    [{ glob: 'prod-{a,b}' }, '* is the only wildcard'],
    [{ glob: '^prod.*$' }, 'looks like an expression'],
    [{ regex: '$a' }, 'no text matches "$a"'],
    [{ regex: '[^\\s\\S]' }, 'no text matches'],
    [{ regex: 'example.com' }, 'found anywhere', 'allow'],
    [{ regex: '^a|b$' }, 'found anywhere', 'allow'],
    [{ not: { any: [{ equals: '5' }] } }, 'is a text. If the tool takes a number'],
  ])('a condition that probably means something else: %j', (condition, why, then = 'ask') => {
    expect(warnings(rule({ tool: 'x', arguments: { '/a': condition } }, then))).toContainEqual(
      expect.stringContaining(why),
    )
  })

  it.each<[condition: ArgumentCondition, then?: string]>([
    [{ equals: 'production' }],
    [{ equals: '007' }],
    [{ equals: 5 }],
    [{ oneOf: ['a', 'b'] }],
    [{ regex: '^(?:a|b)$' }, 'allow'],
    [{ regex: '(?i)^a[|]b$' }, 'allow'],
    [{ regex: 'a' }],
    [{ gt: 3, lte: 4 }],
  ])('a condition that means what it says: %j', (condition, then = 'ask') => {
    expect(warnings(rule({ tool: 'x', arguments: { '/a': condition } }, then))).toEqual([])
  })
})
