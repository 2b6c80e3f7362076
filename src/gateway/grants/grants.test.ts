import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { definitionDigest, prepareCall } from '../../core/call.ts'
import type { DecisionInput, GrantTerms } from '../../core/decision.ts'
import type { AskVerdict, Verdict } from '../../core/verdict.ts'
import { granted, judgeByEnvironment, reviewVerdictOf } from '../fixtures/grant-fixtures.ts'
import {
  aCall,
  agent,
  ana,
  ask,
  askedRequest,
  ben,
  openTestGateway,
  policyFrom,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

const HOUR = 3_600_000

let setup: TestGateway
afterEach(() => setup.close())

const decide = (request: { id: string; digest: string }, input: Partial<DecisionInput>, by = ana) =>
  setup.gateway.decide(request.id, { decision: 'approve', digest: request.digest, ...input }, by)

async function entries(type: string): Promise<Record<string, unknown>[]> {
  const found = []
  for (const { chain } of await setup.store.journal.chains())
    found.push(...(await setup.store.journal.read(chain, 0, 1000)))
  return found.filter((entry) => entry.type === type).map((entry) => JSON.parse(entry.body))
}

describe('a grant', () => {
  it('for the session lets the same call through, in that session, while its rules ask', async () => {
    setup = await openTestGateway({ policy: policyFrom(() => ask('deploys')) })
    const call = { arguments: { environment: 'staging' } }
    const request = await askedRequest(setup, call)
    await decide(request, { scope: 'session' })
    expect(await setup.gateway.guard(aCall(call), () => 1)).toMatchObject({ kind: 'ran' })
    expect((await askedRequest(setup, { ...call, session: 'other' })).state).toBe('pending')
    expect((await askedRequest(setup, { arguments: { environment: 'production' } })).state).toBe('pending')
    expect(
      (
        await askedRequest(setup, {
          ...call,
          definition: { description: 'another tool under the same name' },
        })
      ).state,
    ).toBe('pending')
    const { items } = await setup.gateway.grants({}, ana)
    expect(items).toMatchObject([{ uses: 1, createdBy: 'ana', requestId: request.id, session: 'session-1' }])
    await expect(setup.gateway.grants({}, agent)).rejects.toMatchObject({ code: 'forbidden' })
    await setup.gateway.revokeGrant(items[0]!.id, ana)
    expect((await askedRequest(setup, call)).state).toBe('pending')
  })

  it('P5: never lifts a deny, nor a rule that was added later', async () => {
    let verdict: Verdict = ask('first')
    setup = await openTestGateway({ policy: policyFrom(() => verdict) })
    await granted(setup, { scope: 'always' })
    expect((await reviewVerdictOf(setup)).kind).toBe('allow')
    const both = ask('first')
    both.terms.conditions.push({ rule: 'added later', quorum: 1 })
    verdict = both
    expect((await reviewVerdictOf(setup)).kind).toBe('ask')
    verdict = { kind: 'deny', because: 'no' }
    expect((await reviewVerdictOf(setup)).kind).toBe('deny')
  })

  it('holds as wide as the suggestion that was chosen, and says so in words', async () => {
    setup = await openTestGateway({ policy: judgeByEnvironment() })
    const grant = await granted(setup, {
      scope: 'always',
      grant: { suggestion: 'shape', uses: 5, expiresInMs: HOUR },
    })
    expect(grant).toMatchObject({
      rules: ['deploys'],
      match: { kind: 'when', when: { environment: 'staging' }, words: 'deploy to staging' },
      usesLeft: 5,
      uses: 0,
      expiresAt: setup.clock.now() + HOUR,
    })
    expect(grant.session).toBeUndefined()
    const other = { arguments: { environment: 'staging', version: 2 }, session: 'other' }
    expect(await reviewVerdictOf(setup, other)).toEqual({
      kind: 'allow',
      rule: `grant ${grant.id}`,
      because:
        'Allowed: ana approved deploy to staging, in every session, until 2023-11-14 23:13 UTC, for 5 calls, on 2023-11-14 22:13 UTC.',
      reason: expect.objectContaining({ code: 'allow.granted' }),
    })
    expect((await reviewVerdictOf(setup, { arguments: { environment: 'production' } })).kind).toBe('ask')
    expect((await reviewVerdictOf(setup, { ...other, tool: 'ship' })).kind).toBe('ask')
    const changed = { ...other, definition: { description: 'another tool under the same name' } }
    expect((await reviewVerdictOf(setup, changed)).kind).toBe('ask')
    expect(await setup.store.grants.get(grant.id)).toMatchObject({ uses: 1, usesLeft: 4 })
  })

  it('P5: is over after its last use, and at its last millisecond', async () => {
    setup = await openTestGateway({ policy: judgeByEnvironment() })
    await granted(setup, { scope: 'session', grant: { uses: 2 } })
    const kinds = []
    for (let call = 0; call < 3; call++) kinds.push((await reviewVerdictOf(setup)).kind)
    expect(kinds).toEqual(['allow', 'allow', 'ask'])

    const elsewhere = { session: 'other' }
    await granted(setup, { scope: 'session', grant: { expiresInMs: HOUR } }, elsewhere)
    setup.clock.jump(HOUR - 1)
    expect((await reviewVerdictOf(setup, elsewhere)).kind).toBe('allow')
    setup.clock.jump(1)
    expect((await reviewVerdictOf(setup, elsewhere)).kind).toBe('ask')
  })

  it('P10: is on the record, when it is given and when it is used', async () => {
    setup = await openTestGateway({ policy: judgeByEnvironment() })
    const terms = { suggestion: 'shape', uses: 3 }
    const grant = await granted(setup, { scope: 'session', grant: terms })
    await reviewVerdictOf(setup)
    expect(await entries('request.decided')).toMatchObject([
      {
        by: 'ana',
        scope: 'session',
        wanted: terms,
        grant: {
          id: grant.id,
          rules: ['deploys'],
          match: 'deploy to staging',
          session: 'session-1',
          uses: 3,
        },
      },
    ])
    expect(await entries('grant.used')).toMatchObject([{ grants: [grant.id], by: 'agent-1' }])
  })

  it('P9: keeps no secret of the call in its words', async () => {
    const secret = `ghp_${'A1b2C3d4E5f6'.repeat(3)}`
    setup = await openTestGateway({ policy: judgeByEnvironment() })
    const call = { arguments: { environment: secret } }
    const request = await askedRequest(setup, call)
    const { words } = (await setup.gateway.suggestions(request.id, ana))[1]!
    expect(words).toBe('deploy to ⟨masked: GitHub token, 40 characters⟩')
    const grant = await granted(setup, { scope: 'always', grant: { suggestion: 'shape' } }, call)
    expect(grant.match).toMatchObject({ words })
    expect(await reviewVerdictOf(setup, call)).toMatchObject({ because: expect.stringContaining(words) })
    expect(JSON.stringify(await entries('request.decided'))).not.toContain(secret)
  })

  it('of an earlier version still holds: exactly its call is let through', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'banksman-test-'))
    const path = join(folder, 'test.db')
    setup = await openTestGateway({ policy: policyFrom(() => ask('deploys')), path })
    const { digest } = prepareCall(aCall())
    const definition = definitionDigest(undefined)
    const raw = new DatabaseSync(path)
    raw
      .prepare("INSERT INTO grants (ns, id, tool, uses, body) VALUES ('default', 'grt_old', 'deploy', 0, ?)")
      .run(
        `{"id":"grt_old","tool":"deploy","definitionDigest":"${definition}","rules":["deploys"],"match":{"kind":"exact","digest":"${digest}"},"createdAt":1690000000000,"createdBy":"ana","requestId":"req_old"}`,
      )
    raw.close()
    expect(await reviewVerdictOf(setup)).toMatchObject({ kind: 'allow', rule: 'grant grt_old' })
    expect((await reviewVerdictOf(setup, { arguments: { environment: 'production' } })).kind).toBe('ask')
    rmSync(folder, { recursive: true, force: true })
  })
})

