import { describe, expect, it } from 'vitest'
import { BanksmanError } from '../core/errors.ts'
import { compilePolicy } from './compile-policy.ts'

describe('the policy block', () => {
  it('P5: refuses whatever it does not understand, and names it, what is allowed and what was probably meant', () => {
    const cases: [block: unknown, pointer: string, why: string][] = [
      [undefined, '', 'must be an object with mode, deny, ask, allow, reason; found nothing'],
      [null, '', 'found nothing'],
      [[], '', 'found a list'],
      ['bypass', '', 'found a string'],
      [
        { denny: [] },
        '/denny',
        'unknown key "denny" in the policy; allowed are mode, deny, ask, allow, reason; did you mean "deny"?',
      ],
      [{ alow: [] }, '/alow', 'did you mean "allow"?'],
      [{ Allow: [] }, '/Allow', 'did you mean "allow"?'],
      [{ resaon: '' }, '/resaon', 'did you mean "reason"?'],
      [{ rules: [] }, '/rules', 'unknown key "rules"'],
      [{ 'a/b': 1 }, '/a~1b', 'unknown key "a/b"'],
      [JSON.parse('{"__proto__":{"allow":["*"]}}'), '/__proto__', 'unknown key "__proto__"'],
      [
        { mode: 'bypas' },
        '/mode',
        'unknown mode "bypas" in the policy; allowed are default, dontAsk, bypass; did you mean "bypass"?',
      ],
      [{ mode: 'dontask' }, '/mode', 'did you mean "dontAsk"?'],
      [{ mode: '' }, '/mode', 'unknown mode ""'],
      [{ mode: 'constructor' }, '/mode', 'unknown mode "constructor"'],
      [{ mode: null }, '/mode', 'mode must be one of default, dontAsk, bypass; found nothing'],
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

  it('P5: refuses specifiers in every list, because this version would not understand them', () => {
    for (const key of ['deny', 'ask', 'allow']) {
      for (const pattern of ['Bash(git status *)', 'Bash(', 'Bash()', 'Unknown(x)', '*(x)', 'x)']) {
        const error = errorOf(() => compilePolicy({ [key]: ['fine', pattern] }))
        expect({ code: error.code, ...error.details }).toEqual({
          code: 'invalid_policy',
          pointer: `/${key}/1`,
        })
        expect(error.message).toContain('does not understand specifiers')
        expect(error.message).toContain(JSON.stringify(pattern))
      }
    }
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
