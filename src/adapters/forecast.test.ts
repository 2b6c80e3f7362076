import { describe, expect, it } from 'vitest'
import type { Guard } from '../guard/contract.ts'
import { forecast } from './forecast.ts'

const CALL = { tool: 'send', arguments: {}, callId: 'c1', session: 's1' }
const REFUSED = {
  kind: 'refused',
  state: 'rejected',
  code: 'rejected',
  because: 'no',
  mayRetry: false,
} as const

function guardThat(judged: 'allow' | 'deny' | 'ask' | undefined, taken: object): Guard {
  return {
    judge: async () =>
      judged === undefined ? Promise.reject(new Error('too many')) : { kind: judged, because: 'so' },
    hold: async () => taken as never,
    guard: () => expect.unreachable(),
  }
}

describe('forecast', () => {
  it('asks nobody about a call that is allowed', async () => {
    const guard = { ...guardThat('allow', {}), hold: () => expect.unreachable() }
    expect(await forecast(guard, CALL, {})).toEqual({ kind: 'run' })
  })

  it('P4: gives back at once what it was given, whether that succeeds or not', async () => {
    const causes: string[] = []
    const held = (release: Promise<void>) => ({
      kind: 'held',
      release(cause: string) {
        causes.push(cause)
        return release
      },
    })
    expect(await forecast(guardThat(undefined, held(Promise.resolve())), CALL, {})).toEqual({ kind: 'run' })
    const lost = Promise.reject(new Error('the lease is over'))
    expect(await forecast(guardThat('ask', held(lost)), CALL, {})).toEqual({ kind: 'run' })
    expect(causes).toEqual(Array(2).fill('the framework asked whether a person is needed'))
  })

  it('tells who waits and who is refused; what may change is left to the guard', async () => {
    const pending = { kind: 'pending', because: 'hold_over' }
    expect(await forecast(guardThat('ask', pending), CALL, {})).toEqual({ kind: 'wait', because: 'so' })
    expect(await forecast(guardThat('deny', REFUSED), CALL, {})).toEqual({
      kind: 'refused',
      refused: REFUSED,
    })
    const running = { ...REFUSED, state: 'running', mayRetry: true }
    expect(await forecast(guardThat('deny', running), CALL, {})).toEqual({ kind: 'run' })
    expect(await forecast(guardThat('deny', { kind: 'answered', text: 'x' }), CALL, {})).toEqual({
      kind: 'run',
    })
  })
})