describe('with several voters', () => {
  const two = (): AskVerdict => ask('two', { approvers: ['group:sre'], quorum: 2 })
  const people = new Map(['ana', 'ben'].map((name) => [name, { groups: ['sre'] }]))

  it('P5: a grant is left only by quorum, and one who says once leaves none', async () => {
    setup = await openTestGateway({ policy: policyFrom(two), people })
    const request = await askedRequest(setup)
    await decide(request, { scope: 'always' })
    expect((await setup.gateway.grants({}, ana)).items).toEqual([])
    await decide(request, {}, ben)
    expect((await setup.gateway.grants({}, ana)).items).toEqual([])
  })

  it('the narrowest of what they say holds, and each vote keeps what it asked for', async () => {
    setup = await openTestGateway({ policy: judgeByEnvironment(two), people })
    const request = await askedRequest(setup)
    const wide: GrantTerms = { suggestion: 'tool', expiresInMs: HOUR, uses: 5, includeSubSessions: true }
    await decide(request, { scope: 'always', grant: wide })
    expect((await setup.store.get(request.id))?.progress.votes).toMatchObject([{ by: 'ana', grant: wide }])
    await decide(
      request,
      { scope: 'session', grant: { suggestion: 'shape', expiresInMs: 60_000, uses: 9 } },
      ben,
    )
    const [grant] = (await setup.gateway.grants({}, ana)).items
    expect(grant).toMatchObject({
      session: 'session-1',
      match: { words: 'deploy to staging' },
      expiresAt: setup.clock.now() + 60_000,
      usesLeft: 5,
      createdBy: 'ben',
    })
    expect(grant?.includeSubSessions).toBeUndefined()
  })

  it('P5: what is no longer offered at the last vote is narrowed to exactly the call', async () => {
    let offered = true
    const policy = judgeByEnvironment(two)
    const { suggest } = policy
    const narrowed = {
      ...policy,
      suggest: (...of: Parameters<typeof suggest>) => suggest(...of).slice(0, offered ? 3 : 1),
    }
    setup = await openTestGateway({ policy: narrowed, people })
    const request = await askedRequest(setup)
    await decide(request, { scope: 'always', grant: { suggestion: 'tool' } })
    offered = false
    await decide(request, { scope: 'always' }, ben)
    expect((await setup.gateway.grants({}, ana)).items).toMatchObject([
      { match: { kind: 'exact', digest: request.digest } },
    ])
  })
})

