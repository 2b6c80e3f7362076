/** Questions that an agent puts to a person: one to four, with options, several choices, or free text. */

import { defined } from './defined.ts'
import { BanksmanError } from './errors.ts'

/** A call of this tool is a question to a person, and its result is the answer. */
export const QUESTION_TOOL = 'ask_user_question'

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
export const MAX_TEXT = 16 * 1024
/**
 * What is chosen and sent back as it is must be what is seen: no control characters, none that turn the direction, and none
 * without a width, but for those that join emoji.
 */
const HIDDEN =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u

/** Gives back a copy: whoever changes its object afterwards changes nothing that people are asked. */
export function checkQuestions(value: unknown): Question[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > MAX_QUESTIONS) {
    invalid(`questions must be a list of one to ${MAX_QUESTIONS}`)
  }
  const seen = new Set<string>()
  return Array.from(value, (entry: unknown, index) => {
    const question = checkQuestion(entry, `questions/${index}`)
    if (seen.has(question.id)) invalid(`questions/${index}/id ${shown(question.id)} is there twice`)
    seen.add(question.id)
    return question
  })
}

function checkQuestion(value: unknown, at: string): Question {
  if (!isRecord(value)) invalid(`${at} must be an object`)
  onlyFields(value, ['id', 'question', 'header', 'options', 'multiSelect', 'freeText'], at)
  const { id, question, header, options, multiSelect, freeText } = value
  if (!isText(id)) invalid(`${at}/id must be a text that names the question`)
  if (HIDDEN.test(id)) invalid(`${at}/id must not contain control or invisible characters`)
  if (!isText(question)) invalid(`${at}/question must be a text`)
  if (header !== undefined && !isText(header)) invalid(`${at}/header must be a text`)
  if (multiSelect !== undefined && typeof multiSelect !== 'boolean')
    invalid(`${at}/multiSelect must be true or false`)
  if (freeText !== undefined && typeof freeText !== 'boolean') invalid(`${at}/freeText must be true or false`)
  return {
    id,
    question,
    ...defined({ header }),
    ...(options === undefined ? {} : { options: checkOptions(options, at) }),
    ...defined({ multiSelect, freeText }),
  }
}

function checkOptions(value: unknown, at: string): QuestionOption[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > MAX_OPTIONS) {
    invalid(`${at}/options must be a list of one to ${MAX_OPTIONS}`)
  }
  const labels = new Set<string>()
  return Array.from(value, (option: unknown, index) => {
    const here = `${at}/options/${index}`
    if (!isRecord(option)) invalid(`${here} must be {label, description?}`)
    onlyFields(option, ['label', 'description'], here)
    const { label, description } = option
    if (!isText(label)) invalid(`${here}/label must be a text`)
    if (HIDDEN.test(label)) invalid(`${here}/label must not contain control or invisible characters`)
    if (labels.has(label)) invalid(`${here} repeats the label ${shown(label)}`)
    labels.add(label)
    if (description === undefined) return { label }
    if (!isAnyText(description))
      invalid(`${here}/description must be a text of at most ${MAX_TEXT} characters`)
    return { label, description }
  })
}

function onlyFields(value: object, known: readonly string[], at: string): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) invalid(`${at} has an unknown field ${shown(key)}; it has ${known.join(', ')}`)
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return isAnyText(value) && value.trim() !== ''
}

export function isAnyText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT && value.isWellFormed()
}

/** What came in may be long; a message carries only the beginning. */
export function shown(value: string): string {
  return JSON.stringify(cut(value))
}

export function cut(value: string): string {
  return value.length > 100 ? `${value.slice(0, 100)}…` : value
}

function invalid(message: string): never {
  throw new BanksmanError('invalid_call', message)
}
