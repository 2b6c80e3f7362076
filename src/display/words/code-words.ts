/**
 * Words for the codes of a closed set, in both languages. The type is total: a code without a word doesn't compile. Terminal,
 * inbox and chats say a code only by these tables, so that a state is called the same everywhere.
 */
import type { Locale } from './rendering-words.ts'

export type CodeWords<Code extends string> = Readonly<Record<Locale, Readonly<Record<Code, string>>>>

/** A newer server may send a code that has no word here. It is shown as it is. */
export function sayCode<Code extends string>(words: CodeWords<Code>, code: Code, locale: Locale): string {
  const table = words[locale]
  return Object.hasOwn(table, code) ? table[code] : code
}
