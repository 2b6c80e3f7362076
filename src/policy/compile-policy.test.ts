import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../test/fixtures/property-runs.ts'
import { prepareCall } from '../core/call.ts'
import { sayInEnglish } from '../core/reasons/english.ts'
import type { Verdict } from '../core/verdict.ts'
import { compilePolicy } from './compile-policy.ts'
import { strictness } from './judge/strictest.ts'
import type { JudgedCall } from './policy.ts'

const HOUSE = {
  files: ['/srv/app/banksman.yaml'],
  folders: ['/srv/app/.banksman'],
  addresses: ['127.0.0.1:4790'],
  program: 'banksman',
}

describe('compilePolicy: verdicts', () => {
  it('goes from strict to lax: deny, ask, allow, mode', () => {
    const policy = { deny: ['*_delete'], ask: ['send_*', '*_all'], allow: ['read_*', '*'] }
    expect(judge(policy, 'send_delete').kind).toBe('deny')
    expect(judge(policy, 'read_delete').kind).toBe('deny')
    expect(judge(policy, 'read_all').kind).toBe('ask')
    expect(judge(policy, 'read_one').kind).toBe('allow')
    expect(judge(policy, 'other').kind).toBe('allow')
  })

  it('P5: without a match the mode decides, and only bypass allows', () => {
    expect(judge({}, 'x')).toMatchObject({ kind: 'ask', rule: 'mode: default' })
    expect(judge({ mode: 'default' }, 'x')).toMatchObject({ kind: 'ask', rule: 'mode: default' })
    expect(judge({ mode: 'dontAsk' }, 'x')).toMatchObject({ kind: 'deny', rule: 'mode: dontAsk' })
    expect(judge({ mode: 'bypass' }, 'x')).toMatchObject({ kind: 'allow', rule: 'mode: bypass' })
  })

  it('ask wins over allow and over every mode', () => {
    for (const mode of ['default', 'dontAsk', 'bypass']) {
      expect(judge({ mode, ask: ['pay'], allow: ['pay', '*'] }, 'pay').kind).toBe('ask')
    }
  })

  it("takes the session's mode in place of the policy's", () => {
    const policy = compilePolicy({ mode: 'dontAsk', ask: ['pay'] })
    const call = callOf('x')
    expect(policy.evaluate(call, undefined, { mode: 'bypass' }).kind).toBe('allow')
    expect(policy.evaluate(call, {}, { mode: 'default' }).kind).toBe('ask')
    expect(policy.evaluate(call, {}, { mode: undefined }).kind).toBe('deny')
    expect(policy.evaluate(callOf('pay'), {}, { mode: 'bypass' }).kind).toBe('ask')
  })

  it('P5: a mode of the session that is not known denies', () => {
    const policy = compilePolicy({ mode: 'bypass' })
    for (const mode of ['', 'Bypass', 'bypassPermissions', 'Plan', 'toString', '__proto__']) {
      expect(policy.evaluate(callOf('x'), {}, { mode })).toMatchObject({
        kind: 'deny',
        rule: 'mode: unknown',
      })
    }
  })

  it('P5: a name with a control character or a line separator is denied before any list', () => {
    for (const character of [
      '\0',
      '\n',
      '\r',
      '\t',
      '\u001b',
      '\u007f',
      '\u0085',
      '\u009f',
      '\u2028',
      '\u2029',
    ]) {
      for (const name of [`a${character}b`, character, `read${character}`]) {
        expect(judge({ mode: 'bypass', allow: ['*'] }, name)).toMatchObject({
          kind: 'deny',
          rule: 'built-in: unreadable name',
        })
      }
    }
  })

  it('says which list and pattern, or which mode', () => {
    expect(judge({ deny: ['*_delete'] }, 'db_delete')).toEqual({
      kind: 'deny',
      because: 'Denied: `db_delete` is on the deny list.',
      reason: { code: 'deny.listed', values: { what: 'db_delete' } },
      rule: 'deny: "*_delete"',
    })
    expect(judge({ allow: ['read_*'] }, 'read_file')).toEqual({
      kind: 'allow',
      because: 'Allowed: `read_file` is on the allow list.',
      reason: { code: 'allow.listed', values: { what: 'read_file' } },
      rule: 'allow: "read_*"',
    })
    expect(judge({ mode: 'dontAsk' }, 'x').rule).toBe('mode: dontAsk')
    expect(judge({ deny: ['a', '*'] }, 'a').rule).toBe('deny: "a"')
  })

  it('asks on the terms of every pattern that matches', () => {
    expect(judge({ ask: ['pay_*', 'other', '*_now', 'pay_bill_now'] }, 'pay_bill_now')).toEqual({
      kind: 'ask',
      because: 'Needs approval: `pay_bill_now` is on the ask list.',
      reason: { code: 'ask.listed', values: { what: 'pay_bill_now' } },
      rule: 'ask: "pay_bill_now"',
      terms: {
        conditions: [
          { rule: 'ask: "pay_bill_now"', quorum: 1 },
          { rule: 'ask: "pay_*"', quorum: 1 },
          { rule: 'ask: "*_now"', quorum: 1 },
        ],
        allowedDecisions: ['approve', 'edit', 'reject', 'respond', 'terminate'],
        scopes: ['once', 'session', 'always'],
        severity: 'normal',
      },
    })
    expect(judge({}, 'x')).toMatchObject({ terms: { conditions: [{ rule: 'mode: default', quorum: 1 }] } })
  })

  it('what it gives out can be changed without changing the next verdict', () => {
    const policy = compilePolicy({ ask: ['x'] })
    const first = policy.evaluate(callOf('x'))
    const before = structuredClone(first)
    if (first.kind === 'ask') {
      first.terms.conditions.length = 0
      first.terms.allowedDecisions.push('answer')
    }
    expect(policy.evaluate(callOf('x'))).toEqual(before)
  })

  it('P5: puts the name into the reason literally, and gives that reason only where a person is asked', () => {
    const reason = '{tool} needs a person; {tool}, not {Tool} or {args}'
    const name = "a$&b$$c$`d$'e{tool}"
    const said = `${name} needs a person; ${name}, not {Tool} or {args}`
    expect(judge({ ask: ['*'], reason }, name).because).toBe(said)
    expect(judge({ deny: ['*'], reason }, name).because).toBe(
      `Denied: \`\` ${name} \`\` is on the deny list.`,
    )
    expect(judge({ reason }, name).because).toBe(said)
    expect(judge({ mode: 'dontAsk', reason }, name).because).not.toContain('needs a person')
    expect(judge({ allow: ['*'], reason }, name).because).not.toContain('needs a person')
    expect(judge({ mode: 'bypass', reason }, name).because).not.toContain('needs a person')
  })

  it('judges a prepared call', () => {
    const call = prepareCall({ tool: 'read_file', arguments: { path: 'x' }, callId: 'c', session: 's' })
    expect(compilePolicy({ allow: ['read_*'] }).evaluate(call).kind).toBe('allow')
  })

  it('P11: no list and no mode lifts the built-in denies', () => {
    const call = { tool: 'write', arguments: { path: '/srv/app/banksman.yaml' } }
    for (const block of [
      { allow: ['*'] },
      { mode: 'bypass' },
      { ask: ['*'] },
      { mode: 'bypass', allow: ['write'] },
    ]) {
      const policy = compilePolicy(block, { ownHouse: HOUSE })
      expect(policy.evaluate(call, {}, { mode: 'bypass' })).toMatchObject({
        kind: 'deny',
        rule: 'built-in: own files',
      })
    }
  })
})

