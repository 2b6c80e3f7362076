import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LoopbackServer, sendJson, startLoopbackServer } from '../../test/fixtures/loopback-server.ts'
import { createFakeClock } from '../testing/fake-clock.ts'
import { type Client, createClient } from './create-client.ts'
import { login } from './login.ts'

let server: LoopbackServer
let client: Client
let answer: { status: number; body: unknown } = { status: 200, body: {} }

beforeEach(async () => {
  answer = { status: 200, body: { some: 'answer' } }
  server = await startLoopbackServer((heard, response) => {
    if (heard.path === '/v1/journal/export') {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      return void response.end('{"v":1}\n{"n":1}\n')
    }
    if (answer.status === 204) return void response.writeHead(204).end()
    sendJson(response, answer.body, answer.status)
  })
  client = createClient({ url: server.url, token: 'bmp_x' })
})
afterEach(() => server.close())

const call = { tool: 'Bash', arguments: { command: 'ls' }, callId: 'c1', session: 's1' }
const digest = 'd'.repeat(64)

describe('the client', () => {
  const calls: [string, (client: Client) => Promise<unknown>, string, unknown?][] = [
    ['me', (it) => it.me(), 'GET /v1/me'],
    ['submit', (it) => it.submit(call), 'POST /v1/calls', call],
    ['submit and wait', (it) => it.submit(call, { holdMs: 25_000 }), 'POST /v1/calls?hold=25000ms', call],
    ['list', (it) => it.list(), 'GET /v1/requests'],
    [
      'list a part',
      (it) => it.list({ state: 'pending', session: 'a b', cursor: 'c=', limit: 5 }),
      'GET /v1/requests?state=pending&session=a+b&cursor=c%3D&limit=5',
    ],
    ['get', (it) => it.get('req_1'), 'GET /v1/requests/req_1'],
    ['get and wait', (it) => it.get('req_1', { holdMs: 1000 }), 'GET /v1/requests/req_1?hold=1000ms'],
    [
      'decide',
      (it) => it.decide('req_1', { decision: 'reject', digest, reason: 'no' }),
      'POST /v1/requests/req_1/decisions',
      { decision: 'reject', digest, reason: 'no' },
    ],
    [
      'claim',
      (it) => it.claim('req_1', { digest, key: 'k' }),
      'POST /v1/requests/req_1/claim',
      { digest, key: 'k' },
    ],
    [
      'renew',
      (it) => it.renew('req_1', { claimId: 'clm_1' }),
      'POST /v1/requests/req_1/claim/renew',
      { claimId: 'clm_1' },
    ],
    [
      'report',
      (it) => it.report('req_1', { claimId: 'clm_1', outcome: 'ok', summary: 'fine' }),
      'POST /v1/requests/req_1/outcome',
      { claimId: 'clm_1', outcome: 'ok', summary: 'fine' },
    ],
    ['cancel', (it) => it.cancel('req_1'), 'POST /v1/requests/req_1/cancel', {}],
    [
      'settle',
      (it) => it.settle('req_1', { outcome: 'error' }),
      'POST /v1/requests/req_1/settle',
      { outcome: 'error' },
    ],
    ['reveal', (it) => it.reveal('req_1'), 'POST /v1/requests/req_1/reveal', {}],
    ['session', (it) => it.session('a/b'), 'GET /v1/sessions/a%2Fb'],
    [
      'start a coding session',
      (it) => it.startSession({ folder: 'shop', text: 'hello' }),
      'POST /v1/sessions',
      { folder: 'shop', text: 'hello' },
    ],
    ['close a coding session', (it) => it.closeSession('s1'), 'POST /v1/sessions/s1/close', {}],
    ['set a mode', (it) => it.setMode('s1', 'dontAsk'), 'PUT /v1/sessions/s1/mode', { mode: 'dontAsk' }],
    [
      'end a session',
      (it) => it.endSession('s1', { reason: 'x' }),
      'POST /v1/sessions/s1/end',
      { reason: 'x' },
    ],
    ['stop a session', (it) => it.stopSession('s1'), 'POST /v1/sessions/s1/stop', {}],
    ['interrupt', (it) => it.interrupt('a/b'), 'GET /v1/sessions/a%2Fb/interrupt'],
    [
      'resume',
      (it) => it.resume('a/b', { actionId: 'act_1', decisions: [{ tool_call_id: 'c', type: 'approve' }] }),
      'POST /v1/sessions/a%2Fb/resume',
      { actionId: 'act_1', decisions: [{ tool_call_id: 'c', type: 'approve' }] },
    ],
    ['grants', (it) => it.grants({ limit: 10 }), 'GET /v1/grants?limit=10'],
    ['explain', (it) => it.explain(call), 'POST /v1/policy/explain', call],
    [
      'make a token',
      (it) => it.tokens.create({ role: 'agent', subject: 'coder' }),
      'POST /v1/tokens',
      { role: 'agent', subject: 'coder' },
    ],
    [
      'make a login code',
      (it) => it.tokens.createLogin({ role: 'admin', subject: 'ana' }),
      'POST /v1/login/codes',
      { role: 'admin', subject: 'ana' },
    ],
    ['list tokens', (it) => it.tokens.list(), 'GET /v1/tokens'],
    ['chains', (it) => it.chains(), 'GET /v1/journal/chains'],
    ['journal', (it) => it.journal({ chain: 'c', after: 3 }), 'GET /v1/journal?chain=c&after=3'],
    ['verify the journal', (it) => it.verifyJournal(), 'GET /v1/journal/verify'],
    ['calls', (it) => it.calls({ session: 's1' }), 'GET /v1/calls?session=s1'],
  ]

  it.each(calls)('%s: asks the right route and gives the answer whole', async (_, run, route, body) => {
    expect(await run(client)).toEqual({ some: 'answer' })
    expect(server.heard.map(({ method, path }) => `${method} ${path}`)).toEqual([route])
    expect(server.heard[0]?.body).toBe(body === undefined ? '' : JSON.stringify(body))
    expect(server.heard[0]?.headers.authorization).toBe('Bearer bmp_x')
  })

  const silent: [string, (client: Client) => Promise<void>, string, unknown?][] = [
    ['revoke a grant', (it) => it.revokeGrant('g1'), 'DELETE /v1/grants/g1'],
    ['revoke a token', (it) => it.tokens.revoke('t1'), 'DELETE /v1/tokens/t1'],
  ]

  it.each(silent)('%s: gives nothing, whatever the server says', async (_, run, route, body) => {
    answer = { status: 204, body: undefined }
    expect(await run(client)).toBeUndefined()
    answer = { status: 200, body: { session: 's1' } }
    expect(await run(client)).toBeUndefined()
    expect(server.heard.map(({ method, path }) => `${method} ${path}`)).toEqual([route, route])
    expect(server.heard[0]?.body).toBe(body === undefined ? '' : JSON.stringify(body))
  })

  it('sends an idempotency key as a header', async () => {
    await client.submit(call, { idempotencyKey: 'once' })
    expect(server.heard[0]?.headers['idempotency-key']).toBe('once')
  })

  it('says in which language it reads', async () => {
    await createClient({ url: server.url, token: 'bmp_x', language: 'zh' }).list()
    expect(server.heard[0]?.headers['accept-language']).toBe('zh')
  })

  it('P2: who was too late gets the recorded decision with who and when', async () => {
    const decision = { kind: 'reject', by: 'ana', at: 5, via: 'http', digest }
    answer = {
      status: 409,
      body: {
        type: 'x',
        title: 'x',
        status: 409,
        code: 'already_decided',
        detail: 'ana was first',
        decision,
      },
    }
    await expect(client.decide('req_1', { decision: 'approve', digest })).rejects.toMatchObject({
      code: 'already_decided',
      status: 409,
      problem: { decision },
    })
  })

  it('P2: sends a decision once, also when nobody answers', async () => {
    let sent = 0
    const fetch = async () => {
      sent++
      throw new TypeError('fetch failed')
    }
    const broken = createClient({ url: server.url, token: 'bmp_x', fetch })
    await expect(broken.decide('req_1', { decision: 'approve', digest })).rejects.toMatchObject({
      code: 'unreachable',
    })
    expect(sent).toBe(1)
  })

  it('P5: gives up on a server that takes a call and says nothing, when it is told how long to wait', async () => {
    const clock = createFakeClock(0)
    const silent = createClient({
      url: server.url,
      token: 'bmp_x',
      clock,
      withinMs: 20_000,
      fetch: (_, { signal }) =>
        new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason))),
    })
    const calls = [
      silent.decide('req_1', { decision: 'approve', digest }),
      silent.get('req_1', { holdMs: 30_000 }),
      silent.verifyJournal({ withinMs: 90_000 }),
    ].map((call) => call.catch((error) => [error.code, error.detail]))
    const seconds = (count: number) => ['unreachable', `${server.url} did not answer within ${count} s`]
    await clock.advance(20_000)
    expect(await calls[0]).toEqual(seconds(20))
    await clock.advance(30_000)
    expect(await calls[1]).toEqual(seconds(50))
    await clock.advance(40_000)
    expect(await calls[2]).toEqual(seconds(90))
  })

  it('exports the journal a line at a time', async () => {
    const lines: string[] = []
    for await (const line of client.exportJournal()) lines.push(line)
    expect(lines).toEqual(['{"v":1}', '{"n":1}'])
  })

  it('logs in without a credential, with the code in the body', async () => {
    answer = { status: 200, body: { key: 'bmp_new', subject: 'ana', role: 'approver', namespace: 'default' } }
    expect(await login({ url: server.url, code: 'bml_c' })).toMatchObject({ key: 'bmp_new', subject: 'ana' })
    expect(server.heard[0]).toMatchObject({ method: 'POST', path: '/v1/login', body: '{"code":"bml_c"}' })
    expect(server.heard[0]?.headers.authorization).toBeUndefined()
  })

  it('refuses to start without a token and says how to get one', () => {
    expect(() => createClient({ url: server.url, token: '' })).toThrow(/banksman tokens create/)
  })
})
