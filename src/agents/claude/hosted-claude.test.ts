/** What the engine makes of what its program says and does, and of what it doesn't. */
import { describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { ana, approve } from '../../gateway/fixtures/test-gateway.ts'
import { openHostedClaude } from './fixtures/hosted-claude.ts'

const TOUCH = { command: 'touch a' }
const decisionOf = (answer: { hookSpecificOutput?: { permissionDecision: string } }) =>
  answer.hookSpecificOutput?.permissionDecision

describe('the result of a turn', () => {
  it('secretary N9: of another message, or of nobody’s, ends nothing', async () => {
    const { say, endOf, entries } = await openHostedClaude()
    const query = await say('first')
    query.init()
    query.result({ result: 'one' })
    await endOf('t1')
    await say('second')
    query.init()
    query.result({ result: 'of the first' }, query.heard[0]!.uuid)
    query.result({ result: 'of nobody', user_message_uuid: undefined })
    query.tell({ type: 'assistant', message: { id: 'm2', content: [{ type: 'text', text: 'still here' }] } })
    query.tell({ type: 'user', message: { content: [] } })
    query.result({ result: 'two' })
    expect(await endOf('t2')).toMatchObject({ status: 'completed', text: 'two' })
    expect((await entries()).filter(({ kind }) => kind === 'answered')).toHaveLength(1)
  })

  it('secretary N11: that is an error is none, with the text of it', async () => {
    const { say, endOf } = await openHostedClaude()
    const query = await say('go')
    query.init()
    query.result({ is_error: true, result: 'API Error: 401' })
    expect(await endOf()).toMatchObject({ status: 'failed', reason: 'API Error: 401' })
  })

  it('that nobody is logged in says what to do about it here', async () => {
    const { say, endOf } = await openHostedClaude()
    const query = await say('go')
    query.init()
    query.result({ is_error: true, result: 'Not logged in · Please run /login' })
    expect(await endOf()).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/^Not logged in · .*no \/login here: set CLAUDE_CODE_OAUTH_TOKEN/),
    })
  })

  it('is limit where the model was asked too often', async () => {
    const { say, endOf } = await openHostedClaude()
    const query = await say('go')
    query.init()
    query.result({ subtype: 'error_max_turns', is_error: true })
    expect(await endOf()).toMatchObject({ status: 'limit', reason: expect.stringContaining('7 times') })
  })

  it('that is far too long is cut in the log, and so is an error in what is told of the turn', async () => {
    const { say, endOf, entries, host } = await openHostedClaude()
    const long = 'z'.repeat(5_000_000)
    const query = await say('first')
    query.init()
    query.tell({ type: 'assistant', message: { id: 'm1', content: [{ type: 'text', text: long }] } })
    query.tell({ type: 'assistant', message: { id: 'm1', content: [{ type: 'text', text: long }] } })
    query.call('Bash', { command: long })
    query.result({ result: long })
    await endOf('t1')
    await say('second')
    query.init()
    query.result({ is_error: true, result: long })
    await endOf('t2')
    const longest = Math.max(...(await entries()).map((entry) => JSON.stringify(entry).length))
    expect(longest).toBeLessThan(long.length)
    expect(JSON.stringify(await host.progress('s1', ana)).length).toBeLessThan(5_000)
  })

  it('tells the cost of the turn, though the program counts all of them', async () => {
    const { say, endOf } = await openHostedClaude()
    const query = await say('first')
    query.init()
    query.result({ result: 'one', total_cost_usd: 0.25 })
    expect((await endOf('t1')).usage.costUsd).toBe(0.25)
    await say('second')
    query.init()
    query.result({ result: 'two', total_cost_usd: 0.75 })
    expect((await endOf('t2')).usage.costUsd).toBe(0.5)
    // Another program that has not kept it counts from nothing.
    query.fail(new Error('gone'))
    await until(() => query.isClosed)
    const other = await say('third')
    expect(other.options.resume).toBeDefined()
    other.init()
    other.result({ result: 'three', total_cost_usd: 0.125 })
    expect((await endOf('t3')).usage.costUsd).toBe(0.125)
  })
})

