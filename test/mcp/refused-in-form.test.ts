/** What a client is answered has the form that it can read, goes to who may still have it, and is an answer at all. */
import { afterEach, describe, expect, it } from 'vitest'
import { ana } from '../../src/gateway/fixtures/test-gateway.ts'
import { until } from '../fixtures/until.ts'
import { type GatedProxies, openGatedProxies } from './gated-proxy.ts'
import { type McpProxy, textOf } from './proxy-driver.ts'

let gated: GatedProxies
afterEach(() => gated.close())

describe('a call that asks for a task (2025-11-25)', () => {
  const TASK = { task: { ttl: 60_000 } }

  it('P5: is refused by an error with the reason: anything else would be no task to its client', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start()
    const denied = await proxy.call('secret', {}, TASK).answer
    expect(denied).toMatchObject({ error: { message: expect.stringContaining('denied') } })
    expect(denied.result).toBeUndefined()
    const rejected = proxy.call('append', { line: 'a' }, TASK)
    const [request] = await gated.pending()
    await gated.decide(request!.id, { decision: 'reject', reason: 'not today' })
    expect((await rejected.answer).error.message).toContain('not today')
    expect(proxy.folder.effects()).toEqual([])
  })

  it('is told to wait by an error, and goes on waiting when it is made again', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start({ words: ['--hold', '1s'] })
    const first = await gated.waited(proxy.call('append', { line: 'a' }, TASK).answer)
    expect(first.error.message).toContain('Not refused: waiting')
    const [request] = await gated.pending()
    await gated.approve(request!.id)
    const again = await gated.waited(proxy.call('append', { line: 'a' }, TASK).answer)
    expect(textOf(again)).toBe('append done')
  })
})

