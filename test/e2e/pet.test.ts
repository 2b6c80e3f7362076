/** The agent over the pet socket, with the real server and a plain WebSocket client. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { configurePet, openPetClient, ownersKey, type PetClient } from './pet-client.ts'
import { createServerHome, type RunningServer, type ServerHome } from './running-server.ts'

const LINE = 'Hangzhou: sunny, 23 degrees\n'
const SCENES = [
  {
    when: 'weather',
    repeat: true,
    steps: [
      {
        say: 'I will write it down.',
        calls: [{ tool: 'append_file', arguments: { path: 'weather.txt', content: LINE } }],
      },
      {
        oneOf: [
          { when: { result: 'refused', contains: 'not today' }, say: 'Not today, then.' },
          { when: { result: 'refused' }, say: 'Then I leave it.' },
          { say: 'It is sunny in Hangzhou.' },
        ],
      },
    ],
  },
  { steps: [{ say: 'Hello.' }] },
]

let home: ServerHome
let server: RunningServer
let key: string
const clients: PetClient[] = []

beforeAll(async () => {
  home = await createServerHome()
  mkdirSync(join(home.folder, 'workspace'))
  configurePet(home, SCENES)
  server = await home.start()
  key = await ownersKey(server)
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})
afterAll(async () => {
  await server?.stop()
  home?.remove()
})

async function connect(session: string, protocols = ['pet', `token.${key}`]): Promise<PetClient> {
  const client = await openPetClient(server, { protocols, path: `/pet/ws?sessionId=${session}` })
  clients.push(client)
  return client
}

const written = () => {
  const file = join(home.folder, 'workspace', 'weather.txt')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
const said = (client: PetClient) =>
  client.frames
    .filter(({ data }) => data?.type === 'text')
    .map(({ data }) => data.text)
    .join('')

describe('a conversation over the pet socket', () => {
  it('P3: asks, runs what was approved, once, and says so; nothing is announced before', async () => {
    const client = await connect('approve')
    expect((await client.push('init_status')).data.need_config).toBe(false)
    client.send('chat', { text: 'How is the weather in Hangzhou?', session_key: 'k1' }, 'c1')
    expect(await client.response('c1')).toMatchObject({
      status: 'ok',
      action: 'chat',
      data: { session_key: 'k1' },
    })
    const { data } = await client.push('tool_approval')
    expect(data).toMatchObject({
      tool: 'append_file',
      arguments: { path: 'weather.txt', content: LINE },
      session_key: 'k1',
    })
    expect(client.frames.filter((frame) => frame.data?.type === 'tool')).toEqual([])
    expect(written()).toBe('')
    client.send('tool_approval_response', { request_id: data.request_id, approved: true }, 'a1')
    expect(await client.response('a1')).toMatchObject({
      status: 'ok',
      data: { request_id: data.request_id, state: 'approved' },
    })
    const end = await client.find((frame) => frame.is_final === true)
    expect(end.data).toMatchObject({ type: 'final', text: '', status: 'completed' })
    expect(said(client)).toBe('I will write it down.It is sunny in Hangzhou.')
    const phases = client.frames
      .filter((frame) => frame.data?.type === 'tool')
      .map((frame) => frame.data.phase)
    expect(phases).toEqual(['start', 'end'])
    expect(written()).toBe(LINE)
  })

  it('P5: a rejection goes back to the model with its reason, and nothing runs', async () => {
    const before = written()
    const [client, other] = [await connect('reject'), await connect('reject')]
    await other.push('init_status')
    client.send('chat', { text: 'How is the weather in Hangzhou?' })
    const { data } = await client.push('tool_approval')
    client.send('tool_approval_response', {
      request_id: data.request_id,
      approved: false,
      reason: 'not today',
    })
    await client.find((frame) => frame.is_final === true)
    expect(said(client)).toContain('Not today, then.')
    expect(written()).toBe(before)
    expect((await other.push('tool_approval_resolved')).data).toMatchObject({
      request_id: data.request_id,
      state: 'rejected',
      by: 'owner',
      reason: 'not today',
    })
  })

  it('P5: terminate ends the conversation', async () => {
    const before = written()
    const client = await connect('terminate')
    client.send('chat', { text: 'How is the weather in Hangzhou?' })
    const { data } = await client.push('tool_approval')
    client.send('tool_approval_response', { request_id: data.request_id, approved: false, terminate: true })
    const end = await client.find((frame) => frame.is_final === true)
    expect(end.data.status).toBe('terminated')
    client.send('chat', { text: 'Hello?' }, 'c2')
    expect(await client.response('c2')).toMatchObject({ status: 'error', data: { code: 'session_ended' } })
    expect(written()).toBe(before)
  })

  it('P5: an interrupt takes back what was asked', async () => {
    const client = await connect('interrupt')
    client.send('chat', { text: 'How is the weather in Hangzhou?' })
    const { data } = await client.push('tool_approval')
    client.send('interrupt', { kind: 'hard', reason: 'never mind' }, 'i1')
    expect(await client.response('i1')).toMatchObject({ status: 'ok', data: { interrupted: true } })
    const resolved = await client.push('tool_approval_resolved')
    expect(resolved.data).toMatchObject({ request_id: data.request_id, state: 'cancelled' })
    expect((await client.find((frame) => frame.is_final === true)).data.status).toBe('interrupted')
  })

  it('P7: after kill -9 the client that comes back is asked again, answers, and the tool runs once', async () => {
    const before = written()
    const client = await connect('killed')
    client.send('chat', { text: 'How is the weather in Hangzhou?', session_key: 'k 9' })
    const { data } = await client.push('tool_approval')
    await server.stop('SIGKILL')
    server = await home.start()
    const again = await connect('killed')
    const asked = await again.push('tool_approval')
    expect(asked.data).toMatchObject({ request_id: data.request_id, session_key: 'k 9' })
    again.send('tool_approval_response', { request_id: data.request_id, approved: true })
    await again.find((frame) => frame.is_final === true)
    expect(said(again)).toContain('It is sunny in Hangzhou.')
    expect(written()).toBe(before + LINE)
  })
})

describe('the door', () => {
  it('P6: gives no token out', async () => {
    const host = server.url.replace('http://', '')
    const token = await fetch(`${server.url}/pet/token`)
    expect(await token.json()).toEqual({
      enabled: true,
      token: '',
      ws_url: `ws://${host}/pet/ws`,
      protocol: 'pet',
    })
    const status = await fetch(`${server.url}/pet/init_status`)
    expect(await status.json()).toEqual({ initialized: true, service: 'pet' })
  })

  it.each(['/pet/ws', '/pet/', '/ws'])('is at %s, with a token alone or in the first frame', async (path) => {
    const bare = await openPetClient(server, { protocols: [`token.${key}`], path })
    clients.push(bare)
    await bare.push('init_status')
    const first = await openPetClient(server, { protocols: [], path })
    clients.push(first)
    first.send('chat', { text: 'hi' }, 'c')
    expect(await first.response('c')).toMatchObject({ status: 'error', error: 'unauthenticated' })
    first.send('auth', { token: key }, 'a')
    expect(await first.response('a')).toMatchObject({ status: 'ok', data: { subject: 'owner' } })
  })

  it('P11: an agent’s token is refused', async () => {
    const client = await connect('agent', ['pet', `token.${server.agentToken}`])
    expect(await client.closed).toMatchObject({ code: 4401 })
    expect(client.frames).toEqual([])
  })

  it('P5: a frame of 10 MB ends that line only', async () => {
    const [client, other] = [await connect('large'), await connect('other')]
    await client.push('init_status')
    client.raw(JSON.stringify({ action: 'chat', data: { text: 'x'.repeat(10_000_000) } }))
    expect([1006, 1009]).toContain((await client.closed).code)
    other.send('health_check', {}, 'h')
    expect(await other.response('h')).toMatchObject({ status: 'ok' })
  })

  it('P5: a thousand sockets that say nothing keep nobody out who does', async () => {
    const client = await connect('named')
    await client.push('init_status')
    const silent = await Promise.allSettled(
      Array.from({ length: 1000 }, () => openPetClient(server, { protocols: [], path: '/pet/ws' })),
    )
    const opened = silent.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    clients.push(...opened)
    // All but the few that there is room for are sent away at once.
    const sentAway = await Promise.all(opened.slice(-100).map(({ closed }) => closed))
    expect(new Set(sentAway.map(({ code }) => code))).toEqual(new Set([1013]))
    client.send('health_check', {}, 'h')
    expect(await client.response('h')).toMatchObject({ status: 'ok' })
  })
})
