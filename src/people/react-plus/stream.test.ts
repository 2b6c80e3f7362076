import { afterEach, describe, expect, it } from 'vitest'
import { CHAT, type Frame, openTestChat, type TestChat, type TestChatOptions } from './fixtures/test-chat.ts'

let chat: TestChat
afterEach(() => chat.close())

async function open(options: TestChatOptions = {}): Promise<void> {
  chat = await openTestChat(options)
}

const weather = { sessionId: 's', message: '杭州的天气' }
const from = (id: string) => ({ headers: { 'last-event-id': id } })
const answer = (frame: Frame, selectedOptionId = 'approve') => ({
  sessionId: 's',
  requestId: frame.data.requestId,
  selectedOptionId,
  feedback: null,
})
const calls = (tool: string, ...args: object[]) => args.map((each) => ({ tool, arguments: each }))

describe('frames', () => {
  it('P1: asks in the shape of the guide, once the request is on record', async () => {
    await open()
    const stream = await chat.stream(weather)
    const { data, ...frame } = await stream.until('TOOL_APPROVAL')
    expect(await chat.setup.setup.store.get(data.requestId)).toMatchObject({ state: 'pending' })
    const option = { default: false, dangerous: false, requiresInput: true }
    const mayBeEmpty = { metadata: { inputMayBeEmpty: true } }
    expect(data).toEqual({
      requestId: expect.stringMatching(/^req_/),
      sessionId: 's',
      type: 'TOOL_APPROVAL',
      title: '工具执行审批',
      message: 'Agent 请求执行工具: get_weather',
      details: null,
      context: { toolName: 'get_weather', toolArgs: { city: '杭州' } },
      options: [
        {
          ...option,
          optionId: 'approve',
          label: '同意执行',
          description: '直接执行该工具',
          action: 'APPROVE_AND_EXECUTE',
          requiresInput: false,
          inputPrompt: null,
          metadata: {},
        },
        {
          ...option,
          ...mayBeEmpty,
          optionId: 'reject',
          label: '拒绝并说明理由',
          description: expect.any(String),
          action: 'REJECT_WITH_REASON',
          inputPrompt: '请说明拒绝理由',
        },
        {
          ...option,
          ...mayBeEmpty,
          optionId: 'terminate',
          label: '拒绝并终止对话',
          description: expect.any(String),
          action: 'TERMINATE',
          dangerous: true,
          inputPrompt: '请说明终止原因（可选）',
        },
      ],
      required: true,
      timeoutSeconds: 86_400,
      defaultOptionId: null,
      createdAt: '2023-11-14T22:13:20.000Z',
    })
    expect(frame).toEqual({
      id: expect.stringMatching(/^t1-n\w+_\d+$/),
      event: 'TOOL_APPROVAL',
      type: 'TOOL_APPROVAL',
      message: data.message,
      meta: expect.any(Object),
      sessionId: 's',
      turnId: 't1',
      messageId: 't1',
      agentId: 'main',
      startTime: expect.stringMatching(/Z$/),
      endTime: null,
    })
  })

  it('leave one at a time, each in one write, none of them long', async () => {
    const long = '很长的一句话。\n'.repeat(3000)
    await open({ script: [{ steps: [{ say: long }] }] })
    const stream = await chat.stream(weather)
    await stream.rest()
    for (const chunk of stream.chunks) {
      expect(chunk.endsWith('\n\n')).toBe(true)
      expect(chunk.match(/^data: /gm)?.length ?? 0).toBeLessThanOrEqual(1)
      expect(Buffer.byteLength(chunk)).toBeLessThan(16_384)
    }
    const thoughts = stream.frames.filter(({ type }) => type === 'THINKING')
    expect(thoughts.length).toBeGreaterThan(5)
    expect(thoughts.map(({ message }) => message).join('')).toBe(long)
    expect(new Set(thoughts.map(({ id }) => id)).size).toBe(thoughts.length)
  })

  it('P9: shows hidden characters, masks secrets and cuts what is long with a mark, unless all of it is wanted', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const args = { city: '杭\u202e州', note: 'x'.repeat(50_000) }
    await open({
      script: [
        {
          steps: [
            { calls: calls('note', { line: `${args.city} ${args.note}` }, { line: secret }) },
            { say: 'over' },
          ],
        },
      ],
    })
    const stream = await chat.stream(weather)
    const [one, two] = [await stream.until('TOOL_APPROVAL'), await stream.until('TOOL_APPROVAL')]
    const [long, masked] = one.data.context.toolArgs.line.length > 1000 ? [one, two] : [two, one]
    expect(long.data.context.toolArgs.line).toMatch(/^杭⟨U\+202E RLO⟩州 x+⟨… [\d,]+ characters left out⟩x+$/)
    expect(long.data.details).toContain('省略')
    expect(JSON.stringify(long).length).toBeLessThan(12_000)
    expect(masked.data.context.toolArgs.line).toMatch(/^⟨masked: GitHub token, \d+ characters⟩$/)
    expect(JSON.stringify(stream.frames)).not.toContain(secret)

    const whole = await chat.stream({ sessionId: 's', buffered: true })
    const shown = await whole.until(
      'TOOL_APPROVAL',
      (frame) => frame.data.context.toolArgs.line.length > 1000,
    )
    expect(shown.data.context.toolArgs.line).toBe(`杭⟨U+202E RLO⟩州 ${args.note}`)
    expect(shown.data.details).toBeNull()
    expect(shown.meta.text).toContain(args.note)
  })

  it('bring pieces of what the model says only to who asks for them', async () => {
    await open({ script: [{ steps: [{ say: 'one two three four' }] }] })
    const plain = await chat.stream(weather)
    await plain.rest()
    expect(plain.frames.filter(({ data }) => 'delta' in data)).toEqual([])
    const live = await chat.stream({ ...weather, buffered: true })
    await live.rest()
    const deltas = live.frames.flatMap(({ data }) => (data.stage === 'text' ? [data.delta] : []))
    expect(deltas.length).toBeGreaterThan(1)
    expect(deltas.join('')).toBe('one two three four')
  })
})

