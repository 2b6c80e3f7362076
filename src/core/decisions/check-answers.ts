/** Whether a person's answers fit the questions. */
import type { Answer, Answers } from '../decision.ts'
import { defined } from '../defined.ts'
import { BanksmanError } from '../errors.ts'
import { cut, isAnyText, isRecord, MAX_TEXT, type Question, shown } from '../question.ts'
import type { Reason } from '../reasons/reason.ts'
import { reasonOf } from '../reasons/reason-of.ts'
import { reasonedError } from '../reasons/reasoned-error.ts'

/** Every question is answered, by its own options or by free text where that is taken. */
export function checkAnswers(questions: Question[], value: unknown): Answers {
  if (!isRecord(value)) {
    wrong(`answers must be an object with one member for each of: ${questions.map((q) => q.id).join(', ')}`)
  }
  for (const id of Object.keys(value)) {
    if (!questions.some((question) => question.id === id)) wrong(`there is no question ${shown(id)}`)
  }
  // From entries, because `answers['__proto__'] = …` would lose the answer to a question of that name.
  return Object.fromEntries(
    questions.map((question) => {
      const answer = Object.hasOwn(value, question.id) ? value[question.id] : undefined
      return [question.id, checkAnswer(question, answer)]
    }),
  )
}

function checkAnswer(question: Question, answer: unknown): Answer {
  const name = shown(question.id)
  const id = cut(question.id)
  if (!isRecord(answer)) refuse(reasonOf('problem.no-answer', { question: id }))
  for (const key of Object.keys(answer)) {
    if (key !== 'choices' && key !== 'text') wrong(`the answer to ${name} has an unknown field ${shown(key)}`)
  }
  const { choices = [], text } = answer
  const chosen = checkChoices(question, choices)
  if (text !== undefined) {
    if (!isAnyText(text)) refuse(reasonOf('problem.answer-long', { question: id, limit: MAX_TEXT }))
    if (question.options !== undefined && question.freeText !== true)
      refuse(reasonOf('problem.answer-options', { question: id }))
  }
  if (chosen.length === 0 && (text === undefined || text.trim() === ''))
    refuse(reasonOf('problem.no-answer', { question: id }))
  return { ...(chosen.length > 0 ? { choices: chosen } : {}), ...defined({ text }) }
}

function checkChoices(question: Question, value: unknown): string[] {
  const name = shown(question.id)
  if (!Array.isArray(value)) wrong(`choices of ${name} must be a list of labels`)
  const labels = question.options?.map((option) => option.label) ?? []
  const chosen = new Set<string>()
  for (const choice of value) {
    if (typeof choice !== 'string') wrong(`choices of ${name} must be a list of labels`)
    if (!labels.includes(choice)) {
      const found = cut(choice)
      refuse(reasonOf('problem.answer-not-option', { found, question: cut(question.id), allowed: labels }))
    }
    if (chosen.has(choice)) wrong(`the answer to ${name} names the option ${shown(choice)} twice`)
    chosen.add(choice)
  }
  if (chosen.size > 1 && question.multiSelect !== true)
    refuse(reasonOf('problem.answer-one', { question: cut(question.id), count: chosen.size }))
  return [...chosen]
}

/** What a person can get wrong, not only a program. */
function refuse(reason: Reason): never {
  throw reasonedError('invalid_decision', reason)
}

function wrong(message: string): never {
  throw new BanksmanError('invalid_decision', message)
}
