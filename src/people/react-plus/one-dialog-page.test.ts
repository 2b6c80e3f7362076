import { afterEach, describe, expect, it } from 'vitest'
import { type OneDialogPage, openOneDialogPage } from './fixtures/one-dialog-page.ts'
import { CHAT, openTestChat, type TestChat, type TestChatOptions } from './fixtures/test-chat.ts'

let chat: TestChat
let page: OneDialogPage
afterEach(() => chat.close())

const look = (...cities: string[]) => ({
  calls: cities.map((city) => ({ tool: 'get_weather', arguments: { city } })),
})
const ONE_AFTER_THE_OTHER = [{ steps: [look('杭州'), look('上海'), { say: 'over' }] }]
const BOTH = [{ steps: [look('杭州', '上海'), { say: 'over' }] }]

async function open(options: TestChatOptions = {}): Promise<void> {
  chat = await openTestChat(options)
  page = openOneDialogPage(chat, 's')
}

const shownCity = () => page.dialog?.context.toolArgs.city
const untilShown = (city: string) => expect.poll(shownCity).toBe(city)
const untilLine = (line: string) => expect.poll(() => page.lines).toContain(line)
const pass = (ms: number) => chat.setup.setup.clock.advance(ms)

describe('a page with one dialog', () => {
  it('P8: gets the next approval again that came before its answer was answered', async () => {
    await open({ script: ONE_AFTER_THE_OTHER })
    await page.send('天气')
    await untilShown('杭州')
    const { promise: arrives, resolve } = Promise.withResolvers<void>()
    const first = page.choose('approve', null, arrives)
    await untilShown('上海')
    resolve()
    expect(await first).toMatchObject({ success: true })
    expect(page.dialog).toBeNull()
    await pass(1000)
    await untilShown('上海')
    await page.choose('approve')
    await untilLine('system: 任务完成')
    expect(chat.cities).toEqual(['杭州', '上海'])
  })

  it('P8: gets it once more where the answer takes longer than a second to arrive', async () => {
    await open({ script: ONE_AFTER_THE_OTHER })
    await page.send('天气')
    await untilShown('杭州')
    const { promise: arrives, resolve } = Promise.withResolvers<void>()
    const first = page.choose('approve', null, arrives)
    await untilShown('上海')
    await pass(1000)
    await expect.poll(() => page.shown).toBe(3)
    resolve()
    await first
    await pass(9000)
    await untilShown('上海')
  })

  it.each([
    ['an option that there is not', 'yes'],
    ['an option that is not taken any more', 'retry'],
  ])('P5: gets the approval again that it closed although the answer was refused: %s', async (_, option) => {
    await open()
    await page.send('天气')
    await untilShown('杭州')
    expect(await page.choose(option)).toMatchObject({ success: false })
    expect(page.dialog).toBeNull()
    await pass(1000)
    await untilShown('杭州')
    expect(chat.cities).toEqual([])
    await page.choose('approve')
    await untilLine('system: 任务完成')
    expect(chat.cities).toEqual(['杭州'])
  })

  it('P2: what was told again is answered once; a second answer is refused and runs nothing', async () => {
    await open({ script: BOTH })
    await page.send('天气')
    await untilShown('上海')
    await page.choose('approve')
    await pass(1000)
    await untilShown('杭州')
    const told = page.dialog
    await page.choose('reject', '不用了')
    await untilLine('system: 任务完成')
    const again = { sessionId: 's', requestId: told.requestId, selectedOptionId: 'approve', feedback: null }
    expect(await chat.respond(again)).toMatchObject({ success: false, code: 'already_decided' })
    expect(chat.cities).toEqual(['上海'])
  })

  it('goes on showing the newest of several while others are settled elsewhere', async () => {
    await open({ script: [{ steps: [look('杭州', '上海', '苏州'), { say: 'over' }] }] })
    await page.send('天气')
    await untilShown('苏州')
    const { gateway } = chat.setup.setup
    const me = { subject: 'ana', role: 'admin', via: 'http' } as const
    const { items } = await gateway.list({ state: 'pending' }, me)
    const first = items.find((item) => item.bytes.includes('杭州'))!
    await gateway.decide(first.id, { decision: 'reject', digest: first.digest }, me)
    await pass(1000)
    await expect.poll(() => page.shown).toBe(5)
    expect(shownCity()).toBe('苏州')
  })

  it('is not asked again about what this person has approved while others must', async () => {
    const policy = {
      rules: [{ name: 'two', when: { tool: 'get_weather' }, then: 'ask', quorum: 2 }],
    }
    await open({ policy, script: BOTH })
    await page.send('天气')
    await untilShown('上海')
    expect(await page.choose('approve')).toMatchObject({ success: true })
    expect(page.dialog).toBeNull()
    await pass(1000)
    await untilShown('杭州')
    await page.choose('approve')
    await pass(10_000)
    expect(page.shown).toBe(3)
    expect(chat.cities).toEqual([])
  })

  it('who has a buffer is told once', async () => {
    await open({ script: ONE_AFTER_THE_OTHER })
    const stream = await chat.stream({ sessionId: 's', message: '天气', buffered: true })
    const first = await stream.until('TOOL_APPROVAL')
    const answer = { sessionId: 's', selectedOptionId: 'approve' }
    await chat.respond({ ...answer, requestId: first.data.requestId })
    const second = await stream.until('TOOL_APPROVAL')
    await pass(10_000)
    await chat.respond({ ...answer, requestId: second.data.requestId })
    await stream.rest()
    expect(stream.frames.filter(({ type }) => type === 'TOOL_APPROVAL')).toHaveLength(2)
  })
})

