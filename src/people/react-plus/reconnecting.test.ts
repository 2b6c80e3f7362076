import { afterEach, describe, expect, it } from 'vitest'
import { approve, ben, newestRequest } from '../../gateway/fixtures/test-gateway.ts'
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

describe('a stream that breaks off', () => {
  it('P8: withdraws nothing; who comes back is told what followed, and what waits, again', async () => {
    await open({ inbox: false })
    const stream = await chat.stream(weather)
    const asked = await stream.until('TOOL_APPROVAL')
    stream.drop()
    await chat.setup.setup.clock.advance(20_000)
    expect(await newestRequest(chat.setup.setup)).toMatchObject({
      id: asked.data.requestId,
      state: 'pending',
    })
    const again = await chat.stream({ sessionId: 's', message: '' }, from(asked.id))
    const shown = await again.until('TOOL_APPROVAL')
    expect(shown.data.requestId).toBe(asked.data.requestId)
    await chat.respond(answer(shown))
    await again.rest()
    const ids = (frames: Frame[]) =>
      frames.flatMap(({ id, data }) => (id === '' || data.requestId !== undefined ? [] : [id]))
    expect(ids(stream.frames).filter((id) => ids(again.frames).includes(id))).toEqual([])
    expect(again.frames.at(-1)?.type).toBe('COMPLETED')
    expect(chat.cities).toEqual(['杭州'])
  })

  it('P8: nobody is taken for present whose stream is over, has broken off or was never opened', async () => {
    await open()
    const stream = await chat.stream(weather)
    const asked = await stream.until('TOOL_APPROVAL')
    expect(chat.present.size).toBe(1)
    stream.drop()
    await expect.poll(() => chat.present.size).toBe(0)
    const again = await chat.stream({ sessionId: 's' }, from(asked.id))
    await chat.respond(answer(await again.until('TOOL_APPROVAL')))
    await again.rest()
    await expect.poll(() => chat.present.size).toBe(0)
    expect((await chat.post(`${CHAT}/stream`, { message: 'x'.repeat(100_000) })).status).toBe(413)
    expect(chat.present.size).toBe(0)
  })

  it('goes on in the middle of a long answer', async () => {
    const long = 'a line of what the model says\n'.repeat(600)
    await open({ script: [{ steps: [{ say: long }] }] })
    const stream = await chat.stream(weather)
    await stream.rest()
    const thoughts = stream.frames.filter(({ type }) => type === 'THINKING')
    for (const [index, { id }] of thoughts.entries()) {
      const again = await chat.stream({ sessionId: 's' }, from(id))
      await again.rest()
      const rest = again.frames.filter(({ type }) => type === 'THINKING')
      expect(rest.map(({ id }) => id)).toEqual(thoughts.slice(index + 1).map(({ id }) => id))
      expect(again.frames.at(-1)?.type).toBe('COMPLETED')
    }
  })

  it('tells who has heard all of it the end, and nothing else', async () => {
    await open()
    const stream = await chat.stream({ sessionId: 's', message: 'hello' })
    const end = await stream.until('COMPLETED')
    const again = await chat.stream({ sessionId: 's' }, from(end.id))
    await again.rest()
    expect(again.frames.map(({ type }) => type)).toEqual(['COMPLETED'])
  })

  it('P7: is told again after a restart, and an approval then has the tool run once', async () => {
    await open()
    const stream = await chat.stream(weather)
    const asked = await stream.until('TOOL_APPROVAL')
    chat = await chat.restart()
    const again = await chat.stream({ sessionId: 's' }, from(asked.id))
    const shown = await again.until('TOOL_APPROVAL')
    expect(shown.data.requestId).toBe(asked.data.requestId)
    await chat.respond(answer(shown))
    await again.until('COMPLETED')
    expect(chat.cities).toEqual(['杭州'])
  })

  it('follows the turn that runs from its beginning where no place is named', async () => {
    await open()
    const stream = await chat.stream(weather)
    const asked = await stream.until('TOOL_APPROVAL')
    const other = await chat.stream({ sessionId: 's' })
    expect((await other.until('THINKING')).message).toBe('我来查一下杭州的天气。')
    expect((await other.until('TOOL_APPROVAL')).data.requestId).toBe(asked.data.requestId)
    await approve(chat.setup.setup, await newestRequest(chat.setup.setup), ben)
    for (const each of [stream, other]) {
      const told = await each.until('PROGRESS', (frame) => frame.data.requestId === asked.data.requestId)
      expect(told.data).toMatchObject({ state: 'approved', by: 'ben' })
      await each.until('COMPLETED')
    }
  })

  it.each([
    ['t9-5', 404, 'unknown_id'],
    ['nonsense', 400, 'invalid'],
    ['t1-0.0', 400, 'invalid'],
    ['-', 400, 'invalid'],
  ])('refuses a place that is none: %s', async (id, status, code) => {
    await open()
    await (await chat.stream({ sessionId: 's', message: 'hello' })).rest()
    const response = await chat.post(`${CHAT}/stream`, { sessionId: 's' }, from(id))
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code })
  })
})
