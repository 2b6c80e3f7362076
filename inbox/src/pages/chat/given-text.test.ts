import { describe, expect, it } from 'vitest'
import { givenAnswers } from './given-text.ts'

const asked = { questions: [{ id: 'c', question: 'Which colour?' }] }

describe('answers to questions', () => {
  it('are told with their questions', () => {
    expect(givenAnswers('{"c":{"choices":["Blue"],"text":"a dark one"}}', asked)).toEqual([
      { question: 'Which colour?', answer: 'Blue, a dark one' },
    ])
    expect(givenAnswers('{"d":{"text":"x"}}', undefined)).toEqual([{ question: 'd', answer: 'x' }])
  })

  it('P9: are shown as they are where they have another form', () => {
    expect(
      ['no JSON', '[1]', '{"c":"Blue"}', '{"c":{"choices":"Blue"}}'].map((text) => givenAnswers(text, asked)),
    ).toEqual([undefined, undefined, undefined, undefined])
  })
})
