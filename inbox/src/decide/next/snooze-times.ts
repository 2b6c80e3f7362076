/** Until when a request can be put off, by the reader's own clock. */
export type SnoozeTime = 'minutes' | 'hour' | 'morning'

export const SNOOZE_TIMES: readonly SnoozeTime[] = ['minutes', 'hour', 'morning']

const MORNING = 8
/** Who is up before this still means the coming morning. */
const NIGHT_ENDS = 4

export function snoozeMs(kind: SnoozeTime, now: Date): number {
  if (kind === 'minutes') return 10 * 60_000
  if (kind === 'hour') return 60 * 60_000
  const morning = new Date(now)
  morning.setHours(MORNING, 0, 0, 0)
  if (now.getHours() >= NIGHT_ENDS) morning.setDate(morning.getDate() + 1)
  return morning.getTime() - now.getTime()
}
