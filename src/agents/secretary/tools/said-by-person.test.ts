import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../test/fixtures/property-runs.ts'
import { isSaidByPerson } from './said-by-person.ts'

describe('whether a text is what the person wrote', () => {
  it.each([
    ['fix the test', 'please fix the test in shop'],
    ['  fix the test\n', 'fix the test'],
    ['修好测试', '请修好测试吧'],
    ['fix', 'FIX or fix'],
    ['fix 👍', 'fix 👍 now'],
  ])('%j is in %j', (text, said) => expect(isSaidByPerson(text, [said])).toBe(true))

  it.each([
    ['', 'anything'],
    [' \n', 'a \n b'],
    ['do', 'undo it'],
    ['Fix the test', 'fix the test'],
    ['fix  the test', 'fix the test'],
    ['fi\u200bx', 'fix'],
    ['ﬁx', 'fix'],
    ['é', 'e\u0301'],
    ['e', 'e\u0301'],
    ['\ude00', '😀'],
    ['fix it', 'fix'],
    ['ana', '\u0430na'],
  ])('%j is not in %j', (text, said) => expect(isSaidByPerson(text, [said])).toBe(false))

  it('two messages are not one', () => {
    expect(isSaidByPerson('one two', ['one', 'two'])).toBe(false)
    expect(isSaidByPerson('one\ntwo', ['one', 'two'])).toBe(false)
  })

  it('what passes is always in one of the messages, unit by unit', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 6 })
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 4 }), (one, said) => {
        if (isSaidByPerson(one, said)) expect(said.some((each) => each.includes(one.trim()))).toBe(true)
      }),
      { numRuns: runs(500) },
    )
  })
})
