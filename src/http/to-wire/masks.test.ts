import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway, type Who } from '../../../test/fixtures/http-gateway.ts'
import { ana } from '../../gateway/fixtures/test-gateway.ts'
import type { WireRequest } from '../../wire/types/request.ts'

let http: HttpGateway
beforeAll(async () => {
  http = await openHttpGateway()
})
afterAll(() => http.close())

const get = (as: Who, id: string) => http.send('GET', `/v1/requests/${id}`, { as })
const decide = (as: Who, body: object, id: string) =>
  http.send('POST', `/v1/requests/${id}/decisions`, { as, body })

describe('what is masked', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`
  let masked: WireRequest
  beforeEach(async () => {
    masked = await http.ask({ arguments: { token: secret, to: 'x' } })
  })

  it('P9: is masked for everyone, in requests, lists and decisions', async () => {
    for (const who of ['agent-1', 'ana', 'ben', 'eve'] as const) {
      const { text, json } = await get(who, masked.id)
      expect(text).not.toContain(secret)
      expect(text).not.toContain('commitmentKey')
      expect(json.masks).toEqual([{ pointer: '/token', kind: expect.any(String), length: 40 }])
    }
    const decided = await decide('ben', { decision: 'approve', digest: masked.digest }, masked.id)
    expect(decided.text).not.toContain(secret)
  })

  it('P9: is shown to who may decide, on the record, and to nobody else', async () => {
    for (const [method, verb] of [
      ['GET', 'arguments'],
      ['POST', 'reveal'],
    ]) {
      const path = `/v1/requests/${masked.id}/${verb}`
      expect((await http.send(method!, path, { as: 'ben' })).json).toEqual({
        arguments: { token: secret, to: 'x' },
      })
      expect((await http.send(method!, path, { as: 'eve' })).json.code).toBe('not_yours')
      expect((await http.send(method!, path, { as: 'agent-1' })).json.code).toBe('not_yours')
    }
    const { gateway } = http.setup
    const { chain } = (await gateway.history.chains(ana)).at(-1)!
    const looked = (await gateway.history.entries(chain, 0, 1000, ana)).filter(
      (entry) => entry.type === 'mask.lifted',
    )
    expect(looked.filter((entry) => entry.body.includes(masked.id))).toHaveLength(2)
  })

  it('P9: asking for the head alone shows nothing, so it is no look', async () => {
    const covered = await http.ask({ arguments: { password: 'rm -rf / now', to: 'x' } })
    const { status } = await http.send('HEAD', `/v1/requests/${covered.id}/arguments`, { as: 'ben' })
    expect(status).toBe(405)
    expect((await get('ben', covered.id)).json.covered.uncovered).toBe(false)
    const body = { decision: 'approve', digest: covered.digest }
    expect((await decide('ben', body, covered.id)).json.code).toBe('uncover_first')
  })

  it('P9: is masked in what is said of a call that was withdrawn, and of one that ran', async () => {
    const withdrawn = await http.send('POST', `/v1/requests/${masked.id}/cancel`, {
      as: 'agent-1',
      body: { reason: `wrong ${secret}` },
    })
    expect(withdrawn.json.request.cancelled.reason).toMatch(/^wrong ⟨masked: /)
    expect((await get('ana', masked.id)).text).not.toContain(secret)

    const { id, digest } = await http.ask({ arguments: { to: 'x' } })
    await decide('ben', { decision: 'approve', digest }, id)
    const claim = await http.send('POST', `/v1/requests/${id}/claim`, {
      as: 'agent-1',
      body: { digest, key: 'k' },
    })
    const report = (outcome: string) =>
      http.send('POST', `/v1/requests/${id}/outcome`, {
        as: 'agent-1',
        body: { claimId: claim.json.claimId, outcome, summary: `made ${secret}` },
      })
    for (const { text } of [await report('ok'), await report('error'), await get('ana', id)]) {
      expect(text).toContain('made ⟨masked: ')
      expect(text).not.toContain(secret)
    }
  })

  it('P3, P9: a claim gives the true values, and an edit that leaves a mask alone keeps them', async () => {
    const body = { decision: 'edit', digest: masked.digest, arguments: { ...masked.arguments, to: 'y' } }
    const { digest } = (await decide('ana', body, masked.id)).json.request
    const claim = await http.send('POST', `/v1/requests/${masked.id}/claim`, {
      as: 'agent-1',
      body: { digest, key: 'k' },
    })
    expect(claim.json.arguments).toEqual({ token: secret, to: 'y' })
  })
})

it('P9: what an agent says of itself has no hidden characters, and is read in the reader’s language', async () => {
  const { id } = await http.ask({
    agent: { name: 'a\u202eb' },
    context: 'x\u200by',
    preview: '\u0007',
  })
  const { json } = await http.send('GET', `/v1/requests/${id}`, {
    as: 'ben',
    headers: { 'accept-language': 'zh-CN' },
  })
  expect(JSON.stringify(json)).not.toMatch(/[\u0007\u200b\u202e]/)
  expect(json.rendering.text).toContain('工具：')
  expect((await get('ben', id)).json.rendering.text).toContain('Tool: ')
})
