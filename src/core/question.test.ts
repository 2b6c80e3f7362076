import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkAnswers } from './decisions/check-answers.ts'
import { BanksmanError } from './errors.ts'
import { checkQuestions, type Question } from './question.ts'

const COLOUR: Question = {
  id: 'colour',
  question: 'Which colour?',
  options: [{ label: 'red' }, { label: 'blue' }],
}
const NAME: Question = { id: 'name', question: 'Which name?' }

describe('checkQuestions', () => {
  it('takes one to four questions and gives back a copy', () => {
    const questions = [
      { ...structuredClone(COLOUR), header: 'Colour', multiSelect: true, freeText: true },
      { ...NAME, options: [{ label: 'a', description: '' }] },
    ]
    const checked = checkQuestions(questions)
    expect(checked).toEqual(questions)
    const before = structuredClone(checked)
    Object.assign(questions[0] as object, { question: 'Something else?' })
    Object.assign(questions[0]?.options?.[0] as object, { label: 'green' })
    questions.push({ ...NAME, id: 'third' } as never)
    expect(checked).toEqual(before)
  })

  it('refuses every bad field by its place', () => {
    const cases: [value: unknown, why: string][] = [
      [undefined, 'questions must be a list of one to 4'],
      [[], 'a list of one to 4'],
      [{ 0: NAME, length: 1 }, 'a list of one to 4'],
      [Array.from({ length: 5 }, (_, n) => ({ ...NAME, id: `q${n}` })), 'a list of one to 4'],
      [[null], 'questions/0 must be an object'],
      [new Array(1), 'questions/0 must be an object'],
      [[[]], 'questions/0 must be an object'],
      [[{ ...NAME, required: true }], 'questions/0 has an unknown field "required"; it has id, question'],
      [[{ question: 'x' }], 'questions/0/id must be a text'],
      [[{ id: ' ', question: 'x' }], 'questions/0/id must be a text'],
      [[{ id: 'a\ud800', question: 'x' }], 'questions/0/id must be a text'],
      [[{ id: 'a' }], 'questions/0/question must be a text'],
      [[{ id: 'a', question: 'x'.repeat(20_000) }], 'questions/0/question must be a text'],
      [[NAME, { ...NAME }], 'questions/1/id "name" is there twice'],
      [[{ ...NAME, header: 1 }], 'questions/0/header must be a text'],
      [[{ ...NAME, multiSelect: 'yes' }], 'questions/0/multiSelect must be true or false'],
      [[{ ...NAME, freeText: 1 }], 'questions/0/freeText must be true or false'],
      [[{ ...NAME, options: [] }], 'questions/0/options must be a list of one to 20'],
      [[{ ...NAME, options: null }], 'questions/0/options must be a list'],
      [
        [{ ...NAME, options: Array.from({ length: 21 }, (_, n) => ({ label: `${n}` })) }],
        'a list of one to 20',
      ],
      [[{ ...NAME, options: ['red'] }], 'questions/0/options/0 must be {label, description?}'],
      [[{ ...NAME, options: [{ label: '' }] }], 'questions/0/options/0/label must be a text'],
      [
        [{ ...NAME, options: [{ label: 'a', value: 1 }] }],
        'questions/0/options/0 has an unknown field "value"',
      ],
      [
        [{ ...NAME, options: [{ label: 'a' }, { label: 'a' }] }],
        'questions/0/options/1 repeats the label "a"',
      ],
      [[{ ...NAME, options: [{ label: 'a', description: 1 }] }], 'description must be a text'],
      [[{ ...NAME, options: [{ label: 'a', description: '\udc00' }] }], 'description must be a text'],
    ]
    for (const [value, why] of cases) {
      const error = errorOf(() => checkQuestions(value))
      expect(error.code).toBe('invalid_call')
      expect(error.message).toContain(why)
    }
  })
})

