import { describe, expect, it } from 'vitest'
import { createFakeClock } from '../../testing/fake-clock.ts'
import { createEventStream, type EventStreamOptions, type StreamedEvent } from './event-stream.ts'

const reset = (cursor: string) => ({ name: 'reset', data: JSON.stringify({ type: 'reset', cursor }) })

/** Events that never end, and how many were asked for. */
function endless() {
  const asked = { count: 0, ended: false }
  async function* events(): AsyncGenerator<StreamedEvent, void> {
    try {
      for (;;) {
        asked.count++
        const cursor = String(asked.count)
        yield { cursor, event: reset(cursor) }
      }
    } finally {
      asked.ended = true
    }
  }
  return { asked, events: events() }
}

async function* listOf(...list: StreamedEvent[]): AsyncGenerator<StreamedEvent, void> {
  yield* list
}

/** Events that never come, until it is over. */
async function* silence(over: AbortSignal): AsyncGenerator<StreamedEvent, void> {
  await new Promise((resolve) => over.addEventListener('abort', resolve))
}

function open(options: Partial<EventStreamOptions> & Pick<EventStreamOptions, 'events'>) {
  const clock = createFakeClock()
  const seen = { ends: 0, faults: [] as unknown[] }
  const stream = createEventStream({
    revoked: new AbortController().signal,
    clock,
    keepAliveMs: 1000,
    stillHolds: async () => true,
    closing: undefined,
    onFault: (error) => seen.faults.push(error),
    ...options,
    onEnd() {
      seen.ends++
      options.onEnd?.()
    },
  })
  const reader = stream.getReader()
  const read = async () => {
    const { done, value } = await reader.read()
    return done ? undefined : new TextDecoder().decode(value)
  }
  return { reader, read, seen, clock }
}

describe('an event stream', () => {
  it('asks for the next event only when the one before was taken', async () => {
    const { asked, events } = endless()
    const { reader, read, seen } = open({ events })
    expect(asked.count).toBe(0)
    expect(await read()).toBe('event: reset\nid: 1\ndata: {"type":"reset","cursor":"1"}\n\n')
    await read()
    expect(asked.count).toBe(2)
    await reader.cancel()
    expect([asked.ended, seen.ends, seen.faults]).toEqual([true, 1, []])
  })

  it('keeps the connection alive, and carries the cursor of what was not for this reader', async () => {
    const over = new AbortController()
    async function* events(): AsyncGenerator<StreamedEvent, void> {
      yield { cursor: '7' }
      yield { cursor: '8' }
      yield* silence(over.signal)
    }
    const { reader, read, seen, clock } = open({ events: events(), onEnd: () => over.abort() })
    for (const text of [': keep-alive\nid: 8\n\n', ': keep-alive\n\n']) {
      const next = read()
      await clock.advance(1000)
      expect(await next).toBe(text)
    }
    await reader.cancel()
    expect(seen).toEqual({ ends: 1, faults: [] })
  })

  it('P6: ends when the credential no longer holds, even while events are coming', async () => {
    const { events } = endless()
    let holds = true
    const { read, seen, clock } = open({ events, stillHolds: async () => holds })
    expect(await read()).toContain('reset')
    holds = false
    await clock.advance(1000)
    expect(await read()).toBe(': the credential is no longer valid\n\n')
    expect(await read()).toBeUndefined()
    expect(seen).toEqual({ ends: 1, faults: [] })
  })

  it('ends with the hint to come back when the server closes', async () => {
    const [over, closing] = [new AbortController(), new AbortController()]
    const { read, seen } = open({
      events: silence(over.signal),
      closing: closing.signal,
      onEnd: () => over.abort(),
    })
    const text = read()
    closing.abort()
    expect(await text).toBe(': the server is restarting; come back\nretry: 1000\n\n')
    expect(await read()).toBeUndefined()
    expect(seen.ends).toBe(1)
  })

  it('ends when there are no more events, and breaks off when they fail', async () => {
    const ending = open({ events: listOf({ cursor: '1', event: reset('1') }) })
    await ending.read()
    expect(await ending.read()).toBeUndefined()
    expect(ending.seen).toEqual({ ends: 1, faults: [] })

    // biome-ignore lint/correctness/useYield: it fails before its first event.
    async function* failing(): AsyncGenerator<StreamedEvent, void> {
      throw new Error('the disk is gone')
    }
    const broken = open({ events: failing() })
    await expect(broken.read()).rejects.toThrow('the disk is gone')
    expect([broken.seen.ends, broken.seen.faults.length]).toEqual([1, 1])
  })

  it('that nobody reads any more lets go of everything', async () => {
    const over = new AbortController()
    const { reader, read, seen } = open({ events: silence(over.signal), onEnd: () => over.abort() })
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    const waiting = read()
    await turn()
    await reader.cancel()
    expect(await waiting).toBeUndefined()
    // What was under way comes to its end too.
    await turn()
    expect(seen).toEqual({ ends: 1, faults: [] })
  })
})
