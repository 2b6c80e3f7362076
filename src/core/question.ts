/** Questions that an agent puts to a person: one to four, with options, several choices, or free text. */
import type { Answers } from './decision.ts'
import { BanksmanError } from './errors.ts'

export interface Question {
  id: string
  question: string
  /** A few words to head it. */
  header?: string
  options?: QuestionOption[]
  multiSelect?: boolean
  /** Whether an answer of one's own is taken besides the options. Without options it always is. */
  freeText?: boolean
}

export interface QuestionOption {
  label: string
  description?: string
}

const MAX_QUESTIONS = 4
const MAX_OPTIONS = 20
const MAX_TEXT = 16 * 1024

export function checkQuestions(value: unknown): Question[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > MAX_QUESTIONS) {
    invalid(`questions must be a list of one to ${MAX_QUESTIONS}`)
  }
  const seen = new Set<string>()
  for (const [index, entry] of (value as Question[]).entries()) {
    const at = `questions/${index}`
    if (typeof entry !== 'object' || entry === null) invalid(`${at} must be an object`)
    for (const key of Object.keys(entry)) {
      if (!['id', 'question', 'header', 'options', 'multiSelect', 'freeText'].includes(key)) {
        invalid(`${at} has an unknown field ${JSON.stringify(key)}`)
      }
    }
    if (!isText(entry.id)) invalid(`${at}/id must be a text that names the question`)
    if (seen.has(entry.id)) invalid(`${at}/id ${JSON.stringify(entry.id)} is there twice`)
    seen.add(entry.id)
    if (!isText(entry.question)) invalid(`${at}/question must be a text`)
    if (entry.header !== undefined && !isText(entry.header)) invalid(`${at}/header must be a text`)
    for (const flag of ['multiSelect', 'freeText'] as const) {
      if (entry[flag] !== undefined && typeof entry[flag] !== 'boolean') invalid(`${at}/${flag} must be true or false`)
    }
    checkOptions(entry, at)
  }
  return value as Question[]
}

/** Every question is answered, by its own options or by free text where that is taken. */
export function checkAnswers(questions: Question[], value: unknown): Answers {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    wrong(`answers must be an object with one member for each of: ${questions.map((q) => q.id).join(', ')}`)
  }
  const answers = value as Answers
  for (const id of Object.keys(answers)) {
    if (!questions.some((question) => question.id === id)) wrong(`there is no question ${JSON.stringify(id)}`)
  }
  const checked: Answers = {}
  for (const question of questions) {
    const answer = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined
    if (typeof answer !== 'object' || answer === null) wrong(`question ${JSON.stringify(question.id)} has no answer`)
    checked[question.id] = checkAnswer(question, answer)
  }
  return checked
}

function checkAnswer(question: Question, answer: { choices?: unknown; text?: unknown }) {
  const name = JSON.stringify(question.id)
  for (const key of Object.keys(answer)) {
    if (key !== 'choices' && key !== 'text') wrong(`the answer to ${name} has an unknown field ${JSON.stringify(key)}`)
  }
  const labels = question.options?.map((option) => option.label) ?? []
  const choices = answer.choices ?? []
  if (!Array.isArray(choices)) wrong(`choices of ${name} must be a list of labels`)
  for (const choice of choices) {
    if (!labels.includes(choice)) wrong(`${JSON.stringify(choice)} is not an option of ${name}; the options are ${JSON.stringify(labels)}`)
  }
  if (new Set(choices).size !== choices.length) wrong(`the answer to ${name} names an option twice`)
  if (choices.length > 1 && question.multiSelect !== true) wrong(`${name} takes one option; found ${choices.length}`)
  const text = answer.text
  if (text !== undefined) {
    if (typeof text !== 'string' || text.length > MAX_TEXT || !text.isWellFormed()) {
      wrong(`text of ${name} must be a text of at most ${MAX_TEXT} characters`)
    }
    if (labels.length > 0 && question.freeText !== true) wrong(`${name} takes one of its options, no text of one's own`)
  }
  if (choices.length === 0 && (text === undefined || text.trim() === '')) wrong(`question ${name} has no answer`)
  return { ...(choices.length > 0 ? { choices: choices as string[] } : {}), ...(text === undefined ? {} : { text }) }
}

function checkOptions(question: Question, at: string): void {
  if (question.options === undefined) return
  if (!Array.isArray(question.options) || question.options.length < 1 || question.options.length > MAX_OPTIONS) {
    invalid(`${at}/options must be a list of one to ${MAX_OPTIONS}`)
  }
  const labels = new Set<string>()
  for (const [index, option] of question.options.entries()) {
    if (typeof option !== 'object' || option === null || !isText(option.label)) {
      invalid(`${at}/options/${index} must be {label, description?}`)
    }
    if (option.description !== undefined && typeof option.description !== 'string') {
      invalid(`${at}/options/${index}/description must be a text`)
    }
    if (labels.has(option.label)) invalid(`${at}/options/${index} repeats the label ${JSON.stringify(option.label)}`)
    labels.add(option.label)
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TEXT && value.isWellFormed()
}

function invalid(message: string): never {
  throw new BanksmanError('invalid_call', message)
}

function wrong(message: string): never {
  throw new BanksmanError('invalid_decision', message)
}
