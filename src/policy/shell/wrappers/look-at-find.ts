/**
 * `find` and `fd` run a program for what they find. What they find is known only when they run, so it stands as a hole
 * in the words of that program. `-delete` removes what is found, and is shown as the `rm` that it amounts to.
 */
import {
  type InnerCommand,
  innerWords,
  notFollowed,
  UNKNOWN_WORDS,
  type WrapperLook,
} from '../commands/inner-command.ts'
import { isFixed } from '../commands/word-values.ts'
import type { ShellWord } from '../reading.ts'

const FIND_ACTIONS: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir'])

const REMOVED: readonly ShellWord[] = [{ text: 'rm', value: 'rm', pattern: false }, UNKNOWN_WORDS]

export function lookAtFind(words: readonly ShellWord[], at: number): WrapperLook {
  const inner: InnerCommand[] = []
  for (let index = at + 1; index < words.length; index++) {
    const word = words[index]
    if (mayBeAction(word)) return unfollowed(words, index, inner)
    if (word?.value === '-delete') inner.push(innerWords(REMOVED))
    if (!FIND_ACTIONS.has(word?.value ?? '')) continue
    const end = endOfAction(words, index + 1, '+')
    if (end === words.length) return unfollowed(words, index, inner)
    const elsewhere = word?.value?.endsWith('dir') === true
    if (end > index + 1) inner.push({ ...innerWords(fill(words.slice(index + 1, end), /\{\}/)), elsewhere })
    index = end
  }
  return { transparent: false, inner, doubts: [] }
}

export function lookAtFd(words: readonly ShellWord[], at: number): WrapperLook {
  const inner: InnerCommand[] = []
  for (let index = at + 1; index < words.length; index++) {
    const word = words[index]
    if (mayBeAction(word)) return unfollowed(words, index, inner)
    const value = word?.value ?? ''
    if (value === '--') break
    if (!/^(--exec(-batch)?(=|$)|-[A-Za-z]*[xX])/.test(value)) continue
    if (!/^(-x|-X|--exec|--exec-batch)$/.test(value)) return unfollowed(words, index, inner)
    const end = endOfAction(words, index + 1, undefined)
    const given = words.slice(index + 1, end)
    const filled = fill(given, /\{[/.]*\}/)
    if (filled.every((each, place) => each === given[place])) filled.push(UNKNOWN_WORDS)
    if (given.length > 0) inner.push(innerWords(filled))
    index = end
  }
  return { transparent: false, inner, doubts: [] }
}

function endOfAction(words: readonly ShellWord[], from: number, other: string | undefined): number {
  for (let index = from; index < words.length; index++) {
    const value = words[index]?.value
    if (value === ';') return index
    if (other !== undefined && value === other && words[index - 1]?.value === '{}') return index
  }
  return words.length
}

/** A word whose value is not known might be `-exec` or `-delete`; so might a file's name that a wildcard finds. */
function mayBeAction(word: ShellWord | undefined): boolean {
  if (isFixed(word) || word === undefined) return false
  return word.value === undefined || /^[-*?[]/.test(word.value)
}

function fill(words: readonly ShellWord[], mark: RegExp): ShellWord[] {
  return words.map((word) =>
    word.value !== undefined && mark.test(word.value) ? { ...word, value: undefined } : word,
  )
}

function unfollowed(words: readonly ShellWord[], index: number, inner: readonly InnerCommand[]): WrapperLook {
  const look = notFollowed(words, index, 'part.not-followed')
  return { ...look, inner: [...inner, ...look.inner] }
}