describe('a program that fails', () => {
  it('secretary N10 28: fails its turn with its text, and the next turn has another, with the same transcript', async () => {
    const { say, endOf, queries } = await openHostedClaude()
    const query = await say('first')
    query.init()
    query.fail(new Error('Claude Code process exited with code 1'))
    expect(await endOf('t1')).toMatchObject({
      status: 'failed',
      reason: 'Claude Code process exited with code 1',
    })
    const other = await say('second')
    expect(other).not.toBe(query)
    expect(queries[1]!.options.resume).toMatch(/^[0-9a-f-]{36}$/)
    other.init()
    other.result({ result: 'two' })
    expect(await endOf('t2')).toMatchObject({ status: 'completed', text: 'two' })
  })

  it('begins anew where it has no such transcript, and the model is told what was said', async () => {
    const { say, endOf, queries, events } = await openHostedClaude()
    const query = await say('remember the cat')
    query.init()
    query.result({ result: 'I will.' })
    await endOf('t1')
    query.fail(new Error('gone'))
    await until(() => query.isClosed)
    const other = await say('what was it?')
    const text = 'No conversation found with session ID: x'
    other.result({ subtype: 'error_during_execution', is_error: true, errors: [text] }, '')
    await until(() => queries.length === 3 && queries[2]!.heard.length === 1)
    expect(queries[2]!.options.resume).toBeUndefined()
    expect(queries[2]!.heard[0]!.text).toContain('ana: remember the cat')
    expect(queries[2]!.heard[0]!.text).toMatch(/what was it\?$/)
    queries[2]!.init()
    queries[2]!.result({ result: 'the cat' })
    expect(await endOf('t2')).toMatchObject({ status: 'completed', text: 'the cat' })
    expect(events).toContainEqual(expect.objectContaining({ kind: 'shown', tool: 'claude' }))
  })

  it('that doesn’t stop when it is told to is ended, and its turn is interrupted all the same', async () => {
    const { say, endOf, host, clock } = await openHostedClaude()
    const query = await say('go')
    query.init()
    expect(await host.interrupt('s1', { kind: 'hard' }, ana)).toBe(true)
    await until(() => query.interrupts > 0)
    expect(query.isClosed).toBe(false)
    await clock.advance(6000)
    expect(await endOf()).toMatchObject({ status: 'interrupted' })
    expect(query.isClosed).toBe(true)
  })

  it('that had not begun when it was told to stop is told again', async () => {
    const { say, endOf, host } = await openHostedClaude()
    const query = await say('go')
    await host.interrupt('s1', { kind: 'hard' }, ana)
    await until(() => query.interrupts === 1)
    query.init()
    await until(() => query.interrupts === 2)
    query.result({ subtype: 'error_during_execution', is_error: true })
    expect(await endOf()).toMatchObject({ status: 'interrupted' })
    expect(query.isClosed).toBe(false)
  })
})

