/** Hooks that are written with the SDK, run by the host's side of it as real processes, and fed by hand. */
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { until } from '../../../../test/fixtures/until.ts'
import type { TurnEvent } from '../../../core/conversation.ts'
import type { Hook, HookModelRequest } from '../hook.ts'
import { about, callOf, startedHooks } from '../process/fixtures/started-hooks.ts'
import { runHook } from './run-hook.ts'

const { start } = startedHooks()

describe('a hook in five lines', () => {
  it('P5: denies, goes on, and is not asked where it has nothing to say', async () => {
    const { hook } = start('five-lines.mjs', { intercept: ['before_tool'] })
    expect(await hook.beforeTool!(callOf('rm'), about())).toEqual({ action: 'deny_tool', reason: 'not here' })
    expect(await hook.beforeTool!(callOf('ls'), about())).toEqual({ action: 'continue' })
    expect(hook.afterTool).toBeUndefined()
  })
})

describe('a hook with everything', () => {
  const whole = () => start('whole.mjs', { observe: ['*'] })

  it('changes what goes to the model, with the pictures that stayed with the host', async () => {
    const { hook, logged } = whole()
    const request: HookModelRequest = {
      model: 'm',
      messages: [{ role: 'user', text: 'look', media: [{ type: 'image/png', data: new Uint8Array([7]) }] }],
      tools: [{ name: 'ls', description: '', schema: { type: 'object' } }],
    }
    expect(await hook.beforeModel!(request, about())).toEqual({
      action: 'modify',
      request: {
        ...request,
        messages: [...request.messages, { role: 'user', text: 'ana in pet/ana/1' }],
        temperature: 0.5,
      },
    })
    expect(await logged(/a print to the console/)).toContain('stderr')
  })

  it('changes what the model answered', async () => {
    const { hook } = whole()
    const usage = { inputTokens: 1, outputTokens: 2 }
    const calls = [{ id: 'c', tool: 'ls', argumentsText: '{}' }]
    const response = { model: 'm', text: 'hi', calls, finish: 'calls', usage }
    expect(await hook.afterModel!(response, about())).toEqual({
      action: 'modify',
      response: { ...response, text: 'hi!', calls: [] },
    })
  })

  it('changes calls, answers in their place with media, and knows where it is', async () => {
    const { hook } = whole()
    expect(await hook.beforeTool!(callOf('x', { a: 1 }), about())).toEqual({
      action: 'modify',
      call: { tool: 'echo', arguments: { a: 1, seen: true } },
    })
    expect(await hook.beforeTool!(callOf('draw'), about())).toEqual({
      action: 'respond',
      result: {
        text: 'drawn',
        isError: false,
        media: [{ type: 'image/png', data: Buffer.from([1, 2, 3]), name: 'dot.png' }],
        handled: true,
      },
    })
    const { reason } = (await hook.beforeTool!(callOf('where'), about({ parentTurn: 't1' }))) as {
      reason: string
    }
    expect(JSON.parse(reason)).toEqual({ ...about({ parentTurn: 't1' }), signal: false })
  })

  it('changes results and keeps their media', async () => {
    const { hook } = whole()
    const media = [{ id: 'm1', type: 'image/png', name: 'dot.png' }]
    const result = { ...callOf('ls'), text: 'a', isError: true, durationMs: 1.5, media }
    expect(await hook.afterTool!(result, about())).toEqual({
      action: 'modify',
      result: { text: 'a after 1.5 ms', isError: true, media },
    })
  })

  it('approves', async () => {
    const { hook } = whole()
    expect(await hook.approveTool!(callOf('read_file'), about())).toMatchObject({ approved: true })
    expect(await hook.approveTool!(callOf('exec'), about())).toEqual({
      approved: false,
      reason: 'only reading',
    })
  })

  it('P5: what it throws, and an answer that is too long, fail its call at once', async () => {
    const { hook } = whole()
    await expect(hook.beforeTool!(callOf('throws'), about())).rejects.toThrow('no idea about t7.2.0')
    await expect(hook.beforeTool!(callOf('rejects'), about())).rejects.toThrow('later')
    await expect(hook.beforeTool!(callOf('long'), about())).rejects.toThrow('over the 1048576 bytes')
  })

  it.each(['a', 'b'] as const)('is told of events in our words, in generation %s', async (generation) => {
    const { hook, logged } = start('whole.mjs', { observe: ['*'], generation })
    const event: TurnEvent = {
      id: 't7-1',
      turn: 't7',
      session: 's',
      agent: { name: 'main' },
      at: 5,
      kind: 'model_answered',
      step: 1,
      text: 'every word',
      calls: 0,
      usage: { inputTokens: 1, outputTokens: 1 },
    }
    await hook.observe!(event)
    const line = await logged(/observed/)
    expect(JSON.parse(line.slice(line.indexOf('{')))).toEqual(event)
  })

  it('is closed when the host ends, and ends though a timer of its own goes on', async () => {
    const { hook, logged } = whole()
    await until(() => hook.status().state === 'up')
    await hook.close()
    await logged(/stderr: closed/)
  })
})

describe('fed by hand', () => {
  async function feed(hook: Hook & { name?: string }, ...lines: string[]) {
    const input = new PassThrough()
    const output = new PassThrough()
    const ended = runHook(hook, { input, output })
    input.end(lines.map((line) => `${line}\n`).join(''))
    await ended
    // The last line is written in the tick after it was ready.
    await new Promise((resolve) => setImmediate(resolve))
    const text = String(output.read() ?? '')
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  }

  it('says hello, and does not know what it does not have', async () => {
    expect(
      await feed(
        { name: 'mine', approveTool: () => ({ approved: true }) },
        '{"jsonrpc":"2.0","id":1,"method":"hook.hello","params":{"name":"x","version":1,"modes":["tool"]}}',
        '{"jsonrpc":"2.0","id":2,"method":"hook.before_tool","params":{"tool":"ls"}}',
        '{"jsonrpc":"2.0","id":3,"method":"hook.approve_tool","params":{"tool":"ls"}}',
        '{"jsonrpc":"2.0","id":"four","method":"hook.approve_tool"}',
      ),
    ).toEqual([
      { jsonrpc: '2.0', id: 1, result: { ok: true, name: 'mine', version: 1 } },
      { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'this hook has no method hook.before_tool' } },
      { jsonrpc: '2.0', id: 3, result: { approved: true } },
      {
        jsonrpc: '2.0',
        id: 'four',
        error: { code: -32000, message: 'params.tool must be a string that is not empty; found: nothing' },
      },
    ])
  })

  it('P5: an approver that says nothing does not approve', async () => {
    const replies = await feed(
      { approveTool: () => undefined },
      '{"jsonrpc":"2.0","id":1,"method":"hook.approve_tool","params":{"tool":"ls"}}',
    )
    expect(replies).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
  })

  it('answers what waits when the input ends, and tells the hook so by its signal', async () => {
    const replies = await feed(
      {
        beforeTool: (_, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve({ action: 'deny_tool', reason: 'over' }))
          }),
      },
      '{"jsonrpc":"2.0","id":1,"method":"hook.before_tool","params":{"tool":"ls"}}',
    )
    expect(replies).toEqual([{ jsonrpc: '2.0', id: 1, result: { action: 'deny_tool', reason: 'over' } }])
  })

  it('sends no reply to a notification, not even for a method that it does not have', async () => {
    expect(await feed({}, '{"jsonrpc":"2.0","method":"hook.event","params":{}}', 'x', '[]', '')).toEqual([])
  })
})
