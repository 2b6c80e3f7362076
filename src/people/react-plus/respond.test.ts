import { afterEach, describe, expect, it } from 'vitest'
import { agent, ana, ben } from '../../gateway/fixtures/test-gateway.ts'
import { CHAT, openTestChat, type Stream, type TestChat, type TestChatOptions } from './fixtures/test-chat.ts'

let chat: TestChat
afterEach(() => chat.close())

/** A stream that waits for approval in the session `s`. */
async function asked(options: TestChatOptions = {}): Promise<{ stream: Stream; requestId: string }> {
  chat = await openTestChat(options)
  const stream = await chat.stream({ sessionId: 's', message: '杭州的天气' })
  const { data } = await stream.until('TOOL_APPROVAL')
  return { stream, requestId: data.requestId }
}

const answer = (requestId: string, selectedOptionId = 'approve', more: object = {}) => ({
  sessionId: 's',
  requestId,
  selectedOptionId,
  feedback: null,
  ...more,
})

const stateOf = async (id: string) => (await chat.setup.setup.store.get(id))?.state

describe('an answer that is none', () => {
  it.each([
    [{ requestId: 'r', selectedOptionId: 'approve' }, 'sessionId不能为空'],
    [{ sessionId: '', requestId: 'r', selectedOptionId: 'approve' }, 'sessionId不能为空'],
    [{ sessionId: 's', selectedOptionId: 'approve' }, 'requestId不能为空'],
    [{ sessionId: 's', requestId: null, selectedOptionId: 'approve' }, 'requestId不能为空'],
    [{ sessionId: 's', requestId: 'r' }, 'selectedOptionId不能为空'],
    [{ sessionId: 's', requestId: 'r', selectedOptionId: '  ' }, 'selectedOptionId不能为空'],
    [{ sessionId: 7, requestId: 'r', selectedOptionId: 'approve' }, 'sessionId必须是字符串'],
    [{ sessionId: 's', requestId: ['r'], selectedOptionId: 'approve' }, 'requestId必须是字符串'],
    [{ sessionId: 's', requestId: 'r', selectedOptionId: 'approve', feedback: 1 }, 'feedback必须是字符串'],
    ['[]', '处理用户响应失败: 请求体必须是一个 JSON 对象'],
    ['{"sessionId":"s"', '处理用户响应失败: 请求体不是 JSON'],
    ['{"requestId":"a","requestId":"b"}', '处理用户响应失败: 请求体不是 JSON'],
    ['', '处理用户响应失败: 请求体不是 JSON'],
  ])('P5: is refused with 200 and the reason: %j', async (body, message) => {
    chat = await openTestChat()
    expect(await chat.respond(body)).toMatchObject({ success: false, message })
  })

  it('is told in English to who asks for it', async () => {
    chat = await openTestChat()
    const headers = { 'accept-language': 'en-GB,en;q=0.9' }
    expect(await chat.respond({}, { headers })).toMatchObject({ message: 'sessionId must not be empty' })
  })

  it('P5: a body of ten megabytes is refused, and nothing is decided', async () => {
    const { requestId } = await asked()
    const body = answer(requestId, 'approve', { feedback: 'x'.repeat(10_000_000) })
    expect(await chat.respond(body)).toMatchObject({ success: false, code: 'too_large' })
    expect(await stateOf(requestId)).toBe('pending')
  })

  it.each([
    ['retry', '不支持 retry'],
    ['yes', '没有选项 yes；可选: approve, reject, terminate'],
    ['APPROVE', '没有选项 APPROVE'],
    ['__proto__', '没有选项 __proto__'],
    ['edit', '没有选项 edit'],
  ])('P5: the option %s decides nothing', async (option, message) => {
    const { requestId } = await asked()
    const receipt = await chat.respond(answer(requestId, option))
    expect(receipt.success).toBe(false)
    expect(receipt.message).toContain(message)
    expect(await stateOf(requestId)).toBe('pending')
    expect(chat.cities).toEqual([])
  })
})

