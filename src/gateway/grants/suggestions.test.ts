import { afterEach, describe, expect, it } from 'vitest'
import type { Facts } from '../../core/verdict.ts'
import { granted, judgeByEnvironment, reviewVerdictOf } from '../fixtures/grant-fixtures.ts'
import {
  agent,
  ana,
  ask,
  askedRequest,
  ben,
  eve,
  openTestGateway,
  otherAgent,
  type TestGateway,
} from '../fixtures/test-gateway.ts'
import type { JudgedCall } from '../gateway-parts.ts'

const DAY = 86_400_000

let setup: TestGateway
afterEach(() => setup.close())

const policy = judgeByEnvironment((call) => {
  if (call.tool === 'read') return { kind: 'allow', because: 'reading' }
  return call.arguments.environment === 'moon' ? { kind: 'deny', because: 'not there' } : ask('deploys')
})

const to = (environment: string, version = 0) => ({ arguments: { environment, version } })

async function weigh(id: string) {
  await setup.gateway.flush()
  const found = await setup.gateway.suggestions(id, ana)
  return Object.fromEntries(found.map((each) => [each.id, each.matched]))
}

describe('suggestions', () => {
  it('say from narrow to wide what each would have matched, and how that ended', async () => {
    setup = await openTestGateway({ policy })
    const rejected = await askedRequest(setup, to('staging', 1))
    await setup.gateway.decide(rejected.id, { decision: 'reject', digest: rejected.digest }, ana)
    await askedRequest(setup, to('staging', 2))
    await granted(setup, { scope: 'session' }, to('production'))
    await reviewVerdictOf(setup, to('production'))
    await reviewVerdictOf(setup, to('moon'))
    await reviewVerdictOf(setup, { tool: 'read' })
    const { id } = await askedRequest(setup, to('staging', 3))
    const suggestions = await setup.gateway.suggestions(id, ben)
    expect(suggestions.map(({ id: name, width, words }) => [name, width, words])).toEqual([
      ['call', 'call', 'exactly this call'],
      ['shape', 'shape', 'deploy to staging'],
      ['tool', 'tool', 'any deploy'],
    ])
    const { call, shape, tool } = await weigh(id)
    const looked = { of: 6, days: 30, isCut: false }
    expect(call).toEqual({ ...looked, calls: 0, asked: 0, rejected: 0, denied: 0, examples: [] })
    expect(shape).toMatchObject({ ...looked, calls: 2, asked: 2, rejected: 1, denied: 0 })
    expect(tool).toMatchObject({ ...looked, calls: 5, asked: 3, rejected: 1, denied: 1 })
    expect(shape?.examples.map((content) => content.arguments.version)).toEqual([2, 1])
    expect(tool?.examples).toHaveLength(3)
  })

  it('count no call under another definition, of another tool, that was erased or is older than 30 days', async () => {
    setup = await openTestGateway({ policy })
    await askedRequest(setup, to('staging', 1))
    setup.clock.jump(30 * DAY + 1)
    await askedRequest(setup, { ...to('staging', 2), definition: { description: 'another' } })
    await askedRequest(setup, { ...to('staging', 3), tool: 'ship' })
    const erased = await askedRequest(setup, to('staging', 4))
    await setup.gateway.decide(erased.id, { decision: 'reject', digest: erased.digest }, ana)
    setup.clock.jump(DAY)
    await setup.gateway.history.eraseOlderThan(1)
    await askedRequest(setup, to('staging', 5))
    const { id } = await askedRequest(setup, to('staging', 6))
    expect((await weigh(id)).shape).toMatchObject({ calls: 1, asked: 1, of: 4 })
  })

  it('look through the newest 2,000 calls, and say when there are more', async () => {
    setup = await openTestGateway({ policy })
    await askedRequest(setup, to('staging', 1))
    const { id } = await askedRequest(setup, to('staging', 2))
    for (let call = 0; call < 1998; call++) await reviewVerdictOf(setup, { tool: 'read' })
    expect((await weigh(id)).shape).toMatchObject({ calls: 1, of: 1999, isCut: false })
    await reviewVerdictOf(setup, { tool: 'read' })
    expect((await weigh(id)).shape).toMatchObject({ calls: 0, of: 1999, isCut: true })
  })

  it('look up facts where a match needs them, and go on where they can’t be had', async () => {
    const gatherFacts = async (call: JudgedCall): Promise<Facts> => {
      if (call.arguments.version === 2) throw new Error('the disk is gone')
      return { paths: { '/environment': { resolved: '/srv', exists: true } } }
    }
    const needing = judgeByEnvironment(() => ask('deploys'), {
      matches: (match, _, digest, facts) =>
        match.kind === 'exact'
          ? match.digest === digest
          : facts?.paths?.['/environment']?.resolved === '/srv',
    })
    setup = await openTestGateway({ policy: needing })
    for (const version of [1, 2]) await askedRequest(setup, to('staging', version))
    setup = await setup.restart({ gatherFacts })
    const { id } = await askedRequest(setup, to('staging', 3))
    expect((await weigh(id)).shape).toMatchObject({ calls: 1, of: 2 })
  })

  it('P6: are for who may decide the request, while it waits', async () => {
    setup = await openTestGateway({ policy })
    const { id, digest } = await askedRequest(setup)
    await expect(setup.gateway.suggestions(id, eve)).rejects.toMatchObject({ code: 'not_yours' })
    await expect(setup.gateway.suggestions(id, agent)).rejects.toMatchObject({ code: 'not_yours' })
    await expect(setup.gateway.suggestions(id, otherAgent)).rejects.toMatchObject({ code: 'unknown_id' })
    await expect(setup.gateway.suggestions('req_none', ana)).rejects.toMatchObject({ code: 'unknown_id' })
    await setup.gateway.decide(id, { decision: 'approve', digest }, ana)
    await expect(setup.gateway.suggestions(id, ana)).rejects.toMatchObject({ code: 'not_pending' })
  })

  it('are none where the rules take no grant', async () => {
    const once = ask('strict')
    once.terms.scopes = ['once']
    setup = await openTestGateway({ policy: judgeByEnvironment(() => once) })
    const { id } = await askedRequest(setup)
    expect(await setup.gateway.suggestions(id, ana)).toEqual([])
  })

  it('after an edit that waits for more votes, are those of the edited call', async () => {
    const two = ask('two', { approvers: ['group:sre'], quorum: 2 })
    const people = new Map(['ana', 'ben'].map((name) => [name, { groups: ['sre'] }]))
    setup = await openTestGateway({ policy: judgeByEnvironment(() => two), people })
    const { id, digest } = await askedRequest(setup)
    const edit = { decision: 'edit', digest, arguments: { environment: 'test' } } as const
    await setup.gateway.decide(id, edit, ana)
    expect((await setup.gateway.suggestions(id, ben)).map(({ words }) => words)[1]).toBe('deploy to test')
  })
})
