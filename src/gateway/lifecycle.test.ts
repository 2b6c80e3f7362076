import { afterEach, describe, expect, it } from 'vitest'
import type { Channel } from '../people/channel.ts'
import { createInboxChannel } from '../people/inbox/channel.ts'
import { aCall, agent, ana, ben, eve, type House, openHouse, otherAgent } from './fixtures/house.ts'

let house: House
afterEach(() => house.close())

async function asked(parts = {}) {
  const { request } = await house.gateway.review(aCall(parts), agent)
  return request!
}

const approve = (request: { id: string; digest: string }, by = ana) =>
  house.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, by)

describe('from call to outcome', () => {
  it('P1 P2 P3 P4: asks, is approved, claims the approved bytes, runs once, reports', async () => {
    house = await openHouse()
    const ran: unknown[] = []
    const call = aCall({ arguments: { environment: 'production', replicas: 2 } })
    const running = house.gateway.guard(call, (args) => {
      ran.push(args)
      return 'deployed'
    })
    const request = await pendingOne()
    expect(request).toMatchObject({ state: 'pending', tool: 'deploy', version: 1 })
    await approve(request)
    expect(await running).toMatchObject({ kind: 'ran', ok: true, value: 'deployed' })
    expect(ran).toEqual([{ environment: 'production', replicas: 2 }])
    await house.gateway.flush()
    expect(await house.store.get(request.id)).toMatchObject({
      state: 'done',
      progress: { outcome: { kind: 'ok' } },
    })
    // The same call again is the same call: it has run.
    expect(await house.gateway.guard(call, () => ran.push('again'))).toMatchObject({
      kind: 'refused',
      state: 'done',
    })
    expect(ran).toHaveLength(1)
  })

  it('P3: what the caller does to its object after the call changes nothing', async () => {
    house = await openHouse()
    const call = aCall({ arguments: { amount: 10 } })
    let seen: unknown
    const running = house.gateway.guard(call, (args) => {
      seen = args
    })
    call.arguments.amount = 999_999
    await approve(await pendingOne())
    await running
    expect(seen).toEqual({ amount: 10 })
  })

  it('P5: an allowed call runs, a denied one does not, and each says why', async () => {
    house = await openHouse({ policy: { allow: ['read_*'], deny: ['*_delete'] } })
    expect(await house.gateway.guard(aCall({ tool: 'read_file' }), () => 7)).toMatchObject({
      kind: 'ran',
      value: 7,
    })
    const denied = await house.gateway.guard(aCall({ tool: 'db_delete' }), () => 7)
    expect(denied).toMatchObject({ kind: 'refused', state: 'denied', mayRetry: false })
    expect(denied.kind === 'refused' && denied.because).toContain('*_delete')
  })

  it('P4: an allowed call with an id that was let through before does not run again', async () => {
    house = await openHouse({ policy: { allow: ['*'] } })
    const call = aCall()
    expect(await house.gateway.guard(call, () => 1)).toMatchObject({ kind: 'ran' })
    expect(await house.gateway.guard(call, () => 2)).toMatchObject({
      kind: 'refused',
      code: 'already_claimed',
    })
    await house.gateway.flush()
    expect(await house.gateway.guard(call, () => 3)).toMatchObject({
      kind: 'refused',
      code: 'already_claimed',
    })
  })

  it('P3: another call under a used id is a conflict, whatever the policy says of it', async () => {
    house = await openHouse({ policy: { allow: ['read'] } })
    const first = aCall({ tool: 'read' })
    await house.gateway.review(first, agent)
    for (const tool of ['read', 'deploy']) {
      await expect(
        house.gateway.review({ ...first, tool, arguments: { other: 1 } }, agent),
      ).rejects.toMatchObject({
        code: 'call_conflict',
      })
    }
  })

  it('a tool that throws has run, badly', async () => {
    house = await openHouse()
    const running = house.gateway.guard(aCall(), () => {
      throw new Error('no such cluster')
    })
    const request = await pendingOne()
    await approve(request)
    expect(await running).toMatchObject({ kind: 'ran', ok: false })
    await house.gateway.flush()
    expect((await house.store.get(request.id))?.progress.outcome).toMatchObject({
      kind: 'error',
      summary: 'Error: no such cluster',
    })
  })

  it('P5: a rejection carries its reason, a response is the result, and neither runs the tool', async () => {
    house = await openHouse()
    const run = () => expect.unreachable()
    const rejected = house.gateway.guard(aCall(), run)
    const one = await pendingOne()
    await house.gateway.decide(
      one.id,
      { decision: 'reject', digest: one.digest, reason: 'not on a Friday' },
      ana,
    )
    expect(await rejected).toMatchObject({
      kind: 'refused',
      state: 'rejected',
      by: 'ana',
      because: 'ana rejected it: not on a Friday',
    })

    const responded = house.gateway.guard(aCall(), run)
    const two = await pendingOne()
    await house.gateway.decide(two.id, { decision: 'respond', digest: two.digest, text: 'use staging' }, ana)
    expect(await responded).toMatchObject({ kind: 'answered', text: 'use staging', by: 'ana' })
  })

  it('a held guard gives the pending request back, and the same call goes on later', async () => {
    house = await openHouse()
    const call = aCall()
    const first = await house.gateway.guard(call, () => 1, { holdMs: 0 })
    expect(first.kind).toBe('pending')
    await approve(await pendingOne())
    expect(await house.gateway.guard(call, () => 1)).toMatchObject({ kind: 'ran', ok: true })
  })
})