describe('who answers', () => {
  it('P6: another person with the same label, or with a guess at it, is told of no such request', async () => {
    const { requestId } = await asked()
    for (const sessionId of ['s', 'react-plus/ana/s', '../ana/s', 'ana/s']) {
      const receipt = await chat.respond(answer(requestId, 'approve', { sessionId }), { as: 'ben' })
      expect(receipt).toMatchObject({ success: false, code: 'unknown_id' })
    }
    expect(await stateOf(requestId)).toBe('pending')
  })

  it('P6: the right person in another session of theirs is told of no such request', async () => {
    const { requestId } = await asked()
    const receipt = await chat.respond(answer(requestId, 'approve', { sessionId: 'other' }))
    expect(receipt).toMatchObject({ success: false, code: 'unknown_id' })
    expect(await stateOf(requestId)).toBe('pending')
  })

  it("P11: an agent's credential gets in nowhere", async () => {
    const { requestId } = await asked()
    for (const path of ['stream', 'interaction_response']) {
      const response = await chat.post(`${CHAT}/${path}`, answer(requestId), { as: 'agent-1' })
      expect(response.status).toBe(403)
    }
    const nobody = await fetch(`${chat.url}${CHAT}/stream`, { method: 'POST', body: '{}' })
    expect(nobody.status).toBe(401)
    expect(await stateOf(requestId)).toBe('pending')
  })

  it('P11: a call of another agent that claims to come from here is neither shown nor decided here', async () => {
    const { stream } = await asked()
    const conversation = 'react-plus/ana/s'
    const { request } = await chat.setup.setup.gateway.review(
      {
        tool: 'wipe',
        arguments: {},
        callId: 'c1',
        session: 'elsewhere',
        origin: { channel: 'react-plus', conversation },
      },
      agent,
    )
    const receipt = await chat.respond(answer(request!.id))
    expect(receipt).toMatchObject({ success: false, code: 'unknown_id' })
    const last = stream.frames.at(-1)!.id
    stream.drop()
    const again = await chat.stream({ sessionId: 's' }, { headers: { 'last-event-id': last } })
    const shown = await again.until('TOOL_APPROVAL')
    expect(shown.data.context.toolName).toBe('get_weather')
    await chat.respond(answer(shown.data.requestId, 'reject'))
    await again.rest()
    expect(JSON.stringify(again.frames)).not.toContain('wipe')
    expect(await stateOf(request!.id)).toBe('pending')
  })

  it('P6: a cookie reaches the sessions that it opened, and no other of the same person', async () => {
    const { requestId } = await asked()
    const [mine, other] = [await chat.cookieOf('ana'), await chat.cookieOf('ana')]
    const by = (cookie: string) => ({ headers: { cookie } })
    expect(await chat.respond(answer(requestId), by(mine))).toMatchObject({ code: 'unknown_id' })

    const stream = await chat.stream({ sessionId: 's', message: '天气' }, by(mine))
    const { data } = await stream.until('TOOL_APPROVAL')
    expect(await chat.respond(answer(data.requestId), by(other))).toMatchObject({ code: 'unknown_id' })
    expect(await chat.respond(answer(data.requestId))).toMatchObject({ code: 'unknown_id' })
    expect(await chat.respond(answer(data.requestId), by(mine))).toMatchObject({ success: true })
    await stream.until('COMPLETED')
    expect(chat.cities).toEqual(['杭州'])
    expect(await stateOf(requestId)).toBe('pending')
  })
})

describe('an answer that comes late', () => {
  it('P2: is told who has decided and what, when someone else was first', async () => {
    const { stream, requestId } = await asked()
    const { digest } = (await chat.setup.setup.store.get(requestId))!
    await chat.setup.setup.gateway.decide(requestId, { decision: 'reject', digest, reason: 'no' }, ben)
    const receipt = await chat.respond(answer(requestId))
    expect(receipt).toMatchObject({
      success: false,
      code: 'already_decided',
      message: '处理用户响应失败: 已经决定: ben 已拒绝',
    })
    const told = await stream.until('PROGRESS', (frame) => frame.data.requestId === requestId)
    expect(told.data).toMatchObject({ state: 'rejected', by: 'ben' })
    await stream.until('COMPLETED')
    expect(chat.cities).toEqual([])
  })

  it('P2, P4: of many answers at once one counts, repeating it is a success, and the tool runs once', async () => {
    const { stream, requestId } = await asked()
    const receipts = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        chat.respond(answer(requestId, index % 3 === 0 ? 'approve' : 'reject')),
      ),
    )
    const kinds = receipts.map(({ success }, index) => [success, index % 3 === 0])
    const won = kinds.find(([success]) => success)![1]
    expect(kinds.every(([success, isApproval]) => success === (isApproval === won))).toBe(true)
    await stream.until('COMPLETED')
    expect(chat.cities).toHaveLength(won ? 1 : 0)
  })

  it('P5: is told that the request expired, and so is the stream', async () => {
    const { stream, requestId } = await asked({ settings: { expiresInMs: 60_000 } })
    await chat.setup.setup.clock.advance(61_000)
    expect(await chat.respond(answer(requestId))).toMatchObject({
      success: false,
      message: '处理用户响应失败: 无人及时处理，请求已过期',
    })
    const told = await stream.until('PROGRESS', (frame) => frame.data.stage === 'call_refused')
    expect(told.data).toMatchObject({ requestId, state: 'expired' })
    expect(chat.cities).toEqual([])
  })

  it('P7: counts after a restart, without a stream', async () => {
    const { requestId } = await asked()
    chat = await chat.restart()
    expect(await chat.respond(answer(requestId))).toMatchObject({ success: true })
    await expect.poll(() => chat.cities).toEqual(['杭州'])
  })
})

