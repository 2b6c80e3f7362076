import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { openTestPet, type TestPet } from './fixtures/test-pet.ts'

let setup: TestPet
beforeEach(async () => {
  setup = await openTestPet()
})
afterEach(() => setup.close())

const settled = () => setup.setup.clock.advance(0)

describe('who it is', () => {
  it('P6: is said in the subprotocol, and then init_status comes first', async () => {
    const client = await setup.connect('ana')
    expect(client.frames[0]).toMatchObject({
      type: 'push',
      push_type: 'init_status',
      data: { need_config: false, has_character: true },
      timestamp: Math.floor(setup.setup.clock.now() / 1000),
    })
  })

  it('P6: or in a first frame, which is acknowledged', async () => {
    const client = setup.dial()
    client.say('auth', { token: 'secret-of-ana' }, 'r1')
    await until(async () => client.pushes('init_status').length === 1)
    expect(client.frames[0]).toEqual({
      status: 'ok',
      action: 'auth',
      data: { subject: 'ana' },
      request_id: 'r1',
    })
  })

  it('P6: until then nothing is told and nothing is done', async () => {
    const client = setup.dial({ sessionId: 'default' })
    await setup.connect('ana')
    const request = await setup.ask('ana')
    const actions = ['chat', 'health_check', 'interrupt', 'tool_approval_response', 'made_up']
    for (const action of actions)
      client.say(action, { text: 'hi', request_id: request.id, approved: true }, action)
    await until(async () => client.frames.length === actions.length)
    await setup.setup.clock.advance(30_000)
    expect(client.frames).toEqual(
      actions.map((action) => ({
        status: 'error',
        action,
        data: { error: 'unauthenticated' },
        error: 'unauthenticated',
        request_id: action,
      })),
    )
    expect(await setup.state(request)).toBe('pending')
    expect(setup.talk.said).toEqual([])
  })

  it.each([
    ['an unknown token', { token: 'secret-of-nobody' }],
    ['an agent’s token', { token: 'secret-of-agent-1' }],
    ['an empty token', { token: '' }],
    ['a token that is no text', { token: 5 }],
    ['no token', {}],
    ['no data', undefined],
  ])('P11: %s is refused and the line closed', async (_, data) => {
    const client = setup.dial()
    client.say('auth', data)
    await until(async () => client.closed !== undefined)
    expect(client.closed?.code).toBe(4401)
    expect(client.frames).toMatchObject([{ status: 'error', error: 'unauthenticated' }])
  })

  it('P11: a wrong token in the subprotocol closes the line, whatever is said after it', async () => {
    const client = setup.dial({ protocols: ['token.secret-of-nobody'] })
    client.say('auth', { token: 'secret-of-ana' })
    client.say('chat', { text: 'hi' })
    await until(async () => client.closed !== undefined)
    await settled()
    expect(client.frames).toEqual([])
    expect(setup.talk.said).toEqual([])
  })

  it('P6: nobody becomes someone else on the way', async () => {
    const client = await setup.connect('ana')
    client.say('auth', { token: 'secret-of-ana' })
    client.say('auth', { token: 'secret-of-ben' })
    client.say('chat', { text: 'who am I?' })
    await until(async () => client.responses('chat').length === 1)
    expect(client.responses('auth').map(({ status }) => status)).toEqual(['ok', 'error'])
    expect(setup.talk.said.map(({ by }) => by)).toEqual(['ana'])
  })

  it('P6: a token that was revoked decides nothing more', async () => {
    const client = await setup.connect('ana')
    const request = await setup.ask('ana')
    await settled()
    setup.revoke('secret-of-ana')
    client.answer(request.id, true)
    await until(async () => client.closed !== undefined)
    expect(client.closed?.code).toBe(4401)
    expect(await setup.state(request)).toBe('pending')
  })

  it('P6: sessionId is a label: the same one of two people is two rooms', async () => {
    const [one, other] = [
      await setup.connect('ana', { sessionId: 'same' }),
      await setup.connect('ben', { sessionId: 'same' }),
    ]
    one.say('chat', { text: 'hi' })
    other.say('chat', { text: 'hi' })
    await until(async () => setup.talk.said.length === 2)
    expect(setup.talk.said.map(({ saying }) => saying.session).toSorted()).toEqual([
      'pet/ana/same',
      'pet/ben/same',
    ])
  })
})