describe('several approvals at once', () => {
  const script = [
    { steps: [{ calls: calls('get_weather', { city: '杭州' }, { city: '上海' }) }, { say: 'over' }] },
  ]

  it('are told one by one and decided by their ids, in any order', async () => {
    await open({ script })
    const stream = await chat.stream(weather)
    const shown = [await stream.until('TOOL_APPROVAL'), await stream.until('TOOL_APPROVAL')]
    const city = (frame: Frame) => frame.data.context.toolArgs.city
    const [hangzhou, shanghai] = city(shown[0]!) === '杭州' ? shown : shown.toReversed()
    expect(await chat.respond(answer(shanghai!))).toMatchObject({ success: true })
    await stream.until('TOOL')
    expect(chat.cities).toEqual(['上海'])
    expect(await chat.respond(answer(hangzhou!, 'reject'))).toMatchObject({ success: true })
    await stream.until('COMPLETED')
    expect(chat.cities).toEqual(['上海'])
  })

  it('come up again for a page that shows one at a time, when another was answered', async () => {
    await open({ script })
    const stream = await chat.stream(weather)
    const first = await stream.until('TOOL_APPROVAL')
    const second = await stream.until('TOOL_APPROVAL')
    await chat.respond(answer(second))
    await stream.until('TOOL')
    await chat.setup.setup.clock.advance(1000)
    const again = await stream.until('TOOL_APPROVAL')
    expect(again.data.requestId).toBe(first.data.requestId)
    await chat.respond(answer(again))
    await stream.until('COMPLETED')
    expect(chat.cities).toHaveLength(2)
  })
})

