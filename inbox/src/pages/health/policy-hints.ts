/** What the figures suggest, in few words: which rules could be relaxed, and where reading looks too fast. */
import type { WireOversight, WireRuleFigures } from '../../../../src/client/index.ts'

/** Fewer say nothing: ten approvals in a row happen by chance where people refuse one in ten. */
const ENOUGH = 10
/** Below that it is no habit. */
const NOTABLE_SHARE = 0.05

/** A rule whose every prompt was approved protects nobody, and teaches people to click. */
export function isAlwaysApproved({ asked, approved, rejected }: WireRuleFigures): boolean {
  return approved >= ENOUGH && rejected === 0 && approved >= asked * 0.9
}

/** A rule that nobody answers in time asks the wrong people, or at the wrong time. */
export function oftenExpires({ asked, expired }: WireRuleFigures): boolean {
  return asked >= ENOUGH && expired / asked >= 0.3
}

export function isQuickNotable({
  quick,
  timeToDecide,
}: Pick<WireOversight, 'quick' | 'timeToDecide'>): boolean {
  return (
    quick.streaks.length > 0 ||
    (timeToDecide.decided >= ENOUGH && quick.decisions / timeToDecide.decided >= NOTABLE_SHARE)
  )
}

export const DAYS = [7, 14, 30, 90] as const

export function readDays(value: string | undefined): number {
  return DAYS.find((days) => String(days) === value) ?? 14
}
