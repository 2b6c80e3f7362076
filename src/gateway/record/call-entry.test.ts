import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compilePolicy } from '../../policy/index.ts'
import { aCall, agent, ana, openTestGateway, type TestGateway } from '../fixtures/test-gateway.ts'

/** A whole value of a known shape, in the place of a command: reasons name the program. */
const SECRET = `ghp_${'a1B2'.repeat(9)}`

let house: TestGateway
beforeEach(async () => {
  house = await openTestGateway({
    policy: compilePolicy(
      { mode: 'dontAsk', allow: ['odd(ls *)'] },
      { tools: { odd: { kind: 'shell', command: '/token' } } },
    ),
  })
})
afterEach(() => house.close())

describe('what the journal says of a call', () => {
  it.each(['default', 'dontAsk'])('P9: quotes no secret in its reason, in the mode %s', async (mode) => {
    const call = aCall({ tool: 'odd', arguments: { token: SECRET }, session: mode })
    await house.gateway.review({ ...call, callId: 'first', arguments: { token: 'ls' } }, agent)
    await house.gateway.flush()
    await house.gateway.setMode(mode, mode, ana)
    const { verdict } = await house.gateway.review(call, agent)
    expect(verdict.kind).toBe(mode === 'default' ? 'ask' : 'deny')
    await house.gateway.flush()
    const [opened] = await house.gateway.history.chains(ana)
    const entries = await house.gateway.history.entries(opened!.chain, 0, 100, ana)
    expect(entries.some(({ body }) => body.includes('masked: GitHub token'))).toBe(true)
    expect(entries.filter(({ body }) => body.includes(SECRET))).toEqual([])
  })
})