describe('what is said', () => {
  it('in the middle of a turn steers it, and the stream follows', async () => {
    await open({
      script: [
        {
          steps: [
            { calls: calls('get_weather', { city: '杭州' }) },
            { oneOf: [{ when: { said: '上海' }, say: '那就上海' }, { say: 'over' }] },
          ],
        },
      ],
    })
    const stream = await chat.stream(weather)
    const asked = await stream.until('TOOL_APPROVAL')
    const other = await chat.stream({ sessionId: 's', message: '还是上海吧' })
    expect((await other.until('TOOL_APPROVAL')).data.requestId).toBe(asked.data.requestId)
    await other.until('PROGRESS', (frame) => frame.data.stage === 'steered')
    await chat.respond(answer(asked, 'reject'))
    expect((await other.until('THINKING')).message).toBe('那就上海')
    await other.until('COMPLETED')
    await stream.until('COMPLETED')
    expect(chat.cities).toEqual([])
  })

  it('without a session gets one, which every event tells', async () => {
    await open()
    const stream = await chat.stream({ message: 'hello' })
    await stream.rest()
    const [label] = new Set(stream.frames.map(({ sessionId }) => sessionId))
    expect(label).toMatch(/^session-/)
    expect(new Set(stream.frames.map(({ sessionId }) => sessionId)).size).toBe(1)
  })

  it('goes by the older routes too', async () => {
    await open()
    const response = await chat.post('/api/agent/chat/react/stream', { sessionId: 's', message: 'hello' })
    expect(await response.text()).toContain('event: COMPLETED')
    const receipt = await chat.post('/api/agent/chat/react/interaction_response', {})
    expect(await receipt.json()).toMatchObject({ success: false, message: 'sessionId不能为空' })
  })

  it.each([
    ['{"message":', 400, 'invalid_json'],
    ['[]', 400, 'invalid'],
    ['"hello"', 400, 'invalid'],
    ['{}', 400, 'invalid'],
    ['{"message":"  "}', 400, 'invalid'],
    ['{"sessionId":"s"}', 400, 'invalid'],
    ['{"sessionId":"s","message":""}', 400, 'invalid'],
    ['{"sessionId":"s","message":7}', 400, 'invalid'],
    ['{"sessionId":{},"message":"hello"}', 400, 'invalid'],
    ['{"message":"a","message":"b"}', 400, 'invalid_json'],
    [JSON.stringify({ message: 'x'.repeat(10_000_000) }), 413, 'too_large'],
    [JSON.stringify({ message: 'x'.repeat(100_000) }), 413, 'too_large'],
  ])('P5: is refused where it is nothing: %.40s', async (body, status, code) => {
    await open()
    const response = await chat.post(`${CHAT}/stream`, body)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code, detail: expect.any(String) })
  })

  it('is in the history, with what became of the calls', async () => {
    await open()
    const stream = await chat.stream(weather)
    const asked = await stream.until('TOOL_APPROVAL')
    expect(await chat.client().messages('s')).toMatchObject({ running: 't1' })
    await chat.respond(answer(asked))
    await stream.rest()
    const { messages, more } = await chat.client().messages('s')
    expect(more).toBe(false)
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', '杭州的天气'],
      ['assistant', '我来查一下杭州的天气。'],
      ['tool', '杭州: 晴, 23°C'],
      ['assistant', '查到了：杭州: 晴, 23°C'],
    ])
    expect(messages[1]?.toolCalls).toEqual([
      { id: 't1.1.0', name: 'get_weather', arguments: { city: '杭州' } },
    ])
    const page = await chat.client().messages('s', { after: 1, limit: 1 })
    expect(page).toMatchObject({ more: true, next: 2, messages: [{ role: 'assistant' }] })
    expect(await chat.client('ben').messages('s')).toMatchObject({ messages: [], running: null })
    await expect(chat.client().messages('s', { limit: 1e9 })).rejects.toMatchObject({ status: 400 })
  })

  it('P9: hidden characters in a result are visible in the history too', async () => {
    const city = 'Hang\u202ezhou'
    await open({
      policy: { allow: ['get_weather'] },
      script: [{ steps: [{ calls: calls('get_weather', { city }) }, { say: 'done' }] }],
    })
    await (await chat.stream(weather)).rest()
    const { messages } = await chat.client().messages('s')
    const result = messages.find(({ role }) => role === 'tool')
    expect(result?.content).toContain('U+202E')
    expect(result?.content).not.toContain('\u202e')
  })

  it('says something now and then while nothing happens', async () => {
    await open({ keepAliveMs: 5000 })
    const stream = await chat.stream(weather)
    const asked = await stream.until('TOOL_APPROVAL')
    await chat.setup.setup.clock.advance(5000)
    await chat.respond(answer(asked))
    await stream.rest()
    expect(stream.chunks).toContain(': keep-alive\n\n')
  })
})

describe('an agent that another agent has started', () => {
  const script = [
    { when: 'look it up', steps: [{ calls: calls('get_weather', { city: '苏州' }) }, { say: 'sunny' }] },
    { steps: [{ calls: calls('spawn', { task: 'look it up' }) }, { say: 'it said: {result}' }] },
  ]

  it.each(['broke off', 'was lost in a restart'])(
    'asks in the same stream, and is answered there when that %s',
    async (how) => {
      await open({ script, policy: { allow: ['spawn'] } })
      const stream = await chat.stream(weather)
      const asked = await stream.until('TOOL_APPROVAL')
      expect(asked).toMatchObject({ sessionId: 's', meta: { subAgent: true, parents: ['main'] } })
      if (how === 'broke off') stream.drop()
      else chat = await chat.restart()
      const again = await chat.stream({ sessionId: 's' }, from(asked.id))
      const shown = await again.until('TOOL_APPROVAL')
      expect(shown.data.requestId).toBe(asked.data.requestId)
      expect(await chat.respond(answer(shown), { as: 'ben' })).toMatchObject({ code: 'unknown_id' })
      expect(await chat.respond(answer(shown))).toMatchObject({ success: true })
      const end = await again.until('COMPLETED')
      expect(end.message).toBe('it said: sunny')
      expect(chat.cities).toEqual(['苏州'])
    },
  )
})
