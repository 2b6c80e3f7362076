import { describe, expect, it } from 'vitest'
import { createServerClock } from './server-clock.ts'

describe("the server's clock", () => {
  it('is ours until the server has said its time, and then what the fastest answer said', () => {
    const clock = createServerClock(() => 1000)
    expect(clock.now()).toBe(1000)
    clock.learn(0, 5020, 40)
    expect(clock.now()).toBe(6000)
    clock.learn(100, 5102, 104)
    expect(clock.now()).toBe(6000)
    clock.learn(200, 5300, 900)
    expect(clock.now()).toBe(6000)
  })

  it('P5: is what was heard last where that can’t be what was heard before: a clock was set', () => {
    const clock = createServerClock(() => 1000)
    clock.learn(0, 5000, 0)
    clock.learn(0, 605_000, 40)
    expect(clock.now()).toBe(605_980)
  })

  it('forgets what it heard long ago, because clocks drift', () => {
    const clock = createServerClock(() => 0)
    clock.learn(0, 20, 0)
    for (let sample = 0; sample < 8; sample++) clock.learn(0, 10, 2)
    expect(clock.now()).toBe(9)
  })
})
