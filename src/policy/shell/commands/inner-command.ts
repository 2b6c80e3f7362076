/**
 * What a wrapper would run, as a description: the families of wrappers only say what they see in the words, and the
 * reader of commands follows it.
 */

import type { DoubtKind, ShellWord } from '../reading.ts'
import type { DoubtCode, WhyDoubted } from './why-doubted.ts'

export type InnerCommand =
  /** The words from a place on, the program first. */
  | { kind: 'words'; words: readonly ShellWord[]; from: number; inShell: boolean; elsewhere: boolean }
  /** A text that a shell reads. */
  | { kind: 'script'; text: string; inShell: boolean; elsewhere: boolean }
  /** Any of the words from a place on may be the program. */
  | { kind: 'anywhere'; from: number }

export interface WrapperLook {
  /** What the wrapper runs is all that it does. Never true of one that runs nothing. */
  readonly transparent: boolean
  readonly inner: readonly InnerCommand[]
  readonly doubts: readonly InnerDoubt[]
}

/** About the whole command where no word is named. */
export interface InnerDoubt {
  readonly kind: DoubtKind
  readonly text?: string
  readonly why: WhyDoubted
}

/** It runs nothing else: an ordinary program. */
export const RUNS_NOTHING: WrapperLook = { transparent: false, inner: [], doubts: [] }

/** Words that come from elsewhere: any number of them, with any value. */
export const UNKNOWN_WORDS: ShellWord = { text: '…', value: undefined, pattern: true }

export type InnerWords = Extract<InnerCommand, { kind: 'words' }>

export function innerWords(words: readonly ShellWord[], from = 0): InnerWords {
  return { kind: 'words', words, from, inShell: false, elsewhere: false }
}

export function innerScript(text: string): InnerCommand {
  return { kind: 'script', text, inShell: false, elsewhere: false }
}

/** What runs is not followed from here on. A deny still finds its program among the words; an allow never holds. */
export function notFollowed(
  words: readonly ShellWord[],
  from: number,
  why: DoubtCode,
  shown = from,
): WrapperLook {
  const word = words[shown]
  const doubt = { kind: 'unknown wrapper', why } as const
  return {
    transparent: false,
    inner: [{ kind: 'anywhere', from }],
    doubts: [word === undefined ? doubt : { ...doubt, text: word.text }],
  }
}

export function inlineCode(why: DoubtCode, inner: readonly InnerCommand[] = []): WrapperLook {
  return { transparent: false, inner, doubts: [{ kind: 'inline code', why }] }
}
