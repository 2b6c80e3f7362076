import { describe, expect, it, onTestFinished } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../../test/fixtures/http-gateway.ts'
import { openTestAgent, waiting } from '../../../agents/fixtures/test-agent.ts'
import { createClient } from '../../../client/index.ts'
import * as pageWire from '../../../wire/page.ts'
import { sessionRow } from '../../../wire/session.ts'

const SCRIPT = [{ steps: [{ calls: [{ tool: 'note', arguments: { line: 'x' } }] }, { say: 'Done.' }] }]

/** An agent of somebody's has made a call, and in ben's conversation with ours a call waits for an answer. */
async function open(): Promise<{
  http: HttpGateway
  as: (who: 'ana' | 'ben' | 'eve') => ReturnType<typeof createClient>
}> {
  const agents = await openTestAgent({ script: SCRIPT, policy: {} })
  const http = await openHttpGateway({ around: agents.setup, http: { conversations: agents.agent } })
  onTestFinished(async () => {
    await http.close()
    await agents.close()
  })
  const as = (who: 'ana' | 'ben' | 'eve') =>
    createClient({ url: `http://${http.host}`, token: http.tokens[who] })
  await http.ask({ session: 'of-agent-1' })
  await agents.setup.clock.advance(1000)
  await as('ben').say('talk', 'Note\u202e this,\nplease')
  await waiting(agents, 1, 'talk')
  return { http, as }
}

describe('GET /v1/sessions', () => {
  it('has the newest first, with how it began, whether a turn runs, and when something last happened', async () => {
    const { http, as } = await open()
    const { json } = await http.send('GET', '/v1/sessions', { as: 'ben' })
    expect(pageWire.pageOf(sessionRow).parse(json)).toEqual(json)
    expect(json.items).toMatchObject([
      {
        id: 'talk',
        owner: 'ben',
        running: 't1',
        title: expect.stringMatching(/^Note.*U\+202E.* this, please$/),
      },
      { id: 'of-agent-1', owner: 'agent-1' },
    ])
    expect(json.items[1].lastAt).toBe(json.items[1].createdAt)
    expect(json.items[0].lastAt >= json.items[0].createdAt).toBe(true)
    expect((await as('ben').sessions({ mine: true })).items.map(({ id }) => id)).toEqual(['talk'])
    expect((await as('ana').sessions({ mine: true })).items).toEqual([])
    const first = await as('ana').sessions({ limit: 1 })
    const second = await as('ana').sessions({ limit: 1, cursor: first.cursor! })
    expect([first, second].map(({ items }) => items.map(({ id }) => id))).toEqual([['talk'], ['of-agent-1']])
    expect(second).not.toHaveProperty('cursor')
  })

  it("P6: says nothing of what is said or runs in somebody else's conversation", async () => {
    const { as } = await open()
    const [talk] = (await as('eve').sessions()).items
    expect(talk).toMatchObject({ id: 'talk', owner: 'ben' })
    expect(talk).not.toHaveProperty('title')
    expect(talk).not.toHaveProperty('running')
    expect((await as('ana').sessions()).items[0]).toMatchObject({ running: 't1' })
  })

  it("P6, P11: an agent's token is refused, and a query that makes no sense is named", async () => {
    const { http } = await open()
    for (const path of ['/v1/sessions', '/v1/sessions?mine=true']) {
      const { status, json } = await http.send('GET', path, { as: 'agent-1' })
      expect([status, json.code]).toEqual([403, 'forbidden'])
    }
    for (const [query, pointer] of [
      ['mine=1', '/mine'],
      ['limit=0', '/limit'],
      ['owner=ana', '/owner'],
    ]) {
      const { json } = await http.send('GET', `/v1/sessions?${query}`, { as: 'ana' })
      expect([json.code, json.pointer]).toEqual(['invalid', pointer])
    }
    expect((await http.send('GET', '/v1/sessions?cursor=x', { as: 'ana' })).json.code).toBe('invalid')
  })
})
