import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WireTurnEvent } from '../../../../../src/client/index.ts'
import { type EventParts, eventsOf, transcriptValues } from './fixtures/transcript-values.ts'
import { createTranscript, type Transcript } from './transcript.ts'

const atOnce = (run: () => void) => run()
const USAGE = { inputTokens: 10, outputTokens: 4 }
const CALL = { call: 't1.1.0', tool: 'note' }
const SHOWN = { arguments: { line: 'x' }, summary: 'note: x' }

const begun: EventParts = { kind: 'turn_begun', text: 'hello', by: 'ana' }
const asks = (step: number): EventParts => ({
  kind: 'model_called',
  step,
  model: 'm',
  messages: 1,
  tools: 1,
})
const answers = (step: number, text: string, calls = 0): EventParts => ({
  kind: 'model_answered',
  step,
  text,
  calls,
  usage: USAGE,
})
const ended: EventParts = {
  kind: 'turn_ended',
  status: 'completed',
  text: 'Done.',
  usage: USAGE,
  steps: 2,
  durationMs: 1500,
}

const WHOLE: EventParts[] = [
  begun,
  asks(1),
  { kind: 'thinking', delta: 'hm, ' },
  { kind: 'thinking', delta: 'well' },
  { kind: 'text', delta: 'I will ' },
  { kind: 'text', delta: 'note it.' },
  { ...answers(1, 'I will note it.', 1), reasoning: 'hm, well' } as EventParts,
  { kind: 'call_proposed', ...CALL, ...SHOWN, step: 1, index: 0, of: 1 },
  { kind: 'call_waiting', ...CALL, ...SHOWN, request: 'req_1' },
  { kind: 'steered', text: 'quick', by: 'ana' },
  { kind: 'steered', text: 'quick', by: 'ana' },
  { kind: 'call_started', ...CALL, ...SHOWN, request: 'req_1' },
  { kind: 'call_finished', ...CALL, ok: true, text: 'noted x', durationMs: 20, request: 'req_1' },
  { kind: 'observing', step: 1, results: 1 },
  { kind: 'interrupted', how: 'graceful', by: 'ana' },
  asks(2),
  { kind: 'text', delta: 'Done.' },
  answers(2, 'Done.'),
  ended,
]

/** As the server tells a turn again from what was kept. */
const RETOLD = eventsOf(
  WHOLE.filter(({ kind }) =>
    ['turn_begun', 'steered', 'model_answered', 'call_proposed', 'call_finished', 'turn_ended'].includes(
      kind,
    ),
  ),
).map((event, index) => ({
  ...event,
  id: `t1-r${index}`,
  ...('durationMs' in event ? { durationMs: 0 } : {}),
}))

function tell(
  events: readonly WireTurnEvent[],
  transcript = createTranscript({ session: 's', soon: atOnce }),
): Transcript {
  for (const event of events) transcript.takeEvent(event)
  return transcript
}

