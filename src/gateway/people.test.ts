import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { AskVerdict, Verdict } from '../core/verdict.ts'
import { aCall, agent, ana, ben, eve, type House, judge, openHouse } from './fixtures/house.ts'

let house: House
afterEach(() => house.close())

function ask(
  rule: string,
  parts: Partial<AskVerdict['terms']['conditions'][0]> & {
    only?: AskVerdict['terms']['allowedDecisions']
  } = {},
): AskVerdict {
  const { only, ...condition } = parts
  return {
    kind: 'ask',
    because: `${rule} asks`,
    terms: {
      conditions: [{ rule, quorum: 1, ...condition }],
      allowedDecisions: only ?? ['approve', 'edit', 'reject', 'respond', 'terminate'],
      scopes: ['once', 'session', 'always'],
      severity: 'normal',
    },
  }
}

async function asked(parts = {}, by = agent) {
  return (await house.gateway.review(aCall(parts), by)).request!
}

describe('votes', () => {
  const people = new Map(['ana', 'ben', 'eve', 'dan'].map((name) => [name, { groups: ['sre'] }]))
  const quorum = (count: number) =>
    judge(() => ask('two of sre', { approvers: ['group:sre'], quorum: count }))

  it('P2: approves at the quorum and not before; one person counts once', async () => {
    house = await openHouse({ policy: quorum(2), people })
    const request = await asked()
    const approve = (by: typeof ana) =>
      house.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, by)
    expect(await approve(ana)).toMatchObject({ decided: false, repeated: false })
    expect(await approve(ana)).toMatchObject({ decided: false, repeated: true })
    expect((await house.store.get(request.id))?.state).toBe('pending')
    expect(await approve(ben)).toMatchObject({ decided: true })
    expect((await house.store.get(request.id))?.progress.votes?.map((vote) => vote.by)).toEqual([
      'ana',
      'ben',
    ])
  })

  it('one reject is enough', async () => {
    house = await openHouse({ policy: quorum(3), people })
    const request = await asked()
    await house.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, ana)
    await house.gateway.decide(request.id, { decision: 'reject', digest: request.digest }, ben)
    expect((await house.store.get(request.id))?.state).toBe('rejected')
  })

  it('P6: a voter who has lost the authority no longer counts at the last vote', async () => {
    const staff = new Map(people)
    house = await openHouse({ policy: quorum(2), people: staff })
    const request = await asked()
    const approve = (by: typeof ana) =>
      house.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, by)
    await approve(eve)
    staff.set('eve', { groups: [] })
    expect(await approve(ben)).toMatchObject({ decided: false })
    expect(await approve(ana)).toMatchObject({ decided: true })
  })

  it('P8: fewer people than the quorum needs is unreachable at once', async () => {
    house = await openHouse({ policy: quorum(5), people })
    expect((await asked()).state).toBe('unreachable')
  })

  it('P2: concurrent votes are none lost and none counted twice', async () => {
    house = await openHouse({ policy: quorum(3), people })
    const voters = ['ana', 'ben', 'eve', 'dan'].map((subject) => ({
      subject,
      role: 'approver' as const,
      via: 'test',
    }))
    for (let round = 0; round < 10; round++) {
      const request = await asked()
      await Promise.allSettled(
        [...voters, ...voters].map((by) =>
          house.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, by),
        ),
      )
      const after = (await house.store.get(request.id))!
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
    house = await openHouse({ policy: judge(() => both), people })
    const request = await asked()
    expect(
      await house.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, ben),
    ).toMatchObject({ decided: false })
    expect(
      await house.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, eve),
    ).toMatchObject({ decided: true })
  })
})

