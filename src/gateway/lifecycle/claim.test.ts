import { afterEach, describe, expect, it } from 'vitest'
import {
  aCall,
  agent,
  ana,
  approve,
  askedRequest,
  newestRequest,
  openTestGateway,
  otherAgent,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

let house: TestGateway
afterEach(() => house.close())

describe('claiming and reporting', () => {
  const key = 'runner-1'

  it('P4: a claim is given once; the same key gets the same one', async () => {
    house = await openTestGateway()
    const request = await askedRequest(house)
    const claim = (k = key, by = agent) =>
      house.gateway.claim(request.id, { digest: request.digest, key: k }, by)
    await expect(claim()).rejects.toMatchObject({ code: 'not_approved' })
    await approve(house, request)
    const first = await claim()
    expect((await claim()).claimId).toBe(first.claimId)
    await expect(claim('runner-2')).rejects.toMatchObject({ code: 'already_claimed' })
    await expect(claim(key, otherAgent)).rejects.toMatchObject({ code: 'unknown_id' })
    await house.gateway.report(request.id, { claimId: first.claimId, outcome: 'ok' }, agent)
    await house.gateway.report(request.id, { claimId: first.claimId, outcome: 'ok' }, agent)
    await expect(claim()).rejects.toMatchObject({ code: 'already_claimed' })
    expect((await house.store.get(request.id))?.state).toBe('done')
  })

  it('P4: of concurrent claims one wins', async () => {
    house = await openTestGateway()
    const request = await askedRequest(house)
    await approve(house, request)
    const claims = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        house.gateway.claim(request.id, { digest: request.digest, key: `k${index}` }, agent),
      ),
    )
    expect(claims.filter((claim) => claim.status === 'fulfilled')).toHaveLength(1)
  })

  it('P3: a claim for another digest is refused', async () => {
    house = await openTestGateway()
    const request = await askedRequest(house)
    await approve(house, request)
    await expect(
      house.gateway.claim(request.id, { digest: 'e'.repeat(64), key }, agent),
    ).rejects.toMatchObject({ code: 'digest_mismatch' })
    expect((await house.store.get(request.id))?.state).toBe('approved')
  })

  it('P4: a lease that lapses leaves the outcome unknown; a late report or a person settles it', async () => {
    house = await openTestGateway()
    for (const settled of ['late', 'person'] as const) {
      const request = await askedRequest(house)
      await approve(house, request)
      const { claimId } = await house.gateway.claim(request.id, { digest: request.digest, key }, agent)
      await house.clock.advance(20_000)
      await house.gateway.renew(request.id, claimId, agent)
      await house.clock.advance(29_000)
      expect((await house.store.get(request.id))?.state).toBe('running')
      await house.clock.advance(2_000)
      expect((await house.store.get(request.id))?.state).toBe('unknown')
      await expect(house.gateway.renew(request.id, claimId, agent)).rejects.toMatchObject({
        code: 'lease_lapsed',
      })
      if (settled === 'late') {
        await house.gateway.report(request.id, { claimId, outcome: 'ok' }, agent)
        expect((await house.store.get(request.id))?.progress.outcome).toMatchObject({
          kind: 'ok',
          late: true,
        })
      } else {
        await expect(house.gateway.settle(request.id, { outcome: 'ok' }, agent)).rejects.toMatchObject({
          code: 'forbidden',
        })
        await house.gateway.settle(request.id, { outcome: 'error' }, ana)
        expect((await house.store.get(request.id))?.progress.outcome).toMatchObject({
          kind: 'error',
          by: 'ana',
        })
      }
    }
  })

  it('P4 P12: guard renews while the tool runs, however long that takes, and waiting has no limit', async () => {
    house = await openTestGateway()
    let finish = () => {}
    const running = house.gateway.guard(aCall(), () => new Promise<void>((resolve) => (finish = resolve)))
    const request = await newestRequest(house)
    await house.clock.advance(20 * 60 * 60_000)
    await approve(house, request)
    await house.clock.advance(10 * 60_000)
    expect((await house.store.get(request.id))?.state).toBe('running')
    finish()
    expect(await running).toMatchObject({ kind: 'ran', ok: true })
  })

  it('an approval that nobody claims lapses', async () => {
    house = await openTestGateway()
    const request = await askedRequest(house)
    await approve(house, request)
    await house.clock.advance(10 * 60_000)
    expect((await house.store.get(request.id))?.state).toBe('lapsed')
    await expect(
      house.gateway.claim(request.id, { digest: request.digest, key }, agent),
    ).rejects.toMatchObject({ code: 'not_approved' })
  })

  it('P3 P5: a policy that has become stricter, or facts that have changed, refuse the claim', async () => {
    let resolved = '/w/a'
    let stricter = false
    house = await openTestGateway({
      policy: {
        version: 'x',
        steering: () => ({ reads: [], writes: [] }),
        knownTool: () => ({ isKnown: true, acting: [] }),
        evaluate: () =>
          stricter
            ? { kind: 'deny', because: 'frozen' }
            : {
                kind: 'ask',
                because: 'asks',
                terms: {
                  conditions: [{ rule: 'r', quorum: 1 }],
                  allowedDecisions: ['approve', 'reject'],
                  scopes: ['once'],
                  severity: 'normal',
                },
              },
      },
      gatherFacts: async () => ({ paths: { '/path': { resolved, exists: true } } }),
    })
    const moved = await askedRequest(house)
    await approve(house, moved)
    resolved = '/etc/passwd'
    await expect(house.gateway.claim(moved.id, { digest: moved.digest, key }, agent)).rejects.toMatchObject({
      code: 'facts_changed',
    })
    expect(await house.store.get(moved.id)).toMatchObject({
      state: 'cancelled',
      progress: { cancelled: { cause: 'facts_changed' } },
    })

    const frozen = await askedRequest(house)
    await approve(house, frozen)
    stricter = true
    await expect(house.gateway.claim(frozen.id, { digest: frozen.digest, key }, agent)).rejects.toMatchObject(
      { code: 'cancelled' },
    )
    expect(await house.store.get(frozen.id)).toMatchObject({
      state: 'cancelled',
      progress: { cancelled: { cause: 'denied_at_claim' } },
    })
  })
})

