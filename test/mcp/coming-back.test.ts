/** A client of 2026-07-28 that comes back: with what the server has asked for, with a state for another method than tools/call, when something fails. */
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../fixtures/until.ts'
import { type FaultyServer, startFaultyServer } from '../guard/faulty-server.ts'
import { type GatedProxies, openGatedProxies, POLICY } from './gated-proxy.ts'
import { type Any, type McpProxy, textOf } from './proxy-driver.ts'

let gated: GatedProxies
let faulty: FaultyServer | undefined
afterEach(async () => {
  await gated.close()
  await faulty?.close()
  faulty = undefined
})

const envelope = (extensions: object = {}) => ({
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { extensions },
  },
})
const MODERN = envelope()
const WITH_TASKS = envelope({ 'io.modelcontextprotocol/tasks': {} })
const inputResponses = { ok: { action: 'accept', content: { pin: '1234' } } }

/** A call that a person has approved, up to where its server asks for something. */
async function asked(proxy: McpProxy): Promise<{ requestState: string; requestId: string }> {
  const { answer } = proxy.call('input', { a: 1 }, MODERN)
  const [request] = await gated.pending()
  await gated.approve(request!.id)
  return { requestState: (await answer).result.requestState, requestId: request!.id }
}
const back = (proxy: McpProxy, requestState: string) =>
  proxy.call('input', { a: 1 }, { ...MODERN, requestState, inputResponses })
const outcomeOf = async (id: string): Promise<Any> => {
  await until(async () => (await gated.request(id)).state === 'done', 'the outcome')
  return (await gated.request(id)).progress.outcome
}

it('P4: a call that is cancelled when it comes back does not go on, and is on the record as broken off', async () => {
  gated = await openGatedProxies({ policy: { ...POLICY, ask: ['mcp__t__elicitation/create'] } })
  const proxy = gated.start()
  const { requestState, requestId } = await asked(proxy)
  const call = back(proxy, requestState)
  const [answer] = await gated.pending()
  expect(answer!.tool).toBe('mcp__t__elicitation/create')
  proxy.notify('notifications/cancelled', { requestId: call.id })
  await proxy.request('ping', {})
  await gated.approve(answer!.id).catch(() => {})
  expect(await outcomeOf(requestId)).toMatchObject({
    kind: 'error',
    summary: expect.stringContaining('no longer waits'),
  })
  await proxy.request('ping', {})
  expect(proxy.folder.effects()).toEqual(['input {"a":1}'])
  expect(proxy.folder.got().toString()).not.toContain('1234')
  // Nobody comes back for the answer either.
  await until(async () => (await gated.request(answer!.id)).state !== 'pending', 'the answer to be withdrawn')
})

describe('the Banksman server fails when a state is made or used', () => {
  async function open(): Promise<McpProxy> {
    gated = await openGatedProxies()
    faulty = await startFaultyServer(gated.http.server.address.url)
    return gated.start({ environment: { BANKSMAN_URL: faulty.url } })
  }

  it.each(['500', 'refused', 'html'] as const)('%s for a moment: the call goes on', async (fault) => {
    const proxy = await open()
    faulty!.fail(/states$/, fault, fault)
    const { requestState, requestId } = await asked(proxy)
    faulty!.fail(/states\/use$/, fault, fault)
    expect(JSON.parse(textOf(await back(proxy, requestState).answer))).toMatchObject({ inputResponses })
    expect(await outcomeOf(requestId)).toMatchObject({ kind: 'ok' })
  })

  it('P4: 500 for good: the client is told that the call was broken off', async () => {
    const proxy = await open()
    faulty!.fail(/states$/, ...Array.from({ length: 500 }, () => '500' as const))
    const { answer } = proxy.call('input', { a: 1 }, MODERN)
    const [request] = await gated.pending()
    await gated.approve(request!.id)
    const { result } = await answer
    expect(result).toMatchObject({ resultType: 'complete', isError: true })
    expect(textOf({ result })).toMatch(/something broke.*may have had/)
    expect(textOf({ result })).not.toMatch(/did not run/)
    expect(await outcomeOf(request!.id)).toMatchObject({ kind: 'error' })
  })

  it('P4: the answer is lost when it is used: the call is broken off, and does not go on', async () => {
    const proxy = await open()
    const { requestState, requestId } = await asked(proxy)
    faulty!.fail(/states\/use$/, 'answer lost')
    expect(textOf(await back(proxy, requestState).answer)).toMatch(/used already.*may have had/s)
    expect(await outcomeOf(requestId)).toMatchObject({ kind: 'error' })
    expect(proxy.folder.effects()).toHaveLength(1)
  })
})

