import { describe, expect, it } from 'vitest'
import type { WireTurnEvent } from '../../client/index.ts'
import { chatWords } from './chat-words.ts'
import { createNarrator, type NarratedPiece } from './narrate.ts'

const words = chatWords('en')
const usage = { inputTokens: 1, outputTokens: 1 }
let count = 0

type Body = WireTurnEvent extends infer Event
  ? Event extends WireTurnEvent
    ? Omit<Event, 'id' | 'turn' | 'session' | 'agent' | 'at'>
    : never
  : never

function event(body: Body, parts: Partial<WireTurnEvent> = {}): WireTurnEvent {
  const about = { id: `t1-${++count}`, turn: 't1', session: 'main', agent: { name: 'main' }, at: '' }
  return { ...about, ...body, ...parts } as WireTurnEvent
}

const begun = event({ kind: 'turn_begun', text: 'write it', by: 'ana' })
const answered = event({ kind: 'model_answered', step: 1, text: 'I write it.', calls: 1, usage })
const proposed = event({
  kind: 'call_proposed',
  call: 'c1',
  tool: 'write_file',
  arguments: {},
  summary: 'write_file: a.txt',
  step: 1,
  index: 0,
  of: 1,
})
const waiting = event({
  kind: 'call_waiting',
  call: 'c1',
  tool: 'write_file',
  arguments: {},
  summary: 'write_file',
  request: 'req_1',
})
const started = event({
  kind: 'call_started',
  call: 'c1',
  tool: 'write_file',
  arguments: {},
  summary: 'write_file: a.txt',
})
const finished = event({
  kind: 'call_finished',
  call: 'c1',
  tool: 'write_file',
  ok: true,
  text: 'made it',
  durationMs: 3,
})
const ended = event({
  kind: 'turn_ended',
  status: 'completed',
  text: 'Done.',
  usage,
  steps: 2,
  durationMs: 9,
})
const text = (delta: string) => event({ kind: 'text', delta })

function tellAll(...events: WireTurnEvent[]): NarratedPiece[] {
  const narrator = createNarrator('main', words)
  return events.flatMap((each) => narrator.tell(each))
}

const linesOf = (pieces: NarratedPiece[]) =>
  pieces.flatMap((piece) =>
    'text' in piece && piece.kind !== 'over' ? [`${piece.kind}: ${piece.text}`] : [],
  )

