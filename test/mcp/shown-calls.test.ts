/** What people and the journal have of an MCP call, and what they have not. */
import { afterEach, expect, it } from 'vitest'
import { until } from '../fixtures/until.ts'
import { type GatedProxies, openGatedProxies } from './gated-proxy.ts'
import { textOf } from './proxy-driver.ts'

let gated: GatedProxies
afterEach(() => gated.close())

const SECRET = `sk-ant-api03-${'aB3_-'.repeat(18)}`

/** Everything that people can read, and the journal. */
async function readable(requestId: string): Promise<{ shown: string; journal: string }> {
  const paths = [
    `/v1/requests/${requestId}`,
    `/v1/requests/${requestId}/view`,
    '/v1/requests',
    '/v1/history',
    '/v1/mcp',
  ]
  const answers = await Promise.all(paths.map((path) => gated.http.send('GET', path, { as: 'ana' })))
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200))
  const { journal } = gated.http.setup.store
  const chains = await journal.chains()
  const entries = (await Promise.all(chains.map(({ chain }) => journal.read(chain, 0, 1000)))).flat()
  return { shown: answers.map(({ text }) => text).join('\n'), journal: JSON.stringify(entries) }
}

it('what a tool answers is shown to nobody, and is not in the journal', async () => {
  gated = await openGatedProxies({ policy: {} })
  const proxy = gated.start({ environment: { ITS_SECRET: SECRET, ITS_WORD: 'a word of the result' } })
  const { answer } = proxy.call('env', {})
  const [request] = await gated.pending()
  await gated.approve(request!.id)
  expect(textOf(await answer)).toContain(SECRET)
  await until(async () => (await gated.request(request!.id)).state === 'done')
  const { shown, journal } = await readable(request!.id)
  expect(shown).toContain('mcp__t__env')
  expect(`${shown}${journal}`).not.toContain(SECRET)
  expect(`${shown}${journal}`).not.toContain('a word of the result')
})

it('P9: a large call is cut where it stands among others, with how much there is and with its digest; alone it is whole', async () => {
  gated = await openGatedProxies()
  const proxy = gated.start()
  proxy.call('append', { line: 'x'.repeat(900_000) })
  const [request] = await gated.pending()
  const list = await gated.http.send('GET', '/v1/requests', { as: 'ana' })
  const [cut] = list.json.items
  expect(cut).toMatchObject({ id: request!.id, shortened: true, digest: request!.digest })
  expect(cut.arguments.line).toMatch(/^x+⟨… 8\d\d,\d\d\d characters left out⟩x*$/)
  expect(JSON.stringify(cut).length).toBeLessThan(64 * 1024)
  const whole = await gated.http.send('GET', `/v1/requests/${request!.id}`, { as: 'ana' })
  expect(whole.text.length).toBeGreaterThan(900_000)
})
