import { describe, expect, it } from 'vitest'
import { thisMachine, waitFor } from './wait-for.ts'

describe('waiting', () => {
  it('leaves no timer behind when it is stopped, and no listener when it is over', async () => {
    const reason = new Error('enough')
    let due = () => {}
    let cancelled = 0
    const after = (_: number, callback: () => void) => {
      due = callback
      return { cancel: () => cancelled++ }
    }
    const stop = new AbortController()
    const stopped = waitFor(5, stop.signal, after)
    stop.abort(reason)
    await expect(stopped).rejects.toBe(reason)
    expect(cancelled).toBe(1)

    const later = new AbortController()
    const waited = waitFor(5, later.signal, after)
    due()
    await waited
    later.abort()
    expect(cancelled).toBe(1)
  })

  it('is not begun when it is stopped already, or when there is nothing to wait for', async () => {
    const never = () => {
      throw new Error('it has begun')
    }
    await waitFor(0, new AbortController().signal, never)
    await expect(waitFor(5, AbortSignal.abort(new Error('enough')), never)).rejects.toThrow('enough')
  })

  it('goes by this machine where no other clock is given', async () => {
    await waitFor(1, new AbortController().signal)
    thisMachine.after(60_000, () => {}).cancel()
  })
})