describe('edits', () => {
  const byAmount = (call: { arguments: Record<string, unknown> }): Verdict => {
    const amount = Number(call.arguments.amount)
    if (amount > 1000) return { kind: 'deny', because: 'over the limit' }
    if (amount > 100) return ask('large', { approvers: ['ben'] })
    return ask('any')
  }

  it('P3: the edited bytes are what runs', async () => {
    house = await openHouse({ policy: judge(byAmount) })
    let seen: unknown
    const running = house.gateway.guard(aCall({ arguments: { amount: 50 } }), (args) => {
      seen = args
    })
    const request = await pending()
    const { request: edited } = await house.gateway.decide(
      request.id,
      { decision: 'edit', digest: request.digest, arguments: { amount: 20 } },
      ana,
    )
    expect(edited.progress.approved?.digest).not.toBe(request.digest)
    expect(await running).toMatchObject({ kind: 'ran' })
    expect(seen).toEqual({ amount: 20 })
  })

  it('P5: an edit into what the policy denies is refused, and it stays pending', async () => {
    house = await openHouse({ policy: judge(byAmount) })
    const request = await asked({ arguments: { amount: 50 } })
    const edit = house.gateway.decide(
      request.id,
      { decision: 'edit', digest: request.digest, arguments: { amount: 5000 } },
      ana,
    )
    await expect(edit).rejects.toMatchObject({ code: 'edit_denied' })
    expect(await house.store.get(request.id)).toMatchObject({ state: 'pending', version: 1 })
  })

  it('P6: an edit into a stricter rule needs an approver under both', async () => {
    house = await openHouse({ policy: judge(byAmount) })
    const request = await asked({ arguments: { amount: 50 } })
    const edit = (by: typeof ana) =>
      house.gateway.decide(
        request.id,
        { decision: 'edit', digest: request.digest, arguments: { amount: 500 } },
        by,
      )
    await expect(edit(ana)).rejects.toMatchObject({ code: 'not_yours' })
    expect((await house.store.get(request.id))?.state).toBe('pending')
    expect(await edit(ben)).toMatchObject({ decided: true })
  })

  it('P3: under a quorum an edit replaces what is asked: earlier votes fall and name another digest', async () => {
    const people = new Map(['ana', 'ben', 'eve'].map((name) => [name, { groups: ['sre'] }]))
    house = await openHouse({
      policy: judge(() => ask('two', { approvers: ['group:sre'], quorum: 2 })),
      people,
    })
    const request = await asked({ arguments: { amount: 1 } })
    const decide = (input: object, by: typeof ana) =>
      house.gateway.decide(request.id, { digest: request.digest, ...input } as never, by)
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
    const claimed = await house.gateway.claim(
      request.id,
      { digest: edited.progress.edit!.digest, key: 'k' },
      agent,
    )
    expect(claimed.arguments).toEqual({ amount: 2 })
  })

  it('the edited arguments must fit the schema of the tool', async () => {
    house = await openHouse()
    const definition = {
      schema: {
        type: 'object',
        properties: { amount: { type: 'number' } },
        required: ['amount'],
        additionalProperties: false,
      },
    }
    const request = await asked({ arguments: { amount: 1 }, definition })
    const edit = (args: object) =>
      house.gateway.decide(
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
    house = await openHouse()
    const token = `ghp_${'a1B2'.repeat(9)}`
    const request = await asked({ arguments: { token, note: 'x' } })
    const { maskArguments } = await import('../display/index.ts')
    const shown = maskArguments({ token, note: 'x' }).value
    expect(JSON.stringify(shown)).not.toContain(token)
    await house.gateway.decide(
      request.id,
      { decision: 'edit', digest: request.digest, arguments: { ...shown, note: 'y' } },
      ana,
    )
    const claimed = await house.gateway.claim(
      request.id,
      { digest: (await house.store.get(request.id))!.progress.approved!.digest, key: 'k' },
      agent,
    )
    expect(claimed.arguments).toEqual({ token, note: 'y' })
    await expect(house.gateway.reveal(request.id, eve)).rejects.toMatchObject({ code: 'not_yours' })
    expect(await house.gateway.reveal(request.id, ana)).toMatchObject({ token })
  })

  it('an edit never needs fewer approvers than either call', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 999 }),
        fc.integer({ min: 0, max: 999 }),
        async (before, after) => {
          house = await openHouse({ policy: judge(byAmount) })
          const request = await asked({ arguments: { amount: before } })
          const needed = [before, after].flatMap((amount) =>
            (byAmount({ arguments: { amount } }) as AskVerdict).terms.conditions.map(
              (condition) => condition.rule,
            ),
          )
          const { request: edited } = await house.gateway.decide(
            request.id,
            { decision: 'edit', digest: request.digest, arguments: { amount: after } },
            ben,
          )
          const rules = (edited.progress.edit?.terms ?? edited.terms).conditions.map(
            (condition) => condition.rule,
          )
          for (const rule of needed) expect(rules).toContain(rule)
          await house.close()
        },
      ),
      { numRuns: 20 },
    )
    house = await openHouse()
  })
})

