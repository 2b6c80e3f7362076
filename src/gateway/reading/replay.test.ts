import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compilePolicy } from '../../policy/index.ts'
import {
  aCall,
  agent,
  ana,
  askedRequest,
  eve,
  openTestGateway,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

const DAY = 86_400_000

let setup: TestGateway
beforeEach(async () => {
  setup = await openTestGateway({ policy: { allow: ['read', 'list'], deny: ['drop'] } })
  for (const tool of ['read', 'read', 'list', 'drop']) await setup.gateway.review(aCall({ tool }), agent)
  const { id, digest } = await askedRequest(setup, { tool: 'pay' })
  await setup.gateway.decide(id, { decision: 'reject', digest }, ana)
  await askedRequest(setup, { tool: 'pay' })
  await setup.gateway.flush()
})
afterEach(() => setup.close())

const replay = (block: object, query = {}) => setup.gateway.replay(compilePolicy(block), query, ana)

describe('replay', () => {
  it('says what would have changed, the worst first, and what people refused of it', async () => {
    const found = await replay({ allow: ['drop', 'pay', 'list'], deny: [], ask: ['read'] })
    expect(found).toMatchObject({ calls: 6, unchanged: 1, erased: 0, isCut: false, days: 30 })
    expect(
      found.groups.map(({ change, tool, was, would, calls, rejected }) => [
        change,
        tool,
        was,
        would,
        calls,
        rejected,
      ]),
    ).toEqual([
      ['denial undone', 'drop', 'deny', 'allow', 1, 0],
      ['prompt removed', 'pay', 'ask', 'allow', 2, 1],
      ['prompt added', 'read', 'allow', 'ask', 2, 0],
    ])
    expect((await replay({ mode: 'dontAsk', deny: ['*'] })).groups.map(({ change }) => change)).toEqual([
      'denial added',
      'denial added',
      'denial added',
    ])
  })

  it('changes nothing, and finds nothing to say of the policy that holds', async () => {
    const before = await setup.store.journal.cursor()
    expect(await replay({ allow: ['read', 'list'], deny: ['drop'] })).toMatchObject({
      unchanged: 6,
      groups: [],
    })
    expect(await setup.store.journal.cursor()).toBe(before)
  })

  it('looks no further back than it is told, and says where it stopped', async () => {
    await setup.clock.advance(2 * DAY)
    await setup.gateway.review(aCall({ tool: 'read' }), agent)
    await setup.gateway.flush()
    expect(await replay({}, { days: 1 })).toMatchObject({ calls: 1, days: 1 })
    for (let index = 0; index < 60; index++) await setup.gateway.review(aCall({ tool: 'read' }), agent)
    await setup.gateway.flush()
    expect(await replay({}, { limit: 10 })).toMatchObject({ calls: 10, isCut: true })
  })

  it('counts what was erased, and does not judge it', async () => {
    await setup.clock.advance(3 * DAY)
    await setup.gateway.history.eraseOlderThan(2 * DAY)
    expect(await replay({})).toMatchObject({ erased: 6, calls: 0 })
  })

  it('P11: is for people, not for agents', async () => {
    await expect(setup.gateway.replay(compilePolicy({}), {}, agent)).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(setup.gateway.replay(compilePolicy({}), {}, eve)).resolves.toMatchObject({ calls: 6 })
  })
})
