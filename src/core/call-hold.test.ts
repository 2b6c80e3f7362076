import { describe, expect, it } from 'vitest'
import { type CallHold, MAX_RELEASES, releaseHold, reportHold, takeHold } from './call-hold.ts'

const taking = { key: 'k1', by: 'agent', at: 5 }
const reviewed: CallHold = { version: 1, state: 'reviewed', by: 'agent', at: 1 }
const running: CallHold = { version: 2, state: 'running', key: 'k1', by: 'agent', at: 5 }
const released = { key: 'k1', cause: 'it paused', by: 'agent', at: 6 }

describe('who has an allowed call', () => {
  it('P4: a call without a hold was let through, and nobody gets it', () => {
    expect(takeHold(undefined, taking)).toMatchObject({ kind: 'refuse', code: 'already_claimed' })
  })

  it('one that was only reviewed is taken once; the same key gets it again, another does not', () => {
    expect(takeHold(reviewed, taking)).toEqual({ kind: 'change', hold: running })
    expect(takeHold(running, taking)).toEqual({ kind: 'repeat' })
    expect(takeHold(running, { ...taking, key: 'k2' })).toMatchObject({
      kind: 'refuse',
      code: 'already_claimed',
    })
    expect(takeHold(running, { ...taking, by: 'other' })).toMatchObject({ kind: 'refuse' })
  })

  it('P4: a released key gets nothing any more, a new one does', () => {
    const step = releaseHold(running, released)
    expect(step).toMatchObject({ kind: 'change', hold: { version: 3, state: 'released' } })
    const free = (step as Extract<typeof step, { kind: 'change' }>).hold
    expect(free).not.toHaveProperty('key')
    expect(takeHold(free, taking)).toMatchObject({ kind: 'refuse', code: 'already_claimed' })
    expect(takeHold(free, { ...taking, key: 'k2' })).toMatchObject({ kind: 'change' })
    expect(releaseHold(free, released)).toEqual({ kind: 'repeat' })
  })

  it('only its holder gives it back, ten times at most, and never after it ran', () => {
    expect(releaseHold(running, { ...released, key: 'k2' })).toMatchObject({
      kind: 'refuse',
      code: 'not_running',
    })
    expect(releaseHold(running, { ...released, by: 'other' })).toMatchObject({ kind: 'refuse' })
    const often = Array.from({ length: MAX_RELEASES }, (_, index) => ({
      ...released,
      key: `old-${index}`,
      claim: 'hold 2',
    }))
    expect(releaseHold({ ...running, released: often }, released)).toMatchObject({ kind: 'refuse' })
    const done: CallHold = { ...running, state: 'done', outcome: { kind: 'ok', at: 7, by: 'agent' } }
    expect(releaseHold(done, released)).toMatchObject({ kind: 'refuse' })
    expect(takeHold(done, taking)).toMatchObject({ kind: 'refuse', code: 'already_claimed' })
  })

  it('its outcome is said once, by its holder', () => {
    const outcome = { kind: 'ok' as const, at: 7, by: 'agent' }
    const step = reportHold(running, 'k1', outcome)
    expect(step).toMatchObject({ kind: 'change', hold: { state: 'done', outcome } })
    const done = (step as Extract<typeof step, { kind: 'change' }>).hold
    expect(reportHold(done, 'k1', outcome)).toEqual({ kind: 'repeat' })
    expect(reportHold(done, 'k1', { ...outcome, kind: 'error' })).toMatchObject({ code: 'already_reported' })
    for (const [hold, key] of [
      [undefined, 'k1'],
      [reviewed, 'k1'],
      [running, 'k2'],
    ] as const)
      expect(reportHold(hold, key, outcome)).toMatchObject({ kind: 'refuse', code: 'not_running' })
    expect(reportHold(running, 'k1', { ...outcome, by: 'other' })).toMatchObject({ kind: 'refuse' })
  })
})
