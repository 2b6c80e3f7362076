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

let setup: TestGateway
afterEach(() => setup.close())

describe('claiming and reporting', () => {
  const key = 'runner-1'

  it('P4: a claim is given once; the same key gets the same one', async () => {
    setup = await openTestGateway()
    const request = await askedRequest(setup)
    const claim = (k = key, by = agent) =>
      setup.gateway.claim(request.id, { digest: request.digest, key: k }, by)
    await expect(claim()).rejects.toMatchObject({ code: 'not_approved' })
    await approve(setup, request)
    const first = await claim()
    expect((await claim()).claimId).toBe(first.claimId)
    await expect(claim('runner-2')).rejects.toMatchObject({ code: 'already_claimed' })
    await expect(claim(key, otherAgent)).rejects.toMatchObject({ code: 'unknown_id' })
    await setup.gateway.report(request.id, { claimId: first.claimId, outcome: 'ok' }, agent)
    await setup.gateway.report(request.id, { claimId: first.claimId, outcome: 'ok' }, agent)
    await expect(claim()).rejects.toMatchObject({ code: 'already_claimed' })
    expect((await setup.store.get(request.id))?.state).toBe('done')
  })

  it('P4: of concurrent claims one wins', async () => {
    setup = await openTestGateway()
    const request = await askedRequest(setup)
    await approve(setup, request)
    const claims = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        setup.gateway.claim(request.id, { digest: request.digest, key: `k${index}` }, agent),
      ),
    )
    expect(claims.filter((claim) => claim.status === 'fulfilled')).toHaveLength(1)
  })

  it('P3: a claim for another digest is refused', async () => {
    setup = await openTestGateway()
    const request = await askedRequest(setup)
    await approve(setup, request)
    await expect(
      setup.gateway.claim(request.id, { digest: 'e'.repeat(64), key }, agent),
    ).rejects.toMatchObject({ code: 'digest_mismatch' })
    expect((await setup.store.get(request.id))?.state).toBe('approved')
  })

  it('P4: a lease that lapses leaves the outcome unknown; a late report or a person settles it', async () => {
    setup = await openTestGateway()
    for (const settled of ['late', 'person'] as const) {
      const request = await askedRequest(setup)
      await approve(setup, request)
      const { claimId } = await setup.gateway.claim(request.id, { digest: request.digest, key }, agent)
      await setup.clock.advance(20_000)
      await setup.gateway.renew(request.id, claimId, agent)
      await setup.clock.advance(29_000)
      expect((await setup.store.get(request.id))?.state).toBe('running')
      await setup.clock.advance(2_000)
      expect((await setup.store.get(request.id))?.state).toBe('unknown')
      await expect(setup.gateway.renew(request.id, claimId, agent)).rejects.toMatchObject({
        code: 'lease_lapsed',
      })
      if (settled === 'late') {
        await setup.gateway.report(request.id, { claimId, outcome: 'ok' }, agent)
        expect((await setup.store.get(request.id))?.progress.outcome).toMatchObject({
          kind: 'ok',
          late: true,
        })
      } else {
        await expect(setup.gateway.settle(request.id, { outcome: 'ok' }, agent)).rejects.toMatchObject({
          code: 'forbidden',
        })
        await setup.gateway.settle(request.id, { outcome: 'error' }, ana)
        expect((await setup.store.get(request.id))?.progress.outcome).toMatchObject({
          kind: 'error',
          by: 'ana',
        })
      }
    }
  })

  it('P4 P12: guard renews while the tool runs, however long that takes, and waiting has no limit', async () => {
    setup = await openTestGateway()
    let finish = () => {}
    const running = setup.gateway.guard(aCall(), () => new Promise<void>((resolve) => (finish = resolve)))
    const request = await newestRequest(setup)
    await setup.clock.advance(20 * 60 * 60_000)
    await approve(setup, request)
    await setup.clock.advance(10 * 60_000)
    expect((await setup.store.get(request.id))?.state).toBe('running')
    finish()
    expect(await running).toMatchObject({ kind: 'ran', ok: true })
  })

  it('an approval that nobody claims lapses', async () => {
    setup = await openTestGateway()
    const request = await askedRequest(setup)
    await approve(setup, request)
    await setup.clock.advance(10 * 60_000)
    expect((await setup.store.get(request.id))?.state).toBe('lapsed')
    await expect(
      setup.gateway.claim(request.id, { digest: request.digest, key }, agent),
    ).rejects.toMatchObject({ code: 'not_approved' })
  })

  it('P3 P5: a policy that has become stricter, or facts that have changed, refuse the claim', async () => {
    let resolved = '/w/a'
    let stricter = false
    setup = await openTestGateway({
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
    const moved = await askedRequest(setup)
    await approve(setup, moved)
    resolved = '/etc/passwd'
    await expect(setup.gateway.claim(moved.id, { digest: moved.digest, key }, agent)).rejects.toMatchObject({
      code: 'facts_changed',
    })
    expect(await setup.store.get(moved.id)).toMatchObject({
      state: 'cancelled',
      progress: { cancelled: { cause: 'facts_changed' } },
    })

    const frozen = await askedRequest(setup)
    await approve(setup, frozen)
    stricter = true
    await expect(setup.gateway.claim(frozen.id, { digest: frozen.digest, key }, agent)).rejects.toMatchObject(
      { code: 'cancelled' },
    )
    expect(await setup.store.get(frozen.id)).toMatchObject({
      state: 'cancelled',
      progress: { cancelled: { cause: 'denied_at_claim' } },
    })
  })
})

