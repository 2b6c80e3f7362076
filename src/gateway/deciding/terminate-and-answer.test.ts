import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import {
  aCall,
  agent,
  ana,
  askedRequest,
  newestRequest,
  openTestGateway,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

describe('terminate', () => {
  it('P5: ends the session and its sub-sessions in one step', async () => {
    setup = await openTestGateway()
    const first = await askedRequest(setup, { session: 's' })
    const waiting = await askedRequest(setup, { session: 's' })
    const child = await askedRequest(setup, { session: 's/child', parentSession: 's' })
    const approved = await askedRequest(setup, { session: 's/child' })
    await setup.gateway.decide(approved.id, { decision: 'approve', digest: approved.digest }, ana)
    let stopped: unknown
    const running = setup.gateway.guard(
      aCall({ session: 's/child' }),
      (_, { signal }) =>
        new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => {
            stopped = signal.reason
            resolve()
          })
        }),
    )
    await until(
      async () => (await setup.store.list({ state: 'pending', session: 's/child' })).items.length === 2,
    )
    const runs = await newestRequest(setup, 'pending', 's/child')
    await setup.gateway.decide(runs.id, { decision: 'approve', digest: runs.digest }, ana)
    await until(async () => (await setup.store.get(runs.id))?.state === 'running')
    const elsewhere = await askedRequest(setup, { session: 'other' })

    await setup.gateway.decide(
      first.id,
      { decision: 'terminate', digest: first.digest, reason: 'enough' },
      ana,
    )
    expect((await setup.store.get(first.id))?.state).toBe('terminated')
    for (const { id } of [waiting, child, approved]) {
      expect(await setup.store.get(id)).toMatchObject({
        state: 'cancelled',
        progress: { cancelled: { cause: 'session_ended', by: 'ana' } },
      })
    }
    expect(await running).toMatchObject({ kind: 'ran' })
    expect(stopped).toMatchObject({ code: 'cancelled' })
    expect((await setup.store.get(elsewhere.id))?.state).toBe('pending')
    for (const session of ['s', 's/child', 's/new']) {
      const parts = session === 's/new' ? { session, parentSession: 's' } : { session }
      expect(await setup.gateway.guard(aCall(parts), () => expect.unreachable())).toMatchObject({
        kind: 'refused',
        code: 'session_ended',
      })
    }
  })

  it('P5: a call that was reviewed is not held in a session that ends in the same moment', async () => {
    setup = await openTestGateway({
      policy: { allow: ['read'] },
      wrap: (store) => ({
        ...store,
        calls: {
          ...store.calls,
          async changeHold(change) {
            if ((await store.sessions.get('s'))?.ended === undefined)
              await setup.gateway.endSession('s', {}, ana)
            return store.calls.changeHold(change)
          },
        },
      }),
    })
    const call = aCall({ tool: 'read', session: 's' })
    await setup.gateway.review(call, agent)
    await setup.gateway.flush()
    expect(await setup.gateway.hold(call)).toMatchObject({ kind: 'refused', code: 'session_ended' })
    const { known } = await setup.store.lookup('s', call.callId, 'read')
    expect(known?.hold?.state).toBe('released')
  })

  it('P5: a call the policy allows is refused in an ended session too', async () => {
    setup = await openTestGateway({ policy: { allow: ['read'] } })
    const request = await askedRequest(setup, { session: 's' })
    await setup.gateway.decide(request.id, { decision: 'terminate', digest: request.digest }, ana)
    expect(
      await setup.gateway.guard(aCall({ session: 's', tool: 'read' }), () => expect.unreachable()),
    ).toMatchObject({ code: 'session_ended' })
  })
})

describe('questions', () => {
  const questions = [
    { id: 'where', question: 'Where to?', options: [{ label: 'staging' }, { label: 'production' }] },
    { id: 'why', question: 'Why?' },
  ]

  it('go through the same lifecycle and are answered, not approved', async () => {
    setup = await openTestGateway()
    const asking = setup.gateway.guard(aCall({ tool: 'ask_user_question', arguments: { questions } }), () =>
      expect.unreachable(),
    )
    const request = await newestRequest(setup)
    expect(request).toMatchObject({
      kind: 'question',
      terms: { allowedDecisions: ['answer', 'reject', 'terminate'] },
    })
    const decide = (input: object) =>
      setup.gateway.decide(request.id, { digest: request.digest, ...input } as never, ana)
    await expect(decide({ decision: 'approve' })).rejects.toMatchObject({ code: 'decision_not_allowed' })
    for (const answers of [
      {},
      { where: { choices: ['moon'] }, why: { text: 'x' } },
      { where: { choices: ['staging'] } },
    ]) {
      await expect(decide({ decision: 'answer', answers })).rejects.toMatchObject({
        code: 'invalid_decision',
      })
    }
    await decide({
      decision: 'answer',
      answers: { where: { choices: ['staging'] }, why: { text: 'a test' } },
    })
    expect(await asking).toMatchObject({
      kind: 'answered',
      by: 'ana',
      answers: { where: { choices: ['staging'] }, why: { text: 'a test' } },
    })
  })

  it('are declined, and refused when they are not well formed', async () => {
    setup = await openTestGateway()
    const request = await askedRequest(setup, { tool: 'ask_user_question', arguments: { questions } })
    await setup.gateway.decide(
      request.id,
      { decision: 'reject', digest: request.digest, reason: 'not now' },
      ana,
    )
    expect((await setup.store.get(request.id))?.state).toBe('declined')
    for (const bad of [[], [...questions, ...questions, ...questions], [{ id: 'x' }], 'x']) {
      expect(
        await setup.gateway.guard(
          aCall({ tool: 'ask_user_question', arguments: { questions: bad as never } }),
          () => 1,
        ),
      ).toMatchObject({ kind: 'refused', code: 'invalid_call' })
    }
  })
})
