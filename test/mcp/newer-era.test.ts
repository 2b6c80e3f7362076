/** Waiting with a client that speaks 2026-07-28: states that it comes back with, tasks that it asks after. And what it answers to the server. */
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../fixtures/until.ts'
import { type GatedProxies, openGatedProxies, POLICY } from './gated-proxy.ts'
import { type Any, type McpProxy, textOf } from './proxy-driver.ts'

let gated: GatedProxies
afterEach(() => gated.close())

const envelope = (extensions: object = {}) => ({
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'newer', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { extensions },
  },
})
const MODERN = envelope()
const SECRET = `sk-ant-api03-${'aB3_-'.repeat(18)}`
/** A person's answer to a form, with a secret in it. */
const FORM = { action: 'accept', content: { pin: '1234', key: SECRET } }

/** What passed is on the record, whole and as allowed; people and the journal have it without its secret. */
async function expectRecorded(answer: object): Promise<void> {
  const { store } = gated.http.setup
  const tool = 'mcp__t__elicitation/create'
  const { items } = await store.calls.list({})
  const [call, ...others] = items.filter((one) => one.tool === tool)
  expect(others).toEqual([])
  expect(call).toMatchObject({ verdict: 'allow', rule: 'mcp: unless ruled' })
  expect(JSON.parse(call!.bytes).arguments).toEqual({ answer })
  const shown = await gated.http.send('GET', '/v1/history', { as: 'ana' })
  const text = JSON.stringify(shown.json.items)
  expect(text).toContain('1234')
  expect(text).toContain('masked')
  expect(text).not.toContain(SECRET)
  const chains = await store.journal.chains()
  const entries = (await Promise.all(chains.map(({ chain }) => store.journal.read(chain, 0, 1000)))).flat()
  const journal = JSON.stringify(entries)
  expect(journal, 'that it passed').toContain(call!.callId)
  expect(journal).toContain('masked')
  expect(journal).not.toContain(SECRET)
}
const WITH_TASKS = envelope({ 'io.modelcontextprotocol/tasks': {} })

describe('a state that the client comes back with', () => {
  const append = (proxy: McpProxy, line: string, more: object = {}) =>
    gated.waited(proxy.call('append', { line }, { ...MODERN, ...more }).answer)

  it('goes on waiting for the same request, and runs once it is approved; the server never sees it', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start({ words: ['--hold', '200ms'] })
    const first = await append(proxy, 'a')
    expect(first.result).toEqual({
      resultType: 'input_required',
      requestState: expect.stringMatching(/^bms_/),
    })
    const second = await append(proxy, 'a', { requestState: first.result.requestState })
    expect(second.result.resultType).toBe('input_required')
    const requests = await gated.pending()
    expect(requests).toHaveLength(1)
    await gated.approve(requests[0]!.id)
    const last = await append(proxy, 'a', { requestState: second.result.requestState })
    expect(textOf(last)).toBe('append done')
    expect(proxy.folder.effects()).toEqual(['append {"line":"a"}'])
    expect(proxy.folder.got().toString()).not.toContain('bms_')
    expect(await gated.request(requests[0]!.id)).toMatchObject({ state: 'done' })
  })

  it('P4: is good once, for the same call, and is no approval', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start({ words: ['--hold', '200ms'] })
    const { requestState } = (await append(proxy, 'a')).result
    const other = await append(proxy, 'b', { requestState })
    expect(textOf(other)).toContain('is not for this call')
    const made = await append(proxy, 'a', { requestState: 'bms_made-up-by-somebody-else-0000000' })
    expect(textOf(made)).toContain('is not for this call')
    await append(proxy, 'a', { requestState })
    expect(textOf(await append(proxy, 'a', { requestState }))).toContain('was used already')
    expect(proxy.folder.effects()).toEqual([])
  })

  it('P5: is worth nothing to another proxy, which has a session of its own', async () => {
    gated = await openGatedProxies()
    const first = gated.start({ words: ['--hold', '200ms'] })
    const { requestState } = (await append(first, 'a')).result
    const [request] = await gated.pending()
    await gated.approve(request!.id)
    const second = gated.start({ words: ['--hold', '200ms'] })
    expect(textOf(await append(second, 'a', { requestState }))).toContain('is not for this call')
    expect([...first.folder.effects(), ...second.folder.effects()]).toEqual([])
  })

  it('after ten of them the model is told to make the call again', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start({ words: ['--hold', '200ms'] })
    let answer = await append(proxy, 'a')
    for (let round = 0; round < 9; round++) {
      expect(answer.result.resultType).toBe('input_required')
      answer = await append(proxy, 'a', { requestState: answer.result.requestState })
    }
    expect(answer.result.resultType).toBe('input_required')
    answer = await append(proxy, 'a', { requestState: answer.result.requestState })
    expect(answer.result).toMatchObject({ resultType: 'complete', isError: true })
    expect(textOf(answer)).toContain('Not refused: waiting')
  })

  it('P4: the server’s own state goes back to it under the same hold, without asking a person twice', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start()
    const first = proxy.call('input', { a: 1 }, MODERN)
    const [request] = await gated.pending()
    await gated.approve(request!.id)
    const { result } = await first.answer
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { ok: expect.anything() } })
    expect(result.requestState).toMatch(/^bms_/)
    expect(await gated.request(request!.id)).toMatchObject({ state: 'running' })
    const inputResponses = { ok: { action: 'accept' } }
    const { requestState } = result
    const second = await proxy.call('input', { a: 1 }, { ...MODERN, requestState, inputResponses }).answer
    expect(JSON.parse(textOf(second))).toEqual({ requestState: 'of the server', inputResponses })
    expect(proxy.folder.effects()).toHaveLength(2)
    expect(await gated.request(request!.id)).toMatchObject({ state: 'done' })
    // With other arguments it would be another call.
    const third = await proxy.call('input', { a: 2 }, { ...MODERN, requestState }).answer
    expect(textOf(third)).toContain('is not for this call')
  })
})

