import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../test/fixtures/http-gateway.ts'
import { openTestAgent, type TestAgent } from '../../agents/fixtures/test-agent.ts'
import type { WireTurnEvent } from '../../wire/types/conversation.ts'
import { createClient } from '../create-client.ts'
import type { Fetch } from '../transport/transport.ts'
import type { ConnectionStatus } from './follow-stream.ts'

let agents: TestAgent
let http: HttpGateway
beforeAll(async () => {
  const steps = [
    { think: 'hm', calls: [{ tool: 'note', arguments: { line: 'né 🙂' } }] },
    { say: 'Done, né 🙂.' },
  ]
  agents = await openTestAgent({ script: [{ steps }], policy: { allow: ['note'] } })
  http = await openHttpGateway({
    around: agents.setup,
    http: { conversations: agents.agent, settings: { connectionsPerToken: 1000 } },
  })
})
afterAll(async () => {
  await http.close()
  await agents.close()
})

/** Pauses are over at once; a line that is silent is not looked at here. */
const clock = {
  after(delayMs: number, callback: () => void) {
    const timer = delayMs < 45_000 ? setTimeout(callback, 0) : undefined
    return { cancel: () => clearTimeout(timer) }
  },
}

/** Lets so many bytes of each stream through, one count after another, and then cuts the line. */
function cutting(bytes: number[]): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    let left = input.endsWith('/conversation') ? bytes.shift() : undefined
    if (left === undefined || response.body === null) return response
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk.subarray(0, left))
        left = (left ?? 0) - chunk.byteLength
        if (left <= 0) controller.error(new TypeError('cut'))
      },
    })
    return new Response(response.body.pipeThrough(cut), { headers: response.headers })
  }
}

async function collect(events: AsyncGenerator<WireTurnEvent, void>, turn: string): Promise<WireTurnEvent[]> {
  const seen: WireTurnEvent[] = []
  for await (const event of events) {
    seen.push(event)
    if (event.kind === 'turn_ended' && event.turn === turn) break
  }
  return seen
}

describe('following a conversation', () => {
  const connect = (options: { fetch?: Fetch; token?: string } = {}) =>
    createClient({ url: `http://${http.host}`, token: http.tokens.ana, clock, ...options })

  it('misses nothing and hears nothing twice, wherever the line is cut', async () => {
    const { turn, after } = await connect().say('cut', 'note it')
    const whole = await collect(connect().conversation('cut', { after }), turn)
    expect(whole.map(({ kind }) => kind)).toContain('call_finished')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 1500 }), { maxLength: 6 }), async (bytes) => {
        const seen = await collect(
          connect({ fetch: cutting([...bytes]) }).conversation('cut', { after }),
          turn,
        )
        expect(seen).toEqual(whole)
      }),
      { numRuns: 60 },
    )
  })

  it('says that the line was lost, ends when it is told to, and throws where trying again is no use', async () => {
    const { turn, after } = await connect().say('status', 'note it')
    const statuses: ConnectionStatus['kind'][] = []
    const stop = new AbortController()
    const fetched = cutting([10])
    for await (const event of connect({ fetch: fetched }).conversation('status', {
      after,
      signal: stop.signal,
      onStatus: ({ kind }) => statuses.push(kind),
    })) {
      if (event.kind === 'turn_ended' && event.turn === turn) stop.abort()
    }
    expect(statuses).toEqual(['connected', 'lost', 'connected'])
    await expect(connect().conversation('of-nobody').next()).rejects.toMatchObject({ code: 'unknown_id' })
    await expect(connect({ token: 'bmp_wrong' }).conversation('cut').next()).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    await expect(connect({ token: http.tokens['agent-1'] }).say('cut', 'hello')).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})
