/** So many in a minute for each name, counted in this process. */
import { BanksmanError } from '../../core/errors.ts'

const MINUTE_MS = 60_000
const MAX_NAMES = 10_000

export interface RateLimit {
  /** Throws when the name has had its share of this minute. */
  use(name: string): void
}

export function createRateLimit(perMinute: number, what: string, now: () => number = Date.now): RateLimit {
  const used = new Map<string, { count: number; until: number }>()
  return {
    use(name) {
      const at = now()
      if (used.size >= MAX_NAMES) for (const [one, { until }] of used) if (until <= at) used.delete(one)
      const found = used.get(name)
      const current = found === undefined || found.until <= at ? { count: 0, until: at + MINUTE_MS } : found
      if (current.count >= perMinute) {
        throw new BanksmanError(
          'rate_limited',
          `this token has ${what} ${perMinute} times within a minute; try again in ${Math.ceil((current.until - at) / 1000)} s`,
          { limit: perMinute },
        )
      }
      current.count++
      used.set(name, current)
    },
  }
}
