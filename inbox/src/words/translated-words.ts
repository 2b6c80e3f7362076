/** The words of one part of the app, beside the part that says them: they are loaded with it. */
import type { Locale } from '../../../src/display/words/rendering-words.ts'

export type TranslatedWords<T> = Readonly<Record<Locale, T>>

/** A missing or misshapen translation does not compile: the Chinese must have the form of the English. */
export function translatedWords<T>(en: T, zh: NoInfer<T>): TranslatedWords<T> {
  return { en, zh }
}
