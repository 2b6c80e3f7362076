/**
 * What the server's clock is taken to say, from the times it gave and how long they were on their way. Two times that can't
 * both be right mean that one of the clocks was set: what was heard before counts no more.
 */
export interface ServerClock {
  now(): number
  /** `asked` and `heard` by our own clock, `said` by the server's. */
  learn(asked: number, said: number, heard: number): void
}

/** Those that came fastest say most; older ones are forgotten, because clocks drift. */
const SAMPLES = 8
/** By how much two clocks drift apart in the time of those samples at most. */
const DRIFT_MS = 50

export function createServerClock(own: () => number): ServerClock {
  const samples: { offset: number; took: number }[] = []
  let offset = 0
  return {
    now: () => Math.floor(own() + offset),
    learn(asked, said, heard) {
      const sample = { offset: said - (asked + heard) / 2, took: heard - asked }
      const agrees = ({ offset, took }: typeof sample) =>
        Math.abs(offset - sample.offset) <= (took + sample.took) / 2 + DRIFT_MS
      if (!samples.every(agrees)) samples.length = 0
      samples.push(sample)
      if (samples.length > SAMPLES) samples.shift()
      offset = samples.reduce((best, sample) => (sample.took <= best.took ? sample : best)).offset
    },
  }
}
