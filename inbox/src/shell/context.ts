/** How parts get at the page's state and words without handing them down through every part between. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Inbox } from '../model/inbox.ts'
import type { OwnWords } from '../words/own-words.ts'
import type { Speech } from '../words/speech.ts'
import type { Words } from '../words/words.ts'
import type { Theme } from './theme.ts'

export const InboxContext = createContext<Inbox | undefined>(undefined)
export const SpeechContext = createContext<Speech | undefined>(undefined)
export const ThemeContext = createContext<Theme | undefined>(undefined)

export function useInbox(): Inbox {
  return given(useContext(InboxContext))
}

export function useSpeech(): Speech {
  return given(useContext(SpeechContext))
}

export function useTheme(): Theme {
  return given(useContext(ThemeContext))
}

/** The words that all parts share. */
export function useWords(): Words {
  return useSpeech().words.value
}

/** The words of one part. */
export function useOwnWords<T>(own: OwnWords<T>): T {
  return own[useSpeech().language.value]
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('this part stands outside the page')
  return value
}
