import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ModelServer, startModelServer } from './model-server.ts'

const TOOL = { name: 'get_weather', input_schema: { type: 'object' } }
const FUNCTION = { type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }
const USE = { type: 'tool_use', id: 'c1', name: 'get_weather', input: {} }
const CALL = { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{}' } }

let server: ModelServer
beforeEach(async () => {
  server = await startModelServer({
    name: 'weather',
    scenes: [
      {
        when: 'fail',
        steps: [
          { say: 'So.', fail: { message: 'busy', mayRetry: true, status: 503, times: 1, retryAfterMs: 5 } },
        ],
      },
      {
        steps: [
          { think: 'Hm.', say: 'I look.', calls: [{ tool: 'get_weather', argumentsText: '{"a":1,"a":2}' }] },
          { say: 'Sunny.' },
        ],
      },
    ],
  })
})
afterEach(() => server.close())

describe('the model server', () => {
  it('listens on this machine only, and names its model', async () => {
    expect(server.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
    expect(await (await fetch(`${server.baseUrl}/models`)).json()).toEqual({
      object: 'list',
      data: [{ id: 'weather', object: 'model' }],
    })
  })

  it('answers in one piece over the wire of OpenAI', async () => {
    const { status, body } = await openai({ messages: [{ role: 'user', content: 'go' }], tools: [FUNCTION] })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      object: 'chat.completion',
      model: 'm',
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: 'I look.',
            reasoning_content: 'Hm.',
            tool_calls: [{ id: 'call_0_0', function: { name: 'get_weather', arguments: '{"a":1,"a":2}' } }],
          },
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 6, total_tokens: 7 },
    })
  })

  it('answers in one piece over the wire of Anthropic', async () => {
    const { status, body } = await anthropic({ messages: [{ role: 'user', content: 'go' }], tools: [TOOL] })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      type: 'message',
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: expect.stringMatching(/^signed-/) },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', name: 'get_weather', input: { a: 2 } },
      ],
    })
  })

  it('fails as the script says, with its status and when to come back', async () => {
    const question = { messages: [{ role: 'user', content: 'fail' }] }
    const first = await openai(question)
    expect(first).toMatchObject({ status: 503, body: { error: { message: 'busy' } } })
    expect(first.headers.get('retry-after-ms')).toBe('5')
    expect((await openai(question)).status).toBe(200)
  })

  it.each([
    ['not JSON', '{'],
    ['no messages', { messages: [] }],
    ['a call without a result', { messages: [user('a'), { role: 'assistant', tool_calls: [CALL] }] }],
    [
      'a call without a result before more words',
      { messages: [{ role: 'assistant', tool_calls: [CALL] }, user('b')] },
    ],
    ['a result without a call', { messages: [user('a'), { role: 'tool', tool_call_id: 'c9', content: '' }] }],
    ['two calls of one id', { messages: [{ role: 'assistant', tool_calls: [CALL, CALL] }] }],
    [
      'a tool with a dot in its name',
      { messages: [user('a')], tools: [{ ...FUNCTION, function: { ...FUNCTION.function, name: 'a.b' } }] },
    ],
  ])('refuses over the wire of OpenAI: %s', async (_, body) => {
    expect(await openai(body)).toMatchObject({
      status: 400,
      body: { error: { message: expect.any(String) } },
    })
  })

  it.each([
    ['not JSON', '{'],
    ['no max_tokens', { messages: [user('a')], max_tokens: undefined }],
    ['an empty text', { messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] }],
    ['a call without a result', { messages: [user('a'), { role: 'assistant', content: [USE] }, user('b')] }],
    [
      'a result that is not right behind its call',
      results([
        { type: 'text', text: 'x' },
        { type: 'tool_result', tool_use_id: 'c1' },
      ]),
    ],
    ['a result without a call', results([{ type: 'tool_result', tool_use_id: 'c2' }])],
    [
      'a thought that was changed',
      {
        messages: [
          { role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: 'signed-y' }] },
          user('b'),
        ],
      },
    ],
    ['an id with a dot', { messages: [{ role: 'assistant', content: [{ ...USE, id: 'a.b' }] }, user('b')] }],
    ['the assistant’s own word at the end', { messages: [user('a'), { role: 'assistant', content: 'x' }] }],
  ])('refuses over the wire of Anthropic: %s', async (_, body) => {
    expect(await anthropic(body)).toMatchObject({
      status: 400,
      body: { type: 'error', error: { type: 'invalid_request_error' } },
    })
  })

  it('takes a whole conversation over both wires', async () => {
    expect(
      (await anthropic(results([{ type: 'tool_result', tool_use_id: 'c1', content: 'ok' }]))).body,
    ).toMatchObject({
      content: [{ type: 'text', text: 'Sunny.' }],
    })
    const messages = [
      user('a'),
      { role: 'assistant', tool_calls: [CALL] },
      { role: 'tool', tool_call_id: 'c1', content: 'ok' },
    ]
    expect((await openai({ messages })).body).toMatchObject({ choices: [{ message: { content: 'Sunny.' } }] })
    expect(server.requests.map(({ wire }) => wire)).toEqual(['anthropic', 'openai'])
  })

  it('speaks Responses: what is said and called comes back as items, and tools that take a text get it', async () => {
    const post = async (input: object[], tools: object[] = [{ type: 'function', name: 'get_weather' }]) => {
      const body = JSON.stringify({ model: 'x', input, tools, stream: true })
      const response = await fetch(`${server.baseUrl}/responses`, { method: 'POST', body })
      return { status: response.status, text: await response.text() }
    }
    const asked = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'the weather' }] }
    const call = { type: 'function_call', call_id: 'c1', name: 'get_weather', arguments: '{}' }
    const first = await post([asked])
    expect(first.text).toMatch(/^event: response\.created\n/)
    expect(first.text).toContain('"type":"function_call"')
    expect(first.text).toMatch(/event: response\.completed\ndata: .*\n\n$/)
    expect((await post([asked], [{ type: 'custom', name: 'get_weather' }])).text).toContain(
      '"type":"custom_tool_call"',
    )
    const result = { type: 'function_call_output', call_id: 'c1', output: 'sun' }
    const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] }
    expect((await post([asked, { type: 'reasoning' }, said, call, result])).text).toContain('Sunny.')
    expect((await post([asked, call])).status).toBe(400)
    expect((await post([asked, result])).status).toBe(400)
  })

  it('knows no other route', async () => {
    expect((await post('embeddings', {})).status).toBe(404)
    expect((await fetch(`${server.baseUrl}/messages`)).status).toBe(404)
  })
})

function user(content: string) {
  return { role: 'user', content }
}

function results(content: object[]) {
  return { messages: [user('a'), { role: 'assistant', content: [USE] }, { role: 'user', content }] }
}

function openai(body: unknown) {
  return post('chat/completions', typeof body === 'string' ? body : { model: 'm', ...(body as object) })
}

function anthropic(body: unknown) {
  return post(
    'messages',
    typeof body === 'string' ? body : { model: 'm', max_tokens: 9, ...(body as object) },
  )
}

async function post(path: string, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(`${server.baseUrl}/${path}`, { method: 'POST', body: text })
  return { status: response.status, headers: response.headers, body: (await response.json()) as unknown }
}
