import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import {
  aCall,
  agent,
  ana,
  approve,
  newestRequest,
  openTestGateway,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

describe('from call to outcome', () => {
  it('P1 P2 P3 P4: asks, is approved, claims the approved bytes, runs once, reports', async () => {
    setup = await openTestGateway()
    const ran: unknown[] = []
    const call = aCall({ arguments: { environment: 'production', replicas: 2 } })
    const running = setup.gateway.guard(call, (args) => {
      ran.push(args)
      return 'deployed'
    })
    const request = await newestRequest(setup)
    expect(request).toMatchObject({ state: 'pending', tool: 'deploy', version: 1 })
    await approve(setup, request)
    expect(await running).toMatchObject({ kind: 'ran', ok: true, value: 'deployed' })
    expect(ran).toEqual([{ environment: 'production', replicas: 2 }])
    expect(await setup.store.get(request.id)).toMatchObject({
      state: 'done',
      progress: { outcome: { kind: 'ok' } },
    })
    // The same call again is the same call: it has run.
    expect(await setup.gateway.guard(call, () => ran.push('again'))).toMatchObject({
      kind: 'refused',
      state: 'done',
    })
    expect(ran).toHaveLength(1)
  })

  it('P10: says who approved, and what they made of the arguments', async () => {
    setup = await openTestGateway()
    const plain = setup.gateway.guard(aCall(), () => 1)
    await approve(setup, await newestRequest(setup))
    const approved = await plain
    expect(approved).toMatchObject({ kind: 'ran', by: 'ana' })
    expect(approved).not.toHaveProperty('edited')
    const changed = setup.gateway.guard(aCall({ arguments: { amount: 10 } }), (args) => {
      const { amount } = args
      args.amount = 0
      return amount
    })
    const { id, digest } = await newestRequest(setup)
    await setup.gateway.decide(id, { decision: 'edit', digest, arguments: { amount: 5 } }, ana)
    expect(await changed).toMatchObject({ kind: 'ran', value: 5, edited: { amount: 5 }, by: 'ana' })
  })

  it('P4 P10: a result that can not be recorded in time says so, and is recorded later', async () => {
    let isHeld = false
    const held: (() => void)[] = []
    setup = await openTestGateway({
      wrap: (store) => ({
        ...store,
        async transition(change) {
          if (isHeld && change.to === 'done') await new Promise<void>((resolve) => held.push(resolve))
          return store.transition(change)
        },
      }),
    })
    const running = setup.gateway.guard(aCall(), () => 'sent')
    const request = await newestRequest(setup)
    isHeld = true
    await approve(setup, request)
    await until(() => held.length === 1)
    await setup.clock.advance(9_000)
    await setup.clock.advance(2_000)
    expect(await running).toMatchObject({ kind: 'ran', ok: true, value: 'sent', recorded: false })
    isHeld = false
    held[0]!()
    await setup.gateway.flush()
    expect((await setup.store.get(request.id))?.state).toBe('done')
  })

  it('P4: who comes while it runs is told so, and may come back', async () => {
    setup = await openTestGateway()
    const call = aCall()
    let finish = () => {}
    const first = setup.gateway.guard(call, () => new Promise<void>((resolve) => (finish = resolve)))
    await approve(setup, await newestRequest(setup))
    await newestRequest(setup, 'running')
    const second = { kind: 'refused', state: 'running', mayRetry: true }
    expect(await setup.gateway.guard(call, () => expect.unreachable())).toMatchObject(second)
    await until(() => finish.name !== 'finish')
    finish()
    await first
  })

  it('P3: what the caller does to its object after the call changes nothing', async () => {
    setup = await openTestGateway()
    const call = aCall({ arguments: { amount: 10 } })
    let seen: unknown
    const running = setup.gateway.guard(call, (args) => {
      seen = args
    })
    call.arguments.amount = 999_999
    await approve(setup, await newestRequest(setup))
    await running
    expect(seen).toEqual({ amount: 10 })
  })

  it('P5: an allowed call runs, a denied one does not, and each says why', async () => {
    setup = await openTestGateway({ policy: { allow: ['read_*'], deny: ['*_delete'] } })
    expect(await setup.gateway.guard(aCall({ tool: 'read_file' }), () => 7)).toMatchObject({
      kind: 'ran',
      value: 7,
    })
    const denied = await setup.gateway.guard(aCall({ tool: 'db_delete' }), () => 7)
    expect(denied).toMatchObject({ kind: 'refused', state: 'denied', mayRetry: false })
    expect(denied.kind === 'refused' && denied.because).toContain('`db_delete` is on the deny list')
  })

  it('P4: an allowed call with an id that was let through before does not run again', async () => {
    setup = await openTestGateway({ policy: { allow: ['*'] } })
    const call = aCall()
    expect(await setup.gateway.guard(call, () => 1)).toMatchObject({ kind: 'ran' })
    expect(await setup.gateway.guard(call, () => 2)).toMatchObject({
      kind: 'refused',
      code: 'already_claimed',
    })
    await setup.gateway.flush()
    expect(await setup.gateway.guard(call, () => 3)).toMatchObject({
      kind: 'refused',
      code: 'already_claimed',
    })
  })

  it('P3: another call under a used id is a conflict, whatever the policy says of it', async () => {
    setup = await openTestGateway({ policy: { allow: ['read'] } })
    const first = aCall({ tool: 'read' })
    await setup.gateway.review(first, agent)
    for (const tool of ['read', 'deploy']) {
      await expect(
        setup.gateway.review({ ...first, tool, arguments: { other: 1 } }, agent),
      ).rejects.toMatchObject({
        code: 'call_conflict',
      })
    }
  })

  it('a tool that throws has run, badly', async () => {
    setup = await openTestGateway()
    const running = setup.gateway.guard(aCall(), () => {
      throw new Error('no such cluster')
    })
    const request = await newestRequest(setup)
    await approve(setup, request)
    expect(await running).toMatchObject({ kind: 'ran', ok: false })
    await setup.gateway.flush()
    expect((await setup.store.get(request.id))?.progress.outcome).toMatchObject({
      kind: 'error',
      summary: 'Error: no such cluster',
    })
  })

  it('P5: a rejection carries its reason, a response is the result, and neither runs the tool', async () => {
    setup = await openTestGateway()
    const run = () => expect.unreachable()
    const rejected = setup.gateway.guard(aCall(), run)
    const one = await newestRequest(setup)
    await setup.gateway.decide(
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

    const responded = setup.gateway.guard(aCall(), run)
    const two = await newestRequest(setup)
    await setup.gateway.decide(two.id, { decision: 'respond', digest: two.digest, text: 'use staging' }, ana)
    expect(await responded).toMatchObject({ kind: 'answered', text: 'use staging', by: 'ana' })
  })

  it('a held guard gives the pending request back, and the same call goes on later', async () => {
    setup = await openTestGateway()
    const call = aCall()
    const first = await setup.gateway.guard(call, () => 1, { holdMs: 0 })
    expect(first).toMatchObject({ kind: 'pending', because: 'hold_over' })
    await approve(setup, await newestRequest(setup))
    expect(await setup.gateway.guard(call, () => 1)).toMatchObject({ kind: 'ran', ok: true })
  })

  it('who stops waiting is given the pending request, which goes on', async () => {
    setup = await openTestGateway()
    const stop = new AbortController()
    const waiting = setup.gateway.guard(aCall(), () => expect.unreachable(), { signal: stop.signal })
    const request = await newestRequest(setup)
    stop.abort()
    expect(await waiting).toMatchObject({ kind: 'pending', because: 'aborted', requestId: request.id })
    expect((await setup.store.get(request.id))?.state).toBe('pending')
  })

  it('P4 P5: a summary that fails does not make a tool that ran look as if it had not', async () => {
    setup = await openTestGateway()
    const running = setup.gateway.guard(aCall(), () => 'done', {
      summarize: () => {
        throw new Error('no words')
      },
    })
    const request = await newestRequest(setup)
    await approve(setup, request)
    expect(await running).toMatchObject({ kind: 'ran', ok: true, value: 'done' })
    await setup.gateway.flush()
    expect(await setup.store.get(request.id)).toMatchObject({
      state: 'done',
      progress: { outcome: { kind: 'ok' } },
    })
  })
})
