import { describe, expect, it } from 'vitest'
import type { WireTurnProgress } from '../../../../../src/client/index.ts'
import type { SeenProgress } from './session-board.ts'
import { passedSince, sessionDoing, turnLasts } from './session-doing.ts'

/** The browser's clock is an hour ahead of the server's. */
const THERE = Date.parse('2026-01-05T12:00:00Z')
const HERE = THERE + 3_600_000
const ago = (ms: number) => new Date(THERE - ms).toISOString()

describe('what a session is doing', () => {
  it('is the call that runs, else the model; and for how long, by whatever clock the browser has', () => {
    const running = seen({
      recent: [call('one', 'done', 9000), call('two', 'running', 4000), call('three', 'proposed', 1000)],
    })
    expect(sessionDoing('running', running, HERE)).toEqual({ kind: 'tool', summary: 'two', ms: 4000 })
    expect(sessionDoing('running', running, HERE + 2500)).toMatchObject({ ms: 6500 })
    expect(turnLasts(running, HERE + 2500)).toBe(22_500)
    expect(sessionDoing('running', seen({}), HERE)).toEqual({ kind: 'thinking', ms: 3000 })
  })

  it('is waiting where a person is asked, whichever of list and progress is the newer', () => {
    const waiting = [{ ...call('push', 'running', 7000), request: 'req_1', kind: 'approval' as const }]
    const both = seen({ waiting, recent: [call('other', 'running', 100)] }, 'waiting')
    expect(sessionDoing('waiting', both, HERE)).toEqual({ kind: 'waiting', ms: 7000 })
    expect(sessionDoing('running', both, HERE)).toEqual({ kind: 'waiting', ms: 7000 })
    // It was answered meanwhile.
    expect(sessionDoing('waiting', seen({}), HERE)).toMatchObject({ kind: 'thinking' })
  })

  it('is how the last turn ended, or that there was none', () => {
    const ended = { at: ago(50), status: 'failed', text: '', reason: 'no', usage: USAGE } as const
    const over = seen({ ended }, 'idle')
    expect(sessionDoing('asleep', over, HERE)).toEqual({
      kind: 'over',
      status: 'failed',
      at: ago(50),
      reason: 'no',
    })
    expect(turnLasts(over, HERE)).toBeUndefined()
    expect(sessionDoing('idle', undefined, HERE)).toEqual({ kind: 'unknown' })
    const { turn: _, ...nothing } = seen({}).progress
    expect(sessionDoing('idle', { progress: nothing, at: HERE }, HERE)).toEqual({ kind: 'nothing' })
  })

  it('never lasted less than nothing', () => {
    expect(passedSince(ago(-5000), seen({}), HERE - 5000)).toBe(0)
  })
})

const USAGE = { inputTokens: 1, outputTokens: 1 }

function call(summary: string, state: WireTurnProgress['recent'][number]['state'], since: number) {
  return { session: 's', call: summary, tool: 'Bash', arguments: {}, summary, state, since: ago(since) }
}

function seen(
  turn: Partial<WireTurnProgress>,
  state: 'idle' | 'running' | 'waiting' = 'running',
): SeenProgress {
  const whole: WireTurnProgress = {
    id: 't1',
    text: 'do it',
    by: 'ana',
    begunAt: ago(20_000),
    since: ago(3000),
    steps: 1,
    said: [],
    calls: 0,
    recent: [],
    waiting: [],
    ...turn,
  }
  return {
    at: HERE,
    progress: {
      session: 's',
      agent: { name: 'coder' },
      state,
      folder: '/shop',
      mode: 'default',
      elapsedMs: state === 'idle' ? 0 : 20_000,
      used: { turns: 1, workedMs: 0 },
      limits: {},
      turn: whole,
    },
  }
}
