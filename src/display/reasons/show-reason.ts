/** The values of a reason as they are shown: texts from outside visible, masked and cut (P9). */
import type { Reason, ReasonValue } from '../../core/reasons/reason.ts'
import { makeVisible } from '../text/visible.ts'

/** How a text from outside is shown. */
export type ShowText = (text: string) => string

export function visible(text: string): string {
  return makeVisible(text).text
}

/** The same reason with its texts as they are shown, for those who make the sentence themselves. */
export function showReason(reason: Reason, show: ShowText = visible): Reason {
  return shownReason(reason, show, 0)
}

function shownReason({ code, values }: Reason, show: ShowText, depth: number): Reason {
  if (values === undefined || depth > DEEPEST) return { code: show(code) }
  const shown = Object.entries(values).map(([name, value]) => [show(name), shownValue(value, show, depth)])
  return { code: show(code), values: Object.fromEntries(shown) }
}

function shownValue(value: ReasonValue, show: ShowText, depth: number): ReasonValue {
  if (typeof value === 'string') return show(value)
  if (typeof value !== 'object') return value
  if (isList(value)) return depth > DEEPEST ? [] : value.map((item) => shownValue(item, show, depth + 1))
  return shownReason(value, show, depth + 1)
}

/** Ours are never so deep. */
const DEEPEST = 8

function isList(value: Reason | readonly ReasonValue[]): value is readonly ReasonValue[] {
  return Array.isArray(value)
}
