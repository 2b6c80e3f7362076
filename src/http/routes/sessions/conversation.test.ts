import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { type HttpGateway, openHttpGateway } from '../../../../test/fixtures/http-gateway.ts'
import {
  openTestAgent,
  type TestAgent,
  type TestAgentOptions,
  waiting,
} from '../../../agents/fixtures/test-agent.ts'
import { defineTool } from '../../../agents/tools/tool.ts'
import { createClient } from '../../../client/index.ts'
import { defined } from '../../../core/defined.ts'
import { ana, ben } from '../../../gateway/fixtures/test-gateway.ts'
import * as schemas from '../../../wire/conversation.ts'
import { progress } from '../../../wire/progress.ts'
import type { WireTurnEvent } from '../../../wire/types/conversation.ts'

const SECRET = `ghp_${'a1B2'.repeat(9)}`
const NOTE = [
  {
    steps: [
      { think: 'hm', say: 'I will note it.', calls: [{ tool: 'note', arguments: { line: SECRET } }] },
      { oneOf: [{ when: { result: 'refused' }, say: 'Not noted: {reason}' }, { say: 'Done.' }] },
    ],
  },
]

interface Both {
  http: HttpGateway
  agents: TestAgent
  client: ReturnType<typeof createClient>
}

/** A real agent with a scripted model behind a real server. */
async function open(options: TestAgentOptions = {}): Promise<Both> {
  const agents = await openTestAgent({ script: NOTE, policy: {}, ...options })
  const http = await openHttpGateway({ around: agents.setup, http: { conversations: agents.agent } })
  onTestFinished(async () => {
    await http.close()
    await agents.close()
  })
  return { http, agents, client: clientOf(http, 'ana') }
}

const clientOf = (http: HttpGateway, who: 'ana' | 'ben' | 'eve') =>
  createClient({ url: `http://${http.host}`, token: http.tokens[who] })

/** Everything up to the end of the turn. */
async function collect(events: AsyncGenerator<WireTurnEvent, void>, turn: string): Promise<WireTurnEvent[]> {
  const seen: WireTurnEvent[] = []
  for await (const event of events) {
    seen.push(event)
    if (event.kind === 'turn_ended' && event.turn === turn) break
  }
  return seen
}

const find = <K extends WireTurnEvent['kind']>(events: WireTurnEvent[], kind: K) =>
  events.find((event) => event.kind === kind) as Extract<WireTurnEvent, { kind: K }>

