/** What people and agents wrote, as it is shown: hidden characters visible, secrets masked (P9). */
import { createTextMasks } from '../../display/masks/mask-text.ts'
import { makeVisible } from '../../display/text/visible.ts'

export function renderLine(text: string): string {
  return makeVisible(text).text
}

export function renderLines(text: string): string {
  return makeVisible(text, { lines: 'keep' }).text
}

export function maskedReason(words: string): string {
  return createTextMasks()(words)
}

export function withShownReason<T extends { reason?: string }>(
  value: T,
  shown: (words: string) => string = maskedReason,
): T {
  return value.reason === undefined ? value : { ...value, reason: shown(value.reason) }
}
