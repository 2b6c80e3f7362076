/** Well-behaved hooks in several languages and both generations, as real processes. */
import { describe, expect, it } from 'vitest'
import { until } from '../../../../test/fixtures/until.ts'
import type { HookModelRequest, HookModelResponse } from '../hook.ts'
import { about, callOf, startedHooks } from './fixtures/started-hooks.ts'
import { createProcessHook, type ProcessHookOptions } from './process-hook.ts'

const { start } = startedHooks()
const EVENT = { id: 't7-1', turn: 't7', session: 'pet/ana/1', agent: { name: 'main' }, at: 1_000 }

describe('a hook in Python, of the current generation', () => {
  it('P5: goes on, denies with its reason, and ends the turn', async () => {
    const { hook } = start('gate.py')
    expect(await hook.beforeTool!(callOf('ls'), about())).toEqual({ action: 'continue' })
    expect(await hook.beforeTool!(callOf('rm', { path: 'x' }), about())).toEqual({
      action: 'deny_tool',
      reason: 'no ana removes files',
    })
    expect(await hook.beforeTool!(callOf('lost_reason'), about())).toEqual({
      action: 'deny_tool',
      reason: 'said in the wrong place',
    })
    expect(await hook.beforeTool!(callOf('stop'), about())).toEqual({
      action: 'abort_turn',
      reason: 'enough',
    })
    expect(await hook.beforeTool!(callOf('undo'), about())).toEqual({
      action: 'hard_abort',
      reason: 'never happened',
    })
  })

  it('P3: rewrites a call; what it gives back as it was is no change', async () => {
    const { hook } = start('gate.py')
    expect(await hook.beforeTool!(callOf('rewrite', { command: 'ls', deep: { a: [1.5] } }), about())).toEqual(
      {
        action: 'modify',
        call: { tool: 'rewrite', arguments: { command: 'echo ls', deep: { a: [1.5] } } },
      },
    )
    expect(await hook.beforeTool!(callOf('same', { b: 1, a: 2 }), about())).toEqual({ action: 'continue' })
    expect(await hook.beforeTool!(callOf('quiet_rewrite', { command: 'ls' }), about())).toEqual({
      action: 'modify',
      call: { tool: 'other', arguments: {} },
    })
  })

  it('answers in the tool’s place, with media', async () => {
    const { hook } = start('gate.py')
    expect(await hook.beforeTool!(callOf('draw'), about())).toEqual({
      action: 'respond',
      result: {
        text: 'drawn',
        isError: false,
        forUser: 'here it is',
        media: [
          { type: 'image/png', name: 'dot.png', data: Buffer.from('iVBORw==', 'base64') },
          { id: 'on-the-shelf', type: 'application/octet-stream' },
        ],
        handled: true,
      },
    })
  })

  it('looks at results, and keeps what it does not change', async () => {
    const { hook } = start('gate.py')
    const media = [{ id: 'm1', type: 'image/png' }]
    const result = { ...callOf('cat'), text: 'a secret', isError: false, durationMs: 1.5, media }
    expect(await hook.afterTool!({ ...result, text: 'nothing' }, about())).toEqual({ action: 'continue' })
    expect(await hook.afterTool!(result, about())).toEqual({
      action: 'modify',
      result: { text: 'a ******', isError: false, media },
    })
  })

  it('sees and changes what goes to the model and comes back', async () => {
    const { hook } = start('gate.py')
    const picture = { type: 'image/png', data: new Uint8Array([1, 2]) }
    const request: HookModelRequest = {
      model: 'scripted/x',
      messages: [
        { role: 'system', text: 'You help.' },
        { role: 'user', text: 'look', media: [picture] },
        {
          role: 'assistant',
          text: '',
          reasoning: 'hm',
          calls: [{ id: 'c1', tool: 'ls', argumentsText: '{}', provider: { signature: 's' } }],
          provider: { signature: 't' },
        },
        { role: 'tool', callId: 'c1', tool: 'ls', text: 'a b', isError: true },
      ],
      tools: [{ name: 'ls', description: 'Lists.', schema: { type: 'object' } }],
      maxTokens: 100,
    }
    expect(await hook.beforeModel!(request, about())).toEqual({
      action: 'modify',
      request: { ...request, messages: [...request.messages, { role: 'user', text: 'Be brief.' }] },
    })
    const asSent = { ...request, messages: [...request.messages, { role: 'user' as const, text: 'same' }] }
    expect(await hook.beforeModel!(asSent, about())).toEqual({ action: 'continue' })
    const stop = { ...request, messages: [{ role: 'user' as const, text: 'stop' }] }
    expect(await hook.beforeModel!(stop, about())).toEqual({ action: 'hard_abort' })

    const response: HookModelResponse = {
      model: 'scripted/x',
      text: 'fine',
      calls: [{ id: 'c2', tool: 'ls', argumentsText: '{ }', provider: 1 }],
      finish: 'calls',
      usage: { inputTokens: 1, outputTokens: 2 },
    }
    expect(await hook.afterModel!(response, about())).toEqual({
      action: 'modify',
      response: { ...response, text: 'FINE' },
    })
    expect(await hook.afterModel!({ ...response, text: 'ALL FINE' }, about())).toEqual({ action: 'continue' })
  })

  it('approves and does not approve, and can tell equal calls apart', async () => {
    const { hook } = start('gate.py')
    expect(await hook.approveTool!(callOf('ls'), about())).toEqual({ approved: true })
    expect(await hook.approveTool!(callOf('deploy'), about())).toEqual({
      approved: false,
      reason: 'not on a Friday, t7.2.0',
    })
  })

  it('is told of events, also of those before it has said hello', async () => {
    const { hook, lines, logged } = start('gate.py', {
      observe: ['agent.tool.exec_start', 'tool_approval_pending'],
    })
    await hook.observe!({ ...EVENT, kind: 'turn_begun', text: 'unwanted', by: 'ana' })
    await hook.observe!({ ...EVENT, kind: 'call_started', call: 't7.2.0', tool: 'ls', arguments: { a: 1 } })
    await hook.observe!({
      ...EVENT,
      kind: 'call_waiting',
      call: 't7.2.0',
      tool: 'rm',
      arguments: { path: 'x' },
      request: 'r1',
    })
    const line = await logged(/approval_pending/)
    expect(line).toContain(
      '"Tool": "rm", "Arguments": {"path": "x"}, "ToolCallID": "t7.2.0", "RequestID": "r1"',
    )
    expect(await logged(/exec_start/)).toContain('"method": "hook.runtime_event"')
    expect(lines.filter((line) => line.includes('unwanted'))).toEqual([])
  })
})

