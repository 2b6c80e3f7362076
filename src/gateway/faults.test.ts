import { afterEach, describe, expect, it, vi } from 'vitest'
import { until } from '../../test/fixtures/until.ts'
import { BanksmanError } from '../core/errors.ts'
import type { Store } from '../stores/store.ts'
import {
  aCall,
  agent,
  ana,
  newestRequest,
  openTestGateway,
  type TestGateway,
} from './fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

type Verb = 'open' | 'recordAll' | 'transition' | 'get' | 'lookup' | 'endSessions'

interface Fault {
  /** Which call fails, counted over all verbs from 1; 0: none. */
  at: number
  /** `lost`: it is committed, and the answer does not come through. */
  kind: 'refused' | 'lost'
  count: number
  only?: Verb
  failing: boolean
}

/** A store whose n-th call fails, either before it did anything or after it was committed. */
function faulty(store: Store, fault: Fault): Store {
  const wrapped: Record<string, unknown> = { ...store }
  for (const verb of ['open', 'recordAll', 'transition', 'get', 'lookup', 'endSessions'] as const) {
    wrapped[verb] = async (...parameters: unknown[]) => {
      fault.count++
      const hit =
        (fault.failing && (fault.only === undefined || fault.only === verb)) || fault.count === fault.at
      const error = new BanksmanError('store_unavailable', `injected at ${verb}`)
      if (hit && fault.kind === 'refused') throw error
      const result = await (store[verb] as (...all: unknown[]) => Promise<unknown>)(...parameters)
      if (hit) throw error
      return result
    }
  }
  return wrapped as unknown as Store
}

/** More than a guarded call needs of the store from beginning to end. */
const FAULTS = 12

const noFault = (): Fault => ({ at: 0, kind: 'refused', count: 0, failing: false })

