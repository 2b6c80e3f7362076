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

let setup: TestGateway
afterEach(() => setup.close())

const never = () => expect.unreachable('it must not run')

describe('the lease before a run', () => {
  /** A machine that falls asleep between the claim and the run. */
  async function asleep(ms: number, wrap: (store: Store) => Partial<Store> = () => ({})) {
    let sleeps = () => Promise.resolve()
    setup = await openTestGateway({
      wrap: (store) => ({
        ...store,
        async transition(change) {
          const result = await (wrap(store).transition ?? store.transition)(change)
          if (change.from === 'approved' && change.to === 'running') await sleeps()
          return result
        },
      }),
    })
    sleeps = async () => setup.clock.advance(ms)
  }

  it('P4: more than half of it is over: it is renewed before anything runs', async () => {
    await asleep(16_000)
    const running = setup.gateway.guard(aCall(), () => setup.clock.now())
    const { id } = await newestRequest(setup)
    await approve(setup, await newestRequest(setup))
    expect(await running).toMatchObject({ kind: 'ran', ok: true })
    const types = (await journalEntriesOf(setup))
      .filter(({ request }) => request === id)
      .map(({ type }) => type)
    expect(types.slice(-3)).toEqual(['request.claimed', 'request.renewed', 'request.reported'])
  })

  it('P4: all of it is over: nothing runs', async () => {
    await asleep(31_000)
    const running = setup.gateway.guard(aCall(), never)
    const request = await newestRequest(setup)
    await approve(setup, request)
    expect(await running).toMatchObject({ kind: 'refused', code: 'lease_lapsed' })
    await until(async () => (await setup.store.get(request.id))?.state === 'unknown')
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
    const running = setup.gateway.guard(call, never, { signal: stop.signal })
    const request = await newestRequest(setup)
    await approve(setup, request)
    expect(await running).toEqual({ kind: 'pending', because: 'aborted', requestId: request.id })
    expect((await setup.store.get(request.id))?.state).toBe('approved')
    expect(await setup.gateway.guard(call, () => 1)).toMatchObject({ kind: 'ran', ok: true })
  })
})

describe('after an earlier review', () => {
  it('P4: guard goes on from it, once', async () => {
    setup = await openTestGateway({ policy: { allow: ['*'] } })
    const call = aCall()
    expect(await setup.gateway.review(call, setup.gateway.self)).toMatchObject({ verdict: { kind: 'allow' } })
    expect(await setup.gateway.guard(call, () => 1)).toMatchObject({ kind: 'ran', ok: true })
    expect(await setup.gateway.guard(call, never)).toMatchObject({ kind: 'refused' })
  })

  it('P4: also in another process, of which one gets it', async () => {
    setup = await openTestGateway({ policy: { allow: ['*'] } })
    const other = await setup.beside()
    const call = aCall()
    await setup.gateway.review(call, agent)
    await setup.gateway.flush()
    const results = await Promise.all([
      setup.gateway.guard(call, () => 1),
      other.gateway.guard(call, () => 1),
      setup.gateway.guard(call, () => 1),
    ])
    expect(results.filter(({ kind }) => kind === 'ran')).toHaveLength(1)
    await other.close()
  })

  it('P4: but not from one whose caller runs it by itself', async () => {
    setup = await openTestGateway({ policy: { allow: ['*'] } })
    const call = aCall()
    await setup.gateway.review(call, agent, { allowed: { kind: 'run' } })
    expect(await setup.gateway.guard(call, never)).toMatchObject({ kind: 'refused', code: 'already_claimed' })
  })
})

describe('a request that follows another', () => {
  it('P6: terms that changed before the claim: the call is asked anew, under the new ones', async () => {
    let quorum = 1
    const policy = policyFrom(() => ask('deploys', { quorum, approvers: ['ana', 'ben'] }))
    setup = await openTestGateway({ policy })
    const call = aCall()
    await setup.gateway.guard(call, never, { holdMs: 0 })
    const first = await newestRequest(setup)
    await approve(setup, first)
    quorum = 2
    const told = await setup.gateway.guard(call, never)
    expect(told).toMatchObject({ kind: 'refused', state: 'cancelled', mayRetry: true, requestId: first.id })
    await setup.gateway.guard(call, never, { holdMs: 0 })
    const second = await newestRequest(setup)
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
    setup = await openTestGateway({ policy })
    const expired = async () => {
      const call = aCall()
      verdict = 'ask'
      await setup.gateway.guard(call, never, { holdMs: 0 })
      await setup.clock.advance(24 * 60 * 60_000 + 1)
      await setup.gateway.expire()
      return call
    }
    const denied = await expired()
    verdict = 'deny'
    expect(await setup.gateway.guard(denied, never)).toMatchObject({ state: 'denied' })
    verdict = 'ask'
    expect(await setup.gateway.guard(denied, never)).toMatchObject({ state: 'denied' })
    const allowed = await expired()
    verdict = 'allow'
    expect(await setup.gateway.guard(allowed, () => 1)).toMatchObject({ kind: 'ran' })
    expect(await setup.gateway.guard(allowed, never)).toMatchObject({
      kind: 'refused',
      code: 'already_claimed',
    })
  })

  it('P5: one that was withdrawn, or denied at the claim, is not asked again', async () => {
    let isDenied = false
    const policy = policyFrom(() => (isDenied ? { kind: 'deny', because: 'no' } : ask('all')))
    setup = await openTestGateway({ policy })
    const call = aCall()
    await setup.gateway.guard(call, never, { holdMs: 0 })
    await setup.gateway.cancel((await newestRequest(setup)).id, {}, agent)
    expect(await setup.gateway.guard(call, never)).toMatchObject({ state: 'cancelled', mayRetry: false })
    const other = aCall()
    await setup.gateway.guard(other, never, { holdMs: 0 })
    await approve(setup, await newestRequest(setup))
    isDenied = true
    expect(await setup.gateway.guard(other, never)).toMatchObject({ state: 'cancelled' })
    isDenied = false
    expect(await setup.gateway.guard(other, never)).toMatchObject({ state: 'cancelled', mayRetry: false })
  })

  it('find gives the newest, and list without a state gives all of a session', async () => {
    setup = await openTestGateway()
    const call = aCall({ session: 'one' })
    await setup.gateway.guard(call, never, { holdMs: 0 })
    await setup.clock.advance(24 * 60 * 60_000 + 1)
    await setup.gateway.expire()
    await setup.gateway.guard(call, never, { holdMs: 0 })
    await askedRequest(setup, { session: 'two' })
    const found = await setup.gateway.find({ session: 'one', callId: call.callId }, agent)
    expect(found?.state).toBe('pending')
    const { items } = await setup.gateway.list({ session: 'one' }, agent)
    expect(items.map(({ state }) => state).sort()).toEqual(['expired', 'pending'])
    await expect(setup.gateway.list({ state: 'nonsense' as never }, agent)).rejects.toMatchObject({
      code: 'invalid',
    })
  })
})

