/** The same call again, under another id, while nobody knows what became of the first. */
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { Request } from '../../core/request.ts'
import type { Verdict } from '../../core/verdict.ts'
import {
  aCall,
  agent,
  ana,
  approve,
  ask,
  newestRequest,
  openTestGateway,
  policyFrom,
  type TestGateway,
  type TestGatewayOptions,
} from '../fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

const never = () => expect.unreachable('it must not run')
const call = aCall({ callId: 'first' })
const twin = { ...call, callId: 'twin' }
const joining = { join: true, holdMs: 0 }

/** The first of the two was approved and is held by a runner. */
async function running(options: Partial<TestGatewayOptions> = {}): Promise<Request> {
  setup = await openTestGateway(options)
  await setup.gateway.hold(call, joining)
  const request = await newestRequest(setup)
  await approve(setup, request)
  const { digest } = request
  await setup.gateway.claim(request.id, { digest, key: 'a runner elsewhere' }, agent)
  return request
}

/** Nobody has heard of the runner since. */
async function unknown(options: Partial<TestGatewayOptions> = {}): Promise<Request> {
  const request = await running(options)
  await setup.clock.advance(31_000)
  await setup.gateway.expire()
  expect((await setup.store.get(request.id))?.state).toBe('unknown')
  return request
}