describe('a conversation that was ended', () => {
  it.each([
    ['不需要了', '用户终止对话: 不需要了'],
    [null, '用户终止对话'],
  ])('says so in the words of whoever ended it: %s', async (reason, message) => {
    await open()
    await page.send('天气')
    await untilShown('杭州')
    await page.choose('terminate', reason)
    await untilLine(`error: ${message}`)
    const { messages } = await chat.client().messages('s')
    expect(messages.at(-1)).toMatchObject({ role: 'system', content: message, status: 'terminated' })
  })

  it('says the same when another of its requests was pending, and after a restart', async () => {
    await open({ script: BOTH })
    const stream = await chat.stream({ sessionId: 's', message: '天气' })
    const [, asked] = [await stream.until('TOOL_APPROVAL'), await stream.until('TOOL_APPROVAL')]
    const { requestId } = asked.data
    await chat.respond({ sessionId: 's', requestId, selectedOptionId: 'terminate', feedback: '不需要了' })
    const end = await stream.until('ERROR')
    expect(end).toMatchObject({ message: '用户终止对话: 不需要了', data: { final: true } })
    chat = await chat.restart()
    const again = await chat.stream({ sessionId: 's' }, { headers: { 'last-event-id': end.id } })
    expect((await again.until('ERROR')).message).toBe('用户终止对话: 不需要了')
  })

  it('P5: answers what is said in it with a stream of one final ERROR, and nothing runs', async () => {
    await open()
    await page.send('天气')
    await untilShown('杭州')
    await page.choose('terminate', '不需要了')
    await untilLine('error: 用户终止对话: 不需要了')
    const stream = await chat.stream({ sessionId: 's', message: '天气' })
    await stream.rest()
    expect(stream.frames).toMatchObject([
      {
        type: 'ERROR',
        message: '对话已结束；如需继续，请换一个 sessionId 开始新的对话',
        data: { final: true, status: 'terminated', code: 'session_ended' },
        sessionId: 's',
      },
    ])
    const english = await chat.post(
      `${CHAT}/stream`,
      { sessionId: 's', message: '天气' },
      { headers: { 'accept-language': 'en' } },
    )
    expect(await english.text()).toContain('The conversation has ended')
    await expect.poll(() => chat.present.size).toBe(0)
    expect(chat.cities).toEqual([])
  })

  it('is told as an event by the client too', async () => {
    await open()
    await page.send('天气')
    await untilShown('杭州')
    await page.choose('terminate')
    await untilLine('error: 用户终止对话')
    const events: unknown[] = []
    for await (const event of chat.client().chat({ sessionId: 's', message: '天气' })) events.push(event)
    expect(events).toMatchObject([{ type: 'ERROR', data: { code: 'session_ended', final: true } }])
  })
})

describe('a rejection', () => {
  it('is told with the reason as it was given', async () => {
    await open()
    const stream = await chat.stream({ sessionId: 's', message: '天气' })
    const { requestId } = (await stream.until('TOOL_APPROVAL')).data
    await chat.respond({ sessionId: 's', requestId, selectedOptionId: 'reject', feedback: '太贵了' })
    const told = await stream.until('PROGRESS', ({ data }) => data.stage === 'call_refused')
    expect(told.message).toBe('用户拒绝执行工具: 太贵了')
  })

  it('of the same call again is told without asking', async () => {
    await open({ script: [{ steps: [look('杭州'), look('杭州'), { say: 'over' }] }] })
    const stream = await chat.stream({ sessionId: 's', message: '天气' })
    const { requestId } = (await stream.until('TOOL_APPROVAL')).data
    await chat.respond({ sessionId: 's', requestId, selectedOptionId: 'reject', feedback: '太贵了' })
    await stream.rest()
    const told = stream.frames.filter(({ data }) => data.stage === 'call_refused')
    expect(told.map(({ message }) => message)).toEqual([
      '用户拒绝执行工具: 太贵了',
      '用户此前已拒绝，工具 get_weather 未执行，也不再询问',
    ])
    expect(chat.cities).toEqual([])
  })
})