describe('terminate', () => {
  it('P5: ends the session and its sub-sessions in one step', async () => {
    house = await openHouse()
    const first = await asked({ session: 's' })
    const waiting = await asked({ session: 's' })
    const child = await asked({ session: 's/child', parentSession: 's' })
    const approved = await asked({ session: 's/child' })
    await house.gateway.decide(approved.id, { decision: 'approve', digest: approved.digest }, ana)
    let stopped: unknown
    const running = house.gateway.guard(
      aCall({ session: 's/child' }),
      (_, { signal }) =>
        new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => {
            stopped = signal.reason
            resolve()
          })
        }),
    )
    const runs = await pending('s/child', 1)
    await house.gateway.decide(runs.id, { decision: 'approve', digest: runs.digest }, ana)
    await until(async () => (await house.store.get(runs.id))?.state === 'running')
    const elsewhere = await asked({ session: 'other' })

    await house.gateway.decide(
      first.id,
      { decision: 'terminate', digest: first.digest, reason: 'enough' },
      ana,
    )
    expect((await house.store.get(first.id))?.state).toBe('terminated')
    for (const { id } of [waiting, child, approved]) {
      expect(await house.store.get(id)).toMatchObject({
        state: 'cancelled',
        progress: { cancelled: { cause: 'session_ended', by: 'ana' } },
      })
    }
    expect(await running).toMatchObject({ kind: 'ran' })
    expect(stopped).toMatchObject({ code: 'cancelled' })
    expect((await house.store.get(elsewhere.id))?.state).toBe('pending')
    for (const session of ['s', 's/child', 's/new']) {
      const parts = session === 's/new' ? { session, parentSession: 's' } : { session }
      expect(await house.gateway.guard(aCall(parts), () => expect.unreachable())).toMatchObject({
        kind: 'refused',
        code: 'session_ended',
      })
    }
  })

  it('P5: a call the policy allows is refused in an ended session too', async () => {
    house = await openHouse({ policy: { allow: ['read'] } })
    const request = await asked({ session: 's' })
    await house.gateway.decide(request.id, { decision: 'terminate', digest: request.digest }, ana)
    expect(
      await house.gateway.guard(aCall({ session: 's', tool: 'read' }), () => expect.unreachable()),
    ).toMatchObject({ code: 'session_ended' })
  })
})

