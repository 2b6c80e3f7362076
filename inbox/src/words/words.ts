/**
 * What the page says, in English and Chinese. A missing or misshapen translation does not compile. What agents,
 * tools and rules say is theirs and is never translated.
 */
import type { GrantScope } from '../../../src/client/index.ts'
import type { Locale } from '../../../src/display/words/rendering-words.ts'
import { CHINESE } from './chinese.ts'
import { ENGLISH } from './english.ts'

export interface InboxWords {
  /** The name of the other language, in that language. */
  otherLanguage: string
  pending: string
  question: string
  recent: string
  nothingPending: string
  nothingRecent: string
  loading: string
  morePending: string
  chooseOne: string
  notThere: string
  back: string
  keys: string
  logOut: string
  login: {
    title: string
    /** What gets anybody in. */
    link: string
    yours: string
    yoursHow: string
    others: string
    othersHow: string
    /** What to send to the person who runs the server. */
    request(url: string): string
    code: string
    submit: string
    again: string
    asked(subject: string): string
    askedHint: string
    stay(subject: string): string
    useLink: string
  }
  connection: { lost: string; refused: string; retry: string }
  timeLeft(ms: number): string
  timeUp: string
  scope: Record<GrantScope, string>
  sending: string
  /** To a click on what has only just appeared. */
  tooEarly: string
  form: { cancel: string }
  /** Above what a person must not overlook in a call. */
  call: { warnings: string }
  you: string
  /** One after another, without those that have nothing to say. */
  sentences(...said: (string | false)[]): string
  list(items: readonly string[]): string
  /** Above the calls that nobody was asked about. */
  autoDecided: string
  news: { arrived(summary: string): string; changed(summary: string, state: string): string }
  failure(code: string): string | undefined
}

const WORDS: Readonly<Record<Locale, InboxWords>> = { en: ENGLISH, zh: CHINESE }

export function inboxWordsIn(language: Locale): InboxWords {
  return WORDS[language]
}

/** The first of the reader's languages that we have. */
export function languageFor(wanted: readonly string[]): Locale {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split('-')[0]
    if (base === 'en' || base === 'zh') return base
  }
  return 'en'
}

/** The word for it; what a newer server has no word for here is named as it is. */
export function wordFor<K extends string>(table: Readonly<Record<K, string>>, key: K): string {
  return Object.hasOwn(table, key) ? table[key] : key
}
