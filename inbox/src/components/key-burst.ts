/**
 * Keys that follow one which only led somewhere. Whoever types on, a reason for example, takes it that the first key did more: what
 * follows is one mistake with it, and decides nothing. See `requests watch`, which does the same.
 */
import { earlyClicks } from './when-armed.ts'

/** Between two keys of somebody who types. */
const PAUSE_MS = 700

let until = Number.NEGATIVE_INFINITY

export function beginKeyBurst(): void {
  until = performance.now() + PAUSE_MS
}

/** Asked once a key: it is told to the person who pressed it. */
export function isInKeyBurst(): boolean {
  if (performance.now() >= until) return false
  beginKeyBurst()
  earlyClicks.value++
  return true
}
