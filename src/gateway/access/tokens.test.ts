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
