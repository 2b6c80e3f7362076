import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkAnswers } from '../../../../src/core/decisions/check-answers.ts'
import type { Question } from '../../../../src/core/question.ts'
import {
  type AnswerDraft,
  chooseAnswer,
  EMPTY_ANSWER_DRAFT,
  isAnswered,
  takesText,
  toAnswer,
} from './answer-draft.ts'

const options = [{ label: 'a' }, { label: 'b' }, { label: 'c' }]

describe('an answer in the making', () => {
  it('takes one of the options, or several where several are asked for', () => {
    const one: Question = { id: 'q', question: '?', options }
    const several: Question = { ...one, multiSelect: true }
    const both = (question: Question) =>
      chooseAnswer(question, chooseAnswer(question, EMPTY_ANSWER_DRAFT, 'a', true), 'b', true)
    expect(both(one).choices).toEqual(['b'])
    expect(both(several).choices).toEqual(['a', 'b'])
    expect(chooseAnswer(several, both(several), 'a', false).choices).toEqual(['b'])
  })

  it('property: whatever is clicked and written, what counts as answered is what the server takes', () => {
    const question = fc.record(
      { id: fc.string({ minLength: 1 }).filter((id) => id.trim() !== ''), question: fc.constant('?') },
      { requiredKeys: ['id', 'question'] },
    )
    const shape = fc.record({ withOptions: fc.boolean(), multiSelect: fc.boolean(), freeText: fc.boolean() })
    const clicks = fc.array(fc.record({ label: fc.constantFrom('a', 'b', 'c'), isChosen: fc.boolean() }))
    fc.assert(
      fc.property(question, shape, clicks, fc.string(), (bare, how, clicked, text) => {
        const asked: Question = {
          ...bare,
          multiSelect: how.multiSelect,
          freeText: how.freeText,
          ...(how.withOptions ? { options } : {}),
        }
        let draft: AnswerDraft = EMPTY_ANSWER_DRAFT
        if (how.withOptions) {
          for (const { label, isChosen } of clicked) draft = chooseAnswer(asked, draft, label, isChosen)
        }
        if (takesText(asked)) draft = { ...draft, text }
        const answers = Object.fromEntries([[asked.id, toAnswer(draft)]])
        if (isAnswered(draft)) expect(checkAnswers([asked], answers)).toEqual(answers)
        else expect(() => checkAnswers([asked], answers)).toThrow(/no answer/)
      }),
    )
  })
})
