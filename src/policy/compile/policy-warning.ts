/** Makes a warning: its message is the English sentence of its reason. */

import { sayInEnglish } from '../../core/reasons/english.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { nearestWord } from '../../core/support/nearest-word.ts'
import type { PolicyWarning } from '../policy.ts'

export function policyWarning(reason: Reason, pointer: string): PolicyWarning {
  return { message: sayInEnglish(reason), reason, pointer }
}

/** As it is written in a policy. */
export function quoted(text: string): string {
  return JSON.stringify(text)
}

/** With the word that was probably meant, where there is one. */
export function withNearest(
  why: Reason,
  word: string,
  known: readonly string[],
  show: (near: string) => string = quoted,
): Reason {
  const near = nearestWord(word, known)
  return near === undefined ? why : reasonOf('did-you-mean', { why, near: show(near) })
}
