import { afterEach, beforeEach, expect, it } from 'vitest'
import { ana, openTestGateway, type TestGateway } from '../fixtures/test-gateway.ts'

let setup: TestGateway
beforeEach(async () => {
  setup = await openTestGateway()
})
afterEach(() => setup.close())

it('lists login links as long as they can be used, and never again', async () => {
  const { tokens } = setup.gateway
  const links = async () => (await tokens.list(ana)).filter(({ use }) => use === 'login')
  const [used, revoked, left] = await Promise.all(
    ['ben', 'eve', 'gwen'].map((subject) => tokens.createLogin({ subject, role: 'approver' }, ana)),
  )
  expect(await links()).toHaveLength(3)
  await tokens.login(used!.secret)
  await tokens.revoke(revoked!.token.id, ana)
  expect((await links()).map(({ id }) => id)).toEqual([left!.token.id])
  await setup.clock.advance(15 * 60_000)
  expect(await links()).toEqual([])
  expect((await tokens.list(ana)).map(({ label }) => label)).toEqual(['browser'])
})

it('P6: a token with a scope counts only where exactly that is asked for', async () => {
  const { tokens } = setup.gateway
  const { secret, token } = await tokens.create(
    { role: 'agent', subject: 'codex@host', scope: 'hooks:codex' },
    ana,
  )
  expect(token.scope).toBe('hooks:codex')
  expect((await tokens.authenticate(secret, 'hooks:codex'))?.id).toBe(token.id)
  for (const scope of [undefined, '', 'hooks', 'hooks:', 'hooks:claude-code', 'hooks:codex '])
    await expect(tokens.authenticate(secret, scope)).rejects.toMatchObject({ code: 'forbidden' })
  await tokens.revoke(token.id, ana)
  expect(await tokens.authenticate(secret, 'hooks:codex')).toBeUndefined()
})

it('P6: a token without a scope counts where one is asked for', async () => {
  const { tokens } = setup.gateway
  const { secret, token } = await tokens.create({ role: 'agent', subject: 'coder' }, ana)
  expect((await tokens.authenticate(secret, 'hooks:codex'))?.id).toBe(token.id)
})

it.each([
  [{ role: 'admin', scope: 'hooks:codex' }, 'only a token of the role agent can have a scope'],
  [{ role: 'agent', scope: 'mcp:' }, 'or mcp: and the name of an MCP server'],
  [{ role: 'agent', scope: 'mcp:a__b' }, 'or mcp: and the name of an MCP server'],
  [{ role: 'agent', scope: 'mcp:files:read' }, 'or mcp: and the name of an MCP server'],
  [{ role: 'agent', scope: '' }, 'scope must be hooks: and the name of a coding agent'],
  [{ role: 'agent', scope: 'hooks:*' }, 'scope must be hooks: and the name of a coding agent'],
  [{ role: 'agent', scope: 'tokens:codex' }, 'scope must be hooks: and the name of a coding agent'],
] as const)('P6: %o is not made', async (input, message) => {
  const made = setup.gateway.tokens.create({ subject: 'x', ...input }, ana)
  await expect(made).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining(message) })
})