describe('when the store fails', () => {
  it('P4 P5: wherever one call fails, the tool runs at most once and never without a committed claim', async () => {
    for (const kind of ['refused', 'lost'] as const) {
      for (let at = 1; at <= FAULTS; at++) {
        const fault: Fault = { ...noFault(), kind }
        setup = await openTestGateway({ wrap: (store) => faulty(store, fault) })
        fault.count = 0
        fault.at = at
        let runs = 0
        let claimed = false
        const call = aCall()
        const guarding = setup.gateway.guard(call, async () => {
          runs++
          fault.at = 0
          claimed = (await setup.store.list({ state: 'running' })).items.length === 1
        })
        const answering = answer()
        await answering
        await setup.clock.advance(2000)
        const result = await guarding
        expect(runs).toBeLessThanOrEqual(1)
        expect(result.kind).toBe(runs === 1 ? 'ran' : 'refused')
        // The first call is always needed, and the last fault lies past the end: the whole way was covered.
        if (at === 1) expect(result.kind).toBe('refused')
        if (at === FAULTS) expect(result.kind).toBe('ran')
        if (runs === 1) expect(claimed).toBe(true)
        fault.at = 0
        await setup.gateway.flush()
        // Whatever happened, the same call again never runs a second time by itself.
        if (runs === 1)
          expect(await setup.gateway.guard(call, () => runs++)).toMatchObject({ kind: 'refused' })
        expect(runs).toBeLessThanOrEqual(1)
        await setup.close()
      }
    }
    setup = await openTestGateway()

    async function answer(): Promise<void> {
      for (let turn = 0; turn < 300; turn++) {
        const pending = (await setup.store.list({ state: 'pending' }).catch(() => ({ items: [] }))).items[0]
        if (pending !== undefined) {
          const approve = () =>
            setup.gateway.decide(pending.id, { decision: 'approve', digest: pending.digest }, ana)
          // A person whose click failed clicks again.
          await approve()
            .catch(approve)
            .catch(() => {})
          return
        }
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
  })

  it('P5: a decision that could not be committed is an error, and the request is still pending', async () => {
    const fault = noFault()
    setup = await openTestGateway({ wrap: (store) => faulty(store, fault) })
    const { request } = await setup.gateway.review(aCall(), agent)
    fault.failing = true
    fault.only = 'transition'
    const decision = { decision: 'approve', digest: request!.digest } as const
    await expect(setup.gateway.decide(request!.id, decision, ana)).rejects.toMatchObject({
      code: 'store_unavailable',
    })
    expect(await setup.store.get(request!.id)).toMatchObject({ state: 'pending', version: 1 })
    fault.failing = false
    expect(await setup.gateway.decide(request!.id, decision, ana)).toMatchObject({ decided: true })
  })

  it('P5 P10: while calls can not be written down none is let through, and it goes on by itself afterwards', async () => {
    const fault = noFault()
    setup = await openTestGateway({ policy: { allow: ['*'] }, wrap: (store) => faulty(store, fault) })
    fault.failing = true
    fault.only = 'recordAll'
    expect(await setup.gateway.guard(aCall(), () => 1)).toMatchObject({ kind: 'ran' })
    await setup.clock.advance(10)
    for (let index = 0; index < 3; index++) {
      expect(await setup.gateway.guard(aCall(), () => expect.unreachable())).toMatchObject({
        kind: 'refused',
        code: 'store_unavailable',
        mayRetry: true,
      })
    }
    fault.failing = false
    await setup.clock.advance(1000)
    await vi.waitFor(async () => {
      expect(await setup.gateway.guard(aCall(), () => 2)).toMatchObject({ kind: 'ran', value: 2 })
    })
    await setup.gateway.flush()
    const { items } = await setup.store.calls.list({})
    expect(items).toHaveLength(2)
  })

  it('P5 P10: a call that was on its way when the record began to fail is not let through either', async () => {
    const fault = noFault()
    let release = () => {}
    const slow = new Promise<void>((resolve) => {
      release = resolve
    })
    setup = await openTestGateway({
      policy: { allow: ['*'] },
      wrap: (store) => faulty(store, fault),
      gatherFacts: async (call) => {
        if (call.tool === 'slow') await slow
        return undefined
      },
    })
    fault.failing = true
    fault.only = 'recordAll'
    const waiting = setup.gateway.guard(aCall({ tool: 'slow' }), () => expect.unreachable())
    await setup.gateway.guard(aCall(), () => 1)
    await setup.clock.advance(10)
    release()
    expect(await waiting).toMatchObject({ kind: 'refused', code: 'store_unavailable' })
    fault.failing = false
    await setup.clock.advance(1000)
  })

  it('P5: stopping does not wait for the store: the tool is told at once, and it is recorded later', async () => {
    const fault = noFault()
    setup = await openTestGateway({ wrap: (store) => faulty(store, fault) })
    let reason: unknown
    const running = setup.gateway.guard(
      aCall(),
      (_, { signal }) =>
        new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason
            resolve()
          })
        }),
    )
    const request = await newestRequest(setup)
    await setup.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, ana)
    await newestRequest(setup, 'running')
    fault.failing = true
    expect(await setup.gateway.cancel(request.id, { reason: 'stop' }, agent)).toMatchObject({
      recorded: false,
    })
    await until(() => reason !== undefined)
    expect(reason).toMatchObject({ code: 'cancelled' })
    fault.failing = false
    await setup.clock.advance(3000)
    expect(await running).toMatchObject({ kind: 'ran' })
    expect(await setup.store.get(request.id)).toMatchObject({ state: 'done' })
  })

  it('P5: a pending request that was withdrawn while the store was away never runs', async () => {
    const fault = noFault()
    setup = await openTestGateway({ wrap: (store) => faulty(store, fault) })
    const guarding = setup.gateway.guard(aCall(), () => expect.unreachable())
    const request = await newestRequest(setup)
    fault.failing = true
    fault.only = 'transition'
    expect(await setup.gateway.cancel(request.id, {}, agent)).toMatchObject({
      recorded: false,
      request: { state: 'cancelled' },
    })
    expect(await guarding).toMatchObject({ kind: 'refused', state: 'cancelled' })
    fault.failing = false
    await setup.clock.advance(1000)
    expect(await setup.store.get(request.id)).toMatchObject({
      state: 'cancelled',
      progress: { cancelled: { cause: 'withdrawn' } },
    })
  })

  it('P5: an approval that was called back while the store was away can not be claimed when it is back', async () => {
    const fault = noFault()
    setup = await openTestGateway({ wrap: (store) => faulty(store, fault) })
    const { request } = await setup.gateway.review(aCall(), agent)
    const { id, digest } = request!
    await setup.gateway.decide(id, { decision: 'approve', digest }, ana)
    fault.failing = true
    fault.only = 'transition'
    expect(await setup.gateway.cancel(id, {}, ana)).toMatchObject({ recorded: false })
    fault.failing = false
    await expect(setup.gateway.claim(id, { digest, key: 'k' }, agent)).rejects.toMatchObject({
      code: 'cancelled',
    })
    await setup.clock.advance(1000)
    expect(await setup.store.get(id)).toMatchObject({
      state: 'cancelled',
      progress: { cancelled: { cause: 'revoked' } },
    })
  })

  it('closing while someone waits ends the waiting and leaves the request as it is', async () => {
    setup = await openTestGateway()
    const guarding = setup.gateway.guard(aCall(), () => expect.unreachable())
    const request = await newestRequest(setup)
    await setup.gateway.close()
    expect(await guarding).toMatchObject({ kind: 'refused', code: 'closed' })
    expect(await setup.store.get(request.id)).toMatchObject({ state: 'pending' })
    expect(await setup.gateway.guard(aCall(), () => expect.unreachable())).toMatchObject({ code: 'closed' })
  })

  it('P5: a policy, a fact or a clock that throws never ends in allowed', async () => {
    const bomb = () => {
      throw new Error('boom')
    }
    for (const parts of [
      { policy: { version: 'x', evaluate: bomb, steering: () => ({ reads: [], writes: [] }) } },
      { policy: { allow: ['*'] }, gatherFacts: bomb },
    ]) {
      setup = await openTestGateway(parts)
      expect(await setup.gateway.guard(aCall(), () => expect.unreachable())).toMatchObject({
        kind: 'refused',
        code: 'internal',
      })
      await setup.close()
    }
    setup = await openTestGateway()
  })
})
