/** Symptoms that the simulator found: replies of the store that were lost, or came later than what followed them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { BanksmanError } from '../core/errors.ts'
import type { Store } from '../stores/store.ts'
import {
  aCall,
  agent,
  ana,
  askedRequest,
  newestRequest,
  openTestGateway,
  type TestGateway,
} from './fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

const lost = () => new BanksmanError('store_unavailable', 'the reply was lost')

describe('a reply of the store that is lost or late', () => {
  it('P7: whoever waits hears of a session that ended, though the reply to its ending was lost', async () => {
    const wrap = (store: Store): Store => ({
      ...store,
      async endSessions(ending) {
        await store.endSessions(ending)
        throw lost()
      },
    })
    setup = await openTestGateway({ wrap })
    const request = await askedRequest(setup)
    const waited = setup.gateway.wait(request.id)
    await expect(setup.gateway.endSession(request.session, {}, ana)).rejects.toMatchObject({
      code: 'store_unavailable',
    })
    await setup.clock.advance(2000)
    expect((await waited).state).toBe('cancelled')
  })

  it('P7: a request that was decided before the reply to its opening came is not taken for pending', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const wrap = (store: Store): Store => ({
      ...store,
      async open(opening) {
        const result = await store.open(opening)
        await released
        return result
      },
    })
    setup = await openTestGateway({ wrap })
    const reviewing = setup.gateway.review(aCall(), agent)
    const { id, digest } = await newestRequest(setup)
    await setup.gateway.decide(id, { decision: 'reject', digest }, ana)
    release()
    await reviewing
    expect((await setup.gateway.wait(id)).state).toBe('rejected')
  })

  it('P5: what had ended is not said to be cancelled because the store could not be asked', async () => {
    let reads = Number.POSITIVE_INFINITY
    const wrap = (store: Store): Store => ({
      ...store,
      get: (id) => (--reads < 0 ? Promise.reject(lost()) : store.get(id)),
    })
    setup = await openTestGateway({ wrap })
    const { id, digest } = await askedRequest(setup)
    await setup.gateway.decide(id, { decision: 'reject', digest }, ana)
    reads = 1
    await expect(setup.gateway.cancel(id, {}, agent)).rejects.toMatchObject({ code: 'store_unavailable' })
    reads = Number.POSITIVE_INFINITY
    expect((await setup.gateway.wait(id)).state).toBe('rejected')
  })

  it('P4: a claim whose answer was lost is renewed for whoever asks again with its key', async () => {
    setup = await openTestGateway()
    const call = aCall()
    const { id, digest } = (await setup.gateway.review(call, agent)).request!
    await setup.gateway.decide(id, { decision: 'approve', digest }, ana)
    const take = () => setup.gateway.take(call, { key: 'a key', holdMs: 0 }, agent)
    const first = await take()
    const leaseMs = (first as { leaseMs: number }).leaseMs
    await setup.clock.advance(leaseMs * 0.9)
    const second = await take()
    expect(second).toEqual(first)
    // Its runner measures the lease from when it sent the second, and may begin half a lease later.
    await setup.clock.advance(leaseMs / 2)
    expect((await setup.gateway.wait(id)).state).toBe('running')
  })
})

describe('a call that the policy allows, and that is on disk before it runs', () => {
  const policy = { allow: ['read'] }
  const read = { tool: 'read', arguments: {} }

  it('P4: is run by one of two processes that let it through in the same moment', async () => {
    let runs = 0
    const run = () => ++runs
    const folder = mkdtempSync(join(tmpdir(), 'banksman-test-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'test.db')
    setup = await openTestGateway({ policy, path })
    const other = await openTestGateway({ policy, path, clock: setup.clock })
    const call = aCall(read)
    const results = await Promise.all(
      [setup, other].map(({ gateway }) => gateway.guard(call, run, { as: agent, durable: true })),
    )
    await other.close()
    expect(results.map(({ kind }) => kind).sort()).toEqual(['ran', 'refused'])
    expect(runs).toBe(1)
  })

  it('P5: does not run where the session that started its own has ended', async () => {
    let runs = 0
    setup = await openTestGateway({ policy })
    const { session } = await askedRequest(setup)
    await setup.gateway.endSession(session, {}, ana)
    const call = aCall({ ...read, session: 'below', parentSession: session })
    await expect(setup.gateway.guard(call, () => ++runs, { as: agent })).resolves.toMatchObject({
      kind: 'refused',
      code: 'session_ended',
    })
    expect(runs).toBe(0)
  })

  it('P10: the chain goes on behind an entry that was committed long after its reply was given up', async () => {
    let commitLate = async () => {}
    const wrap = (store: Store): Store => ({
      ...store,
      async transition(change) {
        commitLate = async () => {
          await store.transition({ ...change, entry: { ...change.entry, committed() {} } })
        }
        throw lost()
      },
    })
    setup = await openTestGateway({ wrap })
    const { id, digest } = await askedRequest(setup)
    await expect(setup.gateway.decide(id, { decision: 'reject', digest }, ana)).rejects.toMatchObject({
      code: 'store_unavailable',
    })
    // By then nobody looks for it any more.
    await setup.clock.advance(5000)
    await commitLate()
    for (let calls = 0; calls < 3; calls++) {
      await askedRequest(setup)
      await setup.clock.advance(2000)
    }
    const [chain] = await setup.store.journal.chains()
    const entries = await setup.store.journal.read(chain!.chain, 0, 100)
    const last = entries.at(-1)!
    expect(JSON.parse(last.body).prev.n).toBe(last.n - 1)
  })
})
