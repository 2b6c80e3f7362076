/** A hook's word on a call: it can say no or give the result, and the policy's no still holds. */
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  aCall,
  agent,
  openTestGateway,
  otherAgent,
  type TestGateway,
  type TestGatewayOptions,
} from '../fixtures/test-gateway.ts'

async function open(options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> {
  const setup = await openTestGateway(options)
  onTestFinished(() => setup.close())
  return setup
}

const respond = { kind: 'respond', by: 'hook "cache"' } as const
const deny = { kind: 'deny', by: 'hook "gate"', because: 'closed' } as const

describe('intercept', () => {
  it('P10: the result of a hook is on the record, nobody is asked, and the call can not run any more', async () => {
    const setup = await open({ policy: {} })
    const call = aCall()
    expect(await setup.gateway.intercept(call, respond, agent)).toMatchObject({
      kind: 'allow',
      because: 'Nothing ran: hook "cache" gave the result instead.',
    })
    expect((await setup.store.list({ state: 'pending' })).items).toEqual([])
    let ran = 0
    const result = await setup.gateway.guard(call, () => ++ran)
    expect(result).toMatchObject({ kind: 'refused', code: 'already_claimed' })
    expect(ran).toBe(0)
    await setup.gateway.flush()
    expect((await setup.store.calls.list({})).items).toMatchObject([
      { callId: call.callId, rule: 'hook "cache"' },
    ])
  })

  it("P5: a hook's no denies, whatever the policy allows; the policy's no holds whatever a hook gives", async () => {
    const lax = await open({ policy: { mode: 'bypass' } })
    expect(await lax.gateway.intercept(aCall(), deny, agent)).toMatchObject({
      kind: 'deny',
      because: 'Denied by hook "gate": closed',
    })
    const strict = await open({ policy: { deny: ['deploy'] } })
    expect(await strict.gateway.intercept(aCall(), respond, agent)).toMatchObject({ kind: 'deny' })
  })

  it('P2: a call that people were asked about is not settled by a hook', async () => {
    const setup = await open({ policy: {} })
    const call = aCall()
    const { request } = await setup.gateway.review(call, agent)
    expect(await setup.gateway.intercept(call, respond, agent)).toMatchObject({ kind: 'deny' })
    expect(await setup.gateway.get(request!.id, agent)).toMatchObject({ state: 'pending' })
  })

  it('P5: the result of a hook is not told of a call that may have run; its own, told again, is the same', async () => {
    const setup = await open({ policy: { allow: ['deploy'] } })
    const call = aCall()
    await setup.gateway.guard(call, () => 'ran')
    for (const word of [respond, deny])
      expect(await setup.gateway.intercept(call, word, agent)).toMatchObject({
        kind: 'deny',
        because: expect.stringContaining('may have run'),
      })
    const other = aCall()
    const first = await setup.gateway.intercept(other, respond, agent)
    expect(await setup.gateway.intercept(other, respond, agent)).toMatchObject({
      kind: 'allow',
      because: first.because,
    })
  })

  it("P6: not in another's session, not with another's id, not after the end", async () => {
    const setup = await open({ policy: {} })
    const call = aCall()
    await setup.gateway.intercept(call, respond, agent)
    await expect(setup.gateway.intercept(aCall(), respond, otherAgent)).rejects.toMatchObject({
      code: 'not_yours',
    })
    const other = { ...call, arguments: { environment: 'production' } }
    await expect(setup.gateway.intercept(other, respond, agent)).rejects.toMatchObject({
      code: 'call_conflict',
    })
    await setup.gateway.flush()
    await setup.store.endSessions({
      sessions: ['session-1'],
      by: 'ana',
      changes: [],
      entry: { chain: 'x', type: 'session.ended', body: '{}', committed: () => {} },
    })
    await expect(setup.gateway.intercept(aCall(), respond, agent)).rejects.toMatchObject({
      code: 'session_ended',
    })
  })
})
