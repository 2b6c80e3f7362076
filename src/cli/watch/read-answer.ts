/** Reads what somebody typed as the answer to a question: the numbers of options, or their own words. */
import type { Answers, Question } from '../../client/index.ts'
import type { WatchWords } from './watch-words.ts'

export type ReadAnswer = { kind: 'good'; answer: Answers[string] } | { kind: 'bad'; why: string }

export function readAnswer(question: Question, line: string, words: WatchWords): ReadAnswer {
  const { options = [] } = question
  if (line === '') return { kind: 'bad', why: words.needsAnswer }
  if (options.length === 0) return { kind: 'good', answer: { text: line } }
  if (!/^\d{1,4}([\s,;]+\d{1,4})*$/.test(line)) {
    if (question.freeText === true) return { kind: 'good', answer: { text: line } }
    return { kind: 'bad', why: words.noOwnWords }
  }
  const numbers = [...new Set(line.split(/[\s,;]+/).map(Number))]
  const choices = numbers.flatMap((number) => options[number - 1]?.label ?? [])
  if (choices.length < numbers.length) return { kind: 'bad', why: words.noSuchOption(options.length) }
  if (choices.length > 1 && question.multiSelect !== true) return { kind: 'bad', why: words.onlyOne }
  return { kind: 'good', answer: { choices } }
}
