/**
 * What a click does that came too early: it doesn't do what the button says, since it may have been meant for what stood there before,
 * and it isn't ignored without a word either. See `use-armed.ts`.
 */
import { signal } from '@preact/signals'

/** Counts clicks that came too early; the frame says so. */
export const earlyClicks = signal(0)

export function whenArmed(isArmed: boolean, act: () => void): void {
  if (!isEarly(isArmed)) act()
}

/** Asked once a click: it is told to the person who clicked. */
export function isEarly(isArmed: boolean): boolean {
  if (!isArmed) earlyClicks.value++
  return !isArmed
}
