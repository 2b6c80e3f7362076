import { describe, expect, it } from 'vitest'
import type { TurnEvent, TurnEventBody } from '../../../core/conversation.ts'
import { defined } from '../../../core/defined.ts'
import type { KnownTool } from '../../../core/known-tool.ts'
import { translate } from './event-frames.ts'
import { wordsOf } from './words.ts'

const words = wordsOf({ locale: 'en', header: () => undefined })
const known: KnownTool = {
  isKnown: true,
  acting: ['/program', '/with'],
  command: { command: '/program', words: '/with' },
}
const to = { session: 'main-session', label: 's', words, deltas: false }

function frames(body: TurnEventBody, about: Partial<TurnEvent> = {}) {
  const event = {
    id: 't1-7',
    turn: 't1',
    session: 'main-session',
    agent: { name: 'main' },
    at: 1_700_000_000_000,
    ...body,
    ...about,
  } as TurnEvent
  return translate(event, to, { knownTool: () => known })
}

const usage = { inputTokens: 1, outputTokens: 2 }
const ended = { kind: 'turn_ended', text: 'over', usage, steps: 1, durationMs: 2000 } as const

describe('what happens, in the words of the protocol', () => {
  it('P5: only a turn that was completed is called so; any other end is an error that says which', () => {
    expect(frames({ ...ended, status: 'completed' })).toMatchObject([
      {
        type: 'COMPLETED',
        message: 'over',
        startTime: '2023-11-14T22:13:18.000Z',
        endTime: '2023-11-14T22:13:20.000Z',
      },
    ])
    for (const status of ['interrupted', 'limit', 'failed', 'aborted', 'terminated'] as const) {
      expect(frames({ ...ended, status, reason: 'why' })).toMatchObject([
        { type: 'ERROR', message: expect.stringContaining('why'), data: { final: true, status } },
      ])
    }
  })

  it('the end of a turn that another agent ran does not end the stream', () => {
    const [frame] = frames(
      { ...ended, status: 'completed' },
      { session: 'child', agent: { name: 'sub', parents: ['main'] } },
    )
    expect(frame).toMatchObject({
      type: 'PROGRESS',
      agentId: 'sub',
      sessionId: 's',
      meta: { subAgent: true, parents: ['main'] },
    })
  })

  it('an error on the way is not final', () => {
    expect(frames({ kind: 'failed', stage: 'model', message: 'no answer' })).toMatchObject([
      { type: 'ERROR', message: 'no answer', data: { stage: 'model', final: false } },
    ])
  })

  it.each<[TurnEventBody, object]>([
    [
      { kind: 'turn_begun', text: 'x', by: 'ana', resumed: true },
      { stage: 'resumed', by: 'ana' },
    ],
    [
      { kind: 'model_retried', attempt: 1, of: 3, delayMs: 9, because: 'busy' },
      { stage: 'model_retried', because: 'busy' },
    ],
    [
      { kind: 'steered', text: 'left', by: 'ana' },
      { stage: 'steered', by: 'ana' },
    ],
    [
      { kind: 'interrupted', how: 'hard', by: 'ana' },
      { stage: 'interrupted', how: 'hard', by: 'ana' },
    ],
    [
      { kind: 'sub_began', child: 'c', task: 'dig' },
      { stage: 'sub_began', child: 'c' },
    ],
    [
      { kind: 'sub_ended', child: 'c', status: 'failed' },
      { stage: 'sub_ended', status: 'failed' },
    ],
    [
      { kind: 'call_started', call: 'c1', tool: 'x', arguments: {} },
      { stage: 'call_started', callId: 'c1' },
    ],
    [
      { kind: 'call_refused', call: 'c1', tool: 'x', state: 'denied', because: 'no', mayRetry: false },
      { stage: 'call_refused', state: 'denied', because: 'no', by: null },
    ],
  ])('what is on its way is progress, which clients of the original pass over: %j', (body, data) => {
    expect(frames(body)).toMatchObject([{ type: 'PROGRESS', data }])
  })

  it('P9: what is proposed is the line that would run, and what the catalogue knows is not hidden for its name', () => {
    const args = { program: 'ls', with: ['a b'], password: 'hunter2' }
    const proposed = { call: 'c1', tool: 'launch', arguments: args, step: 1, index: 0, of: 1 }
    const [frame] = frames({ kind: 'call_proposed', ...proposed })
    expect(frame?.data).toMatchObject({ commandLine: "ls 'a b'", toolArgs: { program: 'ls' } })
    expect(JSON.stringify(frame)).not.toContain('hunter2')
  })

  it('what a tool shows the person is a line of its own, with what it has besides text', () => {
    const media = [{ id: 'm1', type: 'image/png', name: 'map.png' }]
    expect(frames({ kind: 'shown', tool: 'draw', media })).toMatchObject([
      { type: 'OBSERVING', message: '[map.png]', data: { media } },
    ])
    expect(frames({ kind: 'shown', tool: 'draw', text: 'here' })).toMatchObject([{ message: 'here' }])
    // Its words, and so nothing hidden in them (P9).
    expect(frames({ kind: 'shown', tool: 'draw', text: 'a\u202eb' })).toMatchObject([
      { message: 'a⟨U+202E RLO⟩b' },
    ])
  })

  it('P9: a long result is cut with a mark, and says that a hook gave it', () => {
    const [frame] = frames({
      kind: 'call_finished',
      call: 'c1',
      tool: 'x\u202e',
      ok: true,
      text: 'y'.repeat(10_000),
      durationMs: 5,
      replacedBy: 'cache',
    })
    expect(frame?.data).toMatchObject({ name: 'x⟨U+202E RLO⟩', shortened: true, replacedBy: 'cache' })
    expect(frame?.message).toMatch(/^y+⟨… 8,000 characters left out⟩y+$/)
  })

  it('a model that only calls is said to do so; one that says nothing at all is passed over', () => {
    const said = (calls: number, reasoning?: string): TurnEventBody => ({
      kind: 'model_answered',
      step: 1,
      text: ' ',
      calls,
      usage,
      ...defined({ reasoning }),
    })
    expect(frames(said(2))).toMatchObject([{ type: 'THINKING', message: words.noWords(2) }])
    expect(frames(said(1, 'hm'))).toMatchObject([{ type: 'THINKING', message: 'hm' }])
    expect(frames(said(0))).toEqual([])
  })
})
