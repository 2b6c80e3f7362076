/**
 * What the server's clock is taken to say. A reading is off by at most half of the round trip that it took, so of the
 * last few the one with the shortest counts; in between a clock goes on that nobody sets. Two readings that can't both be
 * right mean that the server's clock was set, or that this machine was suspended: what was read before counts no more.
 */
export interface ServerClock {
  now(): number
  /** The server said `serverMs` between the two moments of `performance.now()`. */
  read(sentAt: number, heardAt: number, serverMs: number): void
}

/** At one reading every few seconds: young enough that two good clocks have not drifted apart by a millisecond. */
const READINGS = 12
/** By how much two clocks drift apart in the time of those readings at most. */
const DRIFT_MS = 50

export function createServerClock(): ServerClock {
  const readings: { offset: number; tookMs: number }[] = []
  let offset = performance.timeOrigin
  return {
    now: () => Math.floor(performance.now() + offset),
    read(sentAt, heardAt, serverMs) {
      const reading = { offset: serverMs - (sentAt + heardAt) / 2, tookMs: heardAt - sentAt }
      const agrees = ({ offset, tookMs }: typeof reading) =>
        Math.abs(offset - reading.offset) <= (tookMs + reading.tookMs) / 2 + DRIFT_MS
      if (!readings.every(agrees)) readings.length = 0
      readings.push(reading)
      if (readings.length > READINGS) readings.shift()
      offset = readings.reduce((best, one) => (one.tookMs <= best.tookMs ? one : best)).offset
    },
  }
}
