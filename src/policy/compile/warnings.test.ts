import { describe, expect, it } from 'vitest'
import { compilePolicy, type PolicyBlock } from '../index.ts'

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
    [{ tool: ['Read', 'Edit'], host: 'example.com' }, 'Read and Edit has no address'],
    [{ tool: 'Bash', kind: 'read' }, 'Bash is not of the kind read'],
    [{ tool: 'Bash', arguments: { '/timeout': { gt: 5, lt: 3 } } }, 'no value at /timeout'],
    [{ tool: 'Bash', arguments: { '/timeout': { gte: 5, lt: 5 } } }, 'no value at /timeout'],
  ])('rules that can never hold: %j', (when, why) => {
    expect(warnings(rule(when))).toEqual([
      `rule "r" can never hold: ${why}${why.startsWith('no value') ? ' is within these bounds' : ''}`,
    ])
  })

  it('rules that a deny leaves nothing to', () => {
    expect(warnings({ deny: ['Web*'], ...rule({ tool: 'WebFetch' }) })).toEqual([
      'rule "r" has no effect: deny: "Web*" denies all that it is about',
    ])
    expect(warnings({ deny: ['Web*'], ...rule({ tool: 'WebFetch' }, 'deny') })).toEqual([])
    expect(warnings(rule({ tool: 'Bash', arguments: { '/timeout': { gte: 5, lte: 5 } } }))).toEqual([])
  })
})
