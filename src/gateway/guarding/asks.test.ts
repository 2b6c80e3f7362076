import { afterEach, describe, expect, it } from 'vitest'
import {
  aCall,
  agent,
  ana,
  approve,
  ask,
  ben,
  eve,
  newestRequest,
  openTestGateway,
  policyFrom,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

const never = () => expect.unreachable('it must not run')
const asks = { because: 'the session has used its ten turns' }

describe('a call that its caller has asked about', () => {
  it('P5: a person is asked where the policy allows it, and the card says why', async () => {
    setup = await openTestGateway({ policy: { allow: ['*'] } })
    const guarding = setup.gateway.guard(aCall(), () => 1, { asks })
    const request = await newestRequest(setup)
    expect(request).toMatchObject({ because: asks.because, terms: { scopes: ['once'], severity: 'normal' } })
    await approve(setup, request)
    expect(await guarding).toMatchObject({ kind: 'ran', value: 1, by: 'ana' })
  })

  it.each(['bypass', 'acceptEdits'])('P5: also in mode %s', async (mode) => {
    setup = await openTestGateway({ policy: { mode, allow: ['deploy'] } })
    expect(await setup.gateway.hold(aCall(), { asks, holdMs: 0 })).toMatchObject({ kind: 'pending' })
    expect(await setup.gateway.guard(aCall(), never, { asks, holdMs: 0 })).toMatchObject({ kind: 'pending' })
  })

  it('P5: a grant does not let it through, and none can be left by it', async () => {
    setup = await openTestGateway()
    const call = aCall()
    await setup.gateway.hold(call, { holdMs: 0 })
    const { id, digest } = await newestRequest(setup)
    await setup.gateway.decide(id, { decision: 'approve', digest, scope: 'session' }, ana)
    expect(await setup.gateway.guard({ ...call, callId: 'granted' }, () => 1)).toMatchObject({ kind: 'ran' })
    const again = { ...call, callId: 'asked' }
    expect(await setup.gateway.guard(again, never, { asks, holdMs: 0 })).toMatchObject({ kind: 'pending' })
    const next = await newestRequest(setup)
    expect(next.because).toMatch(
      /^the session has used its ten turns; Needs approval: `deploy` isn't on the allow list/,
    )
    await expect(
      setup.gateway.decide(next.id, { decision: 'approve', digest, scope: 'session' }, ana),
    ).rejects.toMatchObject({ code: 'scope_not_allowed' })
  })

  it.each([{ deny: ['deploy'] }, { mode: 'dontAsk' }, { mode: 'plan' }])(
    'P5: a deny stays a deny: %j',
    async (policy) => {
      setup = await openTestGateway({ policy })
      expect(await setup.gateway.guard(aCall(), never, { asks })).toMatchObject({
        kind: 'refused',
        code: 'denied',
      })
      expect((await setup.store.list({ state: 'pending' })).items).toEqual([])
    },
  )

  it('P6: whom the policy names approves it, and otherwise whom it names by default', async () => {
    setup = await openTestGateway({
      policy: policyFrom(({ tool }) =>
        tool === 'deploy'
          ? ask('deploys', { approvers: ['ben'] })
          : { kind: 'allow', because: 'it is harmless' },
      ),
    })
    await setup.gateway.hold(aCall(), { asks, holdMs: 0 })
    const named = await newestRequest(setup)
    await expect(approve(setup, named, ana)).rejects.toMatchObject({ code: 'not_yours' })
    await approve(setup, named, ben)
    await setup.gateway.hold(aCall({ tool: 'look' }), { asks, holdMs: 0 })
    const unnamed = await newestRequest(setup)
    await expect(approve(setup, unnamed, eve)).rejects.toMatchObject({ code: 'not_yours' })
    await approve(setup, unnamed, ben)
  })

  it('P5: high risk is shown as such, and a rule that says more is kept', async () => {
    setup = await openTestGateway({ policy: { allow: ['*'] } })
    await setup.gateway.hold(aCall(), { asks: { ...asks, isHighRisk: true }, holdMs: 0 })
    expect((await newestRequest(setup)).terms.severity).toBe('high')
    await setup.close()
    const critical = ask('deploys')
    critical.terms.severity = 'critical'
    setup = await openTestGateway({ policy: policyFrom(() => critical) })
    await setup.gateway.hold(aCall(), { asks: { ...asks, isHighRisk: true }, holdMs: 0 })
    expect((await newestRequest(setup)).terms.severity).toBe('critical')
  })

  it('P7: the same call again after a restart finds its request, and runs once it is approved', async () => {
    setup = await openTestGateway({ policy: { allow: ['*'] } })
    const call = aCall()
    const pending = await setup.gateway.hold(call, { asks, key: 'runner', holdMs: 0 })
    setup = await setup.restart()
    const request = await newestRequest(setup)
    expect(pending).toMatchObject({ kind: 'pending', requestId: request.id })
    expect(await setup.gateway.hold(call, { asks, key: 'runner', holdMs: 0 })).toEqual(pending)
    await approve(setup, request)
    expect(await setup.gateway.guard(call, () => 1, { asks })).toMatchObject({ kind: 'ran', value: 1 })
    expect(await setup.gateway.guard(call, never, { asks })).toMatchObject({ kind: 'refused', state: 'done' })
  })

  it('P4: a call that was let through without a person is not run under its id', async () => {
    setup = await openTestGateway({ policy: { allow: ['*'] } })
    const reviewed = aCall()
    await setup.gateway.review(reviewed, agent)
    const refused = { kind: 'refused', code: 'denied', because: expect.stringContaining(asks.because) }
    expect(await setup.gateway.guard(reviewed, never, { asks })).toMatchObject(refused)
    const held = aCall()
    await setup.gateway.hold(held, { key: 'runner' })
    expect(await setup.gateway.hold(held, { asks, key: 'runner' })).toMatchObject(refused)
    const released = aCall()
    const hold = await setup.gateway.hold(released)
    if (hold.kind === 'held') await hold.release('not now')
    expect(await setup.gateway.guard(released, never, { asks })).toMatchObject(refused)
  })

  it('P6: who approved must still be one who may when it is claimed, though the policy allows the call', async () => {
    const people = new Map([['ben', { groups: ['approvers'] }]])
    setup = await openTestGateway({ policy: { allow: ['*'] }, people })
    const call = aCall()
    await setup.gateway.hold(call, { asks, holdMs: 0 })
    const request = await newestRequest(setup)
    await approve(setup, request, ben)
    people.delete('ben')
    expect(await setup.gateway.guard(call, never, { asks, holdMs: 0 })).toMatchObject({
      kind: 'refused',
      state: 'cancelled',
    })
    expect(await setup.gateway.guard(call, never, { asks, holdMs: 0 })).toMatchObject({ kind: 'pending' })
    expect(await newestRequest(setup)).toMatchObject({ predecessor: { id: request.id } })
  })

  it('P5: a policy that allows the call by the time it is claimed lets it run, for a person approved it', async () => {
    let verdict: ReturnType<typeof ask> | { kind: 'allow'; because: string } = ask('deploys')
    setup = await openTestGateway({ policy: policyFrom(() => verdict) })
    const guarding = setup.gateway.guard(aCall(), () => 1, { asks })
    const request = await newestRequest(setup)
    verdict = { kind: 'allow', because: 'it is harmless' }
    await approve(setup, request)
    expect(await guarding).toMatchObject({ kind: 'ran', value: 1 })
  })

  it('P5: does not join a request whose approval by text would do, where a click is wanted', async () => {
    setup = await openTestGateway()
    const call = aCall()
    const stop = new AbortController()
    const first = setup.gateway.hold(call, { join: true, signal: stop.signal })
    const { id } = await newestRequest(setup)
    stop.abort()
    await first
    const risky = { asks: { ...asks, isHighRisk: true }, join: true, holdMs: 0, key: 'comes back' }
    const second = await setup.gateway.hold({ ...call, callId: 'risky' }, risky)
    expect(second).toMatchObject({ kind: 'pending' })
    expect(second).not.toMatchObject({ requestId: id })
    expect(
      await setup.gateway.hold({ ...call, callId: 'plain' }, { asks, join: true, holdMs: 0 }),
    ).toMatchObject({ requestId: id })
  })
})

describe('how long a person has', () => {
  it('is what the caller says, where no rule says otherwise', async () => {
    const long = ask('deploys')
    setup = await openTestGateway({
      policy: policyFrom(({ tool }) =>
        tool === 'deploy' ? { ...long, terms: { ...long.terms, expiresInMs: 5_000 } } : ask('the rest'),
      ),
    })
    await setup.gateway.hold(aCall(), { expiresInMs: 120_000, holdMs: 0 })
    expect((await newestRequest(setup)).expiresInMs).toBe(5_000)
    await setup.gateway.hold(aCall({ tool: 'look' }), { expiresInMs: 120_000, holdMs: 0 })
    const request = await newestRequest(setup)
    expect(request.expiresInMs).toBe(120_000)
    await setup.clock.advance(120_001)
    await setup.gateway.expire()
    expect((await setup.store.get(request.id))?.state).toBe('expired')
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('P5: refuses %d', async (expiresInMs) => {
    setup = await openTestGateway({ policy: { allow: ['*'] } })
    expect(await setup.gateway.guard(aCall(), never, { expiresInMs })).toMatchObject({
      kind: 'refused',
      code: 'invalid_call',
    })
  })

  it('P4: a request that waits longer than the default can still be joined', async () => {
    setup = await openTestGateway()
    const month = 30 * 86_400_000
    await setup.gateway.hold(aCall(), { join: true, expiresInMs: month, holdMs: 0 })
    const { items } = await setup.store.records.list({ kind: 'joinable' })
    expect(items).toHaveLength(1)
    expect(items[0]!.expiresAt! - setup.clock.now()).toBeGreaterThanOrEqual(month)
  })
})