describe('deciding', () => {
  it('P2: of concurrent answers one wins, and the others are told who', async () => {
    house = await openHouse()
    const request = await asked()
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        house.gateway.decide(
          request.id,
          { decision: index % 2 === 0 ? 'approve' : 'reject', digest: request.digest },
          index % 2 === 0 ? ana : ben,
        ),
      ),
    )
    const winners = answers.filter((answer) => answer.status === 'fulfilled' && !answer.value.repeated)
    expect(winners).toHaveLength(1)
    const losers = answers.filter((answer) => answer.status === 'rejected')
    expect(losers).toHaveLength(10)
    for (const loser of losers) {
      expect(loser.reason).toMatchObject({
        code: 'already_decided',
        details: { decision: { by: expect.any(String) } },
      })
    }
  })

  it("P2: repeating one's own answer is a success", async () => {
    house = await openHouse()
    const request = await asked()
    expect(await approve(request)).toMatchObject({ repeated: false })
    expect(await approve(request)).toMatchObject({ repeated: true })
    await expect(
      house.gateway.decide(request.id, { decision: 'reject', digest: request.digest }, ana),
    ).rejects.toMatchObject({ code: 'already_decided' })
  })

  it('P3: a decision on anything but what is asked is refused, and it stays pending', async () => {
    house = await openHouse()
    const request = await asked()
    await expect(
      house.gateway.decide(request.id, { decision: 'approve', digest: 'f'.repeat(64) }, ana),
    ).rejects.toMatchObject({ code: 'digest_mismatch' })
    expect(await house.store.get(request.id)).toMatchObject({ state: 'pending', version: 1 })
  })

  it("P6 P11: an agent's credential decides nothing; who may not is told so; it stays pending and is on the record", async () => {
    house = await openHouse()
    const request = await asked()
    await expect(approve(request, agent)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(approve(request, otherAgent)).rejects.toMatchObject({ code: 'unknown_id', details: {} })
    await expect(approve(request, eve)).rejects.toMatchObject({ code: 'not_yours' })
    await expect(approve(request, eve)).rejects.toMatchObject({ code: 'not_yours' })
    await expect(house.gateway.get(request.id, otherAgent)).rejects.toMatchObject({ code: 'unknown_id' })
    expect(await house.store.get(request.id)).toMatchObject({ state: 'pending', version: 1 })
    const { events } = await house.store.journal.feed(undefined, 1000)
    const attempts = events
      .filter(({ entry }) => entry.type === 'attempt.refused')
      .map(({ entry }) => JSON.parse(entry.body).by)
    expect(attempts).toEqual(['agent-1', 'agent-2', 'eve'])
    house.clock.jump(60_000)
    await expect(approve(request, eve)).rejects.toMatchObject({ code: 'not_yours' })
    const later = await house.store.journal.feed(undefined, 1000)
    expect(later.events.filter(({ entry }) => entry.type === 'attempt.refused')).toHaveLength(4)
  })

  it('bad decisions are named, and change nothing', async () => {
    house = await openHouse()
    const request = await asked()
    const bad: [object, string][] = [
      [{ decision: 'aprove' }, 'invalid_decision'],
      [{ decision: 'edit' }, 'invalid_decision'],
      [{ decision: 'edit', arguments: [] }, 'invalid_decision'],
      [{ decision: 'respond' }, 'invalid_decision'],
      [{ decision: 'approve', arguments: {} }, 'invalid_decision'],
      [{ decision: 'approve', extra: 1 }, 'invalid_decision'],
      [{ decision: 'approve', scope: 'forever' }, 'invalid_decision'],
      [{ decision: 'answer', answers: {} }, 'decision_not_allowed'],
      [{ decision: 'reject', reason: 'x'.repeat(20_000) }, 'invalid_decision'],
    ]
    for (const [input, code] of bad) {
      await expect(
        house.gateway.decide(request.id, { digest: request.digest, ...input } as never, ana),
      ).rejects.toMatchObject({ code })
    }
    expect(await house.store.get(request.id)).toMatchObject({ state: 'pending', version: 1 })
  })
})