describe('compilePolicy: the block', () => {
  it('has a version that changes with the block and not with the order of its keys', () => {
    const version = (block: unknown) => compilePolicy(block).version
    expect(version({ deny: ['a'], ask: ['b'] })).toBe(version({ ask: ['b'], deny: ['a'] }))
    expect(version({ deny: ['a'] })).toMatch(/^[0-9a-f]{64}$/)
    const blocks = [{}, { deny: ['a'] }, { deny: ['b'] }, { ask: ['a'] }, { mode: 'bypass' }, { reason: 'a' }]
    expect(new Set(blocks.map(version)).size).toBe(blocks.length)
  })

  it('does not change when the block is changed afterwards', () => {
    const block = { deny: ['rm'], allow: ['*'] }
    const policy = compilePolicy(block)
    block.deny.length = 0
    expect(policy.evaluate(callOf('rm')).kind).toBe('deny')
  })

  it('warns of what is probably not meant', () => {
    const { warnings } = compilePolicy({
      mode: 'bypass',
      deny: ['a', 'a'],
      ask: ['read_?', 'a'],
      allow: ['x,y', ' b', 'read_?'],
    })
    expect(warnings.map(({ message }) => message)).toEqual([
      'deny: "a" is there twice',
      'ask: "read_?": "?" means itself; * is the only wildcard, and each pattern is an entry of its own',
      'ask: "a" has no effect: deny: "a" is stricter and says it already',
      'allow: "x,y": "," means itself; * is the only wildcard, and each pattern is an entry of its own',
      'allow: " b" begins or ends with a space, which is part of the name',
      'allow: "read_?": "?" means itself; * is the only wildcard, and each pattern is an entry of its own',
      'allow: "read_?" has no effect: ask: "read_?" is stricter and says it already',
      expect.stringMatching(/^deny: "a", .*: no tool of that name is known/),
      'mode: bypass allows every tool that no list names, also one that is added later',
    ])
    expect(compilePolicy({ deny: ['R*'], ask: ['Edit'], allow: ['LS'] }).warnings).toEqual([])
  })
})

