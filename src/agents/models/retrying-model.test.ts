import { assert, asyncProperty, double } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFakeClock } from '../../testing/fake-clock.ts'
import { type Model, type ModelEvent, ModelFault } from './model.ts'
import { createRetryingModel, type Retry, type RetryOptions } from './retrying-model.ts'

const END: ModelEvent = { kind: 'end', finish: 'stop', usage: { inputTokens: 1, outputTokens: 1 } }
const HELLO: ModelEvent = { kind: 'text', delta: 'Hello.' }
const BUSY = new ModelFault('the server is busy', { mayRetry: true })
const request = { messages: [], tools: [] }

describe('a retrying model', () => {
  it('asks again after a while that doubles, and tells so', async () => {
    const { asked, retries, read } = start([[BUSY], [BUSY], [BUSY], [HELLO, END]], { random: () => 0 })
    expect(await read).toEqual([HELLO, END])
    expect(asked()).toBe(4)
    expect(retries).toEqual([
      { attempt: 1, of: 4, delayMs: 500, because: 'the server is busy' },
      { attempt: 2, of: 4, delayMs: 1000, because: 'the server is busy' },
      { attempt: 3, of: 4, delayMs: 2000, because: 'the server is busy' },
    ])
  })

  it('gives up after the last retry with the last fault', async () => {
    const { asked, read } = start(
      Array.from({ length: 9 }, () => [BUSY]),
      { maxRetries: 2 },
    )
    await expect(read).rejects.toBe(BUSY)
    expect(asked()).toBe(3)
  })

  it('never asks again for what would not help, or after a word was passed on', async () => {
    const wrongKey = new ModelFault('the key is wrong', { mayRetry: false })
    for (const [answer, error] of [
      [[wrongKey], wrongKey],
      [[HELLO, BUSY], BUSY],
      [[{ kind: 'reasoning', delta: 'Hm' } as const, BUSY], BUSY],
      [[new TypeError('a bug')], new TypeError('a bug')],
    ] as [(ModelEvent | Error)[], Error][]) {
      const { asked, retries, read } = start([answer, [END]], {})
      await expect(read).rejects.toEqual(error)
      expect(asked()).toBe(1)
      expect(retries).toEqual([])
    }
  })

  it('waits as long as the server asks, unless that is too long to wait', async () => {
    const later = (retryAfterMs: number) => new ModelFault('busy', { mayRetry: true, retryAfterMs })
    const { retries, read } = start([[later(7000)], [later(1)], [END]], { random: () => 0 })
    await read
    expect(retries.map(({ delayMs }) => delayMs)).toEqual([7000, 1000])
    const tomorrow = later(86_400_000)
    await expect(start([[tomorrow], [END]], {}).read).rejects.toBe(tomorrow)
  })

  it('stops at once when it is told to while it waits', async () => {
    const clock = createFakeClock()
    const stop = new AbortController()
    let asked = 0
    const model = createRetryingModel(
      { name: 'busy', stream: () => answering([BUSY], () => asked++) },
      {
        after: clock.after,
        random: () => 0,
        onRetry: () => queueMicrotask(() => stop.abort(new Error('enough'))),
      },
    )
    await expect(all(model.stream(request, stop.signal))).rejects.toThrow('enough')
    expect(asked).toBe(1)
  })

  it('does not ask again when it was stopped while the model was at it', async () => {
    const stop = new AbortController()
    const retries: Retry[] = []
    const model = createRetryingModel(
      { name: 'busy', stream: () => answering([BUSY], () => stop.abort(new Error('enough'))) },
      { after: createFakeClock().after, random: () => 0, onRetry: (retry) => retries.push(retry) },
    )
    await expect(all(model.stream(request, stop.signal))).rejects.toThrow('enough')
    expect(retries).toEqual([])
  })

  it('never waits less than half of the delay or more than all of it', async () => {
    await assert(
      asyncProperty(double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), async (random) => {
        const { retries, read } = start([...Array.from({ length: 8 }, () => [BUSY]), [END]], {
          maxRetries: 8,
          random: () => random,
        })
        await read
        retries.forEach(({ delayMs }, index) => {
          const full = Math.min(1000 * 2 ** index, 30_000)
          expect(delayMs).toBeGreaterThanOrEqual(full / 2)
          expect(delayMs).toBeLessThanOrEqual(full)
        })
        expect(retries).toHaveLength(8)
      }),
    )
  })
})

/** On a clock that is always there already. */
function start(answers: (ModelEvent | Error)[][], options: Partial<RetryOptions>) {
  const retries: Retry[] = []
  let asked = 0
  const model: Model = { name: 'busy', stream: () => answering(answers[asked++] ?? []) }
  const retrying = createRetryingModel(model, {
    after(_, callback) {
      queueMicrotask(callback)
      return { cancel() {} }
    },
    random: () => 0.5,
    onRetry: (retry) => retries.push(retry),
    ...options,
  })
  return {
    retries,
    asked: () => asked,
    read: all(retrying.stream(request, new AbortController().signal)),
  }
}

async function* answering(parts: (ModelEvent | Error)[], onAsked = () => {}): AsyncGenerator<ModelEvent> {
  onAsked()
  for (const part of parts) {
    if (part instanceof Error) throw part
    yield part
  }
}

async function all(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const list: ModelEvent[] = []
  for await (const event of events) list.push(event)
  return list
}