describe('deadlines', () => {
  it('P5: a pending request expires, and deciding it afterwards is told so', async () => {
    setup = await openTestGateway({ settings: { expiresInMs: 60_000 } })
    const guarded = setup.gateway.guard(aCall(), () => expect.unreachable())
    const request = await newestRequest(setup)
    await setup.clock.advance(60_000)
    expect(await guarded).toMatchObject({
      kind: 'refused',
      state: 'expired',
      because: 'nobody answered in time',
      mayRetry: true,
    })
    await expect(approve(setup, request)).rejects.toMatchObject({ code: 'expired' })
  })

  it('P2: an answer at the very instant of the deadline has lost, and the expiry is recorded by it', async () => {
    setup = await openTestGateway({ settings: { expiresInMs: 60_000 } })
    const request = await askedRequest(setup)
    setup.clock.jump(59_999)
    const early = await askedRequest(setup)
    setup.clock.jump(1)
    await expect(approve(setup, request)).rejects.toMatchObject({ code: 'expired' })
    expect((await setup.store.get(request.id))?.state).toBe('expired')
    setup.clock.jump(59_998)
    expect((await approve(setup, early)).request.state).toBe('approved')
  })

  it('P7: deadlines survive a restart, and late ones expire on start', async () => {
    setup = await openTestGateway({ settings: { expiresInMs: 60_000 } })
    const late = await askedRequest(setup)
    setup.clock.jump(30_000)
    const waiting = await askedRequest(setup)
    setup.clock.jump(45_000)
    setup = await setup.restart()
    await setup.clock.advance(0)
    expect((await setup.store.get(late.id))?.state).toBe('expired')
    expect((await setup.store.get(waiting.id))?.state).toBe('pending')
    await setup.clock.advance(20_000)
    expect((await setup.store.get(waiting.id))?.state).toBe('expired')
  })

  it('P7: a request, its votes and its approval are there after a restart, and the agent goes on', async () => {
    setup = await openTestGateway()
    const call = aCall()
    const abandoned = setup.gateway.guard(call, () => expect.unreachable(), { holdMs: 10 })
    await setup.clock.advance(10)
    expect((await abandoned).kind).toBe('pending')
    setup = await setup.restart()
    const request = await newestRequest(setup)
    const again = setup.gateway.guard(call, () => 'done')
    await approve(setup, request)
    expect(await again).toMatchObject({ kind: 'ran', value: 'done' })
  })
})
