/** What an attack on the guard found, each named after what it led to. */
import { afterEach, describe, expect, it } from 'vitest'
import { BanksmanError } from '../../core/errors.ts'
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
  otherAgent,
  policyFrom,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

const never = () => expect.unreachable('it must not run')
const place = ({ session, callId }: { session: string; callId: string }) => ({ session, callId, key: 'k' })

describe('a call that was let through', () => {
  it('P4: can not be given back by who never held it, and does not run again', async () => {
    setup = await openTestGateway({ policy: { allow: ['*'] } })
    const { gateway } = setup
    const call = aCall()
    await gateway.guard(call, () => 1)
    await expect(gateway.releaseHeld(place(call), 'x', agent)).rejects.toMatchObject({ code: 'not_running' })
    expect(await gateway.guard(call, never)).toMatchObject({ kind: 'refused', code: 'already_claimed' })
  })

  it('P5: one that a hook answered can not be taken, whoever gives it back', async () => {
    setup = await openTestGateway()
    const call = aCall()
    await setup.gateway.intercept(call, { kind: 'respond', by: 'hook "cache"' }, agent)
    await expect(setup.gateway.releaseHeld(place(call), 'x', agent)).rejects.toMatchObject({
      code: 'not_running',
    })
    expect(await setup.gateway.hold(call)).toMatchObject({ kind: 'refused' })
  })

  it('P5: one that was reviewed or given back is judged again before it is taken', async () => {
    let verdict: 'allow' | 'deny' | 'ask' = 'allow'
    const policy = policyFrom(() =>
      verdict === 'ask' ? ask('all') : { kind: verdict, because: `now ${verdict}` },
    )
    setup = await openTestGateway({ policy })
    const reviewed = aCall()
    await setup.gateway.review(reviewed, agent)
    const paused = aCall()
    const released = await setup.gateway.guard(paused, (_, context) => {
      throw context.release('paused')
    })
    expect(released.kind).toBe('released')
    for (const now of ['deny', 'ask'] as const) {
      verdict = now
      for (const call of [reviewed, paused]) {
        expect(await setup.gateway.guard(call, never)).toMatchObject({ kind: 'refused', state: 'denied' })
      }
    }
    verdict = 'deny'
    expect(await setup.gateway.judge(reviewed)).toMatchObject({ kind: 'deny' })
    verdict = 'allow'
    for (const call of [reviewed, paused])
      expect(await setup.gateway.guard(call, () => 1)).toMatchObject({ kind: 'ran' })
  })

  it('P4: a guard that is given an old key makes up its own, and runs nothing twice', async () => {
    setup = await openTestGateway({ policy: { allow: ['*'] } })
    const call = aCall()
    let runs = 0
    const options = { key: 'k', remember: true } as object
    const results = await Promise.all([1, 2, 3].map(() => setup.gateway.guard(call, () => ++runs, options)))
    expect(runs).toBe(1)
    expect(results.filter(({ kind }) => kind === 'refused' || kind === 'ran')).toHaveLength(3)
  })

  it('P3: a record of other bytes under the same id is a conflict', async () => {
    const other = aCall({ arguments: { to: 'elsewhere' } })
    let isFirst = true
    setup = await openTestGateway({
      policy: { allow: ['*'] },
      wrap: (store) => ({
        ...store,
        async recordAll(batch) {
          if (isFirst) {
            isFirst = false
            const beside = await setup.beside()
            await beside.gateway.review(other, agent)
            await beside.gateway.flush()
            await beside.close()
          }
          return store.recordAll(batch)
        },
      }),
    })
    const call = { ...other, arguments: { to: 'here' } }
    expect(await setup.gateway.hold(call)).toMatchObject({ kind: 'refused', code: 'call_conflict' })
  })

  it('P5: an abort while it is being recorded ends in no run, and the call can be made again', async () => {
    const stop = new AbortController()
    setup = await openTestGateway({
      policy: { allow: ['*'] },
      wrap: (store) => ({
        ...store,
        async recordAll(batch) {
          stop.abort()
          return store.recordAll(batch)
        },
      }),
    })
    const call = aCall()
    const { signal } = stop
    expect(await setup.gateway.guard(call, never, { signal, remember: true })).toMatchObject({
      kind: 'pending',
    })
    expect(await setup.gateway.guard(call, () => 1)).toMatchObject({ kind: 'ran' })
  })
})

describe('joining', () => {
  it('P4: a joined call that a grant would let through by now is still the call that ran', async () => {
    setup = await openTestGateway()
    const call = aCall()
    const twin = { ...call, callId: 'twin' }
    const stop = new AbortController()
    const first = setup.gateway.guard(call, never, { join: true, signal: stop.signal })
    const { id, digest } = await newestRequest(setup)
    stop.abort()
    await first
    let runs = 0
    const second = setup.gateway.guard(twin, () => ++runs, { join: true, remember: true })
    await setup.gateway.decide(id, { decision: 'approve', digest, scope: 'session' }, ana)
    expect(await second).toMatchObject({ kind: 'ran', requestId: id })
    for (const join of [true, false])
      expect(await setup.gateway.guard(twin, () => ++runs, { join, remember: true })).toMatchObject({
        kind: 'ran',
        value: 1,
        replayed: true,
      })
    expect(runs).toBe(1)
  })

  it('P4: one key for two calls is two waiters and two requests', async () => {
    setup = await openTestGateway()
    const call = aCall()
    const taking = { join: true, key: 'runner', holdMs: 0 }
    const one = await setup.gateway.hold(call, taking)
    const other = await setup.gateway.hold({ ...call, callId: 'other' }, taking)
    expect(one.kind === 'pending' && one.requestId).not.toBe(other.kind === 'pending' && other.requestId)
  })

  it('a joined call whose request expired is asked anew', async () => {
    setup = await openTestGateway()
    const call = aCall()
    const twin = { ...call, callId: 'twin' }
    await setup.gateway.hold(call, { join: true, holdMs: 0 })
    const first = await newestRequest(setup)
    await setup.clock.advance(60_000)
    expect(await setup.gateway.hold(twin, { join: true, holdMs: 0 })).toMatchObject({ requestId: first.id })
    await setup.clock.advance(24 * 60 * 60_000)
    await setup.gateway.expire()
    expect(await setup.gateway.hold(twin, { join: true, holdMs: 0 })).toMatchObject({ kind: 'pending' })
    expect(await newestRequest(setup)).toMatchObject({ predecessor: { id: first.id }, callId: call.callId })
  })
})

