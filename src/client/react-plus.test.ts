import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defined } from '../core/defined.ts'
import { createReactPlusClient, type ReactPlusEvent } from './react-plus.ts'
import type { Fetch } from './transport/transport.ts'

const frame = (n: number, type: string, message: string, data: object = {}) =>
  `id: t1-${n}\nevent: ${type}\ndata: ${JSON.stringify({ type, message, data, meta: {}, sessionId: 's', turnId: 't1', messageId: 't1', agentId: 'main', startTime: '', endTime: null })}\n\n`

const TURN = [
  'retry: 1000\n\n',
  frame(1, 'THINKING', '我来查一下😀'),
  ': keep-alive\n\n',
  frame(2, 'ACTING', 'get_weather'),
  frame(3, 'TOOL_APPROVAL', '', { requestId: 'r1', context: { toolArgs: { city: '杭州' } } }),
  frame(4, 'COMPLETED', 'over', { final: true }),
]
const bytesOf = (texts: string[]) => new TextEncoder().encode(texts.join(''))

interface Sent {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  body: any
  headers: Record<string, string>
  init: RequestInit
}

/** A server that gives these bodies one after the other; a number is a status. */
function server(...answers: (Uint8Array[] | number | 'breaks')[]): { fetch: Fetch; sent: Sent[] } {
  const sent: Sent[] = []
  return {
    sent,
    fetch: async (_, init) => {
      sent.push({
        body: init.body === undefined ? undefined : JSON.parse(init.body as string),
        headers: init.headers as Record<string, string>,
        init,
      })
      const answer = answers.shift()
      if (answer === undefined || answer === 'breaks') throw new TypeError('fetch failed')
      if (typeof answer === 'number') {
        const problem = { code: 'invalid', detail: 'no', title: 'no', status: answer }
        return new Response(JSON.stringify(problem), { status: answer })
      }
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const chunk = answer.shift()
          if (chunk === undefined) controller.close()
          else controller.enqueue(chunk)
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
  }
}

/** Time passes at once. */
const clock = {
  after(delayMs: number, callback: () => void) {
    const timer = delayMs < 45_000 ? setTimeout(callback, 0) : undefined
    return { cancel: () => clearTimeout(timer) }
  },
}
const client = (fetch: Fetch, token: string | undefined = 'bmp_x') =>
  createReactPlusClient({ url: 'http://127.0.0.1:4790', token, fetch, clock, random: () => 0.5 })

async function all(events: AsyncIterable<ReactPlusEvent>): Promise<ReactPlusEvent[]> {
  const seen: ReactPlusEvent[] = []
  for await (const event of events) seen.push(event)
  return seen
}

const told = (events: ReactPlusEvent[]) => events.map(({ id, type, message }) => [id, type, message])
const WHOLE = [
  ['t1-1', 'THINKING', '我来查一下😀'],
  ['t1-2', 'ACTING', 'get_weather'],
  ['t1-3', 'TOOL_APPROVAL', ''],
  ['t1-4', 'COMPLETED', 'over'],
]

describe('the client of chats', () => {
  it('says it, gives the events and ends with the turn', async () => {
    const { fetch, sent } = server([bytesOf(TURN)])
    const events = await all(client(fetch).chat({ sessionId: 's', message: 'go' }))
    expect(told(events)).toEqual(WHOLE)
    expect(events[2]?.data).toEqual({ requestId: 'r1', context: { toolArgs: { city: '杭州' } } })
    expect(sent[0]).toMatchObject({
      body: { sessionId: 's', message: 'go', buffered: true },
      headers: { authorization: 'Bearer bmp_x', accept: 'text/event-stream' },
    })
    expect(sent).toHaveLength(1)
  })

  it('gives the same events however the network cuts the stream, at every byte', async () => {
    const bytes = bytesOf(TURN)
    for (let at = 0; at <= bytes.length; at++) {
      const { fetch } = server([bytes.slice(0, at), bytes.slice(at)].filter((part) => part.length > 0))
      expect(told(await all(client(fetch).chat({ sessionId: 's', message: 'go' })))).toEqual(WHOLE)
    }
  })

  it('property: gives the same events with any number of cuts', async () => {
    const bytes = bytesOf(TURN)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: bytes.length }), { maxLength: 40 }), async (cuts) => {
        const ends = [...cuts.toSorted((one, other) => one - other), bytes.length]
        let from = 0
        const parts = ends.flatMap((end) => {
          const part = bytes.slice(from, end)
          from = end
          return part.length === 0 ? [] : [part]
        })
        expect(told(await all(client(server(parts).fetch).chat({ sessionId: 's', message: 'go' })))).toEqual(
          WHOLE,
        )
      }),
      { numRuns: 50 },
    )
  })

  it('loses and repeats nothing when the stream breaks off, at every byte, and says its words once', async () => {
    const bytes = bytesOf(TURN)
    const ends = [1, 2, 3, 4].map((n) => {
      const index = TURN.findIndex((text) => text.startsWith(`id: t1-${n}\n`))
      return { id: `t1-${n}`, at: bytesOf(TURN.slice(0, index + 1)).length }
    })
    for (let at = 0; at < bytes.length; at += 7) {
      const seen = ends.filter((end) => end.at <= at).at(-1)
      const rest = bytes.slice(seen?.at ?? 0)
      const { fetch, sent } = server(
        [bytes.slice(0, at)].filter((part) => part.length > 0),
        'breaks',
        503,
        [rest],
      )
      const events = await all(client(fetch).chat({ sessionId: 's', message: 'go' }))
      expect(told(events)).toEqual(WHOLE)
      if (seen?.id === 't1-4') continue
      expect(sent.map(({ body }) => body.message)).toEqual(['go', undefined, undefined, undefined])
      expect(sent.at(-1)?.headers['last-event-id']).toBe(seen?.id)
    }
  })

  it('does not say again what may have been heard', async () => {
    const { fetch, sent } = server('breaks', [bytesOf(TURN)])
    await expect(all(client(fetch).chat({ message: 'go' }))).rejects.toMatchObject({ code: 'unreachable' })
    expect(sent).toHaveLength(1)
  })

  it('makes up a name for a conversation that has none, and keeps to it', async () => {
    const { fetch, sent } = server([bytesOf(TURN.slice(0, 2))], [bytesOf(TURN.slice(2))])
    await all(client(fetch).chat({ message: 'go' }))
    expect(sent[0]?.body.sessionId).toMatch(/^session-\w+$/)
    expect(sent[1]?.body).toEqual({ sessionId: sent[0]?.body.sessionId, buffered: true })
  })

  it('gives up where trying again is no use', async () => {
    const { fetch, sent } = server([bytesOf(TURN.slice(0, 2))], 404)
    await expect(all(client(fetch).follow({ sessionId: 's' }))).rejects.toMatchObject({ status: 404 })
    expect(sent).toHaveLength(2)
  })

  it('ends at an error that is final, and not at one that is not', async () => {
    const turn = [
      frame(1, 'ERROR', 'a', { final: false }),
      frame(2, 'ERROR', 'b', { final: true }),
      frame(3, 'TOOL', 'c'),
    ]
    const { fetch } = server([bytesOf(turn)])
    expect((await all(client(fetch).follow({ sessionId: 's' }))).map(({ message }) => message)).toEqual([
      'a',
      'b',
    ])
  })

  it('sends the cookie of the page where there is no token, and none where there is one', async () => {
    for (const [token, credentials] of [
      [undefined, 'same-origin'],
      ['bmp_x', 'omit'],
    ] as const) {
      const { fetch, sent } = server([bytesOf(TURN)])
      const made = createReactPlusClient({
        url: 'http://127.0.0.1:1',
        ...defined({ token }),
        fetch,
      })
      await all(made.follow({ sessionId: 's' }))
      expect(sent[0]?.init.credentials).toBe(credentials)
    }
  })

  it('ends quietly when the caller has enough', async () => {
    const { fetch } = server([bytesOf(TURN)])
    const stop = new AbortController()
    const seen: string[] = []
    for await (const event of client(fetch).chat({ message: 'go', signal: stop.signal })) {
      seen.push(event.type)
      stop.abort()
    }
    expect(seen).toEqual(['THINKING'])
  })
})
