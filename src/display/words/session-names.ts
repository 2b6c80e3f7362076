/**
 * A session that has no title, in a few words: what kind it is by the way its id is made, the folder it works in, and otherwise as much
 * of the id as tells it from others. The id is shown whole where there is room for it.
 */
import { makeVisible } from '../text/visible.ts'
import type { Locale } from './rendering-words.ts'

export interface NamedSession {
  session: string
  /** The working folder of a call in it. */
  cwd?: string | undefined
}

export function saySessionName({ session, cwd }: NamedSession, locale: Locale): string {
  const [, kind, random] = MADE.exec(session) ?? []
  if (kind === undefined || random === undefined) return visible(shortened(session))
  const folder = cwd?.split(/[/\\]/).findLast((name) => name !== '')
  const which = folder === undefined ? random.slice(0, SHOWN) : shortened(folder)
  return visible(NAMES[locale](kindNamed(kind, locale), which, folder !== undefined))
}

/** By us: an agent's name or `chat` before 32 digits, or `ses_` before its id; what sub-agents add is left out. */
const MADE = /^([a-z]+(?:-[a-z]+)*)[-_]([0-9a-z]{20,26}|[0-9a-f-]{32,36})(?:\.t[\d.t]*)?$/
const SHOWN = 8
const LONGEST = 24

function shortened(text: string): string {
  const letters = [...text]
  return letters.length <= LONGEST ? text : `${letters.slice(0, LONGEST - 8).join('')}…`
}

function visible(text: string): string {
  return makeVisible(text).text
}

const KINDS: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  en: { chat: 'Conversation', ses: 'Coding session' },
  zh: { chat: '对话', ses: '编程会话' },
}

/** `claude-code` is Claude Code. */
function kindNamed(kind: string, locale: Locale): string {
  const known = KINDS[locale]
  if (Object.hasOwn(known, kind)) return known[kind]!
  const name = kind.replaceAll(/(?:^|-)[a-z]/g, (start) => start.replace('-', ' ').toUpperCase())
  return locale === 'en' ? `${name} session` : `${name} 会话`
}

const NAMES: Readonly<Record<Locale, (kind: string, which: string, isFolder: boolean) => string>> = {
  en: (kind, which, isFolder) => (isFolder ? `${kind}, ${which}` : `${kind} ${which}`),
  zh: (kind, which, isFolder) => (isFolder ? `${kind}，${which}` : `${kind} ${which}`),
}