describe('what a terminal is told', () => {
  it('a turn: the words, what the agent says, the call, its result, the end', () => {
    const pieces = tellAll(
      begun,
      text('I write '),
      text('it.'),
      answered,
      proposed,
      waiting,
      started,
      finished,
      ended,
    )
    expect(pieces.map(({ kind }) => kind)).toEqual([
      'pause',
      'begun',
      'said',
      'text',
      'text',
      'pause',
      'waiting',
      'call',
      'good',
      'pause',
      'over',
    ])
    expect(linesOf(pieces)).toEqual(['said: write it', 'call: write_file: a.txt', 'good: write_file: a.txt'])
  })

  it('what was not heard in pieces is told whole', () => {
    expect(tellAll(answered)).toContainEqual({ kind: 'text', delta: 'I write it.' })
    const pieces = tellAll(text('I write it.'), answered)
    expect(pieces.filter(({ kind }) => kind === 'text')).toHaveLength(1)
  })

  it('a turn that is told again after a break is not told twice, and goes on', () => {
    const narrator = createNarrator('main', words)
    const first = [begun, answered, proposed, waiting].flatMap((each) => narrator.tell(each))
    expect(first.length).toBeGreaterThan(3)
    const again = [begun, answered, proposed, waiting].flatMap((each) => narrator.tell(each))
    expect(again.filter(({ kind }) => kind !== 'pause')).toEqual([{ kind: 'begun', turn: 't1' }])
    expect(linesOf([finished, ended].flatMap((each) => narrator.tell(each)))).toEqual([
      'good: write_file: a.txt',
    ])
    // It is over, however often it is told.
    expect([begun, finished, ended].flatMap((each) => narrator.tell(each))).toEqual([])
  })

  it('an answer that was cut off by a break is told whole when it is told again', () => {
    const pieces = tellAll(begun, text('I wri'), begun, answered)
    expect(pieces.slice(-3)).toContainEqual({ kind: 'text', delta: 'I write it.' })
  })

  it('a refusal says what, how and why; another agent is named', () => {
    const refused = event(
      {
        kind: 'call_refused',
        call: 'c1',
        tool: 'write_file',
        state: 'denied',
        because: 'no rule',
        mayRetry: false,
      },
      { session: 'sub', agent: { name: 'helper', parents: ['main'] } },
    )
    expect(tellAll(proposed, refused)).toEqual([
      { kind: 'bad', text: 'helper › write_file: a.txt: denied by policy', more: 'no rule' },
    ])
  })

  it('a helper’s words are told when they are whole, and its turn is not ours', () => {
    const sub = { session: 'sub', agent: { name: 'helper', parents: ['main'] } }
    const delta = { ...text('half'), ...sub }
    const whole = { ...answered, ...sub }
    expect(tellAll(delta as WireTurnEvent, { ...begun, ...sub } as WireTurnEvent)).toEqual([])
    expect(tellAll(whole as WireTurnEvent)).toEqual([
      { kind: 'note', text: 'helper › ', more: 'I write it.' },
    ])
    expect(tellAll({ ...ended, ...sub } as WireTurnEvent)).toEqual([])
  })

  it('a model that fails is told in a short line each time, and why once, at the end', () => {
    const because = 'anthropic/x: the connection to http://127.0.0.1:9 failed'
    const retried = (attempt: number, delayMs: number) =>
      event({ kind: 'model_retried', attempt, of: 4, delayMs, because })
    const failed = (reason: string) =>
      event({ kind: 'turn_ended', status: 'failed', text: '', reason, usage, steps: 1, durationMs: 1 })
    const told = event({ kind: 'failed', stage: 'turn', message: because })
    const pieces = tellAll(begun, retried(1, 1500), retried(2, 0), told, failed(because))
    expect(linesOf(pieces).slice(1)).toEqual([
      'bad: No answer from the model. Trying again in 2 s (1 of 4)',
      'bad: No answer from the model. Trying again (2 of 4)',
      'bad: Something failed (turn)',
      'bad: Turn ended: failed',
    ])
    expect(JSON.stringify(pieces).split(because)).toHaveLength(2)
    // Another reason is told, and so is one that nothing told before.
    expect(linesOf(tellAll(told, failed('no'))).at(-1)).toBe('bad: Turn ended: failed: no')
    expect(linesOf(tellAll(failed(because))).at(-1)).toBe(`bad: Turn ended: failed: ${because}`)
  })

  it('P9: whatever a tool, a hook, a person or a server sends, every line can be shown as it is', () => {
    const evil = '\u001b[2J\u202e\u0007'
    const agent = { name: evil, parents: [evil] }
    const events: WireTurnEvent[] = [
      event({ kind: 'call_started', call: evil, tool: evil, arguments: {}, summary: evil }, { agent }),
      event({
        kind: 'call_finished',
        call: evil,
        tool: evil,
        ok: false,
        text: evil,
        durationMs: 1,
        replacedBy: evil,
        media: [{ id: evil, type: evil, name: evil }],
      }),
      event({
        kind: 'call_refused',
        call: '2',
        tool: evil,
        state: 'denied',
        because: evil,
        by: evil,
        mayRetry: false,
      }),
      event({ kind: 'call_answered', call: '3', tool: evil, text: evil, by: evil, request: evil }),
      event({ kind: 'shown', text: evil, tool: evil, media: [{ id: evil, type: evil, name: evil }] }),
      event({ kind: 'interrupted', how: 'hard', by: evil }),
      event({ kind: 'sub_began', child: evil, task: evil }),
      event({ kind: 'failed', stage: evil, message: evil }),
      event({ kind: 'model_retried', attempt: 1, of: 2, delayMs: 1, because: evil }),
      event({ kind: 'turn_ended', status: 'failed', text: '', reason: evil, usage, steps: 1, durationMs: 1 }),
    ]
    const pieces = tellAll(...events)
    expect(pieces.length).toBeGreaterThanOrEqual(events.length)
    for (const piece of pieces) {
      const { text = '', more = '' } = piece as { text?: string; more?: string }
      expect(text + more).not.toMatch(/[\u001b\u202e\u0007]/)
    }
  })
})