describe('a conversation over HTTP', () => {
  it('P9: how far it is, with masked calls, for its owner alone', async () => {
    const { http, agents, client } = await open()
    await client.say('s1', 'note it')
    const [request] = await waiting(agents)
    const found = progress.parse(await client.progress('s1'))
    expect(found).toMatchObject({ state: 'waiting', agent: { name: 'main' } })
    expect(found.turn).toMatchObject({
      id: 't1',
      text: 'note it',
      by: 'ana',
      steps: 1,
      said: ['I will note it.'],
      calls: 1,
      recent: [{ call: 't1.1.0', tool: 'note', state: 'waiting' }],
      waiting: [{ request: request!.id, call: 't1.1.0', session: 's1' }],
    })
    expect(JSON.stringify(found)).not.toContain(SECRET)
    await expect(clientOf(http, 'ben').progress('s1')).rejects.toMatchObject({ code: 'unknown_id' })
    await expect(client.progress('nowhere')).rejects.toMatchObject({ code: 'unknown_id' })
  })

  it('begins with words, is followed as events and is kept', async () => {
    const { http, agents, client } = await open()
    const said = await http.send('POST', '/v1/sessions/s1/messages', { as: 'ana', body: { text: 'note it' } })
    expect([said.status, said.json.kind]).toEqual([202, 'begun'])
    expect(schemas.said.parse(said.json)).toEqual(said.json)
    const { turn, after } = said.json

    const [request] = await waiting(agents)
    expect(request!.origin).toEqual({ channel: 'inbox' })
    expect(await client.session('s1')).toMatchObject({ owner: 'ana', running: turn })
    await client.decide(request!.id, { decision: 'approve', digest: request!.digest })
    const events = await collect(client.conversation('s1', { after }), turn)
    expect(events.map(({ kind }) => kind).filter((kind) => kind !== 'text' && kind !== 'thinking')).toEqual([
      'turn_begun',
      'model_called',
      'model_answered',
      'call_proposed',
      'call_waiting',
      'call_started',
      'call_finished',
      'observing',
      'model_called',
      'model_answered',
      'turn_ended',
    ])
    for (const event of events) expect(schemas.turnEvent.parse(event)).toEqual(event)
    expect(find(events, 'turn_ended')).toMatchObject({ status: 'completed', text: 'Done.' })
    expect(agents.notes).toEqual([SECRET])
    expect(await client.session('s1')).not.toHaveProperty('running')

    const page = await client.turns('s1', { limit: 2 })
    expect(page.items.map(({ kind }) => kind)).toEqual(['begun', 'answered'])
    const rest = await client.turns('s1', { after: page.cursor! })
    expect(rest.items.map(({ kind }) => kind)).toEqual(['result', 'answered', 'ended'])
    expect(rest.cursor).toBeUndefined()
    for (const entry of [...page.items, ...rest.items]) expect(schemas.turnEntry.parse(entry)).toEqual(entry)
  })

  it('P9: what a call carries goes out masked and visible, in events and in what was kept', async () => {
    const hidden = defineTool({
      name: 'hidden',
      description: 'Says something that can’t be seen.',
      schema: z.strictObject({}),
      run: async () => ({ text: 'safe\u202e\u001b[2J' }),
    })
    const { client, agents } = await open({
      policy: { allow: ['note', 'hidden'] },
      tools: [hidden],
      script: [
        {
          steps: [
            {
              calls: [
                { tool: 'note', arguments: { line: SECRET } },
                { tool: 'hidden' },
                { tool: 'note', argumentsText: `{"line": "\u202ebroken` },
              ],
            },
            { say: 'Done.' },
          ],
        },
      ],
    })
    const { turn, after } = await client.say('s1', 'note it')
    const events = await collect(client.conversation('s1', { after }), turn)
    const { items } = await client.turns('s1')
    expect(agents.notes).toEqual([SECRET])
    // The tool of the test says its argument again; a result is not masked.
    const told = JSON.stringify(
      events.filter(({ kind }) => kind.startsWith('call_p') || kind === 'call_started'),
    )
    expect(told).not.toContain(SECRET)
    expect(JSON.stringify(items.filter(({ kind }) => kind === 'answered'))).not.toContain(SECRET)
    const proposed = find(events, 'call_proposed')
    expect(proposed.arguments.line).toMatch(/^⟨/)
    expect(proposed.summary).toContain('note')
    for (const text of [JSON.stringify(events), JSON.stringify(items)]) {
      expect(text).not.toMatch(/\u202e|\\u202e|\\u001b/i)
      expect(text).toContain('⟨ESC⟩')
    }
    const answered = items.find((entry) => entry.kind === 'answered')!
    expect(answered).not.toHaveProperty('provider')
    expect(answered.calls[2]).toEqual({
      id: expect.any(String),
      tool: 'note',
      unreadable: expect.any(String),
    })
  })

  it('goes on after Last-Event-ID: nothing is lost, and nothing comes twice', async () => {
    const { http, client } = await open({ policy: { allow: ['note'] } })
    const { turn, after } = await client.say('s1', 'note it')
    const all = await collect(client.conversation('s1', { after }), turn)
    for (const cut of [1, 5, all.length - 2]) {
      const stream = await http.events('ana', all[cut]!.id, '/v1/sessions/s1/conversation')
      const message = await stream.next()
      expect(message).toMatchObject({ id: all[cut + 1]!.id, event: all[cut + 1]!.kind })
      expect(JSON.parse(message.data)).toEqual(all[cut + 1])
      await stream.close()
    }
  })

  it('lives in a session of any name, slashes and escapes included', async () => {
    const { client } = await open({ policy: { allow: ['note'] } })
    for (const session of [
      'react-plus/ana/default',
      'react-plus/a%20b/%2F',
      'pet/日本/é%25',
      'a+b/c?d#e&f',
    ]) {
      const { turn, after } = await client.say(session, 'note it')
      const events = await collect(client.conversation(session, { after }), turn)
      expect(events[0]).toMatchObject({ session, kind: 'turn_begun' })
      expect(await client.session(session)).toMatchObject({ id: session, owner: 'ana' })
      expect((await client.turns(session)).items[0]).toMatchObject({ kind: 'begun', text: 'note it' })
    }
  })

  it('is steered while its turn runs', async () => {
    const { client, agents } = await open()
    const { turn } = await client.say('s1', 'note it')
    await waiting(agents)
    expect(await client.say('s1', 'rather not')).toMatchObject({ kind: 'steered', turn })
  })

  it.each(['hard', 'graceful', undefined] as const)('is stopped: %s', async (how) => {
    const { client, agents } = await open()
    const { turn, after } = await client.say('s1', 'note it')
    const [request] = await waiting(agents)
    const stopped = await client.stopSession('s1', {
      reason: 'enough',
      ...defined({ how }),
    })
    expect(stopped).toMatchObject({ interrupted: true, refused: [] })
    const events = await collect(client.conversation('s1', { after }), turn)
    expect(find(events, 'interrupted')).toMatchObject({ how: how ?? 'hard', by: 'ana', reason: 'enough' })
    expect(find(events, 'turn_ended').status).toBe('interrupted')
    expect((await client.get(request!.id)).state).toBe('cancelled')
    expect(agents.notes).toEqual([])
    expect(await client.stopSession('s1')).toEqual({ stopped: [], refused: [], interrupted: false })
  })

  it('P6: is its owner’s: others neither follow, read nor speak in it', async () => {
    const { http, agents } = await open()
    const { agent } = agents
    await agent.say({ session: 'of-ben', text: 'note it' }, ben)
    const eve = (method: string, path: string, body?: object) =>
      http.send(method, `/v1/sessions/of-ben/${path}`, { as: 'eve', ...defined({ body }) })
    expect((await eve('GET', 'conversation')).json).toMatchObject({ status: 404, code: 'unknown_id' })
    expect((await eve('GET', 'turns')).json).toMatchObject({ status: 404, code: 'unknown_id' })
    expect((await eve('POST', 'messages', { text: 'hello' })).json).toMatchObject({
      status: 403,
      code: 'not_yours',
    })
    expect((await http.send('GET', '/v1/sessions/of-ben', { as: 'eve' })).json).not.toHaveProperty('running')
  })

  it('P11: is never an agent’s', async () => {
    const { http } = await open()
    for (const [method, path, body] of [
      ['POST', 'messages', { text: 'hello' }],
      ['GET', 'conversation', undefined],
      ['GET', 'turns', undefined],
      ['POST', 'stop', {}],
    ] as const) {
      const answer = await http.send(method, `/v1/sessions/s1/${path}`, { as: 'agent-1', body })
      expect([path, answer.status, answer.json.code]).toEqual([path, 403, 'forbidden'])
    }
  })

  it.each([
    [{}, 400, 'invalid'],
    [{ text: '' }, 400, 'invalid'],
    [{ text: '  ' }, 400, 'invalid'],
    [{ text: 7 }, 400, 'invalid'],
    [{ text: 'x', origin: { channel: 'pet' } }, 400, 'invalid'],
    [{ text: 'x', by: 'ben' }, 400, 'invalid'],
    [{ text: 'x'.repeat(65 * 1024) }, 413, 'too_large'],
  ])('takes no words that are none: %.60j', async (body, status, code) => {
    const { http } = await open()
    const answer = await http.send('POST', '/v1/sessions/s1/messages', { as: 'ana', body })
    expect([answer.status, answer.json.code]).toEqual([status, code])
  })

  it('counts against the connections of its credential, and ends when that is revoked', async () => {
    const agents = await openTestAgent({ script: NOTE, policy: {} })
    const http = await openHttpGateway({
      around: agents.setup,
      http: { conversations: agents.agent, settings: { connectionsPerToken: 1 } },
    })
    onTestFinished(async () => {
      await http.close()
      await agents.close()
    })
    await agents.agent.say({ session: 's1', text: 'note it' }, ben)
    const stream = await http.events('ben', undefined, '/v1/sessions/s1/conversation')
    expect((await http.send('GET', '/v1/events', { as: 'ben' })).status).toBe(429)
    const { tokens } = http.setup.gateway
    await tokens.revoke((await tokens.list(ana)).find((token) => token.subject === 'ben')!.id, ana)
    await http.setup.clock.advance(15_000)
    expect(await stream.rest()).toMatch(/: the credential is no longer valid\n\n$/)
  })

  it('tells listeners to come back when the server closes', async () => {
    const { http, agents } = await open()
    await agents.agent.say({ session: 's1', text: 'note it' }, ana)
    const stream = await http.events('ana', undefined, '/v1/sessions/s1/conversation')
    const rest = stream.rest()
    await http.server.close()
    expect(await rest).toMatch(/: the server is restarting; come back\nretry: 1000\n\n$/)
  })
})

it('without an agent it is said that there is none to talk to', async () => {
  const http = await openHttpGateway()
  onTestFinished(() => http.close())
  for (const [method, path, body] of [
    ['POST', 'messages', { text: 'hello' }],
    ['GET', 'conversation', undefined],
    ['GET', 'turns', undefined],
  ] as const) {
    const { status, json } = await http.send(method, `/v1/sessions/s1/${path}`, { as: 'ana', body })
    expect([status, json.code]).toEqual([404, 'unknown_route'])
    expect(json.detail).toContain('no agent is configured')
  }
  expect((await http.send('GET', '/v1/sessions/s1/turns')).status).toBe(401)
})