describe('a hook in Node, of the first generation', () => {
  it('is told of events by numbers, and finds channel and conversation at the top', async () => {
    const { hook, logged } = start('first-generation.mjs', { observe: ['tool_exec_skipped', 'turn_start'] })
    await hook.observe!({ ...EVENT, kind: 'turn_begun', text: 'hi', by: 'ana' })
    expect(await logged(/event/)).toContain('event 0 {"UserMessage":"hi","MediaCount":0}')
    expect(await hook.beforeTool!(callOf('x'), about())).toEqual({
      action: 'deny_tool',
      reason: 'not in pet/c1, main-turn-t7',
    })
    expect(await hook.approveTool!(callOf('read_file'), about())).toEqual({ approved: true })
    expect(await hook.approveTool!(callOf('exec'), about())).toEqual({ approved: false })
  })

  it('P5: is asked at the stages that are listed, of which one that it has no method for fails', async () => {
    const result = { ...callOf('x'), text: '', isError: false, durationMs: 0 }
    const listed = start('first-generation.mjs', { intercept: ['before_tool', 'after_tool'] })
    await expect(listed.hook.afterTool!(result, about())).rejects.toThrow('unknown method')
    const unlisted = start('first-generation.mjs', { intercept: ['before_tool'] })
    expect(unlisted.hook.afterTool).toBeUndefined()
    const provider = start('gate.py', { intercept: ['approve_tool'], providesTools: true })
    expect(await provider.hook.beforeTool!(callOf('rm'), about())).toMatchObject({ action: 'deny_tool' })
  })
})

describe('a hook in shell, without any JSON library', () => {
  it('P5: denies what it looks for, and goes on with the rest', async () => {
    const { hook } = start('plain.sh')
    expect(await hook.beforeTool!(callOf('exec', { command: 'ls' }), about())).toEqual({ action: 'continue' })
    expect(await hook.beforeTool!(callOf('exec', { command: 'rm -rf /' }), about())).toEqual({
      action: 'deny_tool',
      reason: 'rm -rf is not for agents',
    })
    expect(await hook.approveTool!(callOf('exec'), about())).toEqual({ approved: true })
  })
})

describe('options', () => {
  const create = (options: Partial<ProcessHookOptions>) =>
    createProcessHook({ name: 'x', command: ['true'], intercept: ['before_tool'], ...options })

  it('P5: what can’t work is refused with what would', () => {
    expect(() => create({ command: [] })).toThrow('hook "x" must have a command')
    expect(() => create({ command: ['a\0b'] })).toThrow('NUL')
    expect(() => create({ intercept: [] })).toThrow('neither observes nor intercepts')
    expect(() => create({ intercept: ['before_lunch' as 'before_tool'] })).toThrow(
      `can't intercept "before_lunch"; it can intercept before_llm, after_llm, before_tool, after_tool, approve_tool`,
    )
    expect(() => create({ observe: ['tool_exec'] })).toThrow(
      'there is no event kind "tool_exec"; there are *,',
    )
  })

  it('a hook is consulted only where it asked to be', () => {
    const { hook } = start('gate.py', { intercept: ['after_llm'] })
    expect(Object.keys(hook).sort()).toEqual(['afterModel', 'close', 'name', 'status'])
  })

  it('P11: its environment has what is configured and a few things, and nothing else of ours', async () => {
    const { hook } = start(
      'misbehave.mjs',
      {
        env: { WANTED: 'yes' },
        hostEnvironment: { PATH: process.env.PATH, BANKSMAN_TOKEN: 't', ANTHROPIC_API_KEY: 'k', LANG: 'C' },
      },
      'environment',
    )
    const decision = await hook.beforeTool!(callOf('x'), about())
    const found = JSON.parse((decision as { reason: string }).reason)
    expect(found).toMatchObject({ WANTED: 'yes', LANG: 'C', PATH: process.env.PATH })
    expect(Object.keys(found).filter((name) => /BANKSMAN|KEY|TOKEN/.test(name))).toEqual([])
  })

  it('says how it is', async () => {
    const { hook } = start('gate.py')
    expect(hook.status()).toEqual({ state: 'starting' })
    await until(() => hook.status().state === 'up')
    await hook.close()
    expect(hook.status()).toEqual({ state: 'closed' })
    await expect(async () => hook.beforeTool!(callOf('x'), about())).rejects.toThrow('it is closed')
  })
})
