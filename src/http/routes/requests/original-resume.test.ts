/** Hosts that were written for the original: what they read of an interrupt, and the body by which they resume. */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../../test/fixtures/http-gateway.ts'

let http: HttpGateway
const policy = {
  ask: ['plain'],
  reason: 'look at {tool} twice',
  rules: [
    { name: 'both', when: { tool: 'deploy' }, then: 'ask', reason: 'it goes live (at once)' },
    { name: 'each (of them)', when: { tool: 'deploy' }, then: 'ask' },
  ],
}
beforeAll(async () => {
  http = await openHttpGateway({ setup: { policy } })
})
afterAll(() => http.close())

let session = ''
let sessions = 0
beforeEach(() => {
  session = `conversation-${++sessions}`
})

const path = (verb: string, of = session) => `/v1/sessions/${encodeURIComponent(of)}/${verb}`
const stateOf = async (id: string) => (await http.send('GET', `/v1/requests/${id}`, { as: 'ana' })).json.state

/** The body of the original for all that waits. */
async function originalBody(of = session): Promise<Record<string, unknown>> {
  const { json } = await http.send('GET', path('interrupt', of), { as: 'ana' })
  return {
    conversationId: of,
    actionId: json.actionId,
    decisions: json.interrupt.action_requests.map(({ tool_call_id }: { tool_call_id: string }) => ({
      tool_call_id,
      decision: 'approve',
    })),
    agent_id: 'agent_abc123',
    endpoint: 'agents',
  }
}

const resume = (body: unknown, of = session) => http.send('POST', path('resume', of), { as: 'ana', body })

describe('why a person is asked', () => {
  it.each([
    ['plain', 'look at plain twice'],
    ['deploy', 'it goes live (at once)'],
  ])('is the reason alone, as the policy has it: %s', async (tool, description) => {
    const { id } = await http.ask({ session, tool })
    const { json } = await http.send('GET', path('interrupt'), { as: 'ana' })
    expect(json.interrupt.action_requests).toMatchObject([{ description, request_id: id }])
    const { because } = (await http.send('GET', `/v1/requests/${id}`, { as: 'ana' })).json
    expect(because).toBe(description)
  })

  it.each(['en', 'zh'])('has no rule behind it in a sentence of ours either: %s', async (language) => {
    const plain = await openHttpGateway({ setup: { policy: {} } })
    await plain.ask({ session, tool: 'anything' })
    const headers = { 'accept-language': language }
    const { json } = await plain.send('GET', path('interrupt'), { as: 'ana', headers })
    const [{ description }] = json.interrupt.action_requests
    expect(description).toContain('anything')
    expect(description).not.toContain('mode: default')
    await plain.close()
  })

  it('property: whatever the rule is called and the reason says', async () => {
    const words = fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom(...'ab (),（）:;') })
    await fc.assert(
      fc.asyncProperty(words, words, async (name, reason) => {
        fc.pre(name.trim() !== '' && reason.trim() !== '')
        const rules = [{ name, when: { tool: 'deploy' }, then: 'ask', reason }]
        const one = await openHttpGateway({ setup: { policy: { rules } } })
        await one.ask({ session, tool: 'deploy' })
        const { json } = await one.send('GET', path('interrupt'), { as: 'ana' })
        await one.close()
        expect(json.interrupt.action_requests[0].description).toBe(reason)
      }),
      { numRuns: 12 },
    )
  })
})

describe('the body of the original', () => {
  it('is taken, and answered as there', async () => {
    const { id } = await http.ask({ session, tool: 'plain' })
    const { status, json } = await resume(await originalBody())
    expect([status, json]).toMatchObject([
      200,
      { streamId: session, conversationId: session, sessionId: session, status: 'resuming' },
    ])
    expect(await stateOf(id)).toBe('approved')
  })

  it('is taken with all by which the original finds its run', async () => {
    await http.ask({ session, tool: 'plain' })
    const more = {
      endpointType: 'agents',
      generationCreatedAt: 1_714_896_000_123,
      model: 'm',
      spec: null,
      promptPrefix: '',
      ephemeralAgent: { mcp: [] },
    }
    expect((await resume({ ...(await originalBody()), ...more })).status).toBe(200)
  })

  it('P5, P6: is refused where it names another session than the path, and nothing is decided in either', async () => {
    const mine = await http.ask({ session, tool: 'plain' })
    const other = await http.ask({ session: `${session}-other`, tool: 'plain' })
    const body = await originalBody()
    for (const conversationId of [`${session}-other`, 'new', '', `${session} `, encodeURIComponent('a/b')]) {
      const { status, json } = await resume({ ...body, conversationId })
      expect([status, json.code]).toEqual([400, 'invalid_resume'])
    }
    for (const conversationId of [null, 7, [session], { id: session }])
      expect((await resume({ ...body, conversationId })).status).toBe(400)
    // What was read of one session decides nothing in the other, whichever the body names.
    for (const conversationId of [session, `${session}-other`])
      expect((await resume({ ...body, conversationId }, `${session}-other`)).status).toBeGreaterThanOrEqual(
        400,
      )
    expect([await stateOf(mine.id), await stateOf(other.id)]).toEqual(['pending', 'pending'])
  })

  it('P5: is refused with a member that nobody knows', async () => {
    const { id } = await http.ask({ session, tool: 'plain' })
    const { status } = await resume({ ...(await originalBody()), approveAll: true })
    expect([status, await stateOf(id)]).toEqual([400, 'pending'])
  })
})
