import { describe, expect, it } from 'vitest'
import { createFakeClock } from '../../../testing/fake-clock.ts'
import { type ModelEvent, ModelFault, type ModelRequest } from '../model.ts'
import { createScriptedModel, inPieces } from './scripted-model.ts'

const request: ModelRequest = {
  messages: [{ role: 'user', text: 'How is the weather?' }],
  tools: [{ name: 'get_weather', description: '', schema: {} }],
}
const live = () => new AbortController().signal

describe('a scripted model', () => {
  it('streams what it thinks, says and calls', async () => {
    const model = createScriptedModel({
      name: 'weather',
      scenes: [
        {
          steps: [
            {
              think: 'A tool knows.',
              say: 'Let me look that up for you, one moment please, it is quick.',
              calls: [
                { tool: 'get_weather', arguments: { city: 'Hangzhou' } },
                { tool: 'get_weather', argumentsText: '{"a":1,"a":2', id: 'call_0' },
              ],
            },
          ],
        },
      ],
    })
    expect(model.name).toBe('scripted/weather')
    const events = await all(model.stream(request, live()))
    const text = events.filter((event) => event.kind === 'text').map(({ delta }) => delta)
    expect(text.length).toBeGreaterThan(1)
    expect(text.join('')).toBe('Let me look that up for you, one moment please, it is quick.')
    expect(events.filter(({ kind }) => kind !== 'text')).toEqual([
      { kind: 'reasoning', delta: 'A ' },
      { kind: 'reasoning', delta: 'tool ' },
      { kind: 'reasoning', delta: 'knows.' },
      { kind: 'call', id: 'call_0_0', tool: 'get_weather', argumentsText: '{"city":"Hangzhou"}' },
      { kind: 'call', id: 'call_0', tool: 'get_weather', argumentsText: '{"a":1,"a":2' },
      { kind: 'end', finish: 'calls', usage: { inputTokens: 5, outputTokens: 26 } },
    ])
  })

  it('fails where the script says so, as often as it says', async () => {
    const model = createScriptedModel([
      {
        steps: [{ say: 'Hello.', fail: { message: 'busy', mayRetry: true, retryAfterMs: 50, times: 2 } }],
      },
    ])
    for (const _ of [1, 2]) {
      const fault = await all(model.stream(request, live())).catch((error: unknown) => error)
      expect(fault).toBeInstanceOf(ModelFault)
      expect(fault).toMatchObject({
        mayRetry: true,
        retryAfterMs: 50,
        message: expect.stringMatching(/^busy/),
      })
    }
    expect((await all(model.stream(request, live()))).at(-1)).toMatchObject({ kind: 'end', finish: 'stop' })
  })

  it('P5: fails midway after its words and before its calls', async () => {
    const model = createScriptedModel([
      {
        steps: [
          {
            say: 'Hello.',
            calls: [{ tool: 'get_weather' }],
            fail: { message: 'lost', mayRetry: true, midway: true },
          },
        ],
      },
    ])
    const seen: ModelEvent[] = []
    const reading = (async () => {
      for await (const event of model.stream(request, live())) seen.push(event)
    })()
    await expect(reading).rejects.toThrow(/^lost \(scene 0, step 0 of the script\)/)
    expect(seen).toEqual([{ kind: 'text', delta: 'Hello.' }])
  })

  it('waits on the given clock, and stops at once when it is told to', async () => {
    const clock = createFakeClock()
    const model = createScriptedModel([{ steps: [{ say: 'Hello.', delayMs: 1000 }] }], { after: clock.after })
    const stop = new AbortController()
    const stopped = all(model.stream(request, stop.signal))
    const waited = all(model.stream(request, live()))
    stop.abort(new Error('enough'))
    await expect(stopped).rejects.toThrow('enough')
    await clock.advance(1000)
    expect(await waited).toHaveLength(2)
  })

  it('stops between two words', async () => {
    const model = createScriptedModel([{ steps: [{ say: 'one two three' }] }])
    const stop = new AbortController()
    const events = model.stream(request, stop.signal)[Symbol.asyncIterator]()
    expect(await events.next()).toMatchObject({ value: { delta: 'one ' } })
    stop.abort(new Error('enough'))
    await expect(events.next()).rejects.toThrow('enough')
  })
})

describe('pieces', () => {
  it.each(['', ' ', 'a', ' a b ', '字'.repeat(30), 'x '.repeat(100), '\n\nend\n'])(
    'of %j make it whole again',
    (text) => {
      expect(inPieces(text).join('')).toBe(text)
      expect(inPieces(text).length).toBeLessThanOrEqual(8)
    },
  )
})

async function all(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const list: ModelEvent[] = []
  for await (const event of events) list.push(event)
  return list
}
