import { afterEach, describe, expect, it } from 'vitest'
import type { Grant } from '../../core/grants/grant.ts'
import type { AskVerdict, Verdict } from '../../core/verdict.ts'
import type { Store } from '../../stores/store.ts'
import { granted, judgeByEnvironment, reviewVerdictOf } from '../fixtures/grant-fixtures.ts'
import {
  aCall,
  agent,
  ana,
  ask,
  openTestGateway,
  otherAgent,
  policyFrom,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

/** What happens between looking for grants and writing down that they are used. */
function between(happens: () => Promise<void> | void): (store: Store) => Store {
  return (store) => ({
    ...store,
    async record(recording) {
      await happens()
      return store.record(recording)
    },
  })
}

describe('between looking and using', () => {
  it('P5: a grant that ends asks', async () => {
    setup = await openTestGateway({
      wrap: between(() => setup.clock.jump(60_000)),
      policy: policyFrom(() => ask('any')),
    })
    const grant = await granted(setup, { scope: 'always', grant: { expiresInMs: 60_000 } })
    expect((await reviewVerdictOf(setup)).kind).toBe('ask')
    expect((await setup.store.grants.get(grant.id))?.uses).toBe(0)
  })

  it('P5: a grant that is revoked asks', async () => {
    let id = ''
    setup = await openTestGateway({
      wrap: between(() => setup.gateway.revokeGrant(id, ana)),
      policy: policyFrom(() => ask('any')),
    })
    id = (await granted(setup, { scope: 'always' })).id
    expect((await reviewVerdictOf(setup)).kind).toBe('ask')
  })

  it('P4: of many calls as many are let through as there are uses, and all others are asked', async () => {
    setup = await openTestGateway({ policy: policyFrom(() => ask('any')) })
    await granted(setup, { scope: 'always', grant: { uses: 3 } })
    const verdicts = await Promise.all(Array.from({ length: 8 }, () => reviewVerdictOf(setup)))
    expect(verdicts.filter((verdict) => verdict.kind === 'allow')).toHaveLength(3)
    expect(verdicts.filter((verdict) => verdict.kind === 'ask')).toHaveLength(5)
  })

  it('who loses the last use of one grant is let through by another', async () => {
    setup = await openTestGateway({ policy: judgeByEnvironment() })
    const exact = await granted(setup, { scope: 'session', grant: { uses: 1 } })
    const wide = await granted(
      setup,
      { scope: 'always', grant: { suggestion: 'tool', uses: 4 } },
      { session: 'b' },
    )
    const verdicts = await Promise.all(Array.from({ length: 6 }, () => reviewVerdictOf(setup)))
    expect(verdicts.filter((verdict) => verdict.kind === 'allow')).toHaveLength(5)
    expect(await setup.store.grants.get(exact.id)).toMatchObject({ usesLeft: 0, uses: 1 })
    expect(await setup.store.grants.get(wide.id)).toMatchObject({ usesLeft: 0, uses: 4 })
  })

  it('P5: a store in which every grant is always just spent asks in the end', async () => {
    let tries = 0
    const wrap = (store: Store): Store => ({
      ...store,
      async record() {
        tries++
        return { kind: 'refused', code: 'grant_spent' }
      },
    })
    setup = await openTestGateway({ wrap, policy: policyFrom(() => ask('any')) })
    await granted(setup, { scope: 'always' })
    expect((await reviewVerdictOf(setup)).kind).toBe('ask')
    expect(tries).toBe(10)
  })
})

describe('several grants together', () => {
  const both = (): AskVerdict => {
    const verdict = ask('one')
    verdict.terms.conditions.push({ rule: 'two', quorum: 1 })
    return verdict
  }

  it('P5: answer what none of them answers alone; each gives a use, or none does', async () => {
    let verdict: Verdict = ask('one')
    setup = await openTestGateway({ policy: judgeByEnvironment(() => verdict) })
    const first = await granted(setup, { scope: 'always', grant: { suggestion: 'tool' } })
    verdict = both()
    expect((await reviewVerdictOf(setup)).kind).toBe('ask')
    verdict = ask('two')
    const second = await granted(setup, { scope: 'session', grant: { suggestion: 'shape', uses: 1 } })
    verdict = both()
    expect(await reviewVerdictOf(setup)).toEqual({
      kind: 'allow',
      rule: `grants ${first.id}, ${second.id}`,
      because:
        'Allowed: ana approved any deploy, in every session, on 2023-11-14 22:13 UTC; ana approved deploy to staging, in this session, for one call, on 2023-11-14 22:13 UTC.',
      reason: expect.objectContaining({ code: 'allow.granted' }),
    })
    expect((await reviewVerdictOf(setup)).kind).toBe('ask')
    expect((await setup.store.grants.get(first.id))?.uses).toBe(1)
    const { items } = await setup.gateway.history.calls({}, ana)
    expect(items).toHaveLength(1)
  })

  it.each<[string, (grants: readonly Grant[]) => Grant[] | undefined]>([
    ['no grant', () => []],
    ['a grant that nobody gave', (grants) => [{ ...grants[0]!, rules: ['one', 'two'] }]],
    ['grants that leave a rule unanswered', (grants) => [...grants]],
  ])('P5: a policy that names %s lets nothing through', async (_, cover) => {
    let verdict: Verdict = ask('one')
    setup = await openTestGateway({
      policy: policyFrom(() => verdict, { cover: (_call, _digest, grants) => cover(grants) }),
    })
    await granted(setup, { scope: 'always' })
    verdict = both()
    expect((await reviewVerdictOf(setup)).kind).toBe('ask')
  })
})

describe('sub-sessions', () => {
  const start = (session: string, parentSession: string, by = agent) =>
    setup.gateway.review(aCall({ session, parentSession, tool: 'read' }), by)
  const policy = judgeByEnvironment((call) =>
    call.tool === 'read' ? { kind: 'allow', because: 'reading' } : ask('deploys'),
  )

  it('do not inherit the grants of what started them', async () => {
    setup = await openTestGateway({ policy })
    await granted(setup, { scope: 'session' }, { session: 'top' })
    await start('child', 'top')
    expect((await reviewVerdictOf(setup, { session: 'child' })).kind).toBe('ask')
    expect((await reviewVerdictOf(setup, { session: 'new', parentSession: 'top' })).kind).toBe('ask')
  })

  it('inherit them, however deep, where the grant says so; nothing goes upwards or sideways', async () => {
    setup = await openTestGateway({ policy })
    await start('middle', 'top')
    const terms = { includeSubSessions: true }
    await granted(setup, { scope: 'session', grant: terms }, { session: 'middle' })
    await start('low', 'middle')
    await setup.gateway.flush()
    expect(await reviewVerdictOf(setup, { session: 'low' })).toMatchObject({
      because: expect.stringContaining('in session middle and what it starts'),
    })
    expect((await reviewVerdictOf(setup, { session: 'lower', parentSession: 'low' })).kind).toBe('allow')
    expect((await reviewVerdictOf(setup, { session: 'lower' })).kind).toBe('allow')
    expect((await reviewVerdictOf(setup, { session: 'top' })).kind).toBe('ask')
    expect((await reviewVerdictOf(setup, { session: 'beside', parentSession: 'top' })).kind).toBe('ask')
  })

  it('P6: a session that names another agent’s as its parent, before there is one, inherits nothing', async () => {
    setup = await openTestGateway({ policy })
    await start('parasite', 'top', otherAgent)
    await setup.gateway.flush()
    await granted(setup, { scope: 'session', grant: { includeSubSessions: true } }, { session: 'top' })
    expect((await reviewVerdictOf(setup, { session: 'parasite' }, otherAgent)).kind).toBe('ask')
  })

  it('P5: sessions that start each other in a circle are asked like any other', async () => {
    setup = await openTestGateway({ policy })
    await start('a', 'b')
    await setup.gateway.flush()
    await start('b', 'a')
    await setup.gateway.flush()
    await granted(setup, { scope: 'session' }, { session: 'b' })
    expect((await reviewVerdictOf(setup, { session: 'a' })).kind).toBe('ask')
  })
})
