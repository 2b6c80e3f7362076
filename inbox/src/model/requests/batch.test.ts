import { effect } from '@preact/signals'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../../../../src/client/index.ts'
import { type HttpGateway, openHttpGateway } from '../../../../test/fixtures/http-gateway.ts'
import { wireRequest } from '../../../../test/fixtures/wire-request.ts'
import { canDecideInBatch, createBatch } from './batch.ts'

let http: HttpGateway
let ben: Client
beforeEach(async () => {
  http = await openHttpGateway()
  ben = createClient({ url: http.server.address.url, token: http.tokens.ben })
})
afterEach(() => http.close())

const live = { put() {} } as unknown as Parameters<typeof createBatch>[0]['live']

async function ready(batch: ReturnType<typeof createBatch>): Promise<void> {
  let stop = () => {}
  await new Promise<void>((resolve) => {
    stop = effect(() => {
      if (batch.items.value.every(({ kind }) => kind !== 'loading')) resolve()
    })
  })
  stop()
}

describe('deciding several', () => {
  it('P9: what is too long to be shown whole among others is rejected there, and approved alone', async () => {
    const { id } = await http.ask({ arguments: { text: 'word '.repeat(10_000) } })
    const request = await ben.get(id)
    expect(canDecideInBatch(request, 'reject')).toBe(true)
    expect(canDecideInBatch(request, 'approve')).toBe(false)
  })

  it('P2: each gets a decision of its own; one that was answered elsewhere holds up no other', async () => {
    const asked = [await http.ask(), await http.ask(), await http.ask()]
    const batch = createBatch({ client: ben, live }, asked)
    await ready(batch)
    const ana = createClient({ url: http.server.address.url, token: http.tokens.ana })
    await ana.decide(asked[1]!.id, { decision: 'reject', digest: asked[1]!.digest })
    batch.leaveOut(asked[2]!.id)
    await batch.decide('approve')
    expect(batch.items.value.map(({ kind }) => kind)).toEqual(['decided', 'failed'])
    expect(batch.items.value[1]).toMatchObject({ error: { code: 'already_decided' } })
    expect((await ana.get(asked[0]!.id)).decision).toMatchObject({ kind: 'approve', by: 'ben' })
    expect((await ana.get(asked[2]!.id)).state).toBe('pending')
    await batch.decide('approve')
    expect(batch.items.value.map(({ kind }) => kind)).toEqual(['decided', 'failed'])
  })

  it('P2: looks up what became of an answer of which nothing was heard', async () => {
    const asked = [await http.ask(), await http.ask()]
    // The answer to the first is cut off after the server has recorded it; the second never arrives.
    const cut = createClient({
      url: http.server.address.url,
      token: http.tokens.ben,
      async fetch(url, init) {
        if (!url.endsWith('/decisions')) return fetch(url, init)
        if (url.includes(asked[0]!.id)) await (await fetch(url, init)).text()
        throw new TypeError('cut')
      },
    })
    const batch = createBatch({ client: cut, live }, asked)
    await ready(batch)
    await batch.decide('approve')
    expect(batch.items.value.map(({ kind }) => kind)).toEqual(['decided', 'failed'])
    expect(batch.items.value[1]).toMatchObject({ error: { code: 'unreachable' } })
    expect((await ben.get(asked[1]!.id)).state).toBe('pending')
  })

  it('rejects all with one reason', async () => {
    const asked = [await http.ask(), await http.ask()]
    const batch = createBatch({ client: ben, live }, asked)
    await ready(batch)
    await batch.decide('reject', 'not today')
    for (const { id } of asked) expect((await ben.get(id)).decision?.reason).toBe('not today')
  })

  it('never approves together what is dangerous, a question, or not offered', () => {
    const request = (parts: Parameters<typeof wireRequest>[0]) => wireRequest({ yours: true, ...parts })
    expect(canDecideInBatch(request({ severity: 'normal' }), 'approve')).toBe(true)
    expect(canDecideInBatch(request({ severity: 'high' }), 'approve')).toBe(false)
    expect(canDecideInBatch(request({ severity: 'critical' }), 'approve')).toBe(false)
    expect(canDecideInBatch(request({ severity: 'critical' }), 'reject')).toBe(true)
    expect(canDecideInBatch(request({ kind: 'question' }), 'reject')).toBe(false)
    expect(canDecideInBatch(request({ allowedDecisions: ['reject'] }), 'approve')).toBe(false)
    expect(canDecideInBatch(request({ yours: false }), 'reject')).toBe(false)
  })
})
