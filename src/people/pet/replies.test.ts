import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { BanksmanError } from '../../core/errors.ts'
import { type Client, openTestPet, type TestPet } from './fixtures/test-pet.ts'

let setup: TestPet
beforeEach(async () => {
  setup = await openTestPet()
})
afterEach(() => setup.close())

const settled = () => setup.setup.clock.advance(0)
const SESSION = 'pet/ana/default'
const usage = { inputTokens: 0, outputTokens: 0 }
const ended = (text: string) =>
  ({ kind: 'turn_ended', status: 'completed', text, usage, steps: 1, durationMs: 1 }) as const
const chats = (client: Client) => client.pushes('ai_chat').map(({ data }) => data)

async function say(client: Client, text: string, more: object = {}, requestId?: string): Promise<void> {
  const before = client.responses('chat').length
  client.say('chat', { text, ...more }, requestId)
  await until(async () => client.responses('chat').length > before)
}

describe('chat', () => {
  it('is acknowledged with its session_key and the id it came with, and said where it was said', async () => {
    const client = await setup.connect('ana')
    await say(client, 'hello', { session_key: 'k 1' }, 'r1')
    expect(client.responses('chat')).toEqual([
      {
        status: 'ok',
        action: 'chat',
        data: { session_key: 'k 1', turn: 't1', kind: 'begun' },
        request_id: 'r1',
      },
    ])
    const session = 'pet/ana/default/k%201'
    expect(setup.talk.said).toEqual([
      { saying: { session, text: 'hello', origin: { channel: 'pet', conversation: session } }, by: 'ana' },
    ])
  })

  it('streams the reply in numbered pieces and then says that it is over', async () => {
    const client = await setup.connect('ana')
    await say(client, 'hello')
    setup.talk.happen(SESSION, { kind: 'text', delta: 'Hi ' })
    setup.talk.happen(SESSION, { kind: 'text', delta: 'there' })
    setup.talk.happen(SESSION, ended('Hi there'))
    await settled()
    expect(client.pushes('ai_chat')).toMatchObject([
      { data: { chat_id: 1, type: 'text', text: 'Hi ' }, is_final: false },
      { data: { chat_id: 2, type: 'text', text: 'there' }, is_final: false },
      {
        data: {
          chat_id: 3,
          type: 'final',
          text: '',
          emotion: 'neutral',
          action: '',
          reply: 'Hi there',
          status: 'completed',
          turn: 't1',
        },
        is_final: true,
      },
    ])
  })

  it('says a reply that did not come in pieces as one', async () => {
    const client = await setup.connect('ana')
    await say(client, 'hello')
    setup.talk.happen(SESSION, { kind: 'text', delta: 'Let me look' })
    setup.talk.happen(SESSION, { kind: 'model_called', step: 2, model: 'm', messages: 1, tools: 0 })
    setup.talk.happen(SESSION, ended('Sunny'))
    await settled()
    expect(chats(client).map(({ text }) => text)).toEqual(['Let me look', 'Sunny', ''])
  })

  it('says each word once, whether it came in pieces, as a whole, or both', async () => {
    const client = await setup.connect('ana')
    await say(client, 'hello')
    const answered = (step: number, text: string) =>
      setup.talk.happen(SESSION, { kind: 'model_answered', step, text, calls: 0, usage })
    setup.talk.happen(SESSION, { kind: 'model_called', step: 1, model: 'm', messages: 1, tools: 0 })
    setup.talk.happen(SESSION, { kind: 'text', delta: 'in ' })
    setup.talk.happen(SESSION, { kind: 'text', delta: 'pieces' })
    answered(1, 'in pieces')
    answered(2, '')
    answered(3, 'as a whole')
    answered(4, 'the end')
    setup.talk.happen(SESSION, ended('the end'))
    await settled()
    expect(chats(client).map(({ text }) => text)).toEqual(['in ', 'pieces', 'as a whole', 'the end', ''])
  })

  it('P5: tells of a tool when it starts, not when the model wants it or a person is asked', async () => {
    const client = await setup.connect('ana')
    await say(client, 'deploy')
    const call = { call: 't1.1.0', tool: 'deploy' }
    setup.talk.happen(SESSION, { kind: 'call_proposed', ...call, arguments: {}, step: 1, index: 0, of: 1 })
    setup.talk.happen(SESSION, { kind: 'call_waiting', ...call, arguments: {}, request: 'req_1' })
    await settled()
    expect(chats(client)).toEqual([])
    setup.talk.happen(SESSION, { kind: 'call_started', ...call, arguments: { token: 'x' } })
    setup.talk.happen(SESSION, { kind: 'call_finished', ...call, ok: true, text: 'out', durationMs: 1 })
    await settled()
    expect(chats(client)).toEqual([
      { chat_id: 1, type: 'tool', text: '', tool: 'deploy', phase: 'start', tool_call_id: 't1.1.0' },
      { chat_id: 2, type: 'tool', text: '', tool: 'deploy', phase: 'end', tool_call_id: 't1.1.0', ok: true },
    ])
  })

  it('P9: what a tool shows to the person has its hidden characters written out', async () => {
    const client = await setup.connect('ana')
    await say(client, 'draw')
    setup.talk.happen(SESSION, { kind: 'shown', tool: 'draw', text: 'a\u202eb\nc' })
    await settled()
    expect(chats(client)).toMatchObject([{ type: 'text', text: 'a⟨U+202E RLO⟩b\nc', tool: 'draw' }])
  })

  it('P5: a call that was refused is told as refused, with why', async () => {
    const client = await setup.connect('ana')
    await say(client, 'deploy')
    setup.talk.happen(SESSION, {
      kind: 'call_refused',
      call: 'c',
      tool: 'deploy',
      state: 'denied',
      because: 'never on a Friday',
      mayRetry: false,
    })
    await settled()
    expect(chats(client)).toMatchObject([{ phase: 'refused', state: 'denied', because: 'never on a Friday' }])
  })

  it('a sub-agent’s words are not the reply, and its end is not the end', async () => {
    const client = await setup.connect('ana')
    await say(client, 'go')
    const child = { session: 'child', agent: 'helper' }
    setup.talk.happen(SESSION, { kind: 'text', delta: 'inner' }, child)
    setup.talk.happen(SESSION, { kind: 'call_started', call: 'c', tool: 'exec', arguments: {} }, child)
    setup.talk.happen(SESSION, ended('inner'), child)
    setup.talk.happen(SESSION, { kind: 'text', delta: 'outer' })
    setup.talk.happen(SESSION, ended('outer'))
    await settled()
    expect(chats(client)).toMatchObject([
      { type: 'tool', tool: 'exec', agent: 'helper' },
      { type: 'text', text: 'outer' },
      { type: 'final' },
    ])
  })

  it('faults and retries are error pushes', async () => {
    const client = await setup.connect('ana')
    await say(client, 'go')
    setup.talk.happen(SESSION, {
      kind: 'model_retried',
      attempt: 1,
      of: 3,
      delayMs: 5,
      because: 'overloaded',
    })
    setup.talk.happen(SESSION, { kind: 'failed', stage: 'model', message: 'no answer' })
    await settled()
    expect(client.pushes('error').map(({ data }) => data)).toMatchObject([
      { level: 'warn', code: 'service_error', message: 'overloaded', timestamp: expect.any(Number) },
      { level: 'error', code: 'agent_error', message: 'no answer' },
    ])
  })

  it('one turn after another, and words into a running one, are each told once', async () => {
    const client = await setup.connect('ana')
    await say(client, 'one')
    await say(client, 'and more')
    setup.talk.happen(SESSION, { kind: 'text', delta: 'first' })
    setup.talk.happen(SESSION, ended('first'))
    // The next is said before the end of the one before was told.
    await say(client, 'two')
    setup.talk.happen(SESSION, { kind: 'text', delta: 'second' })
    setup.talk.happen(SESSION, ended('second'))
    await settled()
    expect(client.responses('chat').map(({ data }) => data.kind)).toEqual(['begun', 'steered', 'begun'])
    expect(chats(client).map(({ type, text }) => [type, text])).toEqual([
      ['text', 'first'],
      ['final', ''],
      ['text', 'second'],
      ['final', ''],
    ])
    expect(setup.talk.listeners(SESSION)).toBe(0)
  })

  it('what an earlier turn said is not said again, though it is told again', async () => {
    const client = await setup.connect('ana')
    await say(client, 'one')
    setup.talk.happen(SESSION, { kind: 'text', delta: 'first' })
    setup.talk.happen(SESSION, ended('first'))
    await settled()
    setup.talk.repeats = true
    await say(client, 'two')
    setup.talk.happen(SESSION, { kind: 'text', delta: 'second' })
    setup.talk.happen(SESSION, ended('second'))
    await settled()
    expect(chats(client).map(({ text }) => text)).toEqual(['first', '', 'second', ''])
  })

  it('all connections of the room hear it, once each; nobody listens when the last has gone', async () => {
    const clients = [await setup.connect('ana'), await setup.connect('ana')]
    const other = await setup.connect('ben')
    await say(clients[0]!, 'hello')
    setup.talk.happen(SESSION, { kind: 'text', delta: 'Hi' })
    await settled()
    expect(clients.map((one) => chats(one).length)).toEqual([1, 1])
    expect(chats(other)).toEqual([])
    expect(setup.talk.listeners(SESSION)).toBe(1)
    for (const one of clients) one.hangUp()
    await settled()
    expect(setup.talk.listeners(SESSION)).toBe(0)
  })

  it('who comes back while a turn runs hears how it goes on', async () => {
    const first = await setup.connect('ana')
    await say(first, 'hello')
    first.hangUp()
    await settled()
    const again = await setup.connect('ana')
    setup.talk.happen(SESSION, ended('Hi there'))
    await settled()
    expect(chats(again)).toMatchObject([
      { type: 'text', text: 'Hi there' },
      { type: 'final', reply: 'Hi there' },
    ])
  })

  it.each([
    [undefined, 'data is missing: it must be an object'],
    [{}, 'text is missing: it must be what you say to the agent'],
    [{ text: '' }, 'text must be what you say to the agent; found ""'],
    [{ text: '  ' }, 'text must be what you say to the agent; found "  "'],
    [{ text: 5 }, 'text must be what you say to the agent; found 5'],
    [{ text: 'hi', session_key: 5 }, 'session_key must be a text of at most 1024 characters'],
    [{ text: 'hi', session_key: 'x'.repeat(2000) }, 'session_key must be a text of at most 1024 characters'],
    ['hi', 'data must be an object; found "hi"'],
  ])('%j is no chat', async (data, detail) => {
    const client = await setup.connect('ana')
    client.say('chat', data)
    await until(async () => client.responses('chat').length === 1)
    expect(client.responses('chat')[0]).toMatchObject({
      status: 'error',
      error: 'invalid chat data',
      data: { error: 'invalid chat data', detail: expect.stringContaining(detail) },
    })
    expect(setup.talk.said).toEqual([])
  })

  it('what the agent refuses is told with its reason, and what breaks is told without', async () => {
    const client = await setup.connect('ana')
    setup.talk.fault = new BanksmanError('session_ended', 'the session was ended by ben')
    await say(client, 'hello')
    setup.talk.fault = new Error('a secret of the inside')
    await say(client, 'hello')
    expect(client.responses('chat')).toMatchObject([
      { status: 'error', error: 'the session was ended by ben', data: { code: 'session_ended' } },
      { status: 'error', error: 'something went wrong inside; nothing was changed' },
    ])
    expect(setup.setup.faults).toHaveLength(1)
  })
})

describe('interrupt', () => {
  it.each([
    [undefined, { kind: 'graceful' }],
    [
      { kind: 'hard', reason: 'stop it' },
      { kind: 'hard', reason: 'stop it' },
    ],
  ])('%j', async (data, input) => {
    const client = await setup.connect('ana')
    await say(client, 'hello')
    client.say('interrupt', data, 'r2')
    await until(async () => client.responses('interrupt').length === 1)
    expect(client.responses('interrupt')[0]).toMatchObject({
      status: 'ok',
      data: { interrupted: true },
      request_id: 'r2',
    })
    expect(setup.talk.interrupted).toEqual([{ session: SESSION, input }])
  })

  it('of another kind is refused', async () => {
    const client = await setup.connect('ana')
    client.say('interrupt', { kind: 'gently' })
    await until(async () => client.responses('interrupt').length === 1)
    expect(client.responses('interrupt')[0]).toMatchObject({
      error: 'invalid interrupt data',
      data: { detail: 'kind must be "graceful" or "hard", or left out; found "gently"' },
    })
    expect(setup.talk.interrupted).toEqual([])
  })
})
