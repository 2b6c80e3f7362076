import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { AskVerdict, Verdict } from '../../core/verdict.ts'
import {
  aCall,
  agent,
  ana,
  ask,
  askedRequest,
  ben,
  eve,
  newestRequest,
  openTestGateway,
  policyFrom,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

describe('edits', () => {
  const byAmount = (call: { arguments: Record<string, unknown> }): Verdict => {
    const amount = Number(call.arguments.amount)
    if (amount > 1000) return { kind: 'deny', because: 'over the limit' }
    if (amount > 100) return ask('large', { approvers: ['ben'] })
    return ask('any')
  }

  it('P3: the edited bytes are what runs', async () => {
    setup = await openTestGateway({ policy: policyFrom(byAmount) })
    let seen: unknown
    const running = setup.gateway.guard(aCall({ arguments: { amount: 50 } }), (args) => {
      seen = args
    })
    const request = await newestRequest(setup)
    const { request: edited } = await setup.gateway.decide(
      request.id,
      { decision: 'edit', digest: request.digest, arguments: { amount: 20 } },
      ana,
    )
    expect(edited.progress.approved?.digest).not.toBe(request.digest)
    expect(await running).toMatchObject({ kind: 'ran' })
    expect(seen).toEqual({ amount: 20 })
  })

  it('P5: an edit into what the policy denies is refused, and it stays pending', async () => {
    setup = await openTestGateway({ policy: policyFrom(byAmount) })
    const request = await askedRequest(setup, { arguments: { amount: 50 } })
    const edit = setup.gateway.decide(
      request.id,
      { decision: 'edit', digest: request.digest, arguments: { amount: 5000 } },
      ana,
    )
    await expect(edit).rejects.toMatchObject({ code: 'edit_denied' })
    expect(await setup.store.get(request.id)).toMatchObject({ state: 'pending', version: 1 })
  })

  it('P5: an edit is judged on what is looked up of it, and that must still be so at the claim', async () => {
    let resolved = '/srv/a'
    setup = await openTestGateway({
      policy: policyFrom(() => ask('any'), {
        evaluate: (_, facts) =>
          facts?.paths?.['/path']?.resolved === '/etc' ? { kind: 'deny', because: 'no' } : ask('any'),
      }),
      gatherFacts: async (call) => {
        const path = call.arguments.path === 'link' ? '/etc' : resolved
        return { paths: { '/path': { resolved: path, exists: true } } }
      },
    })
    const request = await askedRequest(setup, { arguments: { path: 'a' } })
    const edit = (path: string) => ({
      decision: 'edit' as const,
      digest: request.digest,
      arguments: { path },
    })
    await expect(setup.gateway.decide(request.id, edit('link'), ana)).rejects.toMatchObject({
      code: 'edit_denied',
    })
    const { request: edited } = await setup.gateway.decide(request.id, edit('b'), ana)
    resolved = '/srv/elsewhere'
    const { digest } = edited.progress.approved!
    await expect(setup.gateway.claim(request.id, { digest, key: 'k' }, agent)).rejects.toMatchObject({
      code: 'facts_changed',
    })
    expect((await setup.store.get(request.id))?.state).toBe('cancelled')
  })

  it('P6: an edit into a stricter rule needs an approver under both', async () => {
    setup = await openTestGateway({ policy: policyFrom(byAmount) })
    const request = await askedRequest(setup, { arguments: { amount: 50 } })
    const edit = (by: typeof ana) =>
      setup.gateway.decide(
        request.id,
        { decision: 'edit', digest: request.digest, arguments: { amount: 500 } },
        by,
      )
    await expect(edit(ana)).rejects.toMatchObject({ code: 'not_yours' })
    expect((await setup.store.get(request.id))?.state).toBe('pending')
    expect(await edit(ben)).toMatchObject({ decided: true })
  })

  it('P3: under a quorum an edit replaces what is asked: earlier votes fall and name another digest', async () => {
    const people = new Map(['ana', 'ben', 'eve'].map((name) => [name, { groups: ['sre'] }]))
    setup = await openTestGateway({
      policy: policyFrom(() => ask('two', { approvers: ['group:sre'], quorum: 2 })),
      people,
    })
    const request = await askedRequest(setup, { arguments: { amount: 1 } })
    const decide = (input: object, by: typeof ana) =>
      setup.gateway.decide(request.id, { digest: request.digest, ...input } as never, by)
    await decide({ decision: 'approve' }, ana)
    const { request: edited } = await decide({ decision: 'edit', arguments: { amount: 2 } }, ben)
    expect(edited).toMatchObject({ state: 'pending', progress: { votes: [{ by: 'ben' }] } })
    await expect(decide({ decision: 'approve' }, eve)).rejects.toMatchObject({ code: 'digest_mismatch' })
    const { request: approved } = await decide(
      { decision: 'approve', digest: edited.progress.edit!.digest },
      eve,
    )
    expect(approved).toMatchObject({
      state: 'approved',
      progress: { approved: { digest: edited.progress.edit!.digest } },
    })
    const claimed = await setup.gateway.claim(
      request.id,
      { digest: edited.progress.edit!.digest, key: 'k' },
      agent,
    )
    expect(claimed.arguments).toEqual({ amount: 2 })
  })

  it('the edited arguments must fit the schema of the tool', async () => {
    setup = await openTestGateway()
    const definition = {
      schema: {
        type: 'object',
        properties: { amount: { type: 'number' } },
        required: ['amount'],
        additionalProperties: false,
      },
    }
    const request = await askedRequest(setup, { arguments: { amount: 1 }, definition })
    const edit = (args: object) =>
      setup.gateway.decide(
        request.id,
        { decision: 'edit', digest: request.digest, arguments: args as never },
        ana,
      )
    for (const wrong of [{}, { amount: 'much' }, { amount: 1, more: 2 }]) {
      await expect(edit(wrong)).rejects.toMatchObject({ code: 'arguments_invalid' })
    }
    expect(await edit({ amount: 3 })).toMatchObject({ decided: true })
  })

  it('P9: an untouched mask keeps the original', async () => {
    setup = await openTestGateway()
    const token = `ghp_${'a1B2'.repeat(9)}`
    const request = await askedRequest(setup, { arguments: { token, note: 'x' } })
    const { maskArguments } = await import('../../display/index.ts')
    const shown = maskArguments({ token, note: 'x' }).value
    expect(JSON.stringify(shown)).not.toContain(token)
    await setup.gateway.decide(
      request.id,
      { decision: 'edit', digest: request.digest, arguments: { ...shown, note: 'y' } },
      ana,
    )
    const claimed = await setup.gateway.claim(
      request.id,
      { digest: (await setup.store.get(request.id))!.progress.approved!.digest, key: 'k' },
      agent,
    )
    expect(claimed.arguments).toEqual({ token, note: 'y' })
    await expect(setup.gateway.reveal(request.id, eve)).rejects.toMatchObject({ code: 'not_yours' })
    expect(await setup.gateway.reveal(request.id, ana)).toMatchObject({ token })
  })

  it('an edit never needs fewer approvers than either call', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 999 }),
        fc.integer({ min: 0, max: 999 }),
        async (before, after) => {
          setup = await openTestGateway({ policy: policyFrom(byAmount) })
          const request = await askedRequest(setup, { arguments: { amount: before } })
          const needed = [before, after].flatMap((amount) =>
            (byAmount({ arguments: { amount } }) as AskVerdict).terms.conditions.map(
              (condition) => condition.rule,
            ),
          )
          const { request: edited } = await setup.gateway.decide(
            request.id,
            { decision: 'edit', digest: request.digest, arguments: { amount: after } },
            ben,
          )
          const rules = (edited.progress.edit?.terms ?? edited.terms).conditions.map(
            (condition) => condition.rule,
          )
          for (const rule of needed) expect(rules).toContain(rule)
          await setup.close()
        },
      ),
      { numRuns: 20 },
    )
    setup = await openTestGateway()
  })
})
