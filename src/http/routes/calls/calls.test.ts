import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../../test/fixtures/http-gateway.ts'
import { agent, ben } from '../../../gateway/fixtures/test-gateway.ts'
import * as callWire from '../../../wire/call.ts'
import * as pageWire from '../../../wire/page.ts'

let http: HttpGateway
beforeAll(async () => {
  http = await openHttpGateway({ setup: { policy: { allow: ['read'], deny: ['drop'] } } })
})
afterAll(() => http.close())

let calls = 0
const aCall = (parts = {}) => ({
  tool: 'deploy',
  arguments: { to: 'staging' },
  callId: `call-${++calls}`,
  session: 's',
  ...parts,
})
const submit = (body: unknown, query = '', headers = {}) =>
  http.send('POST', `/v1/calls${query}`, { as: 'agent-1', body, headers })

describe('POST /v1/calls', () => {
  it('gives the verdict, and opens no request where nobody is asked', async () => {
    expect((await submit(aCall({ tool: 'read' }))).json).toEqual({
      repeated: false,
      verdict: {
        kind: 'allow',
        because: 'Allowed: `read` is on the allow list.',
        reason: { code: 'allow.listed', values: { what: 'read' } },
        rule: 'allow: "read"',
      },
    })
    expect((await submit(aCall({ tool: 'drop' }))).json).toMatchObject({
      verdict: { kind: 'deny', rule: 'deny: "drop"' },
    })
  })

  it('gives the request where a person is asked, as the description says', async () => {
    const { status, json } = await submit(
      aCall({ agent: { name: 'coder' }, cwd: '/srv', context: 'tidying up' }),
    )
    expect(status).toBe(200)
    expect(json.verdict.kind).toBe('ask')
    expect(json.request).toMatchObject({
      state: 'pending',
      kind: 'approval',
      tool: 'deploy',
      arguments: { to: 'staging' },
      cwd: '/srv',
      submittedBy: 'agent-1',
      agent: { name: 'coder', parents: [] },
      approvers: [{ approvers: ['owner', 'group:approvers'], quorum: 1 }],
      yours: false,
    })
    expect(json.request.rendering.text).toContain('staging')
    // Members that the description does not know would be missing from the parsed copy.
    expect(callWire.review.parse(json)).toEqual(json)
  })

  it('P5: a tool name with a control character is denied, and says why', async () => {
    const { json } = await submit(aCall({ tool: 'read\u0007' }))
    expect(json.verdict).toMatchObject({ kind: 'deny', rule: 'built-in: unreadable name' })
  })

  it('the same call again is the same request; another call with its id is refused', async () => {
    const call = aCall()
    const first = await submit(call)
    expect((await submit(call)).json.request.id).toBe(first.json.request.id)
    const other = await submit({ ...call, arguments: { to: 'production' } })
    expect([other.status, other.json.code]).toEqual([409, 'call_conflict'])
  })

  it("P6: a session of someone else's is refused", async () => {
    await submit(aCall({ session: 'mine' }))
    const { status, json } = await http.send('POST', '/v1/calls', {
      as: 'agent-2',
      body: aCall({ session: 'mine' }),
    })
    expect([status, json.code]).toEqual([403, 'not_yours'])
  })

  it('at most 100 requests wait in a session', async () => {
    for (let count = 0; count < 100; count++) {
      await http.setup.gateway.review(aCall({ session: 'full' }), agent)
    }
    const { status, json } = await submit(aCall({ session: 'full' }))
    expect([status, json.code, json.limit]).toEqual([429, 'too_many_pending', 100])
  })
})

