/** `--ask-in-client`: the person in front of the client is told that a call waits. What the client answers can reject, and never approve. */
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../fixtures/until.ts'
import { type GatedProxies, openGatedProxies } from './gated-proxy.ts'
import { type Any, type McpProxy, textOf } from './proxy-driver.ts'

let gated: GatedProxies
afterEach(() => gated.close())

const ON = ['--ask-in-client']

async function openWith(elicitation: object | undefined, words = ON): Promise<McpProxy> {
  gated = await openGatedProxies({}, { inboxUrl: () => 'http://127.0.0.1:4141' })
  const proxy = gated.start({ words })
  await proxy.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: elicitation === undefined ? {} : { elicitation },
    clientInfo: { name: 'older', version: '1' },
  })
  return proxy
}

const questionsIn = (proxy: McpProxy): Any[] =>
  proxy.messages().filter((one) => one.method === 'elicitation/create')

async function question(proxy: McpProxy, count = 1): Promise<Any> {
  await until(() => questionsIn(proxy).length >= count, 'the question')
  return questionsIn(proxy).at(-1)
}

describe('a client before 2026-07-28', () => {
  it('P5: a form can reject: the call is withdrawn by the word of the client, and the model hears why', async () => {
    const proxy = await openWith({})
    const { answer } = proxy.call('append', { line: 'a\u202eb' })
    const { id, params } = await question(proxy)
    expect(params.message).toContain('mcp__t__append {"line":"a⟨U+202E RLO⟩b"}')
    expect(params.requestedSchema.properties.decision.enum).toEqual(['reject', 'wait'])
    const [request] = await gated.pending()
    proxy.send({ id, result: { action: 'accept', content: { decision: 'reject', reason: 'not today' } } })
    expect(textOf(await answer)).toContain('by the word of that program: not today')
    expect(proxy.folder.effects()).toEqual([])
    const { state, progress } = await gated.request(request!.id)
    expect(state).toBe('cancelled')
    expect(progress.decision, 'nobody has decided').toBeUndefined()
    expect(progress.cancelled).toMatchObject({
      by: 't@host',
      reason: expect.stringContaining('rejected in older'),
    })
    expect(proxy.folder.got().toString(), 'the server hears nothing of it').not.toContain('not today')
  })

  it('P5: whatever else the client answers approves nothing', async () => {
    const proxy = await openWith({})
    const answers = [
      { action: 'accept', content: { decision: 'approve' } },
      { action: 'accept', content: { decision: 'wait' } },
      { action: 'accept', content: {} },
      { action: 'cancel' },
      { decision: 'approve' },
      'approve',
      null,
    ]
    for (const [index, result] of answers.entries()) {
      const { id: call } = proxy.call('append', { line: String(index) })
      const { id } = await question(proxy, index + 1)
      proxy.send({ id, result })
      await gated.pending(index + 1)
      // The client doesn't want the call any more, so that the next question can come.
      proxy.notify('notifications/cancelled', { requestId: call })
    }
    expect(await gated.pending(answers.length)).toHaveLength(answers.length)
    expect(proxy.folder.effects()).toEqual([])
  })

  it('a declined form is a no', async () => {
    const proxy = await openWith({})
    const { answer } = proxy.call('append', { line: 'a' })
    const { id } = await question(proxy)
    proxy.send({ id, result: { action: 'decline' } })
    expect(textOf(await answer)).toContain('rejected in older')
    expect(proxy.folder.effects()).toEqual([])
  })

  it('where links can be opened it is a link, and not opening it is no answer', async () => {
    const proxy = await openWith({ form: {}, url: {} })
    const { answer } = proxy.call('append', { line: 'a' })
    const { id, params } = await question(proxy)
    const [request] = await gated.pending()
    expect(params).toMatchObject({
      mode: 'url',
      url: `http://127.0.0.1:4141/#/pending/${request!.id}`,
      elicitationId: request!.id,
    })
    proxy.send({ id, result: { action: 'decline' } })
    await gated.approve(request!.id)
    expect(textOf(await answer)).toBe('append done')
  })

  it('one question at a time, and it is taken back once the call is decided elsewhere', async () => {
    const proxy = await openWith({})
    const first = proxy.call('append', { line: 'a' })
    const { id } = await question(proxy)
    const second = proxy.call('append', { line: 'b' })
    const requests = await gated.pending(2)
    expect(questionsIn(proxy)).toHaveLength(1)
    for (const request of requests) await gated.approve(request.id)
    await Promise.all([first.answer, second.answer])
    const taken = proxy.messages().filter((one) => one.method === 'notifications/cancelled')
    expect(taken).toMatchObject([{ params: { requestId: id } }])
    // Too late, and it goes no further.
    proxy.send({ id, result: { action: 'accept', content: { decision: 'reject' } } })
    expect(textOf(await proxy.call('read').answer)).toBe('read done')
    expect(proxy.folder.got().toString()).not.toContain('decision')
  })

  it('nobody is asked there without the option, or where the client does not say that it can ask', async () => {
    for (const [elicitation, words] of [
      [{}, []],
      [undefined, ON],
    ] as const) {
      const proxy = await openWith(elicitation, [...words])
      const { answer } = proxy.call('append', { line: 'a' })
      const [request] = await gated.pending()
      await gated.approve(request!.id)
      expect(textOf(await answer)).toBe('append done')
      expect(questionsIn(proxy)).toEqual([])
      await gated.close()
    }
  })
})

