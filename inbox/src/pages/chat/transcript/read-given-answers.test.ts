import { describe, expect, it } from 'vitest'
import { readGivenAnswers } from './read-given-answers.ts'

const asked = { questions: [{ id: 'c', question: 'Which colour?' }] }

describe('answers to questions', () => {
  it('are told with their questions', () => {
    expect(readGivenAnswers('{"c":{"choices":["Blue"],"text":"a dark one"}}', asked)).toEqual([
      { question: 'Which colour?', answer: 'Blue, a dark one' },
    ])
    expect(readGivenAnswers('{"d":{"text":"x"}}', undefined)).toEqual([{ question: 'd', answer: 'x' }])
  })

  it('P9: are shown as they are where they have another form', () => {
    expect(
      ['no JSON', '[1]', '{"c":"Blue"}', '{"c":{"choices":"Blue"}}'].map((text) =>
        readGivenAnswers(text, asked),
      ),
    ).toEqual([undefined, undefined, undefined, undefined])
  })
})
