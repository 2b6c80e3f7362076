/**
 * A duration: a whole number of milliseconds, from one to ten years. People write it as `90s`, `15m`, `24h`, `30d`.
 * A time beyond that is a mistake, and one that no calendar and no store can hold.
 */
import { BanksmanError } from '../errors.ts'

export const MAX_DURATION_MS = 3650 * 86_400_000
/** The last time that a `Date` can be. */
export const LAST_TIME = 8.64e15

const DURATION = /^(\d{1,15})(ms|s|m|h|d)$/

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

export function isDuration(milliseconds: unknown, mostMs = MAX_DURATION_MS): milliseconds is number {
  return Number.isSafeInteger(milliseconds) && Number(milliseconds) >= 1 && Number(milliseconds) <= mostMs
}

/** Undefined where the text is no duration. */
export function durationIn(text: string, mostMs?: number): number | undefined {
  const [, amount, unit] = DURATION.exec(text) ?? []
  const milliseconds = Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]
  return isDuration(milliseconds, mostMs) ? milliseconds : undefined
}

export function parseDuration(text: string): number {
  const found = durationIn(text)
  if (found !== undefined) return found
  throw new BanksmanError(
    'invalid',
    `${JSON.stringify(text)} is not a duration; write a number and ms, s, m, h or d, as in 90s, 15m, 24h or 30d; at most 3650d`,
  )
}

/** The same time again, in the largest unit in which it is whole. */
export function durationText(milliseconds: number): string {
  const unit = (['d', 'h', 'm', 's'] as const).find((each) => milliseconds % UNIT_MS[each] === 0) ?? 'ms'
  return `${milliseconds / UNIT_MS[unit]}${unit}`
}