describe('hold', () => {
  it('P12: waits for the decision and answers with it', async () => {
    const call = aCall()
    const { id, digest } = (await submit(call)).json.request
    const held = submit(call, '?hold=25s')
    await http.setup.gateway.decide(id, { decision: 'approve', digest }, ben)
    expect((await held).json.request).toMatchObject({
      id,
      state: 'approved',
      decision: { by: 'ben', kind: 'approve' },
    })
  })

  it('P12: gives the request as it is when nobody decided, and the request goes on', async () => {
    const { gateway, clock } = http.setup
    const waiting = waitsIn(gateway)
    const held = submit(aCall(), '?hold=500ms')
    await waiting()
    await clock.advance(500)
    expect((await held).json.request.state).toBe('pending')
  })

  it('is at most 60 s', async () => {
    const { gateway, clock } = http.setup
    const waiting = waitsIn(gateway)
    const held = submit(aCall(), '?hold=999999s')
    await waiting()
    await clock.advance(60_000)
    expect((await held).json.request.state).toBe('pending')
  })

  it('P12: a dropped connection withdraws nothing', async () => {
    const { gateway } = http.setup
    const call = aCall()
    const { id } = (await submit(call)).json.request
    const waiting = waitsIn(gateway)
    const stop = new AbortController()
    const held = http.send('GET', `/v1/requests/${id}?hold=25s`, { as: 'agent-1', signal: stop.signal })
    await waiting()
    stop.abort()
    await expect(held).rejects.toThrow()
    expect((await http.send('GET', `/v1/requests/${id}`, { as: 'agent-1' })).json.state).toBe('pending')
  })

  it('of 10m is refused, and the limit is named', async () => {
    const { status, json } = await submit(aCall(), '?hold=10m')
    expect([status, json.code]).toEqual([400, 'invalid'])
    expect(json.detail).toContain('at most 60s')
  })

  it.each(['0', '0s', '0ms'])('of %s does not wait', async (hold) => {
    expect((await submit(aCall(), `?hold=${hold}`)).json.request.state).toBe('pending')
  })
})

describe('Idempotency-Key', () => {
  it('with the same body is the same submission; with another body it is refused', async () => {
    const call = aCall()
    const headers = { 'idempotency-key': 'k1' }
    const first = await submit(call, '', headers)
    // The order of the members is no difference.
    const again = await submit(Object.fromEntries(Object.entries(call).reverse()), '', headers)
    expect(again.json.request.id).toBe(first.json.request.id)
    const other = await submit(aCall(), '', headers)
    expect([other.status, other.json.code]).toEqual([409, 'idempotency_conflict'])
  })

  it("is each subject's own, and must be readable", async () => {
    await submit(aCall(), '', { 'idempotency-key': 'k2' })
    const other = await http.send('POST', '/v1/calls', {
      as: 'agent-2',
      body: aCall({ session: 'of-2' }),
      headers: { 'idempotency-key': 'k2' },
    })
    expect(other.status).toBe(200)
    const { status, json } = await submit(aCall(), '', { 'idempotency-key': 'a b' })
    expect([status, json.code]).toEqual([400, 'invalid'])
  })
})

describe('GET /v1/calls', () => {
  it('shows people what was allowed or denied, masked, page by page', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    await submit(aCall({ tool: 'read', session: 'history', arguments: { token: secret } }))
    await submit(aCall({ tool: 'drop', session: 'history' }))
    await http.setup.gateway.flush()
    const first = await http.send('GET', '/v1/calls?session=history&limit=1', { as: 'eve' })
    expect(first.json.items).toMatchObject([{ tool: 'drop', verdict: 'deny', submittedBy: 'agent-1' }])
    const second = await http.send('GET', `/v1/calls?session=history&limit=1&cursor=${first.json.cursor}`, {
      as: 'eve',
    })
    expect(second.json.items).toMatchObject([{ tool: 'read', verdict: 'allow' }])
    expect(second.text).not.toContain(secret)
    expect(pageWire.pageOf(callWire.call).parse(second.json)).toEqual(second.json)
  })

  it('is not for agents', async () => {
    const { status, json } = await http.send('GET', '/v1/calls', { as: 'agent-1' })
    expect([status, json.code]).toEqual([403, 'forbidden'])
  })
})

/** Resolves once somebody else has begun to wait in the gateway. */
function waitsIn(gateway: HttpGateway['setup']['gateway']): () => Promise<void> {
  const { wait } = gateway
  let begun = () => {}
  const beginning = new Promise<void>((resolve) => {
    begun = resolve
  })
  gateway.wait = (id, options) => {
    gateway.wait = wait
    const result = wait(id, options)
    begun()
    return result
  }
  return () => beginning
}