describe('what is remembered', () => {
  const secret = 'the-result-of-the-tool'
  const draft = (type: EntryType) => createChainWriter('elsewhere').draft(type, 0, {})

  it('P9 P10: is in no list, view, event, export or journal entry, and is erased with the arguments', async () => {
    setup = await openTestGateway({ policy: { allow: ['read_*'] } })
    const calls = [aCall({ tool: 'read_file' }), aCall()]
    for (const call of calls) {
      const guarding = setup.gateway.guard(call, () => secret, { remember: true })
      if (call.tool !== 'read_file') await approve(setup, await newestRequest(setup))
      await guarding
    }
    const seen: unknown[] = []
    seen.push(await journalEntriesOf(setup))
    const { items } = await setup.store.list({ state: 'done' })
    seen.push(items, await setup.store.calls.list({}), await setup.store.calls.history({}))
    for (const { id } of items) seen.push(await setup.gateway.view(id, ana))
    for (const { session, callId, tool } of calls) {
      seen.push(await setup.store.lookup(session, callId, tool))
    }
    expect(JSON.stringify(seen)).not.toContain(secret)
    for (const call of calls) {
      expect(await setup.gateway.guard(call, never, { remember: true })).toMatchObject({ value: secret })
    }
    await setup.clock.advance(1000)
    const erased = await setup.store.calls.erase(setup.clock.now(), 100, () => draft('arguments.erased'))
    expect(erased).toBe(2)
    for (const call of calls) {
      const again = await setup.gateway.guard(call, never, { remember: true })
      expect(again).toMatchObject({ kind: 'refused' })
      expect(again.kind === 'refused' && again.because).toMatch(/has already run.*its result was not kept/)
    }
  })

  it('P4: a late report leaves none', async () => {
    setup = await openTestGateway()
    const call = aCall()
    const held = setup.gateway.hold(call, { remember: true })
    const request = await newestRequest(setup)
    await approve(setup, request)
    const taken = await held
    const { version, progress } = (await setup.store.get(request.id))!
    await setup.store.transition({
      id: request.id,
      version,
      from: 'running',
      to: 'unknown',
      progress,
      deadline: 'none',
      entry: draft('request.lost'),
    })
    expect(taken.kind === 'held' && (await taken.report({ ok: true, value: secret }))).toBe(true)
    expect(await setup.store.calls.result(call.session, call.callId)).toBeUndefined()
    expect(await setup.gateway.guard(call, never, { remember: true })).toMatchObject({
      kind: 'refused',
      state: 'done',
    })
  })
})

describe('a schema that is no JSON Schema', () => {
  it('counts for the digest, is warned of once, and edits are not held to it', async () => {
    setup = await openTestGateway()
    const definition = { schema: { type: 'OBJECT', properties: { to: { type: 'STRING' } } } }
    const request = await askedRequest(setup, { definition })
    const plain = await askedRequest(setup, {})
    expect(request.digest).not.toBe(plain.digest)
    await askedRequest(setup, { definition })
    expect(setup.faults.map(({ doing }) => doing)).toEqual(['reading the schema of "deploy"'])
    expect(String(setup.faults[0]?.error)).toContain('no JSON Schema')
    const edit = { decision: 'edit', digest: request.digest, arguments: { to: 7 } } as const
    expect(await setup.gateway.decide(request.id, edit, ana)).toMatchObject({ decided: true })
  })
})

describe('forecasts', () => {
  it('P10: are counted in the journal, not recorded', async () => {
    setup = await openTestGateway()
    for (let time = 0; time < 3; time++) await setup.gateway.judge(aCall())
    await setup.gateway.flush()
    const entries = await journalEntriesOf(setup)
    expect(entries.map(({ type }) => type)).toEqual(['chain.opened', 'calls.forecast'])
    expect(JSON.parse(entries[1]!.body)).toMatchObject({ by: 'agent-1', times: 3 })
  })

  it('P5: are refused in a session that was ended', async () => {
    setup = await openTestGateway()
    await askedRequest(setup, { session: 'over' })
    await setup.gateway.endSession('over', {}, ana)
    await expect(setup.gateway.judge(aCall({ session: 'over' }))).rejects.toMatchObject({
      code: 'session_ended',
    })
  })
})