describe('deadlines', () => {
  it('P5: a pending request expires, and deciding it afterwards is told so', async () => {
    house = await openTestGateway({ settings: { expiresInMs: 60_000 } })
    const guarded = house.gateway.guard(aCall(), () => expect.unreachable())
    const request = await newestRequest(house)
    await house.clock.advance(60_000)
    expect(await guarded).toMatchObject({
      kind: 'refused',
      state: 'expired',
      because: 'nobody answered in time',
      mayRetry: true,
    })
    await expect(approve(house, request)).rejects.toMatchObject({ code: 'expired' })
  })

  it('P2: an answer at the very instant of the deadline has lost, and the expiry is recorded by it', async () => {
    house = await openTestGateway({ settings: { expiresInMs: 60_000 } })
    const request = await askedRequest(house)
    house.clock.jump(59_999)
    const early = await askedRequest(house)
    house.clock.jump(1)
    await expect(approve(house, request)).rejects.toMatchObject({ code: 'expired' })
    expect((await house.store.get(request.id))?.state).toBe('expired')
    house.clock.jump(59_998)
    expect((await approve(house, early)).request.state).toBe('approved')
  })

  it('P7: deadlines survive a restart, and late ones expire on start', async () => {
    house = await openTestGateway({ settings: { expiresInMs: 60_000 } })
    const late = await askedRequest(house)
    house.clock.jump(30_000)
    const waiting = await askedRequest(house)
    house.clock.jump(45_000)
    house = await house.restart()
    await house.clock.advance(0)
    expect((await house.store.get(late.id))?.state).toBe('expired')
    expect((await house.store.get(waiting.id))?.state).toBe('pending')
    await house.clock.advance(20_000)
    expect((await house.store.get(waiting.id))?.state).toBe('expired')
  })

  it('P7: a request, its votes and its approval are there after a restart, and the agent goes on', async () => {
    house = await openTestGateway()
    const call = aCall()
    const abandoned = house.gateway.guard(call, () => expect.unreachable(), { holdMs: 10 })
    await house.clock.advance(10)
    expect((await abandoned).kind).toBe('pending')
    house = await house.restart()
    const request = await newestRequest(house)
    const again = house.gateway.guard(call, () => 'done')
    await approve(house, request)
    expect(await again).toMatchObject({ kind: 'ran', value: 'done' })
  })
})