describe('methods beside tools/call', () => {
  const METHODS = {
    'resources/read': { uri: 'file:///a' },
    'prompts/get': { name: 'p', arguments: { a: '1' } },
  }

  it.each(Object.entries(METHODS))(
    '%s runs when its client comes back with the state',
    async (method, params) => {
      gated = await openGatedProxies({ policy: { ...POLICY, ask: [`mcp__t__${method}`] } })
      const proxy = gated.start({ words: ['--hold', '200ms'] })
      const send = (more: object, id: string) =>
        gated.waited(proxy.request(method, { ...params, ...MODERN, ...more }, id))
      const first = await send({}, 'first')
      const [request, ...others] = await gated.pending()
      expect(others).toEqual([])
      const second = await send({ requestState: first.result.requestState }, 'second')
      await gated.approve(request!.id)
      const { requestState } = second.result
      expect((await send({ requestState }, 'third')).result).toEqual({ echo: method })
      expect(proxy.folder.got().toString()).not.toContain('bms_')
    },
  )

  it.each(Object.entries(METHODS))(
    '%s is not refused for a progress token that no double holds',
    async (method, params) => {
      gated = await openGatedProxies()
      const proxy = gated.start()
      const line = `{"jsonrpc":"2.0","id":"big","method":"${method}","params":${JSON.stringify(params).slice(0, -1)},"_meta":{"progressToken":12345678901234567890}}}\n`
      proxy.send(line)
      expect((await proxy.answer('big')).result).toEqual({ echo: method })
      expect(proxy.folder.got().toString()).toContain(line)
      // What people would be shown otherwise than it is, is refused as before.
      proxy.send(line.replace('"big"', '"arg"').replace('"params":{', '"params":{"n":12345678901234567890,'))
      expect((await proxy.answer('arg')).error.message).toMatch(/exactly/)
    },
  )
})

it('P4: a server that asks for something in a call that has become a task: the task ends with that, and without the server’s state', async () => {
  gated = await openGatedProxies()
  const proxy = gated.start({ words: ['--hold', '200ms'] })
  const task = (await gated.waited(proxy.call('input', { a: 1 }, WITH_TASKS).answer)).result
  const [request] = await gated.pending()
  await gated.approve(request!.id)
  let last: Any
  await until(async () => {
    last = (await proxy.request('tasks/get', { taskId: task.taskId, ...WITH_TASKS })).result
    return last.status === 'completed'
  }, 'the task to end')
  expect(last.result).toMatchObject({ resultType: 'complete', isError: true })
  expect(textOf(last)).toMatch(/asks for something.*may have had/)
  expect(JSON.stringify(last)).not.toMatch(/of the server|input_required/)
  expect(await outcomeOf(request!.id)).toMatchObject({ kind: 'error' })
})

it('P4: what a server asks for a call that was cancelled is not kept for the next one', async () => {
  gated = await openGatedProxies({ policy: { ...POLICY, allow: [...POLICY.allow, 'mcp__t__mute'] } })
  const proxy = gated.start()
  const first = proxy.call('mute', { a: 1 }, MODERN)
  await until(() => proxy.folder.effects().length === 1, 'it to run')
  proxy.notify('notifications/cancelled', { requestId: first.id })
  const result = { resultType: 'input_required', requestState: 'of the server' }
  proxy.notify('test/print', { text: `${JSON.stringify({ jsonrpc: '2.0', id: first.id, result })}\n` })
  await proxy.request('ping', {})
  const second = proxy.call('mute', { a: 1 }, MODERN)
  await until(() => proxy.folder.effects().length === 2, 'it to run again')
  proxy.notify('test/print', {
    text: `${JSON.stringify({ jsonrpc: '2.0', id: second.id, result: { content: [] } })}\n`,
  })
  expect((await second.answer).result).toEqual({ content: [] })
})