describe('what the client answers to a server that speaks 2026-07-28', () => {
  const inputResponses = { ok: FORM }
  async function answered(deny: string[]) {
    gated = await openGatedProxies({ policy: { allow: [...POLICY.allow, 'mcp__t__input'], deny } })
    const proxy = gated.start()
    const { requestState } = (await proxy.call('input', { a: 1 }, MODERN).answer).result
    const { answer } = proxy.call('input', { a: 1 }, { ...MODERN, requestState, inputResponses })
    return { proxy, answer: await gated.waited(answer) }
  }

  it('passes and is on the record', async () => {
    const { answer } = await answered([])
    expect(JSON.parse(textOf(answer))).toMatchObject({ inputResponses })
    await expectRecorded(FORM)
  })

  it('P5: is kept back where a rule denies it, and the call is broken off', async () => {
    const { proxy, answer } = await answered(['mcp__t__elicitation/create'])
    expect(textOf(answer)).toContain('kept back what the client answered')
    expect(proxy.folder.got().toString()).not.toContain('1234')
    expect(proxy.folder.effects()).toHaveLength(1)
  })

  it('P3: answers to questions that nobody has asked are refused', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start()
    const { answer } = proxy.call('read', {}, { ...MODERN, inputResponses })
    expect(textOf(await answer)).toContain('questions that nobody has asked')
    expect(proxy.folder.got().toString()).not.toContain('1234')
  })
})

