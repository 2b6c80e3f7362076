import { afterEach, describe, expect, it } from 'vitest'
import {
  type HttpGateway,
  type HttpGatewayOptions,
  openHttpGateway,
} from '../../../../test/fixtures/http-gateway.ts'
import { aCall, agent, ana, ben } from '../../../gateway/fixtures/test-gateway.ts'
import type { WatchEvent } from '../../../gateway/live/watch.ts'
import * as answers from '../../../wire/answers.ts'
import type { WireEvent } from '../../../wire/types/answers.ts'

let http: HttpGateway
afterEach(() => http.close())
async function open(options: HttpGatewayOptions = {}) {
  http = await openHttpGateway({ setup: { policy: { allow: ['read'] } }, ...options })
}

const idsOf = (events: WireEvent[]) =>
  events.map((event) =>
    event.type === 'request' ? `${event.request.id} ${event.request.version}` : event.type,
  )

describe('GET /v1/events', () => {
  it('begins with reset, then tells what changes, whole', async () => {
    await open()
    const stream = await http.events('ben')
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    const reset = await stream.next()
    expect(reset).toMatchObject({ event: 'reset', id: expect.stringMatching(/./) })
    const { id, digest } = await http.ask()
    const opened = await stream.next()
    const event = JSON.parse(opened.data) as WireEvent
    expect(event).toMatchObject({
      type: 'request',
      cursor: opened.id,
      request: { id, state: 'pending', yours: true },
    })
    expect(answers.event.parse(event)).toEqual(event)
    await http.setup.gateway.decide(id, { decision: 'approve', digest }, ana)
    expect(await stream.nextEvent()).toMatchObject({
      type: 'request',
      request: { id, state: 'approved', yours: false },
    })
    await stream.close()
  })

  it('answers only once it knows from where on it tells: who lists then misses nothing', async () => {
    let knows = false
    await open({
      wrap: (gateway) => ({
        ...gateway,
        async *watch(options): AsyncGenerator<WatchEvent, void> {
          for await (const event of gateway.watch(options)) {
            for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
            knows = true
            yield event
          }
        },
      }),
    })
    const stream = await http.events('ben')
    expect(knows).toBe(true)
    await stream.close()
  })

  it('tells people of calls that nobody was asked about, masked', async () => {
    await open()
    const stream = await http.events('eve')
    await stream.next()
    const secret = `ghp_${'a1B2'.repeat(9)}`
    await http.setup.gateway.review(aCall({ tool: 'read', arguments: { token: secret } }), agent)
    await http.setup.gateway.flush()
    const message = await stream.next()
    const event = JSON.parse(message.data)
    expect(event).toMatchObject({
      type: 'entry',
      entry: { type: 'call.allowed', body: { tool: 'read', by: 'agent-1' } },
    })
    expect(answers.event.parse(event)).toEqual(event)
    expect(message.data).not.toContain(secret)
    expect(message.data).not.toContain('commitment')
    await stream.close()
  })

  it('P6: tells an agent of its own requests and of nothing else', async () => {
    await open()
    const stream = await http.events('agent-2')
    await stream.next()
    await http.ask()
    await http.setup.gateway.review(aCall({ tool: 'read' }), agent)
    await http.setup.gateway.flush()
    const own = aCall({ session: 'of-2' })
    await http.send('POST', '/v1/calls', { as: 'agent-2', body: own })
    expect(await stream.nextEvent()).toMatchObject({
      type: 'request',
      request: { callId: own.callId, yours: false },
    })
    await stream.close()
  })

  it('goes on from Last-Event-ID: nothing is lost, and nothing comes twice', async () => {
    await open()
    const first = await http.events('ben')
    const { id: start } = await first.next()
    const ids: string[] = []
    for (let count = 0; count < 5; count++) ids.push((await http.ask()).id)
    const seen: WireEvent[] = [await first.nextEvent(), await first.nextEvent()]
    await first.close()
    for (let count = 0; count < 3; count++) ids.push((await http.ask()).id)

    const second = await http.events('ben', seen.at(-1)!.cursor)
    while (seen.length < ids.length) seen.push(await second.nextEvent())
    expect(idsOf(seen)).toEqual(ids.map((id) => `${id} 1`))
    await second.close()

    // From the start again, and after more has happened: each request comes once, as it is now.
    const { gateway } = http.setup
    const changed = await gateway.get(ids[0]!, ana)
    await gateway.decide(changed.id, { decision: 'reject', digest: changed.digest }, ben)
    const third = await http.events('ben', start)
    const again: WireEvent[] = []
    while (again.length < ids.length) again.push(await third.nextEvent())
    expect(idsOf(again)).toEqual([...ids.slice(1).map((id) => `${id} 1`), `${ids[0]} 2`])
    await third.close()
  })

  it('P10: a cursor that is not ours, or of another store, is answered with reset', async () => {
    await open()
    for (const cursor of ['nonsense', '999999999', 'x'.repeat(500)]) {
      const stream = await http.events('ben', cursor)
      expect(await stream.nextEvent()).toMatchObject({ type: 'reset' })
      await stream.close()
    }
  })

  it('P6: ends when the token is revoked', async () => {
    await open()
    const stream = await http.events('ben')
    await stream.next()
    const tokens = await http.setup.gateway.tokens.list(ana)
    await http.setup.gateway.tokens.revoke(tokens.find((token) => token.subject === 'ben')!.id, ana)
    const { id } = await http.ask()
    expect(await stream.rest()).not.toContain(id)
  })

  it('P8: who listens is present, and no longer when they have gone', async () => {
    await open()
    const present = async () => (await http.setup.store.presence.list('stream')).map(({ subject }) => subject)
    const streams = [await http.events('ben'), await http.events('agent-1')]
    expect(await present()).toEqual(['ben'])
    for (const stream of streams) await stream.close()
    http.setup.clock.jump(31_000)
    expect(await present()).toEqual([])
  })

  it('a credential holds only so many open, and a place is free again when one is closed', async () => {
    await open({ http: { settings: { connectionsPerToken: 2 } } })
    const streams = [await http.events('ben'), await http.events('ben')]
    const { status, json } = await http.send('GET', '/v1/events', { as: 'ben' })
    expect([status, json.code, json.limit]).toEqual([429, 'too_many_connections', 2])
    await (await http.events('eve')).close()
    await streams[0]!.close()
    await expect
      .poll(async () => (await http.events('ben').catch(() => undefined))?.close().then(() => true))
      .toBe(true)
    await streams[1]!.close()
  })

  it('is not opened by HEAD', async () => {
    await open()
    expect((await http.send('HEAD', '/v1/events', { as: 'ben' })).status).toBe(405)
  })

  it('a reader who does not read costs no memory, and misses nothing when they read again', async () => {
    let pulled = 0
    await open({
      wrap: (gateway) => ({
        ...gateway,
        async *watch(options): AsyncGenerator<WatchEvent, void> {
          for await (const event of gateway.watch(options)) {
            pulled++
            yield event
          }
        },
      }),
    })
    const stream = await http.events('ben', '0')
    // Thirty megabytes: more than the kernel holds for a connection that nobody reads.
    const text = 'x'.repeat(60_000)
    const ids: string[] = []
    for (let count = 0; count < 400; count++) {
      const call = aCall({ session: `slow-${count % 10}`, arguments: { text } })
      ids.push((await http.setup.gateway.review(call, agent)).request!.id)
    }
    expect(pulled).toBeLessThan(350)

    const seen: string[] = []
    while (seen.length < ids.length) {
      const event = await stream.nextEvent()
      if (event.type === 'request') seen.push(event.request.id)
    }
    expect(seen).toEqual(ids)
    await stream.close()
  })
})
