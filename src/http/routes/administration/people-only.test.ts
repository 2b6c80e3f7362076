import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../../test/fixtures/http-gateway.ts'
import { ana } from '../../../gateway/fixtures/test-gateway.ts'
import { exportJournal, pageJournal, readExport, verifyJournal } from '../../../journal/index.ts'
import * as explanationWire from '../../../wire/explanation.ts'
import * as journalWire from '../../../wire/journal.ts'
import * as pageWire from '../../../wire/page.ts'

let http: HttpGateway
beforeAll(async () => {
  const source = () => {
    const { history } = http.setup.gateway
    return pageJournal({
      chains: () => history.chains(ana),
      read: (chain, after, limit) => history.entries(chain, after, limit, ana),
    })
  }
  http = await openHttpGateway({
    setup: { policy: { deny: ['drop'] } },
    http: {
      metrics: () => 'banksman_pending 1\n',
      verifyJournal: () => verifyJournal(source()),
      exportJournal: () => exportJournal(source()),
    },
  })
})
afterAll(() => http.close())

describe('POST /v1/policy/explain', () => {
  it('tells people what the policy says, and records nothing', async () => {
    const explain = (tool: string) =>
      http.send('POST', '/v1/policy/explain', { as: 'eve', body: { tool, arguments: {} } })
    expect((await explain('drop')).json).toMatchObject({
      verdict: { kind: 'deny', rule: 'deny: "drop"' },
      rules: [{ rule: 'deny: "drop"', decided: true, pointer: '/deny/0' }],
    })
    const asked = await explain('deploy')
    expect(asked.json).toMatchObject({ verdict: { kind: 'ask', terms: { severity: 'normal' } } })
    expect(explanationWire.explanation.parse(asked.json)).toEqual(asked.json)
    expect((await http.send('GET', '/v1/requests?session=explain', { as: 'ana' })).json.items).toEqual([])
  })

  it('is not for agents, and takes a call', async () => {
    const body = { tool: 'drop', arguments: {} }
    expect((await http.send('POST', '/v1/policy/explain', { as: 'agent-1', body })).status).toBe(403)
    const { json } = await http.send('POST', '/v1/policy/explain', { as: 'eve', body: { tool: 'x' } })
    expect(json).toMatchObject({ code: 'invalid_call', pointer: '/arguments' })
  })
})

describe('the journal', () => {
  it('P10: is read in pages, with the texts that were hashed', async () => {
    await http.ask({ session: 'told' })
    const chains = (await http.send('GET', '/v1/journal/chains', { as: 'eve' })).json
    expect((await http.send('GET', '/v1/journal', { as: 'eve' })).json).toEqual(chains)
    expect(pageWire.pageOf(journalWire.chain).parse(chains)).toEqual(chains)
    const [{ chain, last }] = chains.items
    const seen: number[] = []
    let after: string | undefined = '0'
    while (after !== undefined) {
      const page: { items: { n: number; body: string }[]; cursor?: string } = (
        await http.send('GET', `/v1/journal?chain=${chain}&after=${after}&limit=3`, { as: 'eve' })
      ).json
      expect(pageWire.pageOf(journalWire.journalEntry).parse(page)).toEqual(page)
      seen.push(...page.items.map((entry) => entry.n))
      after = page.cursor
    }
    expect((await http.send('GET', '/v1/journal?chain=none', { as: 'eve' })).json.code).toBe('unknown_id')
    expect((await http.send('GET', `/v1/journal?chain=${chain}&after=${last}`, { as: 'eve' })).json).toEqual({
      items: [],
    })
    expect(seen).toEqual(Array.from({ length: last }, (_, index) => index + 1))
  })

  it('P10: is verified, and exported so that it can be verified elsewhere', async () => {
    const report = (await http.send('GET', '/v1/journal/verify', { as: 'eve' })).json
    expect(report).toMatchObject({ ok: true, problems: [] })
    const { headers, text } = await http.send('GET', '/v1/journal/export', { as: 'eve' })
    expect(headers.get('content-type')).toBe('application/x-ndjson')
    const copy = await verifyJournal(readExport(text.trimEnd().split('\n')))
    expect(copy).toMatchObject({ ok: true, entries: report.entries })
  })

  it('is not for agents', async () => {
    for (const path of ['', '/chains', '/verify', '/export']) {
      const { status, json } = await http.send('GET', `/v1/journal${path}`, { as: 'agent-1' })
      expect([status, json.code]).toEqual([403, 'forbidden'])
    }
  })
})

it('metrics are for people', async () => {
  const { headers, text } = await http.send('GET', '/metrics', { as: 'ben' })
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(text).toBe('banksman_pending 1\n')
  expect((await http.send('GET', '/metrics', { as: 'agent-1' })).status).toBe(403)
})