describe('a call', () => {
  it('P5: outside of every turn does not run, and the model is not asked again about it', async () => {
    const { say, endOf } = await openHostedClaude()
    const query = await say('go')
    query.init()
    query.result({ result: 'done' })
    await endOf()
    const id = query.call('Read', { file_path: '/a' })
    expect(decisionOf(await query.before(id, 'Read', { file_path: '/a' }))).toBe('deny')
    const after = await query.after(id, 'x')
    expect(after.some((answer) => answer.continue === false)).toBe(true)
  })

  it('P5: that no answer of the model makes does not run', async () => {
    const { say, clock } = await openHostedClaude()
    const query = await say('go')
    query.init()
    const asked = query.before('toolu_x', 'Read', { file_path: '/a' })
    await clock.advance(31_000)
    expect(decisionOf(await asked)).toBe('deny')
  })

  it('is looked at only after the answer is in the log, and its result is there before the model is asked again', async () => {
    const { say, entries, endOf } = await openHostedClaude()
    const query = await say('go')
    query.init()
    const args = { file_path: '/a' }
    const id = query.call('Read', args)
    expect(decisionOf(await query.before(id, 'Read', args))).toBe('allow')
    expect((await entries()).at(-1)).toMatchObject({
      kind: 'answered',
      calls: [{ modelId: id, tool: 'Read' }],
    })
    await query.after(id, 'the text')
    expect((await entries()).at(-1)).toMatchObject({ kind: 'result', outcome: 'ran', text: 'the text' })
    query.result({ result: 'done' })
    expect(await endOf()).toMatchObject({ status: 'completed', steps: 1 })
  })

  it('that the program refuses by itself is in the log as refused', async () => {
    const { say, entries } = await openHostedClaude()
    const query = await say('go')
    query.init()
    const id = query.call('NoSuchTool', {})
    await query.after(id, 'Error: No such tool available')
    await until(async () => (await entries()).some(({ kind }) => kind === 'result'))
    expect((await entries()).at(-1)).toMatchObject({
      outcome: 'refused',
      refusal: { because: 'Error: No such tool available' },
    })
  })

  it('P5: does not run where the store can’t say whose turn it is', async () => {
    const { say, setup, pending, gateway } = await openHostedClaude()
    const query = await say('go')
    query.init()
    const id = query.call('Bash', TOUCH)
    const asked = query.before(id, 'Bash', TOUCH)
    const { id: request, digest } = await pending()
    const { take } = setup.store.leases
    setup.store.leases.take = (input) =>
      input.name.startsWith('turn/')
        ? Promise.reject(new Error('away'))
        : take.call(setup.store.leases, input)
    await gateway.decide(request, { decision: 'approve', digest }, ana)
    expect(decisionOf(await asked)).toBe('deny')
    setup.store.leases.take = take
  })

  it('secretary 39: a no is told in the words that were given for it', async () => {
    const { say, pending, gateway } = await openHostedClaude({
      parts: { refusal: (tool, { state }) => `${tool}: ${state}, in our words` },
    })
    const query = await say('go')
    query.init()
    const id = query.call('Bash', TOUCH)
    const asked = query.before(id, 'Bash', TOUCH)
    const { id: request, digest } = await pending()
    await gateway.decide(request, { decision: 'reject', digest }, ana)
    expect((await asked).hookSpecificOutput).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: 'Bash: rejected, in our words',
    })
  })

  it('P5: of a turn that was stopped does not run, and the program hears of the stop first', async () => {
    const { say, pending, host, gateway } = await openHostedClaude()
    const query = await say('go')
    query.init()
    const { promise, resolve } = Promise.withResolvers<void>()
    query.heeding = promise
    const order: string[] = []
    const id = query.call('Bash', TOUCH)
    const asked = query.before(id, 'Bash', TOUCH).finally(() => order.push('told of the call'))
    const request = await pending()
    await host.interrupt('s1', { kind: 'hard' }, ana)
    await until(async () => (await gateway.get(request.id, ana)).state === 'cancelled')
    await until(() => query.interrupts > 0)
    // The gate has heard of the stop by then, and given up its place.
    await until(async () => (await gateway.leases.list('hold/')).length === 0)
    for (let reads = 0; reads < 20; reads++) await gateway.get(request.id, ana)
    // What the program is told of the call before it has heeded the stop, its model would act on.
    order.push('heeded')
    resolve()
    expect(decisionOf(await asked)).toBe('deny')
    expect(order).toEqual(['heeded', 'told of the call'])
    query.result({ subtype: 'error_during_execution', is_error: true })
  })

  it.each(['hard', 'graceful'] as const)(
    'P5: that was approved right before a %s stop is asked about again when a later turn makes it',
    async (kind) => {
      const { say, pending, host, setup, gateway, clock } = await openHostedClaude()
      const { hold } = gateway
      let stopping: Promise<unknown> | undefined
      // Between the claim and the tool.
      gateway.hold = (async (...held: Parameters<typeof hold>) => {
        const result = await hold(...held)
        if (result.kind === 'held')
          stopping ??= Promise.resolve()
            .then(() => {})
            .then(() => {})
            .then(() => host.interrupt('s1', { kind }, ana))
        return result
      }) as typeof hold
      const query = await say('first')
      query.init()
      const asked = query.before(query.call('Bash', TOUCH), 'Bash', TOUCH)
      const request = await pending()
      await approve(setup, request, ana)
      await until(() => stopping !== undefined)
      await stopping
      query.result({ subtype: 'error_during_execution', is_error: true })
      expect(decisionOf(await asked)).toBe('deny')
      await until(async () => (await host.progress('s1', ana)).state === 'idle')
      await until(async () => (await gateway.get(request.id, ana)).state === 'cancelled')
      // Nobody waits for the first one any longer.
      await clock.advance(20_000)
      const other = await say('second')
      other.init()
      void other.before(other.call('Bash', TOUCH), 'Bash', TOUCH)
      expect((await pending()).id).not.toBe(request.id)
    },
  )
})

describe('its program', () => {
  it('secretary 6: is started with nobody’s settings, with no tool let through, and with a limit', async () => {
    const { say, folder } = await openHostedClaude()
    const { options } = await say('go')
    expect(options).toMatchObject({
      cwd: folder,
      permissionMode: 'default',
      settingSources: [],
      strictMcpConfig: true,
      verbatimPrompts: true,
      maxTurns: 7,
    })
    for (const name of [
      'allowedTools',
      'plugins',
      'mcpServers',
      'allowDangerouslySkipPermissions',
      'settings',
    ])
      expect(options).not.toHaveProperty(name)
  })

  it.each([
    ['plan', 'plan'],
    ['bypass', 'default'],
    ['acceptEdits', 'default'],
    ['dontAsk', 'default'],
  ] as const)('P5: in the mode %s it runs in %s', async (mode, expected) => {
    const { say } = await openHostedClaude({ parts: { modeOf: async () => mode } })
    expect((await say('go')).options.permissionMode).toBe(expected)
  })

  it('is not started where the session may not work, and the turn says why', async () => {
    let isAllowed = false
    const { host, endOf, queries, say, folder } = await openHostedClaude({
      parts: {
        async placeOf() {
          if (!isAllowed) throw new Error('no session may work there')
          return { folder, settings: 'project' }
        },
      },
    })
    await host.say({ session: 's1', text: 'go' }, ana)
    expect(await endOf()).toMatchObject({ status: 'failed', reason: 'no session may work there' })
    expect(queries).toEqual([])
    isAllowed = true
    expect((await say('again')).options.settingSources).toEqual(['project'])
  })
})
