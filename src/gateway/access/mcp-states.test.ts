/** What an MCP client comes back with: good once, for a while, for the same call of the same one. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestGateway, type TestGateway } from '../fixtures/test-gateway.ts'

let setup: TestGateway
beforeEach(async () => {
  setup = await openTestGateway()
})
afterEach(() => setup.close())

const CALL = {
  token: 'one',
  server: 'files',
  session: 'mcp-files-1',
  tool: 'write',
  arguments: { a: 1, b: 2 },
}
const STATE = { callId: 'c1', rounds: 3, inner: 'of the server' }
const UNKNOWN = /is not for this call/
const states = () => setup.gateway.mcpStates

describe('a state', () => {
  it('stands for what was put into it, whatever the order of the arguments', async () => {
    const state = await states().make(CALL, STATE)
    expect(await states().use({ ...CALL, arguments: { b: 2, a: 1 } }, state)).toEqual(STATE)
  })

  it.each([
    ['token', { token: 'other' }],
    ['MCP server', { server: 'other' }],
    ['session', { session: 'mcp-files-2' }],
    ['tool', { tool: 'delete' }],
    ['arguments', { arguments: { a: 1 } }],
  ])('P5: is for no other %s, and trying uses nothing up', async (_, other) => {
    const state = await states().make(CALL, STATE)
    await expect(states().use({ ...CALL, ...other }, state)).rejects.toThrow(UNKNOWN)
    expect(await states().use(CALL, state)).toEqual(STATE)
  })

  it('P4: is good once, also for two at once', async () => {
    const state = await states().make(CALL, STATE)
    const tries = await Promise.allSettled([1, 2, 3].map(() => states().use(CALL, state)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(states().use(CALL, state)).rejects.toThrow(UNKNOWN)
  })

  it('P5: is over after a day, and none that somebody made up is one', async () => {
    const state = await states().make(CALL, STATE)
    await setup.clock.advance(24 * 3_600_000 + 1)
    await expect(states().use(CALL, state)).rejects.toThrow(UNKNOWN)
    await expect(states().use(CALL, `${state.slice(0, -1)}!`)).rejects.toThrow(UNKNOWN)
  })
})
