/** Calls through `banksman mcp`: what each decision comes to, for the client and for the server behind. */
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../fixtures/until.ts'
import { type GatedProxies, openGatedProxies } from './gated-proxy.ts'
import { textOf } from './proxy-driver.ts'

let gated: GatedProxies
afterEach(() => gated.close())

describe('each decision', () => {
  it('runs what the policy allows and what a person approves, denies what it denies, all side by side', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start()
    const waiting = proxy.call('append', { line: 'a' })
    expect(textOf(await proxy.call('read', {}).answer)).toBe('read done')
    const denied = await proxy.call('secret', {}).answer
    expect(denied.result.isError).toBe(true)
    expect(denied.result.structuredContent).toBeUndefined()
    expect(JSON.parse(textOf(denied))).toMatchObject({ ran: false, state: 'denied', tryAgain: false })
    const [request] = await gated.pending()
    expect(request!.tool).toBe('mcp__t__append')
    expect(proxy.folder.effects()).toEqual(['read {}'])
    await gated.approve(request!.id)
    expect(textOf(await waiting.answer)).toBe('append done')
    expect(proxy.folder.effects()).toEqual(['read {}', 'append {"line":"a"}'])
    expect(await gated.request(request!.id)).toMatchObject({ state: 'done' })
    // It was delivered: the same once more is another call.
    const again = proxy.call('append', { line: 'a' })
    const [second] = await gated.pending()
    expect(second!.id).not.toBe(request!.id)
    await gated.approve(second!.id)
    await again.answer
    expect(proxy.folder.effects()).toHaveLength(3)
  })

  it('tells the model of a rejection with its reason, of an answer in place of the result, and of the end', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start()
    const rejected = proxy.call('append', { line: 'no' })
    await gated.decide((await gated.pending())[0]!.id, { decision: 'reject', reason: 'not on a Friday' })
    expect(JSON.parse(textOf(await rejected.answer))).toMatchObject({
      ran: false,
      state: 'rejected',
      because: expect.stringContaining('not on a Friday'),
    })
    const answered = proxy.call('append', { line: 'what?' })
    await gated.decide((await gated.pending())[0]!.id, { decision: 'respond', text: 'it is 42' })
    const { result } = await answered.answer
    expect(result.isError).toBe(true)
    expect(result.content[0].text).toMatch(/did not run.*it is 42/)
    const ended = proxy.call('append', { line: 'end' })
    await gated.decide((await gated.pending())[0]!.id, { decision: 'terminate' })
    expect(JSON.parse(textOf(await ended.answer))).toMatchObject({ ran: false, state: 'terminated' })
    // The session is over: also for what the policy allows.
    expect((await proxy.call('read', {}).answer).result.isError).toBe(true)
    expect(proxy.folder.effects()).toEqual([])
  })

  it('P3: an edit changes the bytes of the arguments and no others, and the model is told', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start()
    const before =
      '{ "jsonrpc":"2.0", "x":[1.0, "\\u00e9"],"params":{"_meta":{"k":1e2}, "name":"append","argum\\u0065nts" : '
    const after = ' ,"z":null},"method":"tools\\u002fcall","id":"é-1"  }\r\n'
    proxy.send(`${before}{"line": "a"}${after}`)
    const [request] = await gated.pending()
    await gated.decide(request!.id, { decision: 'edit', arguments: { line: 'b' } })
    const answer = await proxy.answer('é-1')
    expect(answer.result.content[0].text).toMatch(/changed the arguments.*\{"line":"b"\}/)
    expect(answer.result.content[1].text).toBe('append done')
    expect(answer.result.isError).toBeUndefined()
    expect(proxy.folder.got().toString()).toContain(`${before}{"line":"b"}${after}`)
    expect(proxy.folder.effects()).toEqual(['append {"line":"b"}'])
  })

  it('an edit of a call without arguments gives it some', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start()
    const call = proxy.call('append')
    await gated.decide((await gated.pending())[0]!.id, { decision: 'edit', arguments: { line: 'b' } })
    await call.answer
    expect(proxy.folder.effects()).toEqual(['append {"line":"b"}'])
  })
})

