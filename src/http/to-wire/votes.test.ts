/** Every vote of a quorum, at every place of the API that tells a decision. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway, type Who } from '../../../test/fixtures/http-gateway.ts'
import { policyFrom, ask as rule } from '../../gateway/fixtures/test-gateway.ts'
import { request as requestSchema } from '../../wire/request.ts'
import { view as viewSchema } from '../../wire/view.ts'

let http: HttpGateway
beforeAll(async () => {
  http = await openHttpGateway({
    setup: {
      policy: policyFrom(() => rule('two people', { approvers: ['ana', 'ben', 'eve'], quorum: 2 })),
      settings: { maxPendingPerSession: 1000 },
    },
  })
})
afterAll(() => http.close())

const decide = (id: string, as: Who, body: object) =>
  http.send('POST', `/v1/requests/${id}/decisions`, { as, body })

/** Ana approves with a comment, then Ben says his word. */
async function decided(decision: 'approve' | 'reject') {
  const { id, digest } = await http.ask({})
  const first = await decide(id, 'ana', { decision: 'approve', digest, reason: 'fine\u202e by me' })
  expect(first.json).toMatchObject({ decided: false })
  const { json } = await decide(id, 'ben', { decision, digest, reason: 'so be it' })
  return { id, digest, json }
}

const voteOf = (by: string) => expect.objectContaining({ by, via: 'http', at: expect.stringMatching(/Z$/) })

describe('every vote of a quorum', () => {
  it('P10: is told with who, when, through what and with which comment', async () => {
    const { id } = await decided('approve')
    const { json } = await http.send('GET', `/v1/requests/${id}`, { as: 'eve' })
    requestSchema.parse(json)
    expect(json.decision).toMatchObject({ kind: 'approve', by: 'ben' })
    expect(json.votes).toEqual([voteOf('ana'), voteOf('ben')])
    expect(json.votes[0].reason).toBe('fine⟨U+202E RLO⟩ by me')
    const history = await http.send('GET', '/v1/history', { as: 'eve' })
    expect(history.json.items[0].request.votes).toEqual(json.votes)
    const byAna = await http.send('GET', '/v1/history?by=ana', { as: 'eve' })
    expect(byAna.json.items.map((item: { request: { id: string } }) => item.request.id)).toContain(id)
  })

  it('P2: is told to who comes too late', async () => {
    const { id, digest } = await decided('approve')
    const { status, json } = await decide(id, 'eve', { decision: 'reject', digest })
    expect(status).toBe(409)
    expect(json).toMatchObject({
      detail: 'ana and ben have already decided: approve',
      decision: { by: 'ben' },
      votes: [voteOf('ana'), voteOf('ben')],
    })
  })

  it('stays with a rejection, and while more are needed', async () => {
    const { json } = await decided('reject')
    expect(json.request).toMatchObject({ state: 'rejected', decision: { by: 'ben' }, votes: [voteOf('ana')] })
    const { id, digest } = await http.ask({})
    await decide(id, 'eve', { decision: 'approve', digest })
    const pending = await http.send('GET', `/v1/requests/${id}`, { as: 'ana' })
    expect(pending.json).toMatchObject({ state: 'pending', votes: [voteOf('eve')] })
  })

  it('is told with earlier decisions on calls like it', async () => {
    await decided('approve')
    const { id } = await http.ask({})
    const { json } = await http.send('GET', `/v1/requests/${id}/view`, { as: 'ana' })
    viewSchema.parse(json)
    expect(json.earlier[0].votes.map(({ by }: { by: string }) => by)).toEqual(['ana', 'ben'])
  })

  it('P10: is in the journal, entry by entry and with the decision', async () => {
    const { id } = await decided('approve')
    const { journal } = http.setup.store
    const chains = await journal.chains()
    const entries = await Promise.all(chains.map(({ chain }) => journal.read(chain, 0, 1000)))
    const bodies = entries
      .flat()
      .filter((entry) => entry.request === id)
      .map((entry) => ({ type: entry.type, ...JSON.parse(entry.body) }))
    expect(bodies).toContainEqual(expect.objectContaining({ type: 'request.voted', by: 'ana', via: 'http' }))
    expect(bodies).toContainEqual(
      expect.objectContaining({ type: 'request.decided', by: 'ben', votes: ['ana', 'ben'] }),
    )
  })
})
