/** What a session's model is told by the secretary, in the language that the configuration says. */
import type { Locale } from '../../display/words/rendering-words.ts'

export interface ModelWords {
  /** A person said no, with the reason that they gave. */
  rejected(reason: string | undefined): string
  expired: string
}

export function modelWords(locale: Locale): ModelWords {
  return WORDS[locale]
}

const WORDS: Record<Locale, ModelWords> = {
  en: {
    rejected: (reason) => `The user rejected this action${reason === undefined ? '' : `: ${reason}`}`,
    expired: 'Nobody answered in time, so it was not allowed',
  },
  zh: {
    rejected: (reason) => `用户拒绝了此操作${reason === undefined ? '' : `:${reason}`}`,
    expired: '审批超时,没有人回答,此操作未获允许',
  },
}