describe('what is not offered is not taken', () => {
  it('other scopes and decisions', async () => {
    const verdict = ask('strict', { only: ['approve', 'reject'] })
    verdict.terms.scopes = ['once']
    setup = await openTestGateway({ policy: policyFrom(() => verdict) })
    const request = await askedRequest(setup)
    await expect(decide(request, { scope: 'always' })).rejects.toMatchObject({ code: 'scope_not_allowed' })
    await expect(decide(request, { decision: 'respond', text: 'x' })).rejects.toMatchObject({
      code: 'decision_not_allowed',
    })
    expect((await setup.store.get(request.id))?.version).toBe(1)
  })

  it('P5: a suggestion that there is not, told with those that there are', async () => {
    setup = await openTestGateway({ policy: judgeByEnvironment() })
    const request = await askedRequest(setup)
    await expect(
      decide(request, { scope: 'always', grant: { suggestion: 'everything' } }),
    ).rejects.toMatchObject({
      code: 'scope_not_allowed',
      message: 'the suggestion `everything` is not offered on this request; it takes call, shape, tool',
      details: { allowed: ['call', 'shape', 'tool'] },
    })
    expect((await setup.store.get(request.id))?.state).toBe('pending')
  })

  it('P5: one that is wider than the rule lets it be, even where the policy suggests it', async () => {
    const verdict = ask('careful')
    verdict.terms.widestGrant = 'shape'
    setup = await openTestGateway({ policy: judgeByEnvironment(() => verdict) })
    const request = await askedRequest(setup)
    expect((await setup.gateway.suggestions(request.id, ana)).map(({ id }) => id)).toEqual(['call', 'shape'])
    await expect(decide(request, { scope: 'always', grant: { suggestion: 'tool' } })).rejects.toMatchObject({
      details: { allowed: ['call', 'shape'] },
    })
    await decide(request, { scope: 'always', grant: { suggestion: 'shape' } })
    expect((await setup.gateway.grants({}, ana)).items).toHaveLength(1)
  })

  it('P5: a scope that the rules of an edited call do not take', async () => {
    const once = ask('production')
    once.terms.scopes = ['once']
    const policy = policyFrom((call) => (call.arguments.environment === 'production' ? once : ask('any')))
    setup = await openTestGateway({ policy })
    const request = await askedRequest(setup)
    const edit = { decision: 'edit', arguments: { environment: 'production' } } as const
    await expect(decide(request, { ...edit, scope: 'always' })).rejects.toMatchObject({
      code: 'scope_not_allowed',
      details: { allowed: ['once'] },
    })
    await decide(request, edit)
    expect((await setup.gateway.grants({}, ana)).items).toEqual([])
  })

  it('P3: a grant that is left with an edit is for the edited call', async () => {
    setup = await openTestGateway({ policy: judgeByEnvironment() })
    const request = await askedRequest(setup)
    const edit = { decision: 'edit', arguments: { environment: 'test' } } as const
    await decide(request, { ...edit, scope: 'session', grant: { suggestion: 'shape' } })
    expect((await reviewVerdictOf(setup, { arguments: { environment: 'test', n: 1 } })).kind).toBe('allow')
    expect((await reviewVerdictOf(setup)).kind).toBe('ask')
  })

  it.each<[string, object, string]>([
    ['no scope', { grant: {} }, 'grant needs scope session or always beside it; once leaves nothing behind'],
    ['scope once', { scope: 'once', grant: {} }, 'grant needs scope session or always'],
    ['no use', { grant: { uses: 0 } }, 'grant/uses must be a whole number from 1 to 1000000; found 0'],
    ['half a use', { grant: { uses: 1.5 } }, 'found 1.5'],
    ['uses as text', { grant: { uses: '5' } }, 'found "5"'],
    [
      'time that is over',
      { grant: { expiresInMs: -1 } },
      'grant/expiresInMs must be a whole number of milliseconds',
    ],
    ['no time', { grant: { expiresInMs: 0 } }, 'found 0'],
    ['more than a year', { grant: { expiresInMs: 365 * 24 * HOUR + 1 } }, '(365 days)'],
    ['no number', { grant: { expiresInMs: Number.NaN } }, 'found null'],
    [
      'an unknown field',
      { grant: { expiresIn: '1h' } },
      'grant has an unknown field "expiresIn"; it has suggestion',
    ],
    ['a list', { grant: [] }, 'grant must be an object'],
    [
      'a suggestion that is no text',
      { grant: { suggestion: 5 } },
      "the id of one of the request's suggestions",
    ],
    ['no yes or no', { grant: { includeSubSessions: 'yes' } }, 'must be true or false'],
    ['a rejection', { decision: 'reject', grant: {} }, 'reject leaves no grant behind'],
  ])('P5: %s', async (_, input, message) => {
    setup = await openTestGateway({ policy: judgeByEnvironment() })
    const request = await askedRequest(setup)
    const isAboutScope = message.startsWith('grant needs')
    await expect(
      decide(request, { ...(isAboutScope ? {} : { scope: 'always' as const }), ...input }),
    ).rejects.toMatchObject({ code: 'invalid_decision', message: expect.stringContaining(message) })
    expect((await setup.store.get(request.id))?.version).toBe(1)
    expect((await setup.gateway.grants({}, ana)).items).toEqual([])
  })

  it('P11: nothing that an agent says leaves a grant', async () => {
    setup = await openTestGateway({ policy: judgeByEnvironment() })
    const request = await askedRequest(setup)
    const all = { scope: 'always', grant: { suggestion: 'tool' } } as const
    await expect(decide(request, all, agent)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(setup.gateway.suggestions(request.id, agent)).rejects.toMatchObject({ code: 'not_yours' })
    expect((await setup.gateway.grants({}, ana)).items).toEqual([])
  })

  it('a question leaves none', async () => {
    setup = await openTestGateway({ policy: judgeByEnvironment() })
    const questions = [{ id: 'why', question: 'Why?' }]
    const request = await askedRequest(setup, { tool: 'ask_user_question', arguments: { questions } })
    expect(await setup.gateway.suggestions(request.id, ana)).toEqual([])
    const answer = { decision: 'answer', answers: { why: { text: 'x' } } } as const
    await expect(decide(request, { ...answer, scope: 'always' })).rejects.toMatchObject({
      code: 'scope_not_allowed',
    })
    await expect(decide(request, { ...answer, scope: 'always', grant: {} })).rejects.toMatchObject({
      code: 'invalid_decision',
    })
  })
})
