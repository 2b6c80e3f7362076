import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway, type Who } from '../../../../test/fixtures/http-gateway.ts'
import { type LaxMode, MODES } from '../../../core/session.ts'
import * as sessionWire from '../../../wire/session.ts'
import { modeBody } from '../../../wire/session.ts'

let http: HttpGateway
let allowed: LaxMode[] = ['acceptEdits']
beforeAll(async () => {
  const judged = {
    version: 'test',
    evaluate: () => verdict,
    knownTool: () => ({ isKnown: true, acting: [] }),
    steering: () => ({ reads: [], writes: [] }),
  }
  http = await openHttpGateway({ setup: { policy: judged, modes: () => allowed } })
})
afterAll(() => http.close())

const conditions = [{ rule: 'default', quorum: 1 }]
const terms = {
  conditions,
  allowedDecisions: ['approve', 'reject', 'terminate'] as ('approve' | 'reject' | 'terminate')[],
  scopes: ['once'] as 'once'[],
  severity: 'normal' as const,
}
let verdict = { kind: 'ask' as const, because: 'asked', terms }

const session = (id: string, as: Who) => http.send('GET', `/v1/sessions/${id}`, { as })

describe('a session', () => {
  it("belongs to whoever first used it; other agents don't see it", async () => {
    await http.ask({ session: 'a/b' })
    const { json } = await session('a%2Fb', 'agent-1')
    expect(json).toMatchObject({ id: 'a/b', owner: 'agent-1' })
    expect(sessionWire.session.parse(json)).toEqual(json)
    expect((await session('a%2Fb', 'eve')).status).toBe(200)
    expect((await session('a%2Fb', 'agent-2')).json.code).toBe('unknown_id')
    expect((await session('none', 'ana')).json.code).toBe('unknown_id')
  })

  it("P11: an agent's credential sets no mode, stops and ends nothing", async () => {
    await http.ask({ session: 'own' })
    for (const [method, verb, body] of [
      ['PUT', 'mode', { mode: 'bypass' }],
      ['POST', 'stop', {}],
      ['POST', 'end', {}],
    ] as const) {
      const { status, json } = await http.send(method, `/v1/sessions/own/${verb}`, { as: 'agent-1', body })
      expect([status, json.code]).toEqual([403, 'forbidden'])
    }
    expect((await session('own', 'agent-1')).json).not.toHaveProperty('mode')
    expect((await session('own', 'agent-1')).json).not.toHaveProperty('ended')
  })

  it('has a mode that people set, one that the policy knows', async () => {
    await http.ask({ session: 'moded' })
    const put = (mode: string, as: Who = 'ana') =>
      http.send('PUT', '/v1/sessions/moded/mode', { as, body: { mode } })
    expect((await put('dontAsk')).json).toMatchObject({ id: 'moded', mode: 'dontAsk' })
    const { status, json } = await put('yolo')
    expect([status, json.code, json.pointer]).toEqual([400, 'invalid', '/mode'])
    expect(json.detail).toContain('"bypass"')
    expect((await session('moded', 'ben')).json.mode).toBe('dontAsk')
    expect(modeBody.shape.mode.options).toEqual([...MODES, 'bypassPermissions'])
    expect((await put('bypassPermissions')).json.code).toBe('disallowed')
    expect((await put('plan', 'ben')).json.code).toBe('not_yours')
    expect((await session('moded', 'ana')).json.modes).toEqual(['default', 'acceptEdits', 'plan', 'dontAsk'])
    expect((await session('moded', 'ben')).json.modes).toEqual([])
    expect((await session('moded', 'agent-1')).json).not.toHaveProperty('modes')
    allowed = ['bypass']
    expect((await put('bypassPermissions')).json.mode).toBe('bypass')
    allowed = []
    expect((await session('moded', 'ben')).json.mode).toBe('default')
    expect(
      (await http.send('PUT', '/v1/sessions/none/mode', { as: 'ana', body: { mode: 'default' } })).status,
    ).toBe(404)
  })

  it('is interrupted: what waits is cancelled, what runs is told to stop, and it goes on', async () => {
    const running = await http.ask({ session: 'turn' })
    const post = (path: string, as: Who, body: object) =>
      http.send('POST', `/v1/requests/${running.id}/${path}`, { as, body })
    await post('decisions', 'ben', { decision: 'approve', digest: running.digest })
    await post('claim', 'agent-1', { digest: running.digest, key: 'k' })
    const pending = await http.ask({ session: 'turn' })
    const elsewhere = await http.ask({ session: 'other-turn' })
    verdict = {
      ...verdict,
      terms: { ...terms, conditions: [{ rule: 'only ana', approvers: ['ana'], quorum: 1 } as never] },
    }
    const notBens = await http.ask({ session: 'turn' })
    verdict = { ...verdict, terms }

    const { json } = await http.send('POST', '/v1/sessions/turn/stop', {
      as: 'ben',
      body: { reason: 'wait' },
    })
    expect(json.stopped.sort()).toEqual([running.id, pending.id].sort())
    expect(json.refused).toMatchObject([{ id: notBens.id, code: 'not_yours' }])
    expect(sessionWire.stopped.parse(json)).toEqual(json)
    const state = async (id: string) => (await http.send('GET', `/v1/requests/${id}`, { as: 'ana' })).json
    expect(await state(running.id)).toMatchObject({ state: 'running', stop: { by: 'ben', reason: 'wait' } })
    expect(await state(pending.id)).toMatchObject({ state: 'cancelled', cancelled: { by: 'ben' } })
    expect(await state(elsewhere.id)).toMatchObject({ state: 'pending' })
    expect((await session('turn', 'ben')).json).not.toHaveProperty('ended')
    expect((await http.ask({ session: 'turn' })).state).toBe('pending')
  })

  it('is ended: nothing more runs in it', async () => {
    const { id } = await http.ask({ session: 'over' })
    const { json } = await http.send('POST', '/v1/sessions/over/end', { as: 'ana', body: { reason: 'done' } })
    expect(json.ended).toMatchObject({ by: 'ana', reason: 'done' })
    expect((await http.send('GET', `/v1/requests/${id}`, { as: 'ana' })).json.state).toBe('cancelled')
    const body = { tool: 'deploy', arguments: {}, callId: 'late', session: 'over' }
    expect((await http.send('POST', '/v1/calls', { as: 'agent-1', body })).json.code).toBe('session_ended')
    expect((await http.send('POST', '/v1/sessions/none/end', { as: 'ana' })).status).toBe(404)
  })
})