describe('claiming and reporting', () => {
  const key = 'runner-1'

  it('P4: a claim is given once; the same key gets the same one', async () => {
    house = await openHouse()
    const request = await asked()
    const claim = (k = key, by = agent) =>
      house.gateway.claim(request.id, { digest: request.digest, key: k }, by)
    await expect(claim()).rejects.toMatchObject({ code: 'not_approved' })
    await approve(request)
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
    house = await openHouse()
    const request = await asked()
    await approve(request)
    const claims = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        house.gateway.claim(request.id, { digest: request.digest, key: `k${index}` }, agent),
      ),
    )
    expect(claims.filter((claim) => claim.status === 'fulfilled')).toHaveLength(1)
  })

  it('P3: a claim for another digest is refused', async () => {
    house = await openHouse()
    const request = await asked()
    await approve(request)
    await expect(
      house.gateway.claim(request.id, { digest: 'e'.repeat(64), key }, agent),
    ).rejects.toMatchObject({ code: 'digest_mismatch' })
    expect((await house.store.get(request.id))?.state).toBe('approved')
  })

  it('P4: a lease that lapses leaves the outcome unknown; a late report or a person settles it', async () => {
    house = await openHouse()
    for (const settled of ['late', 'person'] as const) {
      const request = await asked()
      await approve(request)
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
    house = await openHouse()
    let finish = () => {}
    const running = house.gateway.guard(aCall(), () => new Promise<void>((resolve) => (finish = resolve)))
    const request = await pendingOne()
    await house.clock.advance(20 * 60 * 60_000)
    await approve(request)
    await house.clock.advance(10 * 60_000)
    expect((await house.store.get(request.id))?.state).toBe('running')
    finish()
    expect(await running).toMatchObject({ kind: 'ran', ok: true })
  })

  it('an approval that nobody claims lapses', async () => {
    house = await openHouse()
    const request = await asked()
    await approve(request)
    await house.clock.advance(10 * 60_000)
    expect((await house.store.get(request.id))?.state).toBe('lapsed')
    await expect(
      house.gateway.claim(request.id, { digest: request.digest, key }, agent),
    ).rejects.toMatchObject({ code: 'not_approved' })
  })

  it('P3 P5: a policy that has become stricter, or facts that have changed, refuse the claim', async () => {
    let resolved = '/w/a'
    let stricter = false
    house = await openHouse({
      policy: {
        version: 'x',
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
    const moved = await asked()
    await approve(moved)
    resolved = '/etc/passwd'
    await expect(house.gateway.claim(moved.id, { digest: moved.digest, key }, agent)).rejects.toMatchObject({
      code: 'facts_changed',
    })
    expect(await house.store.get(moved.id)).toMatchObject({
      state: 'cancelled',
      progress: { cancelled: { cause: 'facts_changed' } },
    })

    const frozen = await asked()
    await approve(frozen)
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
    house = await openHouse({ settings: { expiresInMs: 60_000 } })
    const guarded = house.gateway.guard(aCall(), () => expect.unreachable())
    const request = await pendingOne()
    await house.clock.advance(60_000)
    expect(await guarded).toMatchObject({
      kind: 'refused',
      state: 'expired',
      because: 'nobody answered in time',
      mayRetry: true,
    })
    await expect(approve(request)).rejects.toMatchObject({ code: 'expired' })
  })

  it('P2: an answer at the very instant of the deadline has lost, and the expiry is recorded by it', async () => {
    house = await openHouse({ settings: { expiresInMs: 60_000 } })
    const request = await asked()
    house.clock.jump(59_999)
    const early = await asked()
    house.clock.jump(1)
    await expect(approve(request)).rejects.toMatchObject({ code: 'expired' })
    expect((await house.store.get(request.id))?.state).toBe('expired')
    house.clock.jump(59_998)
    expect((await approve(early)).request.state).toBe('approved')
  })

  it('P7: deadlines survive a restart, and late ones expire on start', async () => {
    house = await openHouse({ settings: { expiresInMs: 60_000 } })
    const late = await asked()
    house.clock.jump(30_000)
    const waiting = await asked()
    house.clock.jump(45_000)
    house = await house.restart()
    await house.clock.advance(0)
    expect((await house.store.get(late.id))?.state).toBe('expired')
    expect((await house.store.get(waiting.id))?.state).toBe('pending')
    await house.clock.advance(20_000)
    expect((await house.store.get(waiting.id))?.state).toBe('expired')
  })

  it('P7: a request, its votes and its approval are there after a restart, and the agent goes on', async () => {
    house = await openHouse()
    const call = aCall()
    const abandoned = house.gateway.guard(call, () => expect.unreachable(), { holdMs: 10 })
    await house.clock.advance(10)
    expect((await abandoned).kind).toBe('pending')
    house = await house.restart()
    const request = await pendingOne()
    const again = house.gateway.guard(call, () => 'done')
    await approve(request)
    expect(await again).toMatchObject({ kind: 'ran', value: 'done' })
  })
})

describe('presenting', () => {
  function chat(parts: Partial<Channel> = {}): { channel: Channel; shown: string[] } {
    const shown: string[] = []
    const channel: Channel = {
      name: 'chat',
      kind: 'durable',
      serves: () => true,
      async present({ request }) {
        shown.push(`present ${request.state}`)
        return { message: 1 }
      },
      async update({ request, reference }) {
        shown.push(`update ${request.state} ${JSON.stringify(reference)}`)
        return reference
      },
      ...parts,
    }
    return { channel, shown }
  }

  it('P1: an answer that arrives inside present() is not lost', async () => {
    const { channel } = chat({
      async present({ request }) {
        await approve(request)
        return undefined
      },
    })
    house = await openHouse({ channels: [channel] })
    expect(await house.gateway.guard(aCall(), () => 'ran')).toMatchObject({ kind: 'ran', value: 'ran' })
  })

  it('P1: what was shown is brought up to date when it is answered elsewhere', async () => {
    const { channel, shown } = chat()
    house = await openHouse({ channels: [channel, createInboxChannel()] })
    const request = await asked()
    await house.clock.advance(0)
    await approve(request)
    await house.clock.advance(0)
    expect(shown).toEqual(['present pending', 'update approved {"message":1}'])
  })

  it('P1: a delivery that failed, or whose process died, is presented after all', async () => {
    let failures = 2
    const { channel, shown } = chat()
    const present = channel.present!
    channel.present = async (presentation) => {
      if (failures-- > 0) throw new Error('the chat is down')
      return present(presentation)
    }
    house = await openHouse({ channels: [channel] })
    await asked()
    await house.clock.advance(0)
    expect(shown).toEqual([])
    house = await house.restart()
    await house.clock.advance(120_000)
    expect(shown).toEqual(['present pending'])
  })

  it('P8: nobody waits where nobody can answer', async () => {
    const { channel } = chat({ kind: 'live', serves: (origin) => origin?.channel === 'chat' })
    house = await openHouse({ channels: [channel] })
    const elsewhere = await house.gateway.guard(aCall({ origin: { channel: 'telegram' } }), () =>
      expect.unreachable(),
    )
    expect(elsewhere).toMatchObject({
      kind: 'refused',
      state: 'unreachable',
      because: 'nobody who could answer can be reached',
    })
    const absent = await house.gateway.guard(aCall({ origin: { channel: 'chat' } }), () =>
      expect.unreachable(),
    )
    expect(absent).toMatchObject({ kind: 'refused', state: 'unreachable' })
  })

  it('P8: a live channel reaches while someone is connected and half a minute after; then it is unreachable', async () => {
    const { channel, shown } = chat({ kind: 'live' })
    house = await openHouse({ channels: [channel] })
    await house.gateway.arrive({ channel: 'chat', connection: 'c0', subject: 'eve' })
    expect((await asked()).state).toBe('unreachable')
    const { leave } = await house.gateway.arrive({ channel: 'chat', connection: 'c1', subject: 'ana' })
    const request = await asked()
    expect(request).toMatchObject({ state: 'pending', reach: 'live' })
    await house.clock.advance(5 * 60_000)
    expect((await house.store.get(request.id))?.state).toBe('pending')
    leave()
    await house.clock.advance(20_000)
    expect((await house.store.get(request.id))?.state).toBe('pending')
    await house.clock.advance(45_000)
    expect((await house.store.get(request.id))?.state).toBe('unreachable')
    expect(shown[0]).toBe('present pending')
  })
})

async function pendingOne() {
  for (let turn = 0; turn < 100; turn++) {
    const { items } = await house.store.list({ state: 'pending' })
    if (items[0] !== undefined) return items[0]
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error('nothing became pending')
}