describe('bad input', () => {
  it.each([
    'not json',
    '',
    '[]',
    '"chat"',
    '5',
    'null',
    '{}',
    '{"action":5}',
    '{"action":""}',
    '{"action":"chat","action":"chat"}',
    '{"action":"health_check","request_id":7}',
    '{"action":"health_check"',
    `{"action":"health_check","request_id":${JSON.stringify('x'.repeat(300))}}`,
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
  ])('%s is no request, and the line goes on', async (text) => {
    const client = await setup.connect('ana')
    client.raw(text)
    client.say('health_check', undefined, 'after')
    await until(async () => client.frames.some((frame) => frame.request_id === 'after'))
    expect(client.frames.at(-2)).toEqual({
      status: 'error',
      error: 'invalid request',
      data: { error: 'invalid request', detail: expect.stringMatching(/must be/) },
    })
  })

  it.each([
    ['not json', /^the frame must be plain JSON: /],
    ['[]', 'the frame must be an object like {"action": "chat"}; found a list'],
    ['{}', 'action is missing: it must be the name of a command, like "chat"'],
    ['{"action":5}', 'action must be the name of a command, like "chat"; found 5'],
    [
      '{"action":"chat","request_id":7}',
      'request_id must be a text of at most 256 characters, or left out; found 7',
    ],
  ])('%s is answered with what is wrong', async (text, detail) => {
    const client = await setup.connect('ana')
    client.raw(text)
    await until(async () => client.frames.at(-1)?.status === 'error')
    const { data } = client.frames.at(-1) as { data?: { detail?: string } }
    expect(data?.detail).toEqual(typeof detail === 'string' ? detail : expect.stringMatching(detail))
  })

  it.each(['made_up', 'character_get', 'constructor', '__proto__', 'toString'])(
    '%s is unknown',
    async (action) => {
      const client = await setup.connect('ana')
      client.say(action, {}, 'r1')
      await until(async () => client.responses(action).length === 1)
      const error = `unknown action: ${action}`
      expect(client.responses(action)[0]).toEqual({
        status: 'error',
        action,
        data: { error },
        error,
        request_id: 'r1',
      })
    },
  )

  it('P5: whatever an answer looks like, only a true that is one approves', async () => {
    const client = await setup.connect('ana')
    const request = await setup.ask('ana')
    await settled()
    const parts = fc.record(
      {
        request_id: fc.constantFrom(request.id, `${request.id} `, 'x'),
        approved: fc.jsonValue(),
        reason: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.oneof(parts, fc.jsonValue()), async (data) => {
        const isAnswer = typeof (data as { approved?: unknown } | null)?.approved === 'boolean'
        fc.pre(!(isAnswer && (data as { request_id?: string }).request_id === request.id))
        client.say('tool_approval_response', data)
        count++
        await until(async () => client.responses('tool_approval_response').length === count)
        expect(client.responses('tool_approval_response').at(-1)).toMatchObject({ status: 'error' })
        expect(await setup.state(request)).toBe('pending')
      }),
    )
  })

  it.each([
    [{ approved: 'yes' }, 'approved must be true or false; found "yes"'],
    [{ approved: 1 }, 'approved must be true or false; found 1'],
    [{ approved: null }, 'approved must be true or false; found null'],
    [{}, 'approved is missing: it must be true or false'],
    [{ approved: true, request_id: 5 }, 'request_id must be the request_id of what you were asked; found 5'],
    [{ approved: true, reason: 7 }, 'reason must be a text, or left out; found 7'],
    [{ approved: true, terminate: true }, 'terminate goes with approved: false only; both are true'],
    [{ approved: false, terminate: 'yes' }, 'terminate must be true or false, or left out; found "yes"'],
  ])('P5: %j is not an answer', async (data, detail) => {
    const client = await setup.connect('ana')
    const request = await setup.ask('ana')
    await settled()
    client.say('tool_approval_response', { request_id: request.id, ...data })
    await until(async () => client.responses('tool_approval_response').length === 1)
    expect(client.responses('tool_approval_response')[0]).toMatchObject({
      status: 'error',
      error: 'invalid tool approval response data',
      data: { error: 'invalid tool approval response data', detail },
    })
    expect(await setup.state(request)).toBe('pending')
  })

  it.each([
    ['approved said twice', (id: string) => `{"request_id":"${id}","approved":false,"approved":true}`],
    ['an id said twice', (id: string) => `{"request_id":"x","request_id":"${id}","approved":true}`],
  ])('P3: %s is no answer', async (_, data) => {
    const client = await setup.connect('ana')
    const request = await setup.ask('ana')
    await settled()
    client.raw(`{"action":"tool_approval_response","data":${data(request.id)}}`)
    client.say('health_check', undefined, 'after')
    await until(async () => client.frames.some((frame) => frame.request_id === 'after'))
    expect(await setup.state(request)).toBe('pending')
  })

  it('a frame that is too long, or binary, ends the line', async () => {
    const [one, other] = [await setup.connect('ana'), await setup.connect('ana')]
    one.raw(`{"action":"chat","data":{"text":"${'x'.repeat(10_000_000)}"}}`)
    other.raw(undefined)
    expect([one.closed?.code, other.closed?.code]).toEqual([1009, 1003])
    expect(setup.talk.said).toEqual([])
  })

  it('who sends without end is sent away', async () => {
    const client = await setup.connect('ana')
    for (let count = 0; count < 100; count++) client.say('health_check')
    expect(client.closed?.code).toBe(1008)
    await settled()
  })

  it('who does not read is let go, is told nothing more, and is no longer there', async () => {
    const [client, other] = [await setup.connect('ana'), await setup.connect('ana')]
    client.stopReading()
    const before = client.frames.length
    const request = await setup.ask('ana')
    await settled()
    expect(client.frames).toHaveLength(before)
    expect(other.pushes('tool_approval')).toHaveLength(1)
    client.answer(request.id, true)
    await settled()
    expect(await setup.state(request)).toBe('pending')
  })
})

describe('while it is open', () => {
  it('beats every 30 seconds, until it ends', async () => {
    const client = await setup.connect('ana')
    await setup.setup.clock.advance(90_000)
    expect(client.pushes('heartbeat')).toHaveLength(3)
    expect(client.pushes('heartbeat')[0]).toMatchObject({ data: { timestamp: expect.any(Number) } })
    client.hangUp()
    await setup.setup.clock.advance(90_000)
    expect(client.pushes('heartbeat')).toHaveLength(3)
  })

  it('answers health_check, with the id that it came with', async () => {
    const client = await setup.connect('ana')
    client.say('health_check', {}, 'r7')
    await until(async () => client.responses('health_check').length === 2)
    expect(client.responses('health_check')[1]).toEqual({
      status: 'ok',
      action: 'health_check',
      data: { status: 'ok', timestamp: Math.floor(setup.setup.clock.now() / 1000) },
      request_id: 'r7',
    })
  })
})