describe('a client since 2026-07-28', () => {
  const modern = (elicitation: object) => ({
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'newer', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation },
    },
  })

  it('P5: is asked along with the state, can reject, and the server sees neither', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start({ words: [...ON, '--hold', '200ms'] })
    const call = (more: object = {}) =>
      gated.waited(proxy.call('append', { line: 'a' }, { ...modern({ form: {} }), ...more }).answer)
    const { result } = await call()
    expect(result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) })
    expect(result.inputRequests.banksman).toMatchObject({
      method: 'elicitation/create',
      params: { requestedSchema: expect.anything() },
    })
    const inputResponses = {
      banksman: { action: 'accept', content: { decision: 'reject', reason: 'no' } },
    }
    const last = await call({ requestState: result.requestState, inputResponses })
    expect(textOf(last)).toContain('by the word of that program: no')
    expect(proxy.folder.effects()).toEqual([])
  })

  it('P5: a form that stands for a link, since there is none, can reject', async () => {
    gated = await openGatedProxies({}, { inboxUrl: () => undefined })
    const proxy = gated.start({ words: [...ON, '--hold', '200ms'] })
    const call = (more: object = {}) =>
      gated.waited(proxy.call('append', { line: 'a' }, { ...modern({ form: {}, url: {} }), ...more }).answer)
    const { result } = await call()
    expect(result.inputRequests.banksman.params.requestedSchema).toBeDefined()
    const inputResponses = { banksman: { action: 'decline' } }
    const last = await call({ requestState: result.requestState, inputResponses })
    expect(textOf(last)).toContain('by the word of that program')
    expect(proxy.folder.effects()).toEqual([])
  })

  it('P5: a link that was not opened is no answer', async () => {
    gated = await openGatedProxies({}, { inboxUrl: () => 'http://127.0.0.1:4141' })
    const proxy = gated.start({ words: [...ON, '--hold', '200ms'] })
    const call = (more: object = {}) =>
      gated.waited(proxy.call('append', { line: 'a' }, { ...modern({ form: {}, url: {} }), ...more }).answer)
    const { result } = await call()
    expect(result.inputRequests.banksman.params.mode).toBe('url')
    const inputResponses = { banksman: { action: 'decline' } }
    const last = await call({ requestState: result.requestState, inputResponses })
    expect(last.result.resultType).toBe('input_required')
  })

  it('P5: an approving answer approves nothing, and what a person approves runs without it', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start({ words: [...ON, '--hold', '200ms'] })
    const call = (more: object = {}) =>
      gated.waited(proxy.call('append', { line: 'a' }, { ...modern({ form: {} }), ...more }).answer)
    const first = (await call()).result
    const inputResponses = { banksman: { action: 'accept', content: { decision: 'approve' } } }
    const second = (await call({ requestState: first.requestState, inputResponses })).result
    expect(second).toMatchObject({ resultType: 'input_required' })
    expect(second.inputRequests, 'one question is enough').toBeUndefined()
    const [request] = await gated.pending()
    await gated.approve(request!.id)
    const third = await call({ requestState: second.requestState, inputResponses })
    expect(textOf(third)).toBe('append done')
    expect(proxy.folder.effects()).toEqual(['append {"line":"a"}'])
    expect(proxy.folder.got().toString()).not.toContain('approve')
  })
})
