import { afterEach, describe, expect, it } from 'vitest'
import { countVerbs, type VerbCounts } from '../../../../test/fixtures/counting-store.ts'
import { type HttpGateway, openHttpGateway } from '../../../../test/fixtures/http-gateway.ts'
import { aCall, agent, ask, policyFrom } from '../../../gateway/fixtures/test-gateway.ts'

let http: HttpGateway
afterEach(() => http.close())

/** Requests of twelve sessions under rules for different people. */
async function open(): Promise<VerbCounts> {
  const { wrap, counts } = countVerbs()
  const policy = policyFrom(({ tool }) => ask(tool, tool === 'pay' ? { approvers: ['eve'] } : {}))
  http = await openHttpGateway({ setup: { policy, wrap } })
  const { gateway } = http.setup
  for (let count = 0; count < 24; count++) {
    const call = aCall({ tool: count % 2 === 0 ? 'deploy' : 'pay', session: `page-${count % 12}` })
    await gateway.review(call, agent)
  }
  counts.clear()
  return counts
}

const sessionReads = (counts: VerbCounts) => [counts.of('sessions.get'), counts.of('sessions.getAll')]

describe('a page of requests', () => {
  it('reads the sessions of all of them once, and tells each reader which are theirs', async () => {
    const counts = await open()
    for (const [who, tool] of [
      ['ben', 'deploy'],
      ['eve', 'pay'],
    ] as const) {
      const { json } = await http.send('GET', '/v1/requests?limit=200', { as: who })
      expect(json.items.length).toBe(24)
      for (const item of json.items) expect([item.tool, item.yours]).toEqual([item.tool, item.tool === tool])
      expect(sessionReads(counts)).toEqual([0, 1])
      expect([counts.of('get'), counts.of('list')]).toEqual([0, 1])
      counts.clear()
    }
  })

  it('reads none for an agent, and none where nothing is pending', async () => {
    const counts = await open()
    const { json } = await http.send('GET', '/v1/requests', { as: 'agent-1' })
    expect([json.items.length, json.items.some((item: { yours: boolean }) => item.yours)]).toEqual([
      24,
      false,
    ])
    await http.send('GET', '/v1/requests?state=done', { as: 'ben' })
    expect(sessionReads(counts)).toEqual([0, 0])
  })

  it('in the history reads the sessions once too', async () => {
    const counts = await open()
    const { json } = await http.send('GET', '/v1/history', { as: 'ben' })
    const yours = json.items.map(({ request }: { request: { yours: boolean } }) => request.yours)
    expect([yours.length, yours.filter(Boolean).length]).toEqual([24, 12])
    expect(sessionReads(counts)).toEqual([0, 1])
  })

  it('of one session as an interrupt reads it once for all its requests', async () => {
    const counts = await open()
    const { json } = await http.send('GET', '/v1/sessions/page-1/interrupt', { as: 'eve' })
    expect(json.interrupt.action_requests.length).toBe(2)
    expect(sessionReads(counts)).toEqual([0, 1])
  })
})