describe('what was shown', () => {
  const twoVotes = {
    rules: [
      { name: 'two', when: { tool: 'get_weather' }, then: 'ask', quorum: 2, approvers: ['owner', 'ben'] },
    ],
  }

  it('P3: an approval of what has changed since is refused, and the new call is shown', async () => {
    const { stream, requestId } = await asked({ policy: twoVotes })
    const { gateway, store } = chat.setup.setup
    const { digest } = (await store.get(requestId))!
    await gateway.decide(requestId, { decision: 'edit', digest, arguments: { city: '北京' } }, ben)
    const receipt = await chat.respond(answer(requestId))
    expect(receipt).toMatchObject({ success: false, code: 'digest_mismatch' })
    const shown = await stream.until('TOOL_APPROVAL')
    expect(shown.data.context.toolArgs).toEqual({ city: '北京' })
    expect(shown.data.requestId).toMatch(new RegExp(`^${requestId}\\.[0-9a-f]{16}$`))
    const guess = await chat.respond(answer(`${requestId}.${'0'.repeat(16)}`))
    expect(guess).toMatchObject({ success: false, code: 'digest_mismatch' })
    expect(await chat.respond(answer(shown.data.requestId))).toMatchObject({ success: true })
    await stream.until('COMPLETED')
    expect(chat.cities).toEqual(['北京'])
  })

  it('says so when an approval was recorded and others are needed', async () => {
    const { requestId } = await asked({ policy: twoVotes })
    expect(await chat.respond(answer(requestId))).toMatchObject({
      success: true,
      message: '您的同意已记录，还需要其他人批准',
    })
    expect(await stateOf(requestId)).toBe('pending')
  })

  it('P6: someone who may see but not decide is told so, and it stays pending', async () => {
    const policy = {
      rules: [{ name: 'sre', when: { tool: 'get_weather' }, then: 'ask', approvers: ['ben'] }],
    }
    const { requestId } = await asked({ policy })
    expect(await chat.respond(answer(requestId))).toMatchObject({ success: false, code: 'not_yours' })
    expect(await stateOf(requestId)).toBe('pending')
  })

  it('P5: offers and takes only what the request takes', async () => {
    const policy = {
      rules: [{ name: 'never', when: { tool: 'get_weather' }, then: 'ask', allowedDecisions: ['reject'] }],
    }
    const { stream, requestId } = await asked({ policy })
    const { data } = stream.frames.find(({ type }) => type === 'TOOL_APPROVAL')!
    expect(data.options.map((option: { optionId: string }) => option.optionId)).toEqual([
      'reject',
      'terminate',
    ])
    expect(await chat.respond(answer(requestId, 'approve'))).toMatchObject({
      success: false,
      message: '处理用户响应失败: 没有选项 approve；可选: reject, terminate',
    })
    expect(await stateOf(requestId)).toBe('pending')
    expect(chat.cities).toEqual([])
  })
})

describe('without an agent', () => {
  it('an answer is taken, and saying something is refused with the reason', async () => {
    chat = await openTestChat({ agent: false })
    const session = 'react-plus/ana/s'
    const call = { tool: 'get_weather', arguments: { city: '杭州' }, callId: 'c', session }
    const origin = { channel: 'react-plus', conversation: session }
    const { request } = await chat.setup.setup.gateway.review({ ...call, origin }, { ...ana, via: 'agent' })
    expect(await chat.respond(answer(request!.id))).toMatchObject({ success: true })
    expect(await stateOf(request!.id)).toBe('approved')
    const said = await chat.post(`${CHAT}/stream`, { sessionId: 's', message: '你好' })
    expect([said.status, await said.json()]).toMatchObject([
      404,
      { code: 'unknown_route', detail: expect.stringContaining('no agent is configured') },
    ])
  })
})