describe('a call whose twin may have run', () => {
  it.each(['unknown', 'running'] as const)(
    'P4: is asked about where the policy allows it by now: %s',
    async (state) => {
      let verdict: Verdict = ask('deploys')
      const policy = policyFrom(() => verdict)
      const { id } = await (state === 'unknown' ? unknown : running)({ policy })
      verdict = { kind: 'allow', because: 'mode: bypass' }
      expect(await setup.gateway.guard(twin, never, joining)).toMatchObject({ kind: 'pending' })
      const next = await newestRequest(setup)
      expect(next).toMatchObject({ sameCall: { id, state }, terms: { scopes: ['once'] } })
      expect(next.because).toContain(id)
    },
  )

  it('P4: is asked about in every mode of the session', async () => {
    const { id } = await unknown({ modes: () => ['acceptEdits', 'bypass'] })
    for (const mode of ['bypass', 'acceptEdits', 'default']) {
      await setup.gateway.setMode(call.session, mode, ana)
      const again = { ...call, callId: `in-${mode}` }
      expect(await setup.gateway.hold(again, joining)).toMatchObject({ kind: 'pending' })
      expect((await newestRequest(setup)).sameCall).toMatchObject({ id })
    }
  })

  it('P4: no grant lets it through', async () => {
    await unknown()
    const other = { ...call, callId: 'granting' }
    await setup.gateway.hold(other, { holdMs: 0 })
    const granting = await newestRequest(setup)
    const { digest } = granting
    await setup.gateway.decide(granting.id, { decision: 'approve', digest, scope: 'session' }, ana)
    expect(await setup.gateway.guard({ ...call, callId: 'alone' }, () => 1)).toMatchObject({ kind: 'ran' })
    expect(await setup.gateway.guard(twin, never, joining)).toMatchObject({ kind: 'pending' })
  })

  it('P4: stays so however often it was tried and refused', async () => {
    let verdict: Verdict = ask('deploys')
    const { id } = await unknown({ policy: policyFrom(() => verdict) })
    verdict = { kind: 'allow', because: 'mode: bypass' }
    for (let times = 0; times < 15; times++) {
      const again = { ...call, callId: `again-${times}` }
      expect(await setup.gateway.guard(again, never, joining)).toMatchObject({ kind: 'pending' })
      const next = await newestRequest(setup)
      expect(next.sameCall).toMatchObject({ id })
      await setup.gateway.decide(next.id, { decision: 'reject', digest: next.digest }, ana)
    }
    // What can't come back is no longer looked at.
    expect((await setup.store.records.list({ kind: 'joinable' })).items.length).toBeLessThan(5)
  })

  it('P4: also after one of them was approved and ran, while the first is unknown', async () => {
    let verdict: Verdict = ask('deploys')
    const { id } = await unknown({ policy: policyFrom(() => verdict) })
    verdict = { kind: 'allow', because: 'mode: bypass' }
    const second = setup.gateway.guard(twin, () => 1, { join: true })
    await approve(setup, await newestRequest(setup))
    expect(await second).toMatchObject({ kind: 'ran', value: 1 })
    const third = { ...call, callId: 'third' }
    expect(await setup.gateway.guard(third, never, joining)).toMatchObject({ kind: 'pending' })
    const { id: asked, digest } = await newestRequest(setup)
    await setup.gateway.decide(asked, { decision: 'reject', digest }, ana)
    await setup.gateway.settle(id, { outcome: 'ok' }, ana)
    expect(await setup.gateway.guard({ ...call, callId: 'fourth' }, () => 4, joining)).toMatchObject({
      kind: 'ran',
    })
  })

  it('P4: joins only a request that tells of it', async () => {
    const stop = new AbortController()
    setup = await openTestGateway()
    await setup.gateway.hold(call, { ...joining, key: 'comes back' })
    const first = await newestRequest(setup)
    const second = setup.gateway.hold(twin, { join: true, signal: stop.signal })
    let unaware = first
    await until(async () => {
      unaware = await newestRequest(setup)
      return unaware.id !== first.id
    })
    stop.abort()
    await second
    await approve(setup, first)
    await setup.gateway.claim(first.id, { digest: first.digest, key: 'a runner elsewhere' }, agent)
    await setup.clock.advance(31_000)
    await setup.gateway.expire()
    const third = await setup.gateway.hold({ ...call, callId: 'third' }, joining)
    expect(third).toMatchObject({ kind: 'pending' })
    expect(third).not.toMatchObject({ requestId: unaware.id })
    const aware = await newestRequest(setup)
    expect(aware.sameCall).toMatchObject({ id: first.id, state: 'unknown' })
    await setup.clock.advance(16_000)
    expect(await setup.gateway.hold({ ...call, callId: 'fourth' }, joining)).toMatchObject({
      requestId: aware.id,
    })
  })

  it('P4: was allowed and given back before: it is not taken again', async () => {
    let verdict: Verdict = { kind: 'allow', because: 'it is harmless' }
    setup = await openTestGateway({ policy: policyFrom(() => verdict) })
    const held = await setup.gateway.hold(twin, { join: true })
    if (held.kind === 'held') await held.release('not now')
    verdict = ask('deploys')
    await setup.gateway.hold(call, joining)
    const request = await newestRequest(setup)
    await approve(setup, request)
    await setup.gateway.claim(request.id, { digest: request.digest, key: 'a runner elsewhere' }, agent)
    verdict = { kind: 'allow', because: 'it is harmless' }
    expect(await setup.gateway.guard(twin, never, joining)).toMatchObject({ kind: 'refused', code: 'denied' })
  })

  it('P5: where the store can’t say whether there is one, nothing runs', async () => {
    let isAway = false
    setup = await openTestGateway({
      policy: { allow: ['*'] },
      wrap: (store) => ({
        ...store,
        records: {
          ...store.records,
          async list(query) {
            if (isAway) throw new BanksmanError('store_unavailable', 'the store is away for a moment')
            return store.records.list(query)
          },
        },
      }),
    })
    isAway = true
    expect(await setup.gateway.guard(twin, never, joining)).toMatchObject({
      kind: 'refused',
      code: 'store_unavailable',
    })
  })

  it('P5: a request that later ones could not find is not opened', async () => {
    setup = await openTestGateway({
      wrap: (store) => ({
        ...store,
        records: {
          ...store.records,
          async change() {
            throw new BanksmanError('store_unavailable', 'the store is away for a moment')
          },
        },
      }),
    })
    expect(await setup.gateway.guard(call, never, joining)).toMatchObject({
      kind: 'refused',
      code: 'store_unavailable',
    })
    expect((await setup.store.list({ state: 'pending' })).items).toEqual([])
  })

  it('P5: a deny stays a deny', async () => {
    let verdict: Verdict = ask('deploys')
    await unknown({ policy: policyFrom(() => verdict) })
    verdict = { kind: 'deny', because: 'not any more' }
    expect(await setup.gateway.guard(twin, never, joining)).toMatchObject({ kind: 'refused', code: 'denied' })
  })
})
