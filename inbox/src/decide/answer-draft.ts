/** An answer to one question while it is being given. */
import type { Answers, Question } from '../../../src/client/index.ts'

export interface Draft {
  readonly choices: readonly string[]
  readonly text: string
}

export const EMPTY_DRAFT: Draft = { choices: [], text: '' }

export function choose(question: Question, draft: Draft, label: string, isChosen: boolean): Draft {
  const others = question.multiSelect === true ? draft.choices.filter((each) => each !== label) : []
  return { ...draft, choices: isChosen ? [...others, label] : others }
}

/** Without options there is nothing else to answer with. */
export function takesText(question: Question): boolean {
  return question.options === undefined || question.freeText === true
}

export function isAnswered({ choices, text }: Draft): boolean {
  return choices.length > 0 || text.trim() !== ''
}

export function toAnswer({ choices, text }: Draft): Answers[string] {
  return {
    ...(choices.length > 0 ? { choices: [...choices] } : {}),
    ...(text.trim() === '' ? {} : { text: text.trim() }),
  }
}