describe('a stop that could not be recorded yet', () => {
  it('P5: is kept by a release: the call is cancelled, and does not run again', async () => {
    setup = await openTestGateway({
      wrap: (store) => ({
        ...store,
        async transition(change) {
          if (change.entry.type === 'request.stopped')
            throw new BanksmanError('store_unavailable', 'the store is away for a moment')
          return store.transition(change)
        },
      }),
    })
    const call = aCall()
    const guarding = setup.gateway.guard(call, async (_, context) => {
      const stopped = new Promise((resolve) => context.signal.addEventListener('abort', resolve))
      const cancelled = await setup.gateway.cancel(context.requestId!, {}, ana)
      expect(cancelled.recorded).toBe(false)
      await stopped
      throw context.release('it was interrupted')
    })
    const request = await newestRequest(setup)
    await approve(setup, request)
    expect(await guarding).toMatchObject({ kind: 'released' })
    expect((await setup.store.get(request.id))?.state).toBe('cancelled')
    expect(await setup.gateway.guard(call, never)).toMatchObject({ kind: 'refused', state: 'cancelled' })
  })
})

describe('others', () => {
  it('P6: a stranger hears the same of a call that is there and of one that is not', async () => {
    setup = await openTestGateway({ policy: { allow: ['read_*'] } })
    const request = await askedRequest(setup, { session: 's1', callId: 'c1' })
    const told = async (callId: string) =>
      setup.gateway.releaseHeld({ session: 's1', callId, key: 'k' }, 'x', otherAgent).catch((error) => error)
    const [there, nowhere] = [await told('c1'), await told('c2')]
    expect([there.code, nowhere.code]).toEqual(['unknown_id', 'unknown_id'])
    expect(there.message.replace('c1', 'c2')).toBe(nowhere.message)
    expect(there.message).not.toContain(request.id)
  })

  it('keys and causes are bounded for allowed calls, too', async () => {
    setup = await openTestGateway({ policy: { allow: ['*'] } })
    const call = aCall()
    const held = await setup.gateway.hold(call, { key: 'k' })
    expect(held.kind).toBe('held')
    const { session, callId } = call
    for (const [key, cause] of [
      ['', 'x'],
      ['k', ''],
      ['k', 'x'.repeat(257)],
      ['x'.repeat(257), 'x'],
    ] as const)
      await expect(setup.gateway.releaseHeld({ session, callId, key }, cause, agent)).rejects.toMatchObject({
        code: 'invalid',
      })
  })

  it('who stops waiting ten times has given nothing back yet', async () => {
    setup = await openTestGateway()
    const request = await askedRequest(setup)
    for (let time = 0; time < 40; time++)
      await setup.gateway.release(request.id, { key: `k${time}`, cause: 'gone' }, agent)
    await approve(setup, request)
    const claim = (key: string) => setup.gateway.claim(request.id, { digest: request.digest, key }, agent)
    await expect(claim('k39')).rejects.toMatchObject({ code: 'already_claimed' })
    await claim('fresh')
    expect(await setup.gateway.release(request.id, { key: 'fresh', cause: 'paused' }, agent)).toMatchObject({
      state: 'approved',
    })
    expect((await setup.store.get(request.id))!.progress.released!.length).toBeLessThanOrEqual(30)
  })

  it('P9: a secret in a cause is masked in the journal', async () => {
    setup = await openTestGateway()
    const request = await askedRequest(setup)
    const secret = `sk-ant-api03-${'a'.repeat(60)}`
    await setup.gateway.release(request.id, { key: 'k', cause: `token=${secret}` }, agent)
    expect((await journalEntriesOf(setup)).map(({ body }) => body).join()).not.toContain(secret)
  })
})

describe('a tool that misbehaves', () => {
  it('P4 P10: whatever it throws and whatever its summary is, it ran, and that is on the record', async () => {
    setup = await openTestGateway()
    const broken = [
      Object.create(null),
      {
        toString() {
          throw new Error('no')
        },
      },
    ]
    for (const thrown of broken) {
      const guarding = setup.gateway.guard(aCall(), () => {
        throw thrown
      })
      const request = await newestRequest(setup)
      await approve(setup, request)
      expect(await guarding).toMatchObject({ kind: 'ran', ok: false })
      expect((await setup.store.get(request.id))?.state).toBe('done')
    }
    const summarize = (() => 7) as unknown as () => string
    const guarding = setup.gateway.guard(aCall(), () => 1, { summarize })
    const request = await newestRequest(setup)
    await approve(setup, request)
    expect(await guarding).not.toHaveProperty('recorded')
    expect((await setup.store.get(request.id))?.progress.outcome?.summary).toBe('7')
  })
})
