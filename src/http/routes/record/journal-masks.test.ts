import { afterAll, beforeAll, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway, type Who } from '../../../../test/fixtures/http-gateway.ts'
import { ana } from '../../../gateway/fixtures/test-gateway.ts'
import { exportJournal, pageJournal, readExport, verifyJournal } from '../../../journal/index.ts'

let http: HttpGateway
beforeAll(async () => {
  const source = () => {
    const { history } = http.setup.gateway
    return pageJournal({
      chains: () => history.chains(ana),
      read: (chain, after, limit) => history.entries(chain, after, limit, ana),
    })
  }
  http = await openHttpGateway({ http: { exportJournal: () => exportJournal(source()) } })
})
afterAll(() => http.close())

it('P9: a secret in a reason is masked in the journal, whatever words brought it there', async () => {
  // One looks like a secret, one is hidden in the call because of its name, one comes with an edit.
  const token = `ghp_${'a1B2'.repeat(9)}`
  const password = 'correct horse battery'
  const newPassword = 'staple of the year'
  const reason = (more = '') => `no: ${token}, plain words, ${more}`
  const ask = (session: string) => http.ask({ session, arguments: { password, to: 'x' } })
  const post = async (path: string, as: Who, body: object) => {
    const { status, text } = await http.send('POST', path, { as, body })
    expect(status, text).toBe(200)
  }
  for (const decision of ['reject', 'terminate']) {
    const { id, digest } = await ask(decision)
    await post(`/v1/requests/${id}/decisions`, 'ben', { decision, digest, reason: reason(`"${password}"`) })
  }
  const withdrawn = await ask('withdrawn')
  await post(`/v1/requests/${withdrawn.id}/cancel`, 'agent-1', { reason: reason(`"${password}"`) })
  await ask('ended')
  await post('/v1/sessions/ended/end', 'ana', { reason: reason() })
  const edited = await ask('edited')
  await post(`/v1/requests/${edited.id}/reveal`, 'ben', {})
  await post(`/v1/requests/${edited.id}/decisions`, 'ben', {
    decision: 'edit',
    digest: edited.digest,
    arguments: { password: newPassword, to: 'x' },
    reason: reason(`"${password}", "${newPassword}"`),
  })
  const together = [await ask('all'), await ask('all')]
  await http.setup.gateway.decideAll(
    together.map(({ id, digest }) => ({
      id,
      input: { decision: 'reject' as const, digest, reason: reason(`"${password}"`) },
    })),
    ana,
  )

  const { text } = await http.send('GET', '/v1/journal/export', { as: 'eve' })
  const said = text.split('\n').filter((line) => line.includes('plain words'))
  expect(said).toHaveLength(8)
  for (const line of said) expect(line).toMatch(/no: ⟨masked: [^⟩]+⟩, plain words/)
  for (const secret of [token, password, newPassword]) expect(text).not.toContain(secret)
  expect(await verifyJournal(readExport(text.trimEnd().split('\n')))).toMatchObject({ ok: true })
})
