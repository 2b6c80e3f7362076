/**
 * Characters that a shell, a terminal and a person read differently. Some are a doubt wherever they stand; those that
 * only can't be seen are one where they are part of a name or stand outside quotes, and are left alone inside quoted
 * text, where emoji and other scripts need them.
 */

/** Controls but for tab and newline, line separators, and marks that turn the direction of writing. */
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/

/** Blanks that no shell takes for a blank, and characters without a width. */
const INVISIBLE = /(?! )[\p{Default_Ignorable_Code_Point}\p{Zs}]/u

export function findControl(text: string): number {
  return text.search(CONTROL)
}

export function hasInvisible(text: string): boolean {
  return INVISIBLE.test(text)
}

/** Whether the text can't be shown as it is without hiding something. */
export function needsEscapes(text: string): boolean {
  return /[\t\n]/.test(text) || CONTROL.test(text) || INVISIBLE.test(text)
}

/** `U+000D`, for messages. */
export function nameCharacter(text: string, at: number): string {
  return `U+${text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')}`
}
