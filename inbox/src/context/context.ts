/** How parts get at the page's state and words without handing them down through every part between. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Locale } from '../../../src/display/words/rendering-words.ts'
import type { InboxModel } from '../model/inbox.ts'
import type { LanguageChoice } from '../words/language-choice.ts'
import type { TranslatedWords } from '../words/translated-words.ts'
import type { InboxWords } from '../words/words.ts'
import type { PageTheme } from './theme.ts'

export const InboxContext = createContext<InboxModel | undefined>(undefined)
export const LanguageContext = createContext<LanguageChoice | undefined>(undefined)
export const ThemeContext = createContext<PageTheme | undefined>(undefined)

export function useInbox(): InboxModel {
  return given(useContext(InboxContext))
}

export function useLanguage(): LanguageChoice {
  return given(useContext(LanguageContext))
}

/** For the words that terminal, inbox and chats share: `src/display/words`. */
export function useLocale(): Locale {
  return useLanguage().language.value
}

export function useTheme(): PageTheme {
  return given(useContext(ThemeContext))
}

/** The words that all parts share. */
export function useWords(): InboxWords {
  return useLanguage().words.value
}

/** The words of one part. */
export function useOwnWords<T>(own: TranslatedWords<T>): T {
  return own[useLocale()]
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('this part stands outside the page')
  return value
}
