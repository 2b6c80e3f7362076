/** The questions of an agent on a card, with their choices. */
import type { Question, QuestionOption } from '../../../core/question.ts'
import { type CardExtent, line } from './call-texts.ts'
import type { CardPart } from './card.ts'
import type { ChatWords } from './words.ts'

/** A choice whose label is longer is known by its number: buttons cut what is long, and two could look the same. */
const LONGEST_CHOICE = 40

/** Whole, or so much of each text that it can't be answered here. */
export function questionParts(
  questions: readonly Question[],
  extent: CardExtent,
  words: ChatWords,
): CardPart[] {
  const said = (text: string) => (extent === 'whole' ? whole(text) : line(text, QUESTION_LIMITS[extent]))
  return questions.map(({ header, question, options = [] }) => ({
    kind: 'quote',
    label: line(header ?? words.question),
    text: [
      said(question),
      ...options.map(({ label, description }, place) => {
        const mark = isNumbered(options) ? `${place + 1}.` : '•'
        return description === undefined
          ? `${mark} ${said(label)}`
          : `${mark} ${said(label)}: ${said(description)}`
      }),
    ].join('\n'),
  }))
}

const QUESTION_LIMITS = { part: 300, less: 60, line: 20, least: 20 } as const

function whole(text: string): string {
  return line(text, Number.POSITIVE_INFINITY)
}

function isNumbered(options: readonly QuestionOption[]): boolean {
  return options.some(({ label }) => whole(label).length > LONGEST_CHOICE)
}

/** How the choices of a question are called where one of them is to be taken. */
export function choicesOf(options: readonly QuestionOption[]): string[] {
  if (!isNumbered(options)) return options.map(({ label }) => whole(label))
  return options.map(({ label }, place) => `${place + 1}. ${line(label, LONGEST_CHOICE)}`)
}
