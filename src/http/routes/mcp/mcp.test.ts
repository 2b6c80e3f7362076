/** The routes of the proxy in front of an MCP server: what its token is good for, and what each call comes to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../../test/fixtures/http-gateway.ts'
import { ana, newestRequest } from '../../../gateway/fixtures/test-gateway.ts'

let http: HttpGateway
let token: string
beforeAll(async () => {
  http = await openHttpGateway({
    setup: {
      policy: {
        allow: ['mcp__files__read*', 'mcp__files__list', 'mcp__other__*', 'deploy'],
        ask: ['mcp__asks__resources/read'],
        deny: ['mcp__files__delete*', 'mcp__files__prompts/get'],
      },
    },
  })
  token = (
    await http.setup.gateway.tokens.create({ role: 'agent', subject: 'files@host', scope: 'mcp:files' }, ana)
  ).secret
})
afterAll(() => http.close())

const as = (secret: string) => ({ headers: { authorization: `Bearer ${secret}` } })
const send = (path: string, body: unknown, secret = token) =>
  http.send('POST', path, {
    ...as(secret),
    body,
    headers: { ...as(secret).headers, 'content-type': 'application/json' },
  })

let calls = 0
interface Parts {
  server?: string
  tool?: string
  called?: string
  method?: string
  definition?: object
  program?: string[]
  secret?: string
  args?: object
}
function hold({
  server = 'files',
  tool = 'read',
  called,
  method = 'tools/call',
  definition,
  program,
  secret,
  args,
}: Parts) {
  const callId = `m${++calls}`
  const call = {
    tool: called ?? `mcp__${server}__${tool}`,
    arguments: args ?? {},
    callId,
    session: `s-${server}-${secret === undefined ? 'own' : 'other'}`,
  }
  const mcp = { method, program: program ?? ['server'], ...(definition === undefined ? {} : { definition }) }
  return send(`/v1/mcp/${server}/holds?hold=0ms`, { call, key: `key-${callId}`, mcp }, secret)
}

describe('the token of one server', () => {
  it('P6: is good for nothing else', async () => {
    const routes: [string, string, unknown?][] = [
      ['GET', '/v1/requests'],
      ['GET', '/v1/mcp'],
      ['GET', '/v1/policy'],
      ['GET', '/v1/journal'],
      ['GET', '/v1/events'],
      ['POST', '/v1/calls', { tool: 'deploy', arguments: {}, callId: 'x', session: 's' }],
      ['POST', '/v1/holds', { call: { tool: 'deploy', arguments: {}, callId: 'x', session: 's' }, key: 'k' }],
      ['POST', '/v1/holds/outcome', { session: 's', callId: 'x', key: 'k', outcome: 'ok' }],
      ['POST', '/v1/judge', { tool: 'deploy', arguments: {}, callId: 'x', session: 's' }],
      ['POST', '/v1/tokens', { role: 'agent', subject: 'x' }],
      ['POST', '/v1/mcp/files/accept', { digest: 'x' }],
      ['POST', '/v1/mcp/other/holds', { call: {}, key: 'k', mcp: {} }],
      ['POST', '/v1/mcp/other/tools', { tools: [] }],
      ['POST', '/v1/mcp/other/requests/req_1/cancel', {}],
      ['POST', '/v1/mcp/file/tools', { tools: [] }],
      ['POST', '/v1/mcp/files2/tools', { tools: [] }],
      ['POST', '/v1/mcp/FILES/tools', { tools: [] }],
      ['POST', '/v1/mcp/files%2Fx/tools', { tools: [] }],
      ['POST', '/v1/mcp/files%00/tools', { tools: [] }],
    ]
    for (const [method, path, body] of routes) {
      const headers = {
        ...as(token).headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const { status } = await http.send(method, path, { headers, ...(body === undefined ? {} : { body }) })
      expect([method, path, status]).toEqual([method, path, path.includes('%00') ? expect.any(Number) : 403])
      expect(status).toBeGreaterThanOrEqual(400)
    }
  })

  it('P6: holds calls of its own server only, under their true names', async () => {
    for (const parts of [
      { called: 'deploy' },
      { called: 'mcp__other__x' },
      { called: 'mcp__files__' },
      { called: 'mcp__files_read' },
      { called: 'MCP__files__read' },
      { called: 'mcp__filesx__read' },
      // A tool can't pass for a method that is allowed by default, nor a method for another.
      { tool: 'resources/read' },
      { tool: 'write', method: 'resources/read' },
      { tool: 'prompts/get', method: 'resources/read' },
      { tool: 'read', method: 'tools/list' },
      { tool: 'read', method: 'Tools/call' },
    ]) {
      const { status, json } = await hold(parts)
      expect([parts, status, json.code]).toEqual([parts, 422, 'invalid_call'])
    }
    expect((await hold({})).json).toMatchObject({ kind: 'held' })
  })

  it('P6: can’t touch the requests of another subject', async () => {
    const request = await http.ask({ tool: 'mcp__asks__write' })
    for (const [step, body] of [
      ['cancel', {}],
      ['outcome', { claimId: 'c', outcome: 'ok' }],
      ['claim/renew', { claimId: 'c' }],
    ] as const) {
      const { status } = await send(`/v1/mcp/files/requests/${request.id}/${step}`, body)
      expect(status).toBeGreaterThanOrEqual(400)
    }
    expect((await http.setup.store.get(request.id))?.state).toBe('pending')
  })
})

describe('what is no tool', () => {
  it('is allowed and recorded unless a rule speaks of it', async () => {
    const { json } = await hold({
      tool: 'resources/read',
      method: 'resources/read',
      args: { uri: 'file:///a' },
    })
    expect(json).toMatchObject({ kind: 'held', arguments: { uri: 'file:///a' } })
    const { items } = await http.setup.store.calls.list({})
    expect(items.some(({ tool }) => tool === 'mcp__files__resources/read')).toBe(true)
    expect((await hold({ tool: 'prompts/get', method: 'prompts/get' })).json).toMatchObject({
      kind: 'refused',
      state: 'denied',
    })
    const asks = (
      await http.setup.gateway.tokens.create({ role: 'agent', subject: 'asks@host', scope: 'mcp:asks' }, ana)
    ).secret
    const asked = await hold({
      server: 'asks',
      tool: 'resources/read',
      method: 'resources/read',
      secret: asks,
    })
    expect(asked.json).toMatchObject({ kind: 'pending' })
    // A tool that no rule names is asked about.
    expect((await hold({ server: 'asks', tool: 'write', secret: asks })).json).toMatchObject({
      kind: 'pending',
    })
  })
})

describe('pins', () => {
  it('P5: a changed definition suspends the rule that allows, until an admin accepts it', async () => {
    const one = { name: 'list', description: 'one' }
    const two = { name: 'list', description: 'two' }
    expect((await hold({ tool: 'list', definition: one })).json.kind).toBe('held')
    expect((await hold({ tool: 'list', definition: two })).json.kind).toBe('pending')
    const { because } = await newestRequest(http.setup)
    expect(because).toMatch(/list/)
    const servers = async () => (await http.send('GET', '/v1/mcp', { as: 'ben' })).json.items
    const tool = (await servers())
      .find(({ name }: { name: string }) => name === 'files')
      .tools.find(({ name }: { name: string }) => name === 'list')
    expect(tool).toMatchObject({
      text: expect.stringContaining('one'),
      changed: { text: expect.stringContaining('two') },
    })
    const accept = (who: 'ana' | 'ben', digest: string) =>
      http.send('POST', '/v1/mcp/files/accept', { as: who, body: { tool: 'list', digest } })
    expect((await accept('ben', tool.changed.digest)).status).toBe(403)
    expect((await accept('ana', tool.digest)).status).toBe(409)
    expect((await accept('ana', tool.changed.digest)).status).toBe(200)
    expect((await hold({ tool: 'list', definition: two })).json.kind).toBe('held')
  })

  it('P5: another program under the name suspends all of its rules', async () => {
    expect((await hold({ program: ['server'] })).json.kind).toBe('held')
    expect((await hold({ program: ['another'] })).json.kind).toBe('pending')
    expect(
      (await hold({ tool: 'resources/read', method: 'resources/read', program: ['another'] })).json.kind,
    ).toBe('pending')
    expect((await hold({ tool: 'delete', program: ['another'] })).json).toMatchObject({ state: 'denied' })
    expect((await hold({ program: ['server'] })).json.kind).toBe('held')
  })
})

it('P5: what a client comes back with is for the token and the MCP server that it was made with', async () => {
  const tokenFor = async (subject: string, scope: object) =>
    (await http.setup.gateway.tokens.create({ role: 'agent', subject, ...scope }, ana)).secret
  const free = await tokenFor('free', {})
  const call = { session: 's1', tool: 'write', arguments: { a: 1 } }
  const made = await send('/v1/mcp/files/states', { ...call, callId: 'c1', rounds: 1 }, free)
  const { requestState } = made.json
  const use = (server: string, secret: string) =>
    send(`/v1/mcp/${server}/states/use`, { ...call, requestState }, secret)
  expect((await use('other', await tokenFor('other', { scope: 'mcp:other' }))).status).toBe(404)
  // Good for another server only: it doesn't get so far.
  expect((await use('files', await tokenFor('other', { scope: 'mcp:other' }))).status).toBe(403)
  expect((await use('files', token)).status).toBe(404)
  expect((await use('other', free)).status).toBe(404)
  expect(await use('files', free)).toMatchObject({ status: 200, json: { callId: 'c1', rounds: 1 } })
})

it('hides what the policy denies by name, and denies it all the same', async () => {
  const { json } = await send('/v1/mcp/files/tools', { tools: ['read', 'delete', 'delete_all', 'write'] })
  expect(json).toEqual({ hidden: ['delete', 'delete_all'] })
  expect((await hold({ tool: 'delete_all' })).json).toMatchObject({ kind: 'refused', state: 'denied' })
})

it('P4: takes several outcomes at once; one that can’t be recorded doesn’t keep back the others', async () => {
  const held = [(await hold({})).json, (await hold({})).json]
  const outcome = ({ session, callId, key }: { session: string; callId: string; key: string }) => ({
    session,
    callId,
    key,
    outcome: 'ok',
  })
  const notOurs = { ...outcome(held[0]), key: 'another-key' }
  const report = (outcomes: object[]) => send('/v1/mcp/files/holds/outcomes', { outcomes })
  const first = await report([outcome(held[0]), notOurs, { ...outcome(held[1]), outcome: 'error' }])
  expect(first.json.outcomes).toEqual([{}, { code: 'not_running', detail: expect.stringMatching(/\w/) }, {}])
  const { known } = await http.setup.store.lookup(held[1].session, held[1].callId, '')
  expect(known?.hold).toMatchObject({ state: 'done', outcome: { kind: 'error' } })
  // An answer was lost: the same again is no second outcome.
  expect((await report([outcome(held[0])])).json.outcomes).toEqual([{}])
  expect((await report([{ ...outcome(held[0]), outcome: 'error' }])).json.outcomes).toMatchObject([
    { code: 'already_reported' },
  ])
})

it('says what would happen to a call of its own server, and records nothing', async () => {
  const judge = (tool: string) =>
    send('/v1/mcp/files/judge', { tool, arguments: {}, callId: 'forecast', session: 's-files-own' })
  expect((await judge('mcp__files__read')).json).toMatchObject({ kind: 'allow' })
  expect((await judge('mcp__files__delete')).json).toMatchObject({ kind: 'deny' })
  expect((await judge('mcp__files__write')).json).toMatchObject({ kind: 'ask' })
  expect((await judge('mcp__other__read')).status).toBe(422)
  expect((await http.setup.store.calls.list({})).items.some(({ callId }) => callId === 'forecast')).toBe(
    false,
  )
})