describe('waiting', () => {
  it('P4: ends with a ticket; the same call joins its request, and is told to stop after some rounds', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start({ words: ['--hold', '200ms'] })
    const ticket = () =>
      gated.waited(proxy.call('append', { line: 'a' }, { _meta: { progressToken: 'p' } }).answer)
    const first = await ticket()
    const [request] = await gated.pending()
    expect(first.result).toMatchObject({ isError: true, _meta: { 'banksman/request': request!.id } })
    expect(textOf(first)).toMatch(/Not refused: waiting for ana .*same tool with the same arguments/)
    expect(proxy.messages().find((one) => one.method === 'notifications/progress')?.params).toMatchObject({
      progressToken: 'p',
      message: 'Waiting for ana',
    })
    for (let round = 2; round <= 5; round++) expect(textOf(await ticket())).toMatch(/go on waiting/)
    const last = textOf(await ticket())
    expect(await gated.pending()).toHaveLength(1)
    expect(last).toMatch(/Stop, and tell the user/)
    await gated.approve(request!.id)
    expect(textOf(await proxy.call('append', { line: 'a' }).answer)).toBe('append done')
    expect(proxy.folder.effects()).toEqual(['append {"line":"a"}'])
  })

  it('P4: two identical calls at once are two requests', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start()
    const calls = [proxy.call('append', { line: 'a' }), proxy.call('append', { line: 'a' })]
    const requests = await gated.pending(2)
    for (const { id } of requests) await gated.approve(id)
    for (const { answer } of calls) expect(textOf(await answer)).toBe('append done')
    expect(proxy.folder.effects()).toHaveLength(2)
  })

  it('P4: what is cancelled while it waits never runs, approved or not; the repeat takes it up', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start()
    const call = proxy.call('append', { line: 'a' })
    const [request] = await gated.pending()
    proxy.notify('notifications/cancelled', { requestId: call.id, reason: 'no patience' })
    // The server has not heard of the call, and needs not hear that it is over.
    await proxy.request('ping', {})
    await gated.approve(request!.id)
    await proxy.call('read', {}).answer
    expect(proxy.folder.effects()).toEqual(['read {}'])
    expect(proxy.folder.got().toString()).not.toMatch(/append|cancelled/)
    expect(await gated.request(request!.id)).toMatchObject({ state: 'approved' })
    expect(textOf(await proxy.call('append', { line: 'a' }).answer)).toBe('append done')
    expect(await gated.request(request!.id)).toMatchObject({ state: 'done' })
    expect(proxy.messages().some((one) => one.id === call.id)).toBe(false)
  })

  it('P4: an answer that nobody waited for is given to the repeat, which does not run again', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start()
    const call = proxy.call('slow', { key: 'k' })
    const [request] = await gated.pending()
    await gated.decide(request!.id, { decision: 'edit', arguments: { key: 'other' } })
    await until(() => proxy.folder.effects().length === 1)
    proxy.notify('notifications/cancelled', { requestId: call.id })
    proxy.notify('test/release', { key: 'other' })
    await until(async () => (await gated.request(request!.id)).state === 'done')
    const again = await proxy.call('slow', { key: 'k' }).answer
    expect(textOf(again)).toMatch(/slow other/)
    // It is told what it ran with, now as it would have been then.
    expect(textOf(again)).toMatch(/changed the arguments/)
    expect(proxy.folder.effects()).toHaveLength(1)
    expect(proxy.messages().some((one) => one.id === call.id)).toBe(false)
  })

  it('P4: a call that was cancelled while it ran, and that the server never answers, is asked about anew', async () => {
    gated = await openGatedProxies({ policy: {} })
    const proxy = gated.start()
    const call = proxy.call('mute', { key: 'k' })
    const [request] = await gated.pending()
    await gated.approve(request!.id)
    await until(() => proxy.folder.effects().length === 1)
    proxy.notify('notifications/cancelled', { requestId: call.id })
    const again = proxy.call('mute', { key: 'k' })
    const [second] = await gated.pending()
    expect(second!.id).not.toBe(request!.id)
    expect(JSON.stringify(second)).toContain(request!.id)
    await gated.decide(second!.id, { decision: 'reject' })
    expect(JSON.parse(textOf(await again.answer)).state).toBe('rejected')
    expect(proxy.folder.effects()).toHaveLength(1)
  })
})
