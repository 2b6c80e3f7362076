import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Question } from '../../client/index.ts'
import { checkAnswers } from '../../core/decisions/check-answers.ts'
import { checkQuestions } from '../../core/question.ts'
import { readAnswer } from './read-answer.ts'
import { watchWords } from './watch-words.ts'

const words = watchWords('en')
const colors: Question = {
  id: 'c',
  question: 'Which?',
  options: [{ label: 'red' }, { label: 'green' }, { label: '3' }],
}
const read = (parts: Partial<Question>, line: string) => readAnswer({ ...colors, ...parts }, line, words)

describe('readAnswer', () => {
  it('takes the numbers of options', () => {
    expect(read({}, '2')).toEqual({ kind: 'good', answer: { choices: ['green'] } })
    expect(read({ multiSelect: true }, '3, 1 1')).toEqual({ kind: 'good', answer: { choices: ['3', 'red'] } })
  })

  it('takes words where they are taken', () => {
    expect(read({ freeText: true }, 'blue')).toEqual({ kind: 'good', answer: { text: 'blue' } })
    expect(readAnswer({ id: 'w', question: 'Why?' }, '2', words)).toEqual({
      kind: 'good',
      answer: { text: '2' },
    })
  })

  it.each([
    ['', words.needsAnswer],
    ['0', words.noSuchOption(3)],
    ['4', words.noSuchOption(3)],
    ['1,2', words.onlyOne],
    ['red', words.noOwnWords],
  ])('refuses %j', (line, why) => {
    expect(read({}, line)).toEqual({ kind: 'bad', why })
  })

  it('what it takes, the server takes', () => {
    const question = fc.record(
      {
        id: fc.constant('c'),
        question: fc.constant('Which?'),
        options: fc
          .uniqueArray(fc.constantFrom('red', 'green', 'blue'), { minLength: 1 })
          .map((labels) => labels.map((label) => ({ label }))),
        multiSelect: fc.boolean(),
        freeText: fc.boolean(),
      },
      { requiredKeys: ['id', 'question'] },
    )
    const line = fc.oneof(
      fc.string(),
      fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 }).map((numbers) => numbers.join(', ')),
    )
    fc.assert(
      fc.property(question, line, (question, line) => {
        const result = readAnswer(question as Question, line.trim(), words)
        if (result.kind === 'bad') return
        expect(() => checkAnswers(checkQuestions([question]), { c: result.answer })).not.toThrow()
      }),
    )
  })
})
