import { describe, expect, it } from 'vitest'
import { BanksmanError } from '../../core/errors.ts'
import { compilePolicy } from '../compile-policy.ts'

describe('the policy block', () => {
  it('P5: refuses whatever it does not understand, and names it, what is allowed and what was probably meant', () => {
    const cases: [block: unknown, pointer: string, why: string][] = [
      [
        undefined,
        '',
        'must be an object with extends, mode, deny, ask, allow, rules, reason, tests; found nothing',
      ],
      [null, '', 'found nothing'],
      [[], '', 'found a list'],
      ['bypass', '', 'found a string'],
      [
        { denny: [] },
        '/denny',
        'unknown key "denny" in the policy; allowed are extends, mode, deny, ask, allow, rules, reason, tests; did you mean "deny"?',
      ],
      [{ alow: [] }, '/alow', 'did you mean "allow"?'],
      [{ Allow: [] }, '/Allow', 'did you mean "allow"?'],
      [{ resaon: '' }, '/resaon', 'did you mean "reason"?'],
      [{ rulez: [] }, '/rulez', 'did you mean "rules"?'],
      [{ 'a/b': 1 }, '/a~1b', 'unknown key "a/b"'],
      [JSON.parse('{"__proto__":{"allow":["*"]}}'), '/__proto__', 'unknown key "__proto__"'],
      [
        { mode: 'bypas' },
        '/mode',
        'unknown mode "bypas" in the policy; allowed are default, acceptEdits, plan, dontAsk, bypass; did you mean "bypass"?',
      ],
      [{ mode: 'dontask' }, '/mode', 'did you mean "dontAsk"?'],
      [{ mode: '' }, '/mode', 'unknown mode ""'],
      [{ mode: 'constructor' }, '/mode', 'unknown mode "constructor"'],
      [
        { mode: null },
        '/mode',
        'mode must be one of default, acceptEdits, plan, dontAsk, bypass; found nothing',
      ],
      [{ mode: ['bypass'] }, '/mode', 'found a list'],
      [{ deny: 'rm' }, '/deny', 'deny must be a list of tool names, [] for none; found a string'],
      [{ deny: null }, '/deny', 'found nothing'],
      [{ deny: '' }, '/deny', 'found a string'],
      [{ ask: { 0: 'x' } }, '/ask', 'found an object'],
      [{ allow: ['a', 5] }, '/allow/1', "allow[1] must be a tool's name"],
      [{ allow: [['a']] }, '/allow/0', 'found a list'],
      [{ deny: new Array(1) }, '/deny/0', 'found nothing'],
      [{ deny: [''] }, '/deny/0', 'deny[0] is empty'],
      [{ deny: ['a\ud800'] }, '/deny/0', 'lone surrogate'],
      [{ deny: ['x'.repeat(1001)] }, '/deny/0', 'the limit is 1000'],
      [{ reason: 5 }, '/reason', 'reason must be a text'],
      [{ reason: ' ' }, '/reason', 'reason is empty'],
      [{ reason: 'x'.repeat(1001) }, '/reason', 'the limit is 1000'],
      [{ reason: '\udc00' }, '/reason', 'lone surrogate'],
    ]
    for (const [block, pointer, why] of cases) {
      const error = errorOf(() => compilePolicy(block))
      expect({ block, code: error.code, pointer: error.details.pointer }).toEqual({
        block,
        code: 'invalid_policy',
        pointer,
      })
      expect(error.message).toContain(why)
    }
  })

  it('P5: refuses rules and tests that are not understood in full', () => {
    const rule = { name: 'a', when: { tool: 'x' }, then: 'ask' }
    const rules: [rule: object, pointer: string, why: string][] = [
      [{ ...rule, name: '' }, '/name', 'is empty'],
      [{ ...rule, name: 'deny: "x"' }, '/name', 'names that begin so'],
      [{ name: 'a', then: 'ask' }, '', 'has no when'],
      [{ ...rule, when: {} }, '/when', 'when is empty'],
      [{ ...rule, when: { tol: 'x' } }, '/when/tol', 'did you mean "tool"?'],
      [{ ...rule, when: { any: [{ tool: 'x' }, { tols: 'x' }] } }, '/when/any/1/tols', 'unknown key'],
      [{ ...rule, when: { arguments: { amount: { gt: 1 } } } }, '/when/arguments/amount', 'write /amount'],
      [
        { ...rule, when: { arguments: { '/a': { greater: 1 } } } },
        '/when/arguments/~1a/greater',
        'unknown key',
      ],
      [{ ...rule, when: { arguments: { '/a': { regex: '(a' } } } }, '/when/arguments/~1a/regex', ''],
      [{ ...rule, when: { time: { from: '25:00' } } }, '/when/time/from', ''],
      [{ ...rule, when: { kind: 'reader' } }, '/when/kind', 'allowed are read, edit, shell, network'],
      [{ ...rule, then: 'alow' }, '/then', 'did you mean "allow"?'],
      [{ ...rule, then: 'deny', quorum: 2 }, '/quorum', 'belongs to rules that ask'],
      [{ ...rule, quorum: 0 }, '/quorum', 'from 1 to 100'],
      [{ ...rule, chat: 'ops' }, '/chat', 'as in telegram:-1001234567890'],
      [{ ...rule, chat: 'telegram:a b' }, '/chat', 'the id of a chat'],
      [{ ...rule, approvers: [] }, '/approvers', 'nobody could approve'],
      [{ ...rule, approvers: ['a b'] }, '/approvers/0', 'group:sre'],
      [{ ...rule, expiresIn: '15 minutes' }, '/expiresIn', 'as in 15m'],
      [{ ...rule, expiresIn: '400d' }, '/expiresIn', 'at most 365d'],
      [{ ...rule, allowedDecisions: ['approved'] }, '/allowedDecisions/0', 'did you mean "approve"?'],
      [{ ...rule, scopes: ['forever'] }, '/scopes/0', 'allowed are once, session, always'],
      [{ ...rule, severity: 'hihg' }, '/severity', 'did you mean "high"?'],
      [{ ...rule, widestGrant: 'all' }, '/widestGrant', 'call, shape, argument, tool'],
    ]
    for (const [block, pointer, why] of rules) {
      const error = errorOf(() => compilePolicy({ rules: [block] }))
      expect({ block, code: error.code, pointer: error.details.pointer }).toEqual({
        block,
        code: 'invalid_policy',
        pointer: `/rules/0${pointer}`,
      })
      expect(error.message).toContain(why)
    }
    expect(errorOf(() => compilePolicy({ rules: [rule, rule] })).details.pointer).toBe('/rules/1/name')
    const test = { call: { tool: 'x' }, verdict: 'ask' }
    expect(errorOf(() => compilePolicy({ tests: [{ ...test, verdict: 'asks' }] })).message).toContain('"ask"')
    expect(errorOf(() => compilePolicy({ tests: [{ ...test, at: 'noon' }] })).details.pointer).toBe(
      '/tests/0/at',
    )
    expect(errorOf(() => compilePolicy({ extends: 'starter' })).message).toContain('banksman:starter')
  })

  it('P5: a specifier that names no known tool is refused where one was probably meant, and warned of elsewhere', () => {
    for (const key of ['deny', 'ask', 'allow']) {
      const error = errorOf(() => compilePolicy({ [key]: ['fine', 'Bsh(rm *)'] }))
      expect({ code: error.code, ...error.details }).toMatchObject({
        code: 'invalid_policy',
        pointer: `/${key}/1`,
        suggestion: 'Bash',
      })
      expect(errorOf(() => compilePolicy({ [key]: ['Bash()'] })).message).toContain('says nothing')
      for (const dead of ['Bash(ls', 'Bash(rm *); x', 'Bash(cat * | tee *)', 'Bash(a && b)', 'Bash(a > b)']) {
        const refused = errorOf(() => compilePolicy({ [key]: [dead] }))
        expect({ dead, code: refused.code }).toEqual({ dead, code: 'invalid_policy' })
      }
    }
    const policy = compilePolicy({ deny: ['frobnicate(x)'], mode: 'bypass' })
    expect(policy.warnings[0]?.message).toContain('no tool "frobnicate" is known')
    expect(policy.evaluate({ tool: 'frobnicate(x)', arguments: {} }).kind).toBe('deny')
    const unkinded = errorOf(() =>
      compilePolicy({ deny: ['pay(x)'] }, { tools: { pay: { danger: 'high' } } }),
    )
    expect(unkinded.message).toContain('give it a kind')
  })

  it('P5: refuses a block that is no plain JSON', () => {
    expect(errorOf(() => compilePolicy(new (class Block {})())).code).toBe('invalid_policy')
  })
})

function errorOf(act: () => unknown): BanksmanError {
  try {
    act()
  } catch (error) {
    if (error instanceof BanksmanError) return error
    throw error
  }
  throw new Error('it was accepted')
}
