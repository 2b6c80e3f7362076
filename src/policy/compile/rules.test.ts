import { describe, expect, it } from 'vitest'
import type { AskVerdict } from '../../core/verdict.ts'
import { compilePolicy, lexicalFacts, type PolicyBlock } from '../index.ts'
import type { RuleBlock, WhenBlock } from '../language/language.ts'
import type { JudgedCall } from '../policy.ts'

const rule = (when: WhenBlock, then: RuleBlock['then'], more: Partial<RuleBlock> = {}): RuleBlock => ({
  name: 'the rule',
  when,
  then,
  ...more,
})

function verdict(block: PolicyBlock, call: Partial<JudgedCall> & { tool: string }, at?: number) {
  const policy = compilePolicy(block, { roots: ['/space'], home: '/home/ana' })
  const full = { arguments: {}, cwd: '/space', ...call }
  return policy.evaluate(full, lexicalFacts(policy, full, { at, home: '/home/ana' }))
}
const holds = (when: WhenBlock, call: Partial<JudgedCall> & { tool: string }, at?: number) =>
  verdict({ mode: 'bypass', rules: [rule(when, 'deny')] }, call, at).kind === 'deny'

describe('when', () => {
  it('matches tools, kinds, arguments, sessions, agents with their parents, origins and folders', () => {
    const call = { tool: 'deploy', arguments: { env: { name: 'production' }, amount: 200, tags: ['a'] } }
    expect(holds({ tool: 'dep*' }, call)).toBe(true)
    expect(holds({ tool: ['x', 'deploy'] }, call)).toBe(true)
    expect(holds({ tool: 'x' }, call)).toBe(false)
    expect(holds({ arguments: { '/env/name': { equals: 'production' } } }, call)).toBe(true)
    expect(holds({ arguments: { '/env': { equals: { name: 'production' } } } }, call)).toBe(true)
    expect(holds({ arguments: { '/tags/0': { oneOf: ['a', 'b'] } } }, call)).toBe(true)
    expect(
      holds({ arguments: { '/env/name': { glob: 'prod*' }, '/amount': { gt: 100, lte: 200 } } }, call),
    ).toBe(true)
    expect(holds({ arguments: { '/env/name': { regex: '^prod' } } }, call)).toBe(true)
    expect(holds({ arguments: { '/amount': { lt: 100 } } }, call)).toBe(false)
    expect(holds({ arguments: { '/missing': { exists: false } } }, call)).toBe(true)
    expect(holds({ arguments: { '/constructor': { exists: true } } }, call)).toBe(false)
    expect(holds({ kind: 'shell' }, { tool: 'Bash', arguments: { command: 'ls' } })).toBe(true)
    expect(holds({ kind: ['read', 'edit'] }, { tool: 'Bash' })).toBe(false)
    expect(holds({ session: 'ci-*' }, { tool: 'x', session: 'ci-7' })).toBe(true)
    expect(holds({ session: '*' }, { tool: 'x' })).toBe(false)
    expect(holds({ agent: 'helper' }, { tool: 'x', agent: { name: 'helper' } })).toBe(true)
    expect(holds({ parent: 'main' }, { tool: 'x', agent: { name: 'c', parents: ['main', 'b'] } })).toBe(true)
    expect(holds({ subAgent: true }, { tool: 'x', agent: { name: 'c', parents: ['main'] } })).toBe(true)
    expect(holds({ subAgent: true }, { tool: 'x', agent: { name: 'c' } })).toBe(false)
    expect(holds({ origin: 'feishu' }, { tool: 'x', origin: { channel: 'feishu' } })).toBe(true)
    expect(holds({ cwd: './sub' }, { tool: 'x', cwd: '/space/sub/deep' })).toBe(true)
    expect(holds({ cwd: './sub' }, { tool: 'x', cwd: '/space' })).toBe(false)
    expect(holds({ not: { tool: 'x' } }, call)).toBe(true)
    expect(holds({ all: [{ tool: 'deploy' }, { not: { session: '*' } }] }, call)).toBe(true)
    expect(holds({ any: [{ tool: 'x' }, { tool: 'y' }] }, call)).toBe(false)
  })

  it('matches times of day in a zone', () => {
    const when: WhenBlock = { time: { from: '09:00', to: '17:00', days: ['mon'], zone: 'Europe/Berlin' } }
    // A Monday in winter: Berlin is an hour ahead.
    expect(holds(when, { tool: 'x' }, Date.UTC(2026, 0, 5, 8, 30))).toBe(true)
    expect(holds(when, { tool: 'x' }, Date.UTC(2026, 0, 5, 7, 30))).toBe(false)
    expect(holds(when, { tool: 'x' }, Date.UTC(2026, 0, 6, 8, 30))).toBe(false)
  })

  it('matches commands, paths and hosts of a shell line', () => {
    const bash = (command: string) => ({ tool: 'Bash', arguments: { command } })
    expect(holds({ command: ['git push *', 'rm *'] }, bash('ls; git push origin'))).toBe(true)
    expect(holds({ path: '~/.ssh/**' }, bash('ls ~/.ssh'))).toBe(true)
    expect(holds({ path: './**' }, bash('cat /etc/passwd'))).toBe(false)
    expect(holds({ host: '*.example.com' }, bash('curl https://a.example.com/x'))).toBe(true)
    expect(holds({ not: { path: './**' } }, bash('cat a /etc/passwd'))).toBe(true)
    expect(holds({ command: 'cat *', path: '/etc/**' }, bash('ls /etc; cat a'))).toBe(false)
  })

  it('P5: an allow needs every path of a command, and what is not known does not count', () => {
    const block: PolicyBlock = { rules: [rule({ tool: 'Bash', command: 'cat *', path: './**' }, 'allow')] }
    const bash = (command: string) => verdict(block, { tool: 'Bash', arguments: { command } }).kind
    expect(bash('cat a b/c')).toBe('allow')
    expect(bash('cat a /etc/passwd')).toBe('ask')
    expect(bash('cat a $X')).toBe('ask')
    expect(bash('cat a; ls')).toBe('ask')
  })

  it('P5: a comparison that can not be made never allows, and has a person asked where it would deny', () => {
    const when: WhenBlock = { tool: 'pay', arguments: { '/amount': { lte: 100 } } }
    const pay = (amount: unknown) => ({ tool: 'pay', arguments: { amount: amount as string } })
    const allowing: PolicyBlock = { mode: 'dontAsk', rules: [rule(when, 'allow')] }
    expect(verdict(allowing, pay(7)).kind).toBe('allow')
    for (const amount of ['7', '200', [7], { n: 7 }, null, true]) {
      expect(verdict(allowing, pay(amount)).kind, JSON.stringify(amount)).toBe('deny')
      const denying: PolicyBlock = { mode: 'bypass', rules: [rule(when, 'deny')] }
      expect(verdict(denying, pay(amount)).kind, JSON.stringify(amount)).toBe('ask')
    }
    const timed: PolicyBlock = {
      mode: 'dontAsk',
      rules: [rule({ time: { from: '00:00', to: '23:59' } }, 'allow')],
    }
    expect(verdict(timed, { tool: 'x' }).kind).toBe('deny')
  })
})