describe('compilePolicy: properties', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '_', ':'), maxLength: 5 })
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '_', '*'), minLength: 1, maxLength: 4 })
  const list = fc.array(pattern, { maxLength: 4 })
  const mode = fc.constantFrom('default', 'dontAsk', 'bypass')
  const block = fc.record({ mode, deny: list, ask: list, allow: list })

  it('property: P5: adding to deny or ask never makes a verdict laxer, and taking from allow neither', () => {
    fc.assert(
      fc.property(block, pattern, name, (policy, added, tool) => {
        const before = strictness(judge(policy, tool))
        expect(strictness(judge({ ...policy, deny: [...policy.deny, added] }, tool))).toBeGreaterThanOrEqual(
          before,
        )
        expect(strictness(judge({ ...policy, ask: [...policy.ask, added] }, tool))).toBeGreaterThanOrEqual(
          before,
        )
        expect(strictness(judge({ ...policy, allow: policy.allow.slice(1) }, tool))).toBeGreaterThanOrEqual(
          policy.mode === 'bypass' ? 0 : before,
        )
      }),
      { numRuns: runs(300) },
    )
  })

  it('property: the order in a list changes no verdict, and neither does an entry said twice', () => {
    const reversed = (policy: { mode: string; deny: string[]; ask: string[]; allow: string[] }) => ({
      mode: policy.mode,
      deny: [...policy.deny, ...policy.deny].reverse(),
      ask: [...policy.ask, ...policy.ask].reverse(),
      allow: [...policy.allow, ...policy.allow].reverse(),
    })
    const rules = (verdict: Verdict) =>
      verdict.kind === 'ask'
        ? new Set(verdict.terms.conditions.map((condition) => condition.rule))
        : verdict.kind
    fc.assert(
      fc.property(block, name, (policy, tool) => {
        expect(rules(judge(reversed(policy), tool))).toEqual(rules(judge(policy, tool)))
      }),
    )
  })

  it('property: agrees with the order written out plainly, and always says why', () => {
    const matches = (patterns: string[], tool: string) =>
      patterns.some((one) => new RegExp(`^${one.replaceAll('*', '[^]*')}$`).test(tool))
    fc.assert(
      fc.property(block, name, (policy, tool) => {
        const verdict = judge(policy, tool)
        const expected = matches(policy.deny, tool)
          ? 'deny'
          : !matches(policy.allow, tool) && policy.mode === 'dontAsk'
            ? 'deny'
            : matches(policy.ask, tool)
              ? 'ask'
              : matches(policy.allow, tool) || policy.mode === 'bypass'
                ? 'allow'
                : 'ask'
        expect(verdict.kind).toBe(expected)
        expect(verdict.because).toBe(sayInEnglish(verdict.reason!))
        if (verdict.kind === 'ask') expect(verdict.terms.conditions.length).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    )
  })

  it('property: P5: nothing makes evaluate throw, and what is no call is never allowed', () => {
    const policies = [
      compilePolicy({ mode: 'bypass', allow: ['*'] }, { ownHouse: HOUSE }),
      compilePolicy({ mode: 'bypass' }),
      compilePolicy({}, { ownHouse: HOUSE }),
    ]
    const words = fc.constantFrom(
      '.banksman',
      'banksman',
      ':4790',
      '%',
      '\\',
      '/',
      '*',
      'cd ',
      '..',
      '$',
      '~',
      '[',
      '\ud800',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(words).map((parts) => parts.join('')),
    )
    const call = fc.oneof(
      fc.anything(),
      fc.record({
        tool: fc.oneof(text, fc.anything()),
        arguments: fc.anything(),
        cwd: fc.oneof(text, fc.anything()),
      }),
      fc.record({ tool: text, arguments: fc.dictionary(text, fc.oneof(text, fc.array(text))), cwd: text }),
    )
    const facts = fc.oneof(
      fc.constant(undefined),
      fc.anything(),
      fc.record({ paths: fc.dictionary(text, fc.anything()) }),
    )
    fc.assert(
      fc.property(call, facts, fc.anything(), (value, looked, context) => {
        for (const policy of policies) {
          const verdict = policy.evaluate(value as JudgedCall, looked as never, context as never)
          expect(['allow', 'ask', 'deny']).toContain(verdict.kind)
          expect(verdict.because).not.toBe('')
          const tool = (value as { tool?: unknown } | null | undefined)?.tool
          if (typeof tool !== 'string') expect(verdict.kind).toBe('deny')
        }
      }),
      { numRuns: runs(500) },
    )
  })

  it('P5: a call that throws when it is read, or goes in circles, is denied', () => {
    const policy = compilePolicy({ mode: 'bypass', allow: ['*'] }, { ownHouse: HOUSE })
    const circle: Record<string, unknown> = { name: 'banksman *' }
    circle.self = circle
    let bomb: unknown = 'x'
    for (let level = 0; level < 60; level++) bomb = [bomb, bomb]
    const calls: unknown[] = [
      Object.defineProperty({}, 'tool', { get: () => raise() }),
      { tool: 'x', arguments: Object.defineProperty({}, 'a', { enumerable: true, get: () => raise() }) },
      { tool: 'x', arguments: circle },
      { tool: 'x', arguments: { bomb } },
      { tool: 'x', arguments: {}, cwd: 5 },
    ]
    for (const call of calls) expect(policy.evaluate(call as JudgedCall).kind).toBe('deny')
  })
})

function raise(): never {
  throw new Error('no')
}

function callOf(tool: string): JudgedCall {
  return { tool, arguments: {} }
}

function judge(block: unknown, tool: string): Verdict {
  return compilePolicy(block).evaluate(callOf(tool))
}