describe('a transcript', () => {
  it('tells a turn piece by piece', () => {
    expect(transcriptValues(tell(eventsOf(WHOLE)))).toEqual([
      {
        turn: 't1',
        items: [
          { kind: 'said', text: 'hello', by: 'ana', at: expect.any(String), isSteering: false },
          {
            kind: 'answer',
            step: 1,
            thinking: 'hm, well',
            text: 'I will note it.',
            state: 'done',
            hasGap: false,
          },
          expect.objectContaining({
            kind: 'call',
            stage: 'finished',
            request: 'req_1',
            summary: 'note: x',
            text: 'noted x',
            durationMs: 20,
          }),
          expect.objectContaining({ kind: 'said', text: 'quick', isSteering: true }),
          expect.objectContaining({ kind: 'said', text: 'quick', isSteering: true }),
          { kind: 'interrupted', how: 'graceful', by: 'ana' },
          expect.objectContaining({ kind: 'answer', step: 2, text: 'Done.', state: 'done' }),
        ],
        end: { status: 'completed', usage: USAGE, steps: 2, durationMs: 1500 },
      },
    ])
  })

  it('says what the model thinks and says while it streams', () => {
    const transcript = tell(eventsOf(WHOLE.slice(0, 4)))
    const answer = () => transcriptValues(transcript)[0]?.items[1]
    expect(answer()).toMatchObject({ thinking: 'hm, well', text: '', state: 'thinking' })
    expect(transcript.running.value).toBe('t1')
    tell(eventsOf(WHOLE.slice(4, 5), 104), transcript)
    expect(answer()).toMatchObject({ text: 'I will ', state: 'speaking' })
  })

  it('a call lives: proposed, waiting, running, over', () => {
    const events = eventsOf(WHOLE)
    const transcript = createTranscript({ session: 's', soon: atOnce })
    const stages = events.flatMap((event) => {
      transcript.takeEvent(event)
      return event.kind.startsWith('call_') ? [transcriptValues(transcript)[0]?.items[2]?.stage] : []
    })
    expect(stages).toEqual(['proposed', 'waiting', 'running', 'finished'])
  })

  it('drops what the model had said when it is asked again, and says so until it speaks', () => {
    const retried: EventParts = {
      kind: 'model_retried',
      attempt: 1,
      of: 2,
      delayMs: 0,
      because: 'it broke off',
    }
    const transcript = tell(eventsOf([begun, asks(1), { kind: 'text', delta: 'half a w' }, retried]))
    expect(transcriptValues(transcript)[0]?.items[1]).toMatchObject({ text: '', retry: { attempt: 1 } })
    tell(eventsOf([{ kind: 'text', delta: 'whole' }], 200), transcript)
    expect(transcriptValues(transcript)[0]?.items[1]).toMatchObject({ text: 'whole', state: 'speaking' })
    expect(transcriptValues(transcript)[0]?.items[1]).not.toHaveProperty('retry')
  })

  it('P5: what was open when the turn ended does not go on for ever, and is not said to have run', () => {
    const started: EventParts = { kind: 'call_started', ...CALL, ...SHOWN }
    const stopped = { ...ended, status: 'interrupted' } as EventParts
    const [turn] = transcriptValues(
      tell(
        eventsOf([
          begun,
          asks(1),
          answers(1, '', 1),
          started,
          asks(2),
          { kind: 'text', delta: 'And' },
          stopped,
        ]),
      ),
    )
    expect(turn?.items).toMatchObject([
      { kind: 'said' },
      { kind: 'answer', state: 'done' },
      { kind: 'call', stage: 'left' },
      { kind: 'answer', state: 'cut', text: 'And' },
    ])
  })

  it('indents the work of an agent below its call, also where several run side by side', () => {
    const spawn = (index: number): EventParts => ({
      kind: 'call_started',
      call: `t1.1.${index}`,
      tool: 'spawn',
      arguments: {},
      summary: 'spawn',
    })
    const child = 's.t1.1.0'
    const [turn] = transcriptValues(
      tell(
        eventsOf([
          begun,
          asks(1),
          answers(1, '', 2),
          spawn(0),
          spawn(1),
          { kind: 'sub_began', child, task: 'look' },
          { ...asks(1), session: child },
          { kind: 'text', delta: 'I look', session: child },
          { kind: 'call_started', ...CALL, ...SHOWN, session: child },
          { kind: 'sub_began', child: `${child}.${CALL.call}`, task: 'deeper' },
          { kind: 'sub_ended', child, status: 'completed' },
        ]),
      ),
    )
    expect(turn?.items.map(({ kind }) => kind)).toEqual(['said', 'answer', 'call', 'helper', 'call'])
    expect(turn?.items[3]).toMatchObject({
      task: 'look',
      status: 'completed',
      lane: [{ kind: 'answer', text: 'I look' }, { kind: 'call', stage: 'running' }, { kind: 'helper' }],
    })
  })

  it('reads aloud what came to its end while somebody listened, and not what was known', () => {
    const transcript = createTranscript({ session: 's', soon: atOnce })
    transcript.hush([
      {
        kind: 'answered',
        turn: 't1',
        at: '',
        step: 1,
        model: 'm',
        text: '',
        calls: [],
        usage: USAGE,
        heard: 0,
      },
    ])
    tell(eventsOf(WHOLE.slice(0, 7)), transcript)
    expect(transcript.finished.value).toBeUndefined()
    tell(eventsOf(WHOLE.slice(7), 107), transcript)
    expect(transcript.finished.value).toEqual({ text: 'Done.' })
    tell(RETOLD, transcript)
    expect(transcript.finished.value).toEqual({ text: 'Done.' })
  })

  it('draws once, however much was told', () => {
    let draw = () => {}
    const transcript = createTranscript({ session: 's', soon: (run) => (draw = run) })
    for (const event of eventsOf(WHOLE)) transcript.takeEvent(event)
    expect(transcript.turns.value).toEqual([])
    draw()
    expect(transcript.draws.value).toBe(1)
    expect(transcript.running.value).toBeUndefined()
    expect(transcriptValues(transcript)[0]?.items).toHaveLength(7)
  })
})

