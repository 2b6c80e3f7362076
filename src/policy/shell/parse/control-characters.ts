/**
 * Characters that a shell, a terminal and a person read differently. Some are a doubt wherever they stand; those that
 * only can't be seen are one where they are part of a name or stand outside quotes, and are left alone inside quoted
 * text, where emoji and other scripts need them.
 */
import { CONTROL, INVISIBLE } from '../../../core/support/quote-word.ts'

export function findControl(text: string): number {
  return text.search(CONTROL)
}

export function hasInvisible(text: string): boolean {
  return INVISIBLE.test(text)
}

/** `U+000D`, for messages. */
export function codePointName(text: string, at: number): string {
  return `U+${text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')}`
}
