import { LAST_TIME } from '../../core/time/duration.ts'

/** Times go over the wire as ISO 8601, in UTC. What no calendar has, an earlier version may have written: it is the last time there is. */
export function toTime(milliseconds: number): string {
  return new Date(Math.max(-LAST_TIME, Math.min(LAST_TIME, milliseconds))).toISOString()
}
