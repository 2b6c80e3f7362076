import { afterEach, describe, expect, it } from 'vitest'
import { CHAT, openTestChat, type TestChat, type TestChatOptions } from './fixtures/test-chat.ts'

let chat: TestChat
afterEach(() => chat.close())

async function open(options: TestChatOptions = {}): Promise<void> {
  chat = await openTestChat(options)
}

const weather = { sessionId: 'session-1', message: '帮我查询杭州的天气', userId: 'user-001' }
const types = (frames: { type: string }[]) =>
  frames.map(({ type }) => type).filter((type) => type !== 'PROGRESS')

describe('the conversation of the guide', () => {
  it('P4: thinks, acts, asks, runs once when approved, observes and completes', async () => {
    await open()
    const stream = await chat.stream(weather)
    const approval = await stream.until('TOOL_APPROVAL')
    expect(chat.cities).toEqual([])
    const { requestId } = approval.data
    const receipt = await chat.respond({
      sessionId: 'session-1',
      requestId,
      selectedOptionId: 'approve',
      feedback: null,
    })
    expect(receipt).toMatchObject({
      success: true,
      message: '用户响应已处理，正在恢复执行',
      sessionId: 'session-1',
    })
    expect(receipt.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)
    await stream.rest()
    expect(types(stream.frames)).toEqual([
      'THINKING',
      'ACTING',
      'TOOL_APPROVAL',
      'TOOL',
      'OBSERVING',
      'THINKING',
      'COMPLETED',
    ])
    expect(chat.cities).toEqual(['杭州'])
    const [thought, acting, , tool, , answer, completed] = stream.frames.filter(
      ({ type }) => type !== 'PROGRESS',
    )
    expect(thought?.message).toBe('我来查一下杭州的天气。')
    expect(acting?.message).toContain('get_weather')
    expect(tool?.data).toMatchObject({ name: 'get_weather', ok: true, responseData: '杭州: 晴, 23°C' })
    expect(answer?.message).toBe('查到了：杭州: 晴, 23°C')
    expect(completed).toMatchObject({
      event: 'COMPLETED',
      sessionId: 'session-1',
      data: { status: 'completed' },
    })
  })

  it('P5: has the model think again, with the reason, when rejected', async () => {
    await open()
    const stream = await chat.stream(weather)
    const { data } = await stream.until('TOOL_APPROVAL')
    await chat.respond({
      sessionId: 'session-1',
      requestId: data.requestId,
      selectedOptionId: 'reject',
      feedback: '不需要查天气',
    })
    const refused = await stream.until('PROGRESS', (frame) => frame.data.stage === 'call_refused')
    expect(refused.data).toMatchObject({ requestId: data.requestId, state: 'rejected', by: 'ana' })
    expect(refused.message).toContain('不需要查天气')
    const thought = await stream.until('THINKING')
    expect(thought.message).toContain('不需要查天气')
    await stream.until('COMPLETED')
    expect(chat.cities).toEqual([])
  })

  it('P5: ends the conversation and the stream when terminated, and does not call that completed', async () => {
    await open()
    const stream = await chat.stream(weather)
    const { data } = await stream.until('TOOL_APPROVAL')
    const receipt = await chat.respond({
      sessionId: 'session-1',
      requestId: data.requestId,
      selectedOptionId: 'terminate',
      feedback: '到此为止',
    })
    expect(receipt).toMatchObject({ success: true, message: '用户响应已处理，对话已终止' })
    const rest = await stream.rest()
    expect(rest.at(-1)).toMatchObject({ type: 'ERROR', data: { final: true, status: 'terminated' } })
    expect(rest.at(-1)?.message).toMatch(/^用户终止对话: .*到此为止/)
    expect(types(stream.frames)).not.toContain('COMPLETED')
    expect(chat.cities).toEqual([])
    const again = await chat.post(`${CHAT}/stream`, weather)
    expect(again.status).toBe(200)
    expect(await again.text()).toContain('"code":"session_ended"')
  })
})