describe('then', () => {
  it('all rules that ask hold together', () => {
    const block: PolicyBlock = {
      ask: ['deploy'],
      rules: [
        rule({ tool: 'deploy' }, 'ask', {
          name: 'two of sre',
          approvers: ['group:sre'],
          quorum: 2,
          expiresIn: '1h',
          allowedDecisions: ['approve', 'edit'],
          scopes: ['session'],
          severity: 'high',
          reason: '{tool} changes what customers see',
        }),
        rule({ tool: '*' }, 'ask', {
          name: 'ana',
          approvers: ['ana'],
          expiresIn: '15m',
          allowedDecisions: ['approve', 'respond'],
          widestGrant: 'shape',
        }),
      ],
    }
    expect(verdict(block, { tool: 'deploy' })).toEqual({
      kind: 'ask',
      because: 'deploy changes what customers see',
      reason: { code: 'ask.written', values: { words: 'deploy changes what customers see' } },
      rule: 'ask: "deploy"',
      terms: {
        conditions: [
          { rule: 'ask: "deploy"', quorum: 1 },
          { rule: 'ana', approvers: ['ana'], quorum: 1 },
          { rule: 'two of sre', approvers: ['group:sre'], quorum: 2 },
        ],
        allowedDecisions: ['approve', 'reject', 'terminate'],
        scopes: ['once', 'session'],
        severity: 'high',
        risk: { code: 'risk.rule', values: { rule: 'two of sre' } },
        expiresInMs: 900_000,
        widestGrant: 'shape',
      },
    } satisfies AskVerdict)
  })

  it('a deny says its reason, and the danger of a tool is the severity of asking about it', () => {
    const denied = verdict({ rules: [rule({ tool: 'x' }, 'deny', { reason: 'use y' })] }, { tool: 'x' })
    expect(denied).toEqual({
      kind: 'deny',
      because: 'Denied: use y',
      reason: { code: 'deny.written', values: { words: 'use y' } },
      rule: 'the rule',
    })
    const policy = compilePolicy({}, { tools: { 'db_*': { danger: 'critical' } } })
    const asked = policy.evaluate({ tool: 'db_drop', arguments: {} }) as AskVerdict
    expect(asked.terms.severity).toBe('critical')
  })
})

describe('tests of a policy', () => {
  it('are refused where the tools are not understood', () => {
    const wrong = (tools: unknown, why: string) =>
      expect(() => compilePolicy({}, { tools }), JSON.stringify(tools)).toThrow(why)
    wrong([], 'must be an object')
    wrong({ x: { knd: 'read' } }, 'did you mean "kind"')
    wrong({ x: { kind: 'write' } }, 'allowed are read, edit, shell, network')
    wrong({ x: { kind: 'edit' } }, 'needs path')
    wrong({ x: { kind: 'read', path: 'file' } }, 'write /file')
    wrong({ x: { command: '/c' } }, 'add kind: shell')
    wrong({ x: { danger: 'hihg' } }, 'did you mean "high"')
  })
})

describe('conditions on arguments that are paths', () => {
  it('are looked up whatever the tool is', () => {
    const block: PolicyBlock = {
      mode: 'dontAsk',
      rules: [rule({ tool: 'upload', arguments: { '/file': { path: './out/**' } } }, 'allow')],
    }
    const upload = (file: string) => verdict(block, { tool: 'upload', arguments: { file } }).kind
    expect(upload('out/a')).toBe('allow')
    expect(upload('out/../.env')).toBe('deny')
    expect(
      compilePolicy(block, { roots: ['/space'] }).evaluate({ tool: 'upload', arguments: { file: 'out/a' } })
        .kind,
    ).toBe('deny')
  })
})
