import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compilePolicy } from '../../policy/index.ts'
import { aCall, agent, ana, openTestGateway, type TestGateway } from '../fixtures/test-gateway.ts'

/** A whole value of a known shape, in the place of a command: reasons name the program. */
const SECRET = `ghp_${'a1B2'.repeat(9)}`

let setup: TestGateway
beforeEach(async () => {
  setup = await openTestGateway({
    policy: compilePolicy(
      { mode: 'dontAsk', allow: ['odd(ls *)'] },
      { tools: { odd: { kind: 'shell', command: '/token' } } },
    ),
  })
})
afterEach(() => setup.close())

describe('what the journal says of a call', () => {
  it.each(['default', 'dontAsk'])('P9: quotes no secret in its reason, in the mode %s', async (mode) => {
    const call = aCall({ tool: 'odd', arguments: { token: SECRET }, session: mode })
    await setup.gateway.review({ ...call, callId: 'first', arguments: { token: 'ls' } }, agent)
    await setup.gateway.flush()
    await setup.gateway.setMode(mode, mode, ana)
    const { verdict } = await setup.gateway.review(call, agent)
    expect(verdict.kind).toBe(mode === 'default' ? 'ask' : 'deny')
    await setup.gateway.flush()
    const [opened] = await setup.gateway.history.chains(ana)
    const entries = await setup.gateway.history.entries(opened!.chain, 0, 100, ana)
    expect(entries.some(({ body }) => body.includes('masked: GitHub token'))).toBe(true)
    expect(entries.filter(({ body }) => body.includes(SECRET))).toEqual([])
  })
})
