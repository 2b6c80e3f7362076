/**
 * Hours in which a person is not to be disturbed, by the clock on their wall. They may go over midnight. What the wall
 * says is asked of `Intl` for each moment, so the two nights a year in which the clocks are changed need no rule.
 */

/** Between these hours nothing is pushed. */
export interface QuietHours {
  /** `22:00` */
  from: string
  to: string
  /** An IANA name: `Europe/Amsterdam`. */
  zone: string
}

/** `00:00` to `23:59`. */
export const CLOCK_TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60

export function isQuiet({ from, to, zone }: QuietHours, at: number): boolean {
  const wall = wallMinutes(at, zone)
  // A zone that this machine does not know must not keep anybody from hearing.
  if (wall === undefined) return false
  const [start, end] = [minutesOf(from), minutesOf(to)]
  if (start === end) return false
  return start < end ? wall >= start && wall < end : wall >= start || wall < end
}

/**
 * When the quiet hours around this moment are over; the moment itself outside of them. Where the wall jumps over
 * that minute it may be early by as much, and is still quiet then: ask again.
 */
export function quietUntil(quiet: QuietHours, at: number): number {
  const wall = wallMinutes(at, quiet.zone)
  if (wall === undefined || !isQuiet(quiet, at)) return at
  const end = minutesOf(quiet.to)
  const left = (end - wall + DAY_MINUTES) % DAY_MINUTES
  const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS
  const guess = minute + left * MINUTE_MS
  // The clocks may be changed in between: then the wall says something else by then.
  const off = (end - (wallMinutes(guess, quiet.zone) ?? end) + DAY_MINUTES) % DAY_MINUTES
  const correction = off > DAY_MINUTES / 2 ? off - DAY_MINUTES : off
  return Math.max(minute + MINUTE_MS, guess + correction * MINUTE_MS)
}

export function isTimeZone(zone: string): boolean {
  return wallMinutes(0, zone) !== undefined
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

function wallMinutes(at: number, zone: string): number | undefined {
  try {
    const parts = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).formatToParts(at)
    const part = (type: string) => Number(parts.find((each) => each.type === type)?.value)
    return part('hour') * 60 + part('minute')
  } catch {
    return undefined
  }
}