describe('grants', () => {
  it('a decision for the session lets the same call through, in that session, while its rules ask', async () => {
    house = await openHouse()
    const call = { arguments: { environment: 'staging' } }
    const request = await asked(call)
    await house.gateway.decide(
      request.id,
      { decision: 'approve', digest: request.digest, scope: 'session' },
      ana,
    )
    expect(await house.gateway.guard(aCall(call), () => 1)).toMatchObject({ kind: 'ran' })
    expect((await asked({ ...call, session: 'other' })).state).toBe('pending')
    expect((await asked({ arguments: { environment: 'production' } })).state).toBe('pending')
    expect(
      (await asked({ ...call, definition: { description: 'another tool under the same name' } })).state,
    ).toBe('pending')
    const { items } = await house.gateway.grants({}, ana)
    expect(items).toMatchObject([{ uses: 1, createdBy: 'ana', requestId: request.id, session: 'session-1' }])
    await expect(house.gateway.grants({}, agent)).rejects.toMatchObject({ code: 'forbidden' })
    await house.gateway.revokeGrant(items[0]!.id, ana)
    expect((await asked(call)).state).toBe('pending')
  })

  it('P5: a grant never lifts a deny, nor a rule that was added later', async () => {
    let verdict: Verdict = ask('first')
    house = await openHouse({ policy: judge(() => verdict) })
    const request = await asked()
    await house.gateway.decide(
      request.id,
      { decision: 'approve', digest: request.digest, scope: 'always' },
      ana,
    )
    expect((await house.gateway.review(aCall(), agent)).verdict.kind).toBe('allow')
    const both = ask('first')
    both.terms.conditions.push({ rule: 'added later', quorum: 1 })
    verdict = both
    expect((await house.gateway.review(aCall(), agent)).verdict.kind).toBe('ask')
    verdict = { kind: 'deny', because: 'no' }
    expect((await house.gateway.review(aCall(), agent)).verdict.kind).toBe('deny')
  })

  it('a quorum leaves a grant only as wide as its narrowest voter says', async () => {
    const people = new Map(['ana', 'ben'].map((name) => [name, { groups: ['sre'] }]))
    house = await openHouse({
      policy: judge(() => ask('two', { approvers: ['group:sre'], quorum: 2 })),
      people,
    })
    const request = await asked()
    await house.gateway.decide(
      request.id,
      { decision: 'approve', digest: request.digest, scope: 'always' },
      ana,
    )
    await house.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, ben)
    expect((await house.gateway.grants({}, ana)).items).toEqual([])
  })

  it('only the scopes and decisions that are offered are taken', async () => {
    const verdict = ask('strict', { only: ['approve', 'reject'] })
    verdict.terms.scopes = ['once']
    house = await openHouse({ policy: judge(() => verdict) })
    const request = await asked()
    const decide = (input: object) =>
      house.gateway.decide(request.id, { digest: request.digest, ...input } as never, ana)
    await expect(decide({ decision: 'approve', scope: 'always' })).rejects.toMatchObject({
      code: 'scope_not_allowed',
    })
    await expect(decide({ decision: 'respond', text: 'x' })).rejects.toMatchObject({
      code: 'decision_not_allowed',
    })
    expect((await house.store.get(request.id))?.version).toBe(1)
  })
})

describe('questions', () => {
  const questions = [
    { id: 'where', question: 'Where to?', options: [{ label: 'staging' }, { label: 'production' }] },
    { id: 'why', question: 'Why?' },
  ]

  it('go through the same lifecycle and are answered, not approved', async () => {
    house = await openHouse()
    const asking = house.gateway.guard(aCall({ tool: 'ask_user_question', arguments: { questions } }), () =>
      expect.unreachable(),
    )
    const request = await pending()
    expect(request).toMatchObject({
      kind: 'question',
      terms: { allowedDecisions: ['answer', 'reject', 'terminate'] },
    })
    const decide = (input: object) =>
      house.gateway.decide(request.id, { digest: request.digest, ...input } as never, ana)
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
    house = await openHouse()
    const request = await asked({ tool: 'ask_user_question', arguments: { questions } })
    await house.gateway.decide(
      request.id,
      { decision: 'reject', digest: request.digest, reason: 'not now' },
      ana,
    )
    expect((await house.store.get(request.id))?.state).toBe('declined')
    for (const bad of [[], [...questions, ...questions, ...questions], [{ id: 'x' }], 'x']) {
      expect(
        await house.gateway.guard(
          aCall({ tool: 'ask_user_question', arguments: { questions: bad as never } }),
          () => 1,
        ),
      ).toMatchObject({ kind: 'refused', code: 'invalid_call' })
    }
  })
})

async function pending(session?: string, nth = 0) {
  let found = (await house.store.list({ state: 'pending', ...(session ? { session } : {}) })).items
  await until(async () => {
    found = (await house.store.list({ state: 'pending', ...(session ? { session } : {}) })).items
    return found.length > nth
  })
  return found.toSorted((one, other) => one.id.localeCompare(other.id)).at(-1)!
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 500; turn++) {
    if (await condition()) return
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error('it did not come to that')
}