describe('a turn that is told again', () => {
  const uninterrupted = transcriptValues(tell(eventsOf(WHOLE)))

  it('property: from the beginning, after whatever was heard of it, is shown once', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(WHOLE.length), { maxLength: 4 }), (breaks) => {
        const transcript = createTranscript({ session: 's', soon: atOnce })
        for (const heard of breaks) tell(eventsOf(WHOLE.slice(0, heard)), transcript)
        expect(transcriptValues(tell(eventsOf(WHOLE), transcript))).toEqual(uninterrupted)
      }),
    )
  })

  it('property: from what was kept, changes nothing that was heard to its end', () => {
    fc.assert(
      fc.property(fc.nat(RETOLD.length), (count) => {
        const transcript = tell(eventsOf(WHOLE))
        expect(transcriptValues(tell(RETOLD.slice(0, count), transcript))).toEqual(
          count === RETOLD.length
            ? uninterrupted.map((turn) => ({
                ...turn,
                end: { ...(turn.end as object), durationMs: expect.any(Number) },
              }))
            : uninterrupted,
        )
      }),
    )
  })

  it('property: from what was kept, in the middle, ends in the same words and calls', () => {
    fc.assert(
      fc.property(fc.nat(WHOLE.length - 1), (heard) => {
        const transcript = tell(eventsOf(WHOLE.slice(0, heard)))
        tell(RETOLD, transcript)
        const outline = (turns: ReturnType<typeof transcriptValues>) =>
          turns.map(({ items }) =>
            items
              .filter(({ kind }) => kind !== 'interrupted')
              .map(({ kind, text, thinking, state, stage, hasGap }) => ({
                kind,
                text,
                thinking,
                state,
                stage,
                hasGap,
              })),
          )
        expect(outline(transcriptValues(transcript))).toEqual(outline(uninterrupted))
      }),
    )
  })

  it('from what was kept, says that the beginning of the answer under way is missing, until it is whole', () => {
    const transcript = tell(eventsOf([begun, asks(1), { kind: 'text', delta: 'one two ' }]))
    tell(RETOLD.slice(0, 1), transcript)
    tell(eventsOf([{ kind: 'text', delta: 'five six' }], 300), transcript)
    expect(transcriptValues(transcript)[0]?.items[1]).toMatchObject({ text: 'five six', hasGap: true })
    tell(eventsOf([answers(1, 'one two three four five six')], 301), transcript)
    expect(transcriptValues(transcript)[0]?.items[1]).toMatchObject({
      text: 'one two three four five six',
      hasGap: false,
    })
    expect(transcriptValues(transcript)[0]?.items).toHaveLength(2)
  })

  it('a listener who comes in the middle of an answer hears the rest of it', () => {
    const transcript = tell(eventsOf([{ kind: 'text', delta: 'the rest' }]))
    expect(transcriptValues(transcript)[0]?.items).toMatchObject([
      { kind: 'answer', text: 'the rest', hasGap: true },
    ])
  })
})
