/** The decision that a client means by an option. What is not offered, or can't be understood, decides nothing (P5). */
import type { Answer, Answers, DecisionInput } from '../../../core/decision.ts'
import type { JsonObject, JsonValue } from '../../../core/json/json.ts'
import type { Question } from '../../../core/question.ts'
import { currentTerms, type Request } from '../../../core/request.ts'
import type { Deciding } from '../../driver.ts'
import { choiceId, optionsOf } from './interaction.ts'
import { visibleLine } from './visible-arguments.ts'
import type { ReactPlusWords } from './words.ts'

export interface Choice {
  optionId: string
  /** Empty where nothing was written. */
  feedback: string
  data: JsonObject
}

export type Meant =
  | { kind: 'decision'; input: Omit<DecisionInput, 'digest'> }
  | { kind: 'refused'; message: string }

export function decisionOf(
  request: Request,
  choice: Choice,
  words: ReactPlusWords,
  knownTool: Deciding['knownTool'],
): Meant {
  const { optionId, feedback } = choice
  const options = optionsOf(request, { words, knownTool })
  const isOffered = options.some((option) => option.optionId === optionId)
  // An approval that is not offered because of a hidden value is the gateway's to refuse, which says why.
  const isElsewhere = optionId === 'approve' && currentTerms(request).allowedDecisions.includes('approve')
  if (!isOffered && !isElsewhere) {
    if (optionId === 'retry') return refused(words.responses.noRetry)
    const names = options.map((option) => option.optionId).join(', ')
    return refused(words.responses.unknownOption(visibleLine(optionId, 100), names))
  }
  if (optionId === 'approve' || optionId === 'reject' || optionId === 'terminate') {
    return decision({ decision: optionId, ...(feedback === '' ? {} : { reason: feedback }) })
  }
  return answer(request.questions ?? [], choice, words)
}

function answer(questions: Question[], { optionId, feedback, data }: Choice, words: ReactPlusWords): Meant {
  const [first] = questions
  if (optionId !== 'answer') {
    const chosen = first?.options?.find((_, index) => choiceId(index) === optionId)
    return decision({
      decision: 'answer',
      answers: { [first!.id]: { choices: [chosen!.label], ...(feedback === '' ? {} : { text: feedback }) } },
    })
  }
  if (data.answers !== undefined) {
    if (!isObject(data.answers)) return refused(words.responses.answers)
    return decision({ decision: 'answer', answers: namedAnswers(questions, data.answers) })
  }
  if (questions.length === 1) {
    return decision({ decision: 'answer', answers: { [first!.id]: writtenAnswer(first!, feedback) } })
  }
  const lines = feedback.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
  if (lines.length !== questions.length) return refused(words.responses.answerLines(questions.length))
  const answers = questions.map(({ id }, index) => [id, writtenAnswer(questions[index]!, lines[index]!)])
  return decision({ decision: 'answer', answers: Object.fromEntries(answers) })
}

/** Labels as they were shown become those of the question. The gateway checks the rest. */
function namedAnswers(questions: Question[], answers: JsonObject): Answers {
  const named = Object.entries(answers).map(([id, value]) => {
    const question = questions.find((one) => one.id === id)
    if (!isObject(value) || !Array.isArray(value.choices)) return [id, value]
    return [id, { ...value, choices: value.choices.map((label) => labelOf(question, label) ?? label) }]
  })
  return Object.fromEntries(named) as Answers
}

/** A line that names options chooses them; any other is an answer of one's own. */
function writtenAnswer(question: Question, line: string): Answer {
  const whole = labelOf(question, line.trim())
  if (whole !== undefined) return { choices: [whole] }
  const parts = line.split(/[,，、]/).map((part) => part.trim())
  const labels = parts.map((part) => labelOf(question, part))
  if (question.options !== undefined && labels.every((label) => label !== undefined))
    return { choices: labels }
  return { text: line }
}

function labelOf(question: Question | undefined, shown: JsonValue): string | undefined {
  if (typeof shown !== 'string') return undefined
  return question?.options?.find(({ label }) => label === shown || visibleLine(label) === shown)?.label
}

function decision(input: Omit<DecisionInput, 'digest'>): Meant {
  return { kind: 'decision', input }
}

function refused(message: string): Meant {
  return { kind: 'refused', message }
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
