import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { createChainWriter, type EntryType } from '../../journal/entry.ts'
import type { Store } from '../../stores/store.ts'
import {
  aCall,
  agent,
  ana,
  approve,
  ask,
  askedRequest,
  journalEntriesOf,
  newestRequest,
  openTestGateway,
  policyFrom,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

let house: TestGateway
afterEach(() => house.close())

const never = () => expect.unreachable('it must not run')

describe('the lease before a run', () => {
  /** A machine that falls asleep between the claim and the run. */
  async function asleep(ms: number, wrap: (store: Store) => Partial<Store> = () => ({})) {
    let sleeps = () => Promise.resolve()
    house = await openTestGateway({
      wrap: (store) => ({
        ...store,
        async transition(change) {
          const result = await (wrap(store).transition ?? store.transition)(change)
          if (change.from === 'approved' && change.to === 'running') await sleeps()
          return result
        },
      }),
    })
    sleeps = async () => house.clock.advance(ms)
  }

  it('P4: more than half of it is over: it is renewed before anything runs', async () => {
    await asleep(16_000)
    const running = house.gateway.guard(aCall(), () => house.clock.now())
    const { id } = await newestRequest(house)
    await approve(house, await newestRequest(house))
    expect(await running).toMatchObject({ kind: 'ran', ok: true })
    const types = (await journalEntriesOf(house))
      .filter(({ request }) => request === id)
      .map(({ type }) => type)
    expect(types.slice(-3)).toEqual(['request.claimed', 'request.renewed', 'request.reported'])
  })

  it('P4: all of it is over: nothing runs', async () => {
    await asleep(31_000)
    const running = house.gateway.guard(aCall(), never)
    const request = await newestRequest(house)
    await approve(house, request)
    expect(await running).toMatchObject({ kind: 'refused', code: 'lease_lapsed' })
    await until(async () => (await house.store.get(request.id))?.state === 'unknown')
  })

  it('P4: an abort while the claim is under way gives it back, and nothing runs', async () => {
    const stop = new AbortController()
    await asleep(0, (store) => ({
      async transition(change) {
        if (change.to === 'running') stop.abort()
        return store.transition(change)
      },
    }))
    const call = aCall()
    const running = house.gateway.guard(call, never, { signal: stop.signal })
    const request = await newestRequest(house)
    await approve(house, request)
    expect(await running).toEqual({ kind: 'pending', because: 'aborted', requestId: request.id })
    expect((await house.store.get(request.id))?.state).toBe('approved')
    expect(await house.gateway.guard(call, () => 1)).toMatchObject({ kind: 'ran', ok: true })
  })
})

describe('after an earlier review', () => {
  it('P4: guard goes on from it, once', async () => {
    house = await openTestGateway({ policy: { allow: ['*'] } })
    const call = aCall()
    expect(await house.gateway.review(call, house.gateway.self)).toMatchObject({ verdict: { kind: 'allow' } })
    expect(await house.gateway.guard(call, () => 1)).toMatchObject({ kind: 'ran', ok: true })
    expect(await house.gateway.guard(call, never)).toMatchObject({ kind: 'refused' })
  })

  it('P4: also in another process, of which one gets it', async () => {
    house = await openTestGateway({ policy: { allow: ['*'] } })
    const other = await house.beside()
    const call = aCall()
    await house.gateway.review(call, agent)
    await house.gateway.flush()
    const results = await Promise.all([
      house.gateway.guard(call, () => 1),
      other.gateway.guard(call, () => 1),
      house.gateway.guard(call, () => 1),
    ])
    expect(results.filter(({ kind }) => kind === 'ran')).toHaveLength(1)
    await other.close()
  })

  it('P4: but not from one whose caller runs it by itself', async () => {
    house = await openTestGateway({ policy: { allow: ['*'] } })
    const call = aCall()
    await house.gateway.review(call, agent, { allowed: { kind: 'run' } })
    expect(await house.gateway.guard(call, never)).toMatchObject({ kind: 'refused', code: 'already_claimed' })
  })
})

describe('a request that follows another', () => {
  it('P6: terms that changed before the claim: the call is asked anew, under the new ones', async () => {
    let quorum = 1
    const policy = policyFrom(() => ask('deploys', { quorum, approvers: ['ana', 'ben'] }))
    house = await openTestGateway({ policy })
    const call = aCall()
    await house.gateway.guard(call, never, { holdMs: 0 })
    const first = await newestRequest(house)
    await approve(house, first)
    quorum = 2
    const told = await house.gateway.guard(call, never)
    expect(told).toMatchObject({ kind: 'refused', state: 'cancelled', mayRetry: true, requestId: first.id })
    await house.gateway.guard(call, never, { holdMs: 0 })
    const second = await newestRequest(house)
    expect(second).toMatchObject({
      predecessor: { id: first.id, count: 1 },
      terms: { conditions: [{ quorum: 2 }] },
    })
  })

  it('P5: a policy that denies by now denies, and one that allows lets it run, once', async () => {
    let verdict: 'ask' | 'deny' | 'allow' = 'ask'
    const policy = policyFrom(() =>
      verdict === 'ask' ? ask('all') : { kind: verdict, because: `now ${verdict}` },
    )
    house = await openTestGateway({ policy })
    const expired = async () => {
      const call = aCall()
      verdict = 'ask'
      await house.gateway.guard(call, never, { holdMs: 0 })
      await house.clock.advance(24 * 60 * 60_000 + 1)
      await house.gateway.expire()
      return call
    }
    const denied = await expired()
    verdict = 'deny'
    expect(await house.gateway.guard(denied, never)).toMatchObject({ state: 'denied' })
    verdict = 'ask'
    expect(await house.gateway.guard(denied, never)).toMatchObject({ state: 'denied' })
    const allowed = await expired()
    verdict = 'allow'
    expect(await house.gateway.guard(allowed, () => 1)).toMatchObject({ kind: 'ran' })
    expect(await house.gateway.guard(allowed, never)).toMatchObject({
      kind: 'refused',
      code: 'already_claimed',
    })
  })

  it('P5: one that was withdrawn, or denied at the claim, is not asked again', async () => {
    let isDenied = false
    const policy = policyFrom(() => (isDenied ? { kind: 'deny', because: 'no' } : ask('all')))
    house = await openTestGateway({ policy })
    const call = aCall()
    await house.gateway.guard(call, never, { holdMs: 0 })
    await house.gateway.cancel((await newestRequest(house)).id, {}, agent)
    expect(await house.gateway.guard(call, never)).toMatchObject({ state: 'cancelled', mayRetry: false })
    const other = aCall()
    await house.gateway.guard(other, never, { holdMs: 0 })
    await approve(house, await newestRequest(house))
    isDenied = true
    expect(await house.gateway.guard(other, never)).toMatchObject({ state: 'cancelled' })
    isDenied = false
    expect(await house.gateway.guard(other, never)).toMatchObject({ state: 'cancelled', mayRetry: false })
  })

  it('find gives the newest, and list without a state gives all of a session', async () => {
    house = await openTestGateway()
    const call = aCall({ session: 'one' })
    await house.gateway.guard(call, never, { holdMs: 0 })
    await house.clock.advance(24 * 60 * 60_000 + 1)
    await house.gateway.expire()
    await house.gateway.guard(call, never, { holdMs: 0 })
    await askedRequest(house, { session: 'two' })
    const found = await house.gateway.find({ session: 'one', callId: call.callId }, agent)
    expect(found?.state).toBe('pending')
    const { items } = await house.gateway.list({ session: 'one' }, agent)
    expect(items.map(({ state }) => state).sort()).toEqual(['expired', 'pending'])
    await expect(house.gateway.list({ state: 'nonsense' as never }, agent)).rejects.toMatchObject({
      code: 'invalid',
    })
  })
})

describe('what is remembered', () => {
  const secret = 'the-result-of-the-tool'
  const draft = (type: EntryType) => createChainWriter('elsewhere').draft(type, 0, {})

  it('P9 P10: is in no list, view, event, export or journal entry, and is erased with the arguments', async () => {
    house = await openTestGateway({ policy: { allow: ['read_*'] } })
    const calls = [aCall({ tool: 'read_file' }), aCall()]
    for (const call of calls) {
      const guarding = house.gateway.guard(call, () => secret, { remember: true })
      if (call.tool !== 'read_file') await approve(house, await newestRequest(house))
      await guarding
    }
    const seen: unknown[] = []
    seen.push(await journalEntriesOf(house))
    const { items } = await house.store.list({ state: 'done' })
    seen.push(items, await house.store.calls.list({}), await house.store.calls.history({}))
    for (const { id } of items) seen.push(await house.gateway.view(id, ana))
    for (const { session, callId, tool } of calls) {
      seen.push(await house.store.lookup(session, callId, tool))
    }
    expect(JSON.stringify(seen)).not.toContain(secret)
    for (const call of calls) {
      expect(await house.gateway.guard(call, never, { remember: true })).toMatchObject({ value: secret })
    }
    await house.clock.advance(1000)
    const erased = await house.store.calls.erase(house.clock.now(), 100, () => draft('arguments.erased'))
    expect(erased).toBe(2)
    for (const call of calls) {
      const again = await house.gateway.guard(call, never, { remember: true })
      expect(again).toMatchObject({ kind: 'refused' })
      expect(again.kind === 'refused' && again.because).toMatch(/has already run.*its result was not kept/)
    }
  })

  it('P4: a late report leaves none', async () => {
    house = await openTestGateway()
    const call = aCall()
    const held = house.gateway.hold(call, { remember: true })
    const request = await newestRequest(house)
    await approve(house, request)
    const taken = await held
    const { version, progress } = (await house.store.get(request.id))!
    await house.store.transition({
      id: request.id,
      version,
      from: 'running',
      to: 'unknown',
      progress,
      deadline: 'none',
      entry: draft('request.lost'),
    })
    expect(taken.kind === 'held' && (await taken.report({ ok: true, value: secret }))).toBe(true)
    expect(await house.store.calls.result(call.session, call.callId)).toBeUndefined()
    expect(await house.gateway.guard(call, never, { remember: true })).toMatchObject({
      kind: 'refused',
      state: 'done',
    })
  })
})

describe('a schema that is no JSON Schema', () => {
  it('counts for the digest, is warned of once, and edits are not held to it', async () => {
    house = await openTestGateway()
    const definition = { schema: { type: 'OBJECT', properties: { to: { type: 'STRING' } } } }
    const request = await askedRequest(house, { definition })
    const plain = await askedRequest(house, {})
    expect(request.digest).not.toBe(plain.digest)
    await askedRequest(house, { definition })
    expect(house.faults.map(({ doing }) => doing)).toEqual(['reading the schema of "deploy"'])
    expect(String(house.faults[0]?.error)).toContain('no JSON Schema')
    const edit = { decision: 'edit', digest: request.digest, arguments: { to: 7 } } as const
    expect(await house.gateway.decide(request.id, edit, ana)).toMatchObject({ decided: true })
  })
})

describe('forecasts', () => {
  it('P10: are counted in the journal, not recorded', async () => {
    house = await openTestGateway()
    for (let time = 0; time < 3; time++) await house.gateway.judge(aCall())
    await house.gateway.flush()
    const entries = await journalEntriesOf(house)
    expect(entries.map(({ type }) => type)).toEqual(['chain.opened', 'calls.forecast'])
    expect(JSON.parse(entries[1]!.body)).toMatchObject({ by: 'agent-1', times: 3 })
  })

  it('P5: are refused in a session that was ended', async () => {
    house = await openTestGateway()
    await askedRequest(house, { session: 'over' })
    await house.gateway.endSession('over', {}, ana)
    await expect(house.gateway.judge(aCall({ session: 'over' }))).rejects.toMatchObject({
      code: 'session_ended',
    })
  })
})
