/** An answer to one question while it is being given. */
import type { Answers, Question } from '../../../../src/client/index.ts'

export interface AnswerDraft {
  readonly choices: readonly string[]
  readonly text: string
}

export const EMPTY_ANSWER_DRAFT: AnswerDraft = { choices: [], text: '' }

export function chooseAnswer(
  question: Question,
  draft: AnswerDraft,
  label: string,
  isChosen: boolean,
): AnswerDraft {
  const others = question.multiSelect === true ? draft.choices.filter((each) => each !== label) : []
  return { ...draft, choices: isChosen ? [...others, label] : others }
}

/** Without options there is nothing else to answer with. */
export function takesText(question: Question): boolean {
  return question.options === undefined || question.freeText === true
}

export function isAnswered({ choices, text }: AnswerDraft): boolean {
  return choices.length > 0 || text.trim() !== ''
}

export function toAnswer({ choices, text }: AnswerDraft): Answers[string] {
  return {
    ...(choices.length > 0 ? { choices: [...choices] } : {}),
    ...(text.trim() === '' ? {} : { text: text.trim() }),
  }
}
