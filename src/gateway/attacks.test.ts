/** Ways around the gate that were found by attacking it, each named after its symptom. */
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../test/fixtures/until.ts'
import {
  aCall,
  agent,
  ana,
  approve,
  ask,
  askedRequest,
  newestRequest,
  openTestGateway,
  otherAgent,
  policyFrom,
  type TestGateway,
} from './fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

/** Facts that take a turn of the event loop, as real ones do. */
const slowFacts = async () => {
  await new Promise((resolve) => setImmediate(resolve))
  return { paths: {} }
}

describe('two calls under one id at once', () => {
  it('P4: the same call runs once', async () => {
    setup = await openTestGateway({ policy: { allow: ['*'] }, gatherFacts: slowFacts })
    const call = aCall()
    let runs = 0
    const results = await Promise.all([1, 2, 3].map(() => setup.gateway.guard(call, () => runs++)))
    expect(runs).toBe(1)
    expect(results.filter(({ kind }) => kind === 'ran')).toHaveLength(1)
  })

  it('P3 P4: two different calls are a conflict, and only the first runs', async () => {
    setup = await openTestGateway({ policy: { allow: ['*'] }, gatherFacts: slowFacts })
    const ran: unknown[] = []
    const results = await Promise.all(
      [1, 2].map((n) =>
        setup.gateway.guard({ ...aCall(), callId: 'same', arguments: { n } }, (args) => ran.push(args)),
      ),
    )
    expect(ran).toEqual([{ n: 1 }])
    expect(results[1]).toMatchObject({ kind: 'refused', code: 'call_conflict' })
  })
})

describe("a session's mode", () => {
  it('P5: is not escaped by starting a child, before or after it was set', async () => {
    setup = await openTestGateway({ policy: { mode: 'bypass', allow: ['first'] } })
    const run = (parts: object) => setup.gateway.guard(aCall(parts), () => 1)
    await run({ session: 'p', tool: 'first' })
    await run({ session: 'early', parentSession: 'p', tool: 'first' })
    await setup.gateway.flush()
    await setup.gateway.setMode('p', 'dontAsk', ana)
    for (const parts of [{ session: 'p' }, { session: 'early' }, { session: 'late', parentSession: 'p' }]) {
      expect(await run(parts), JSON.stringify(parts)).toMatchObject({ kind: 'refused', state: 'denied' })
    }
    await run({ session: 'late', parentSession: 'p', tool: 'first' })
    await setup.gateway.flush()
    expect(await run({ session: 'grandchild', parentSession: 'late' })).toMatchObject({ state: 'denied' })
  })

  it('P5: counts at the claim, in both directions', async () => {
    setup = await openTestGateway()
    const stricter = await askedRequest(setup)
    await approve(setup, stricter)
    await setup.gateway.setMode('session-1', 'dontAsk', ana)
    const claim = (id: string, digest: string) => setup.gateway.claim(id, { digest, key: 'k' }, agent)
    await expect(claim(stricter.id, stricter.digest)).rejects.toMatchObject({ code: 'cancelled' })
    await setup.close()

    setup = await openTestGateway({ policy: { mode: 'dontAsk', allow: ['first'] } })
    await setup.gateway.review(aCall({ tool: 'first' }), agent)
    await setup.gateway.flush()
    await setup.gateway.setMode('session-1', 'default', ana)
    const laxer = await askedRequest(setup)
    await approve(setup, laxer)
    expect((await claim(laxer.id, laxer.digest)).claimId).toMatch(/^clm_/)
  })
})

describe('what ran is on the record', () => {
  it('P10: a call that comes in while the gateway closes does not run', async () => {
    setup = await openTestGateway({ policy: { allow: ['*'] }, gatherFacts: slowFacts })
    let ran = false
    const guarding = setup.gateway.guard(aCall(), () => {
      ran = true
    })
    await setup.gateway.close()
    expect(await guarding).toMatchObject({ kind: 'refused', code: 'closed' })
    expect(ran).toBe(false)
  })

  it('P10: a call that was let through just before its session ended is in the journal with its arguments', async () => {
    setup = await openTestGateway({ policy: { allow: ['*'] } })
    await setup.gateway.guard(aCall(), () => 1)
    await setup.gateway.flush()
    expect(await setup.gateway.guard(aCall({ arguments: { n: 7 } }), () => 1)).toMatchObject({ kind: 'ran' })
    await setup.gateway.endSession('session-1', {}, ana)
    await setup.gateway.flush()
    const { events } = await setup.store.journal.feed(undefined, 1000)
    const judged = events
      .filter(({ entry }) => entry.type === 'calls.judged')
      .map(({ entry }) => JSON.parse(entry.body))
    expect(judged.flatMap(({ calls }) => calls).map((call) => call.arguments)).toContainEqual({ n: 7 })
    expect(events.some(({ entry }) => entry.type === 'call.conflict')).toBe(true)
  })

  it("P6: another's session is another's from its first call on, committed or not", async () => {
    setup = await openTestGateway({ policy: { allow: ['*'] } })
    const mine = aCall()
    await setup.gateway.guard(mine, () => 1)
    const theirs = await setup.gateway.guard(aCall(), () => expect.unreachable(), { as: otherAgent })
    expect(theirs).toMatchObject({ kind: 'refused', code: 'not_yours' })
    await expect(setup.gateway.review({ ...mine, arguments: {} }, otherAgent)).rejects.toMatchObject({
      code: 'not_yours',
      details: {},
    })
  })
})

describe('deciding', () => {
  it("P2: the vote of the conversation's owner counts for those who vote after", async () => {
    setup = await openTestGateway({ policy: policyFrom(() => ask('two', { quorum: 2 })) })
    const carl = { subject: 'carl', role: 'approver', via: 'test' } as const
    const { request } = await setup.gateway.review(aCall({ session: 'talk' }), carl)
    await approve(setup, request!, carl)
    expect(await approve(setup, request!, ana)).toMatchObject({ decided: true })
  })

  it("P6: an agent's list has no cursor that leads to others", async () => {
    setup = await openTestGateway()
    await askedRequest(setup)
    await askedRequest(setup)
    expect(await setup.gateway.list({ state: 'pending', limit: 1 }, otherAgent)).toEqual({ items: [] })
  })

  it('P4: a second claim whose facts have changed does not stop the run of the first', async () => {
    let facts = { paths: { '/p': { resolved: '/a', exists: true } } }
    let looks = 0
    let release = () => {}
    const slow = new Promise<void>((resolve) => {
      release = resolve
    })
    setup = await openTestGateway({
      policy: policyFrom(() => ask('r')),
      gatherFacts: async () => {
        // The first look is the review's, the second that of the slow claim.
        if (++looks === 2) await slow
        return facts
      },
    })
    const request = await askedRequest(setup)
    await approve(setup, request)
    const second = setup.gateway.claim(request.id, { digest: request.digest, key: 'k2' }, agent)
    await until(async () => looks === 2)
    await setup.gateway.claim(request.id, { digest: request.digest, key: 'k1' }, agent)
    facts = { paths: { '/p': { resolved: '/b', exists: true } } }
    release()
    await expect(second).rejects.toMatchObject({ code: 'already_claimed' })
    expect((await newestRequest(setup, 'running')).progress.stop).toBeUndefined()
  })
})