describe('checkAnswers', () => {
  const both = [COLOUR, NAME]

  it('takes an answer to every question, and leaves out what was not given', () => {
    expect(checkAnswers(both, { name: { text: 'Ana' }, colour: { choices: ['red'] } })).toEqual({
      colour: { choices: ['red'] },
      name: { text: 'Ana' },
    })
    const many = { ...COLOUR, multiSelect: true, freeText: true }
    expect(checkAnswers([many], { colour: { choices: ['blue', 'red'], text: 'both' } })).toEqual({
      colour: { choices: ['blue', 'red'], text: 'both' },
    })
    expect(checkAnswers([many], { colour: { choices: [], text: 'green' } })).toEqual({
      colour: { text: 'green' },
    })
  })

  it('refuses every bad answer and says what would be right', () => {
    const fine = { name: { text: 'Ana' } }
    const cases: [value: unknown, why: string][] = [
      [undefined, 'one member for each of: colour, name'],
      [[], 'one member for each of: colour, name'],
      ['red', 'one member for each of'],
      [{ ...fine }, 'question `colour` has no answer'],
      [Object.create({ ...fine, colour: { choices: ['red'] } }), 'question `colour` has no answer'],
      [{ ...fine, colour: null }, 'question `colour` has no answer'],
      [{ ...fine, colour: 'red' }, 'question `colour` has no answer'],
      [{ ...fine, colour: ['red'] }, 'question `colour` has no answer'],
      [{ ...fine, colour: {} }, 'question `colour` has no answer'],
      [{ ...fine, colour: { choices: [] } }, 'question `colour` has no answer'],
      [{ ...fine, colour: { choices: ['red'] }, size: {} }, 'there is no question "size"'],
      [{ ...fine, colour: { choices: ['red'], by: 'x' } }, 'has an unknown field "by"'],
      [{ ...fine, colour: { choices: 'red' } }, 'choices of "colour" must be a list of labels'],
      [{ ...fine, colour: { choices: null } }, 'choices of "colour" must be a list of labels'],
      [{ ...fine, colour: { choices: [1n] } }, 'choices of "colour" must be a list of labels'],
      [{ ...fine, colour: { choices: ['green'] } }, 'the options are `red`, `blue`'],
      [{ ...fine, colour: { choices: ['red', 'red'] } }, 'names the option "red" twice'],
      [{ ...fine, colour: { choices: ['red', 'blue'] } }, '`colour` takes one option; found 2'],
      [{ ...fine, colour: { text: 'green' } }, "takes one of its options, no text of one's own"],
      [{ colour: { choices: ['red'] }, name: { text: '  ' } }, 'question `name` has no answer'],
      [{ colour: { choices: ['red'] }, name: { text: 5 } }, 'text of `name` must be a text'],
      [{ colour: { choices: ['red'] }, name: { text: '\ud800' } }, 'text of `name` must be a text'],
      [{ colour: { choices: ['red'] }, name: { text: 'x'.repeat(20_000) } }, 'at most 16384 characters'],
      [{ colour: { choices: ['red'] }, name: { choices: ['Ana'] } }, '`Ana` is not an option of `name`'],
    ]
    for (const [value, why] of cases) {
      const error = errorOf(() => checkAnswers(both, value))
      expect(error.code).toBe('invalid_decision')
      expect(error.message).toContain(why)
    }
  })

  it('keeps the answer to a question that is named __proto__', () => {
    const questions = checkQuestions([{ id: '__proto__', question: 'Why?' }])
    const answers = checkAnswers(questions, JSON.parse('{"__proto__":{"text":"because"}}'))
    expect(JSON.stringify(answers)).toBe('{"__proto__":{"text":"because"}}')
  })

  it('property: what is accepted names only options, at most one without multiSelect, and answers everything', () => {
    const answer = fc.record(
      {
        choices: fc.array(fc.constantFrom('red', 'blue', 'green'), { maxLength: 3 }),
        text: fc.constantFrom('', ' ', 'x'),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(answer, fc.boolean(), fc.boolean(), (given, multiSelect, freeText) => {
        const question = { ...COLOUR, multiSelect, freeText }
        const choices = given.choices ?? []
        const fits =
          choices.every((choice) => choice !== 'green') &&
          new Set(choices).size === choices.length &&
          (multiSelect || choices.length <= 1) &&
          (freeText || given.text === undefined) &&
          (choices.length > 0 || (given.text ?? '').trim() !== '')
        let accepted = true
        try {
          checkAnswers([question], { colour: given })
        } catch {
          accepted = false
        }
        expect(accepted).toBe(fits)
      }),
    )
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

describe('P9: what is chosen is what is seen', () => {
  it.each(['Keep \u202eeteled\u202c', '\u001b[2K\rNo', 'a\u200bb', 'a\u00adb', '\ufeffYes'])(
    'no label %j',
    (label) => {
      const questions = [{ id: 'q', question: 'Which?', options: [{ label }] }]
      expect(() => checkQuestions(questions)).toThrowError(/control or invisible/)
      expect(() => checkQuestions([{ id: label, question: 'Which?' }])).toThrowError(/control or invisible/)
    },
  )

  it.each(['是', 'Да', '👩‍💻 ✌️', 'naïve'])('but %s', (label) => {
    expect(checkQuestions([{ id: 'q', question: 'Which?', options: [{ label }] }])).toHaveLength(1)
  })
})
