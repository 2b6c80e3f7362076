/** What the server's clock is taken to say, from the times it gave and how long they were on their way. */
export interface ServerClock {
  now(): number
  /** `asked` and `heard` by our own clock, `said` by the server's. */
  learn(asked: number, said: number, heard: number): void
}

/** Those that came fastest say most; older ones are forgotten, because clocks drift. */
const SAMPLES = 8

export function createServerClock(own: () => number = Date.now): ServerClock {
  const samples: { offset: number; took: number }[] = []
  let offset = 0
  return {
    now: () => Math.floor(own() + offset),
    learn(asked, said, heard) {
      samples.push({ offset: said - (asked + heard) / 2, took: heard - asked })
      if (samples.length > SAMPLES) samples.shift()
      offset = samples.reduce((best, sample) => (sample.took <= best.took ? sample : best)).offset
    },
  }
}