describe('a task that the client asks after', () => {
  const begin = async (proxy: McpProxy) =>
    (await gated.waited(proxy.call('append', { line: 'a' }, WITH_TASKS).answer)).result
  const get = async (proxy: McpProxy, taskId: string): Promise<Any> =>
    (await proxy.request('tasks/get', { taskId, ...WITH_TASKS })).result

  it('P4: runs when the client asks after it was approved, and once', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start({ words: ['--hold', '200ms'] })
    const task = await begin(proxy)
    expect(task).toMatchObject({ resultType: 'task', status: 'working' })
    expect(await get(proxy, task.taskId)).toMatchObject({ resultType: 'complete', status: 'working' })
    const [request] = await gated.pending()
    expect(task.ttlMs).toBeGreaterThan(0)
    expect(task.ttlMs).toBeLessThanOrEqual(request!.deadline! - request!.createdAt)
    expect(task.statusMessage).toBe('Waiting for ana')
    await gated.approve(request!.id)
    expect(proxy.folder.effects()).toEqual([])
    await Promise.all([get(proxy, task.taskId), get(proxy, task.taskId), get(proxy, task.taskId)])
    let last: Any
    await until(async () => {
      last = await get(proxy, task.taskId)
      return last.status === 'completed'
    }, 'the task to be done')
    expect(last.result.content[0].text).toBe('append done')
    expect(proxy.folder.effects()).toEqual(['append {"line":"a"}'])
    // As a task of ours it is none of the server's.
    const given = proxy.folder.got().toString().split('\n')
    expect(given.find((line) => line.includes('tools/call'))).not.toContain('io.modelcontextprotocol/tasks')
  })

  it('P5: a rejection is its result, and a cancelled one never runs', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start({ words: ['--hold', '200ms'] })
    const rejected = await begin(proxy)
    const [first] = await gated.pending()
    await gated.decide(first!.id, { decision: 'reject', reason: 'no' })
    const told = await get(proxy, rejected.taskId)
    expect(told).toMatchObject({ status: 'completed', result: { isError: true } })
    const task = await begin(proxy)
    const [second] = await gated.pending()
    await proxy.request('tasks/cancel', { taskId: task.taskId, ...WITH_TASKS })
    expect(await get(proxy, task.taskId)).toMatchObject({ status: 'cancelled' })
    await expect(gated.approve(second!.id)).rejects.toThrow()
    expect(proxy.folder.effects()).toEqual([])
  })

  it.each([
    [
      'cancels it',
      (proxy: McpProxy, taskId: string) =>
        void proxy.request('tasks/cancel', { taskId, ...WITH_TASKS }).catch(() => {}),
    ],
    ['goes away', (proxy: McpProxy) => proxy.closeInput()],
  ])('P5: an approved one whose client asks after it and %s at once does not run', async (_, leave) => {
    gated = await openGatedProxies()
    const proxy = gated.start({ words: ['--hold', '200ms'] })
    const { taskId } = await begin(proxy)
    const [request] = await gated.pending()
    await gated.approve(request!.id)
    proxy.send({ id: 'asks', method: 'tasks/get', params: { taskId, ...WITH_TASKS } })
    leave(proxy, taskId)
    await proxy.answer('asks').catch(() => {})
    proxy.closeInput()
    await proxy.ended
    expect(proxy.folder.effects()).toEqual([])
    expect((await gated.request(request!.id)).state).not.toBe('running')
  })

  it('P5: another proxy knows nothing of it, and can’t run or cancel it', async () => {
    gated = await openGatedProxies()
    const first = gated.start({ words: ['--hold', '200ms'] })
    const { taskId } = await begin(first)
    const [request] = await gated.pending()
    const second = gated.start({ words: ['--hold', '200ms'] })
    await second.request('tasks/cancel', { taskId, ...WITH_TASKS })
    await gated.approve(request!.id)
    // The answer is the MCP server's: to it the task means nothing.
    expect(await get(second, taskId)).toEqual({ echo: 'tasks/get' })
    expect([...first.folder.effects(), ...second.folder.effects()]).toEqual([])
    await until(async () => (await get(first, taskId)).status === 'completed', 'the task to be done')
    expect([...first.folder.effects(), ...second.folder.effects()]).toEqual(['append {"line":"a"}'])
  })

  it('P4: one that runs can’t be cancelled any more, and is not run again', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start({ words: ['--hold', '200ms'] })
    const task = (await gated.waited(proxy.call('slow', { key: 'k' }, WITH_TASKS).answer)).result
    const [request] = await gated.pending()
    await gated.approve(request!.id)
    await get(proxy, task.taskId)
    await until(() => proxy.folder.effects().length === 1, 'it to run')
    await proxy.request('tasks/cancel', { taskId: task.taskId, ...WITH_TASKS })
    expect(await get(proxy, task.taskId)).toMatchObject({ status: 'working' })
    proxy.notify('test/release', { key: 'k' })
    await until(async () => (await get(proxy, task.taskId)).status === 'completed', 'the task to be done')
    expect(proxy.folder.effects()).toEqual(['slow {"key":"k"}'])
    expect(await gated.request(request!.id)).toMatchObject({ state: 'done' })
  })

  it('asks after tasks of the server are the server’s', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start()
    expect((await proxy.request('tasks/get', { taskId: 'of-the-server' })).result).toEqual({
      echo: 'tasks/get',
    })
  })
})

describe('what the client answers to the server', () => {
  const ask = async (proxy: McpProxy) => {
    const { id, answer } = proxy.call('ask', { method: 'elicitation/create' })
    await until(
      () => proxy.messages().some((one) => one.id === id && one.method !== undefined),
      'the question',
    )
    proxy.send({ id, result: FORM })
    return JSON.parse(textOf(await answer) || 'null')
  }

  it('passes and is on the record', async () => {
    gated = await openGatedProxies()
    const proxy = gated.start()
    expect(await ask(proxy)).toMatchObject({ action: 'accept' })
    await expectRecorded(FORM)
  })

  it('P5: is kept back where a rule denies it', async () => {
    gated = await openGatedProxies({ policy: { ...POLICY, deny: ['mcp__t__elicitation/create'] } })
    const proxy = gated.start()
    // The server got an error in place of a result.
    expect(await ask(proxy)).toBeNull()
    expect(proxy.folder.got().toString()).not.toContain('1234')
    expect(proxy.folder.got().toString()).toContain('keeps the answer back')
  })
})
