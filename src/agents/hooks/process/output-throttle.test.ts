import { describe, expect, it } from 'vitest'
import { createOutputThrottle } from './output-throttle.ts'

function ride() {
  const seen: string[] = []
  let now = 0
  let due: { at: number; callback: () => void } | undefined
  const brake = createOutputThrottle(
    { pause: () => seen.push(`paused at ${now}`), resume: () => seen.push(`read on at ${now}`) },
    {
      now: () => now,
      after(delayMs, callback) {
        due = { at: now + delayMs, callback }
        return {
          cancel: () => {
            due = undefined
          },
        }
      },
    },
  )
  const moveTo = (time: number) => {
    now = due === undefined ? time : Math.min(time, due.at)
    if (due !== undefined && due.at <= time) due.callback()
    now = time
  }
  return { brake, seen, moveTo }
}

describe('noise brake', () => {
  it('P5: past a megabyte in a second nothing is read until the second is over', () => {
    const { brake, seen, moveTo } = ride()
    moveTo(200)
    for (let line = 0; line < 2000; line++) brake.count(1023)
    expect(seen).toEqual(['paused at 200'])
    moveTo(1500)
    expect(seen).toEqual(['paused at 200', 'read on at 1000'])
    moveTo(1600)
    for (let line = 0; line < 2000; line++) brake.count(1023)
    expect(seen.slice(2)).toEqual(['paused at 1600'])
  })

  it('lets stray prints pass, however long they go on', () => {
    const { brake, seen, moveTo } = ride()
    for (let second = 0; second < 100; second++) {
      moveTo(second * 1000)
      brake.count(100_000)
    }
    expect(seen.filter((what) => what.startsWith('paused'))).toEqual([])
  })

  it('can be released at once', () => {
    const { brake, seen, moveTo } = ride()
    brake.count(2_000_000)
    brake.release()
    moveTo(5000)
    expect(seen).toEqual(['paused at 0', 'read on at 0'])
  })
})
