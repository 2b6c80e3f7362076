/** Grants under a policy as people write it: what they let through, and what is asked all the same. */
import { afterEach, describe, expect, it } from 'vitest'
import type { DecisionInput } from '../../core/decision.ts'
import { compilePolicy, lexicalFacts } from '../../policy/index.ts'
import { granted, reviewVerdictOf } from '../fixtures/grant-fixtures.ts'
import { ana, askedRequest, ben, openTestGateway, type TestGateway } from '../fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

const line = (command: string) => ({ tool: 'Bash', arguments: { command }, cwd: '/space' })

/** A workspace of which everything is known. */
function openWorkspace(): Promise<TestGateway> {
  const policy = compilePolicy({}, { roots: ['/space'] })
  return openTestGateway({ policy, gatherFacts: async (call) => lexicalFacts(policy, call) })
}
const kindOf = async (command: string) => (await reviewVerdictOf(setup, line(command))).kind
const always = (suggestion: string): Pick<DecisionInput, 'scope' | 'grant'> => ({
  scope: 'always',
  grant: { suggestion },
})

async function offered(call: object): Promise<string[]> {
  const { id } = await askedRequest(setup, call)
  return (await setup.gateway.suggestions(id, ana)).map((suggestion) => suggestion.id)
}

describe('a grant for a command', () => {
  it('lets its kind through, and nothing that stands beside it in the line', async () => {
    setup = await openWorkspace()
    const grant = await granted(setup, always('shape'), line('wc -l notes'))
    expect(grant.match).toMatchObject({ kind: 'when', words: expect.stringContaining('wc -l *') })
    expect(await kindOf('wc -l src/a.ts')).toBe('allow')
    for (const other of [
      'ls',
      'wc -c notes',
      'wc -l a; rm notes',
      'wc -l a > notes',
      'wc -l $(rm notes)',
      'PATH=/tmp wc -l a',
      'wc -l "',
    ])
      expect(await kindOf(other), other).toBe('ask')
  })

  it('lets a line through together with others, taking a use of each', async () => {
    setup = await openWorkspace()
    const count = await granted(setup, always('shape'), line('wc -l notes'))
    const list = await granted(
      setup,
      { scope: 'always', grant: { suggestion: 'shape', uses: 1 } },
      line('ls -l'),
    )
    expect(await reviewVerdictOf(setup, line('wc -l notes && ls -l src'))).toMatchObject({
      kind: 'allow',
      rule: `grants ${count.id}, ${list.id}`,
    })
    expect(await kindOf('wc -l notes && ls -l src')).toBe('ask')
    expect((await setup.store.grants.get(count.id))?.uses).toBe(1)
  })

  it('P5: is not offered wider than the call for what runs any code', async () => {
    setup = await openWorkspace()
    for (const command of ['python3 -c 1', 'npm install x', 'sudo ls', 'frobnicate', 'wc -l a > x'])
      expect(await offered(line(command)), command).toEqual(['call'])
  })

  it('counts what it would have matched by what each line comes to', async () => {
    setup = await openWorkspace()
    for (const command of ['wc -l a', 'ls && wc -l b', 'wc -l a; rm x', 'ls'])
      await askedRequest(setup, line(command))
    const { id } = await askedRequest(setup, line('wc -l notes'))
    const [call, shape] = await setup.gateway.suggestions(id, ana)
    expect(call?.matched).toMatchObject({ calls: 0, of: 4 })
    expect(shape?.matched.calls).toBe(1)
    expect(shape?.matched.examples.map((content) => content.arguments.command)).toEqual(['wc -l a'])
  })
})

describe('a grant, when the policy changes', () => {
  const call = { arguments: { environment: 'staging' } }
  const rule = (name: string, parts: object = {}) => ({
    name,
    when: { tool: 'deploy' },
    then: 'ask',
    ...parts,
  })

  it('P5: does not answer a rule that was added later, nor lift a deny', async () => {
    setup = await openTestGateway({ policy: { rules: [rule('first')] } })
    await granted(setup, always('tool'), call)
    expect((await reviewVerdictOf(setup, call)).kind).toBe('allow')
    for (const [policy, kind] of [
      [{ rules: [rule('first'), rule('second')] }, 'ask'],
      [{ rules: [rule('first')], deny: ['dep*'] }, 'deny'],
      [{ mode: 'dontAsk' }, 'deny'],
      [{ rules: [rule('first')] }, 'allow'],
    ] as const) {
      setup = await setup.restart({ policy })
      expect((await reviewVerdictOf(setup, call)).kind).toBe(kind)
    }
  })

  it('P5: of a rule with a quorum is left only by the quorum, no wider than the rule allows', async () => {
    const people = new Map(['ana', 'ben'].map((name) => [name, { groups: ['sre'] }]))
    const terms = { approvers: ['group:sre'], quorum: 2, widestGrant: 'argument' }
    const both = { ...rule('both', terms), when: { tool: 'WebSearch' } }
    const search = (query: string, more = {}) => ({ tool: 'WebSearch', arguments: { query, ...more } })
    setup = await openTestGateway({ policy: { rules: [both] }, people })
    const { id, digest } = await askedRequest(setup, search('a'))
    const approve = { decision: 'approve', digest } as const
    await expect(setup.gateway.decide(id, { ...approve, ...always('tool') }, ana)).rejects.toMatchObject({
      code: 'scope_not_allowed',
      details: { allowed: ['call', 'argument:/query'] },
    })
    await setup.gateway.decide(id, { ...approve, ...always('argument:/query') }, ana)
    expect((await reviewVerdictOf(setup, search('a'))).kind).toBe('ask')
    await setup.gateway.decide(id, { ...approve, ...always('argument:/query') }, ben)
    expect((await reviewVerdictOf(setup, search('a', { allowed_domains: [] }))).kind).toBe('allow')
    expect((await reviewVerdictOf(setup, search('b'))).kind).toBe('ask')
  })
})
