import { afterEach, describe, expect, it } from 'vitest'
import {
  agent,
  ana,
  approve,
  ask,
  askedRequest,
  ben,
  eve,
  openTestGateway,
  otherAgent,
  policyFrom,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

describe('deciding', () => {
  it('P2: of concurrent answers one wins, and the others are told who', async () => {
    setup = await openTestGateway()
    const request = await askedRequest(setup)
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        setup.gateway.decide(
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
    setup = await openTestGateway()
    const request = await askedRequest(setup)
    expect(await approve(setup, request)).toMatchObject({ repeated: false })
    expect(await approve(setup, request)).toMatchObject({ repeated: true })
    await expect(
      setup.gateway.decide(request.id, { decision: 'reject', digest: request.digest }, ana),
    ).rejects.toMatchObject({ code: 'already_decided' })
  })

  it('P3: a decision on anything but what is asked is refused, and it stays pending', async () => {
    setup = await openTestGateway()
    const request = await askedRequest(setup)
    await expect(
      setup.gateway.decide(request.id, { decision: 'approve', digest: 'f'.repeat(64) }, ana),
    ).rejects.toMatchObject({ code: 'digest_mismatch' })
    expect(await setup.store.get(request.id)).toMatchObject({ state: 'pending', version: 1 })
  })

  it("P6 P11: an agent's credential decides nothing; who may not is told so; it stays pending and is on the record", async () => {
    setup = await openTestGateway()
    const request = await askedRequest(setup)
    await expect(approve(setup, request, agent)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(approve(setup, request, otherAgent)).rejects.toMatchObject({
      code: 'unknown_id',
      details: {},
    })
    await expect(approve(setup, request, eve)).rejects.toMatchObject({ code: 'not_yours' })
    await expect(approve(setup, request, eve)).rejects.toMatchObject({ code: 'not_yours' })
    await expect(setup.gateway.get(request.id, otherAgent)).rejects.toMatchObject({ code: 'unknown_id' })
    expect(await setup.store.get(request.id)).toMatchObject({ state: 'pending', version: 1 })
    const { events } = await setup.store.journal.feed(undefined, 1000)
    const attempts = events
      .filter(({ entry }) => entry.type === 'attempt.refused')
      .map(({ entry }) => JSON.parse(entry.body).by)
    expect(attempts).toEqual(['agent-1', 'agent-2', 'eve'])
    setup.clock.jump(60_000)
    await expect(approve(setup, request, eve)).rejects.toMatchObject({ code: 'not_yours' })
    const later = await setup.store.journal.feed(undefined, 1000)
    expect(later.events.filter(({ entry }) => entry.type === 'attempt.refused')).toHaveLength(4)
  })

  it('bad decisions are named, and change nothing', async () => {
    setup = await openTestGateway()
    const request = await askedRequest(setup)
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
        setup.gateway.decide(request.id, { digest: request.digest, ...input } as never, ana),
      ).rejects.toMatchObject({ code })
    }
    expect(await setup.store.get(request.id)).toMatchObject({ state: 'pending', version: 1 })
  })
})

describe('votes', () => {
  const people = new Map(['ana', 'ben', 'eve', 'dan'].map((name) => [name, { groups: ['sre'] }]))
  const quorum = (count: number) =>
    policyFrom(() => ask('two of sre', { approvers: ['group:sre'], quorum: count }))

  it('P2: approves at the quorum and not before; one person counts once', async () => {
    setup = await openTestGateway({ policy: quorum(2), people })
    const request = await askedRequest(setup)
    const vote = (by: typeof ana) =>
      setup.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, by)
    expect(await vote(ana)).toMatchObject({ decided: false, repeated: false })
    expect(await vote(ana)).toMatchObject({ decided: false, repeated: true })
    expect((await setup.store.get(request.id))?.state).toBe('pending')
    expect(await vote(ben)).toMatchObject({ decided: true })
    expect((await setup.store.get(request.id))?.progress.votes?.map((vote) => vote.by)).toEqual([
      'ana',
      'ben',
    ])
  })

  it('one reject is enough', async () => {
    setup = await openTestGateway({ policy: quorum(3), people })
    const request = await askedRequest(setup)
    await setup.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, ana)
    await setup.gateway.decide(request.id, { decision: 'reject', digest: request.digest }, ben)
    expect((await setup.store.get(request.id))?.state).toBe('rejected')
  })

  it('P6: a voter who has lost the authority no longer counts at the last vote', async () => {
    const staff = new Map(people)
    setup = await openTestGateway({ policy: quorum(2), people: staff })
    const request = await askedRequest(setup)
    const vote = (by: typeof ana) =>
      setup.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, by)
    await vote(eve)
    staff.set('eve', { groups: [] })
    expect(await vote(ben)).toMatchObject({ decided: false })
    expect(await vote(ana)).toMatchObject({ decided: true })
  })

  it('P8: fewer people than the quorum needs is unreachable at once', async () => {
    setup = await openTestGateway({ policy: quorum(5), people })
    expect((await askedRequest(setup)).state).toBe('unreachable')
  })

  it('P2: concurrent votes are none lost and none counted twice', async () => {
    setup = await openTestGateway({ policy: quorum(3), people })
    const voters = ['ana', 'ben', 'eve', 'dan'].map((subject) => ({
      subject,
      role: 'approver' as const,
      via: 'test',
    }))
    for (let round = 0; round < 10; round++) {
      const request = await askedRequest(setup)
      await Promise.allSettled(
        [...voters, ...voters].map((by) =>
          setup.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, by),
        ),
      )
      const after = (await setup.store.get(request.id))!
      expect(after.state).toBe('approved')
      const names = after.progress.votes!.map((vote) => vote.by)
      expect(new Set(names).size).toBe(names.length)
      expect(names).toHaveLength(3)
    }
  })

  it('every rule keeps its own approvers: all conditions must be met', async () => {
    const both = ask('security')
    both.terms.conditions = [
      { rule: 'security', approvers: ['ben'], quorum: 1 },
      { rule: 'money', approvers: ['eve'], quorum: 1 },
    ]
    setup = await openTestGateway({ policy: policyFrom(() => both), people })
    const request = await askedRequest(setup)
    expect(
      await setup.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, ben),
    ).toMatchObject({ decided: false })
    expect(
      await setup.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, eve),
    ).toMatchObject({ decided: true })
  })
})
