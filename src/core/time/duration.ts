/** A time that people write: `90s`, `15m`, `24h`, `30d`. */
import { BanksmanError } from '../errors.ts'

export const DURATION = /^(\d+)(ms|s|m|h|d)$/

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

export function parseDuration(text: string): number {
  const [, amount, unit] = DURATION.exec(text) ?? []
  if (amount === undefined)
    throw new BanksmanError(
      'invalid',
      `${JSON.stringify(text)} is no duration; write it as in 90s, 15m, 24h or 30d`,
    )
  return Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]
}

/** The same time again, in the largest unit in which it is whole. */
export function durationText(milliseconds: number): string {
  const unit = (['d', 'h', 'm', 's'] as const).find((each) => milliseconds % UNIT_MS[each] === 0) ?? 'ms'
  return `${milliseconds / UNIT_MS[unit]}${unit}`
}
