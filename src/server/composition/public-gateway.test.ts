import { afterEach, expect, it } from 'vitest'
import { openMemoryStore } from '../../stores/memory/store.ts'
import { openGateway } from './open-gateway.ts'

const ana = { subject: 'ana', role: 'admin', via: 'test' } as const
const SECRET = 'ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
let gateway: Awaited<ReturnType<typeof openGateway>>
afterEach(() => gateway.close())

const INTERNAL = /"(?:commitmentKey|factsDigest)"/

async function asked(callId: string) {
  const call = { callId, session: 's', tool: 'send', arguments: { to: 'bo', token: SECRET } }
  const result = await gateway.guard(call, () => 1, { holdMs: 0 })
  if (result.kind !== 'pending') throw new Error(result.kind)
  return result.requestId!
}

it('P9: a program may send on what it gets: as it goes over the wire, with secrets masked and no key of the store', async () => {
  gateway = await openGateway({ store: openMemoryStore(), policy: { ask: ['*'] }, owner: 'ana' })
  const id = await asked('c1')
  const listed = await gateway.list({ state: 'pending' }, ana)
  const shown = [listed, await gateway.get(id, ana), await gateway.view(id, ana, { locale: 'zh' })]
  for (const one of shown) {
    const text = JSON.stringify(one)
    expect(text).not.toMatch(INTERNAL)
    expect(text).not.toContain(SECRET)
  }
  expect(listed.items).toMatchObject([
    { id, state: 'pending', yours: true, allowedDecisions: expect.any(Array) },
  ])
  const { digest } = listed.items[0]!
  const others = [
    await gateway.waiting('s', ana),
    await gateway.find({ session: 's', callId: 'c1' }, ana),
    await gateway.decide(id, { decision: 'reject', digest, reason: 'no' }, ana),
    await gateway.wait(id),
    await gateway.cancel(await asked('c2'), { reason: 'x' }, ana),
    await gateway.history.calls({}, ana),
    await gateway.history.search({}, ana),
    await gateway.review({ callId: 'c3', session: 's', tool: 'send', arguments: {} }, gateway.self),
  ]
  for (const one of others) expect(JSON.stringify(one)).not.toMatch(INTERNAL)
})

it('P5: what is called wrongly asks nobody, and says what would be right', async () => {
  gateway = await openGateway({ store: openMemoryStore(), policy: { ask: ['*'] }, owner: 'ana' })
  const call = { callId: 'c1', session: 's', tool: 'send', arguments: {} }
  const wrong = gateway as unknown as Record<string, (...parameters: unknown[]) => Promise<object>>
  for (const [verb, ...parameters] of [
    ['guard', call],
    ['guard', call, { holdMs: 0 }],
    ['guard', call, () => 1, { holdMS: 0 }],
    ['guard', call, () => 1, { remembr: true }],
    ['hold', call, { holdMS: 0 }],
    ['hold', call, { durable: true }],
  ] as const) {
    const told = await wrong[verb]!(...parameters)
    expect(told).toMatchObject({
      kind: 'refused',
      code: 'invalid_call',
      because: expect.stringMatching(/guard|option/),
    })
  }
  expect(await gateway.count('pending', ana)).toBe(0)
  await expect(gateway.count({ state: 'pending' } as never, ana)).rejects.toMatchObject({ code: 'invalid' })
  for (const id of [undefined, null, 5, {}])
    await expect(gateway.wait(id as never)).rejects.toMatchObject({ code: 'invalid' })
})
