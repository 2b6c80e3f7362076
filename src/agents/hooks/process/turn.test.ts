/** What a program that was written for process hooks is told of a turn, in both generations of the wire. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../../test/fixtures/until.ts'
import { ana, approve } from '../../../gateway/fixtures/test-gateway.ts'
import { collect, openTestAgent, type TestAgentOptions, waiting } from '../../fixtures/test-agent.ts'
import type { ModelEvent } from '../../models/model.ts'
import { createProcessHook } from './process-hook.ts'
import type { HookWireMessage } from './wire/messages.ts'

const RECORDER = fileURLToPath(new URL('fixtures/recorder.mjs', import.meta.url))
const STAGES = ['before_llm', 'after_llm', 'before_tool', 'after_tool', 'approve_tool'] as const

interface Heard {
  method: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into params of every shape.
  params: any
}

/** One turn with one approved call, as the program heard it. */
async function hear(
  observe: string[],
  { asked = 1, ...options }: TestAgentOptions & { asked?: number } = {},
): Promise<Heard[]> {
  const workspace = mkdtempSync(join(tmpdir(), 'banksman-recorder-'))
  const file = join(workspace, 'heard')
  writeFileSync(file, '')
  const heard = (): Heard[] =>
    readFileSync(file, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  const command = [process.execPath, RECORDER, file]
  const hook = createProcessHook({ name: 'recorder', command, observe, intercept: STAGES })
  const setup = await openTestAgent({
    script: [{ steps: [{ calls: [{ tool: 'note', arguments: { line: 'x' } }] }, { say: 'done' }] }],
    policy: {},
    workspace,
    hooks: [{ name: 'recorder', kind: 'process', hook }],
    agentSettings: { maxTokens: 4000, temperature: 0.5 },
    ...options,
  })
  onTestFinished(() => setup.close())
  await until(() => hook.status().state === 'up')
  const origin = { channel: 'pet', conversation: 'pet/ana/desk' }
  const { turn, after } = await setup.agent.say({ session: 's1', text: 'write it down', origin }, ana)
  const ended = collect(setup.agent.events('s1', { after }, ana), turn)
  for (const request of await waiting(setup, asked)) await approve(setup.setup, request)
  await ended
  await until(() => heard().some(({ params }) => isEnd(params)))
  return heard()
}

function isEnd(params: { kind?: string; Kind?: number }): boolean {
  return params.kind === 'agent.turn.end' || params.Kind === 1
}

const TOOL_KINDS = ['approval_pending', 'exec_start', 'exec_end'].map((what) => `agent.tool.${what}`)

describe('a program for process hooks', () => {
  it('hears in every event where it happened, who asked, and in which iteration', async () => {
    const heard = await hear(['*'])
    const events = heard.filter(({ method }) => method === 'hook.runtime_event').map(({ params }) => params)
    expect(events.map(({ kind }) => kind)).toEqual([
      'agent.turn.start',
      'agent.llm.request',
      'agent.llm.response',
      ...TOOL_KINDS,
      'agent.llm.request',
      'agent.llm.response',
      'agent.turn.end',
    ])
    expect(events.map(({ attrs }) => attrs.iteration)).toEqual([0, 1, 1, 1, 1, 1, 2, 2, 2])
    const scope = { agent_id: 'main', session_key: 's1', turn_id: 'main-turn-t1' }
    for (const event of events) {
      expect(event.scope).toEqual({ ...scope, channel: 'pet', chat_id: 'pet/ana/desk', sender_id: 'ana' })
    }
    expect(events[1].payload).toMatchObject({ MaxTokens: 4000, Temperature: 0.5 })
    expect(events.at(-1).payload).toMatchObject({ UserMessage: 'write it down', FinalContent: 'done' })
  })

  it('of the first generation finds channel and conversation in turn_start, and the iteration in Meta', async () => {
    const heard = await hear(['turn_start', 'tool_exec_start', 'tool_exec_end', 'turn_end'])
    const events = heard.filter(({ method }) => method === 'hook.event').map(({ params }) => params)
    expect(events.map(({ Kind }) => Kind)).toEqual([0, 8, 9, 1])
    expect(events[0].Payload).toEqual({
      Channel: 'pet',
      ChatID: 'pet/ana/desk',
      UserMessage: 'write it down',
      MediaCount: 0,
    })
    expect(events.map(({ Meta }) => Meta.Iteration)).toEqual([0, 1, 1, 2])
  })

  it('hears of a sub-agent in its own turn, with the turn that started it', async () => {
    const script = [
      { when: 'look', steps: [{ calls: [{ tool: 'note', arguments: { line: 'y' } }] }, { say: 'seen' }] },
      { steps: [{ calls: [{ tool: 'spawn', arguments: { task: 'look' } }] }, { say: 'over' }] },
    ]
    const heard = await hear(['agent.tool.exec_start', 'agent.turn.end'], {
      script,
      policy: { allow: ['spawn'] },
    })
    const start = heard.find(({ params }) => params.payload?.Tool === 'note')
    expect(start?.params).toMatchObject({
      scope: { channel: 'pet', chat_id: 'pet/ana/desk', sender_id: 'ana' },
      correlation: { parent_turn_id: 'main-turn-t1' },
      attrs: { iteration: 1 },
    })
  })

  it('hears one id of a call: in after_llm, before_tool, approve_tool, after_tool and the next messages', async () => {
    // Servers of models have ids of their own, and some use one twice.
    const call: ModelEvent = { kind: 'call', id: 'call_0', tool: 'note', argumentsText: '{"line":"x"}' }
    const other: ModelEvent = { ...call, argumentsText: '{"line":"y"}' }
    const end = (finish: 'calls' | 'stop'): ModelEvent => ({
      kind: 'end',
      finish,
      usage: { inputTokens: 1, outputTokens: 1 },
    })
    let asked = 0
    const model = {
      name: 'two-calls',
      async *stream() {
        yield* asked++ === 0 ? [call, other, end('calls')] : [end('stop')]
      },
    }
    const heard = await hear(['agent.turn.end'], { model, policy: { allow: ['note'] }, asked: 0 })
    const of = (method: string) => heard.filter((each) => each.method === method).map(({ params }) => params)
    const ids = ['t1.1.0', 't1.1.1']
    const idsIn = (calls: { id: string }[]) => calls.map(({ id }) => id)
    expect(idsIn(of('hook.after_llm')[0].response.tool_calls)).toEqual(ids)
    for (const stage of ['before_tool', 'approve_tool', 'after_tool'])
      expect(of(`hook.${stage}`).map((params) => params.tool_call_id)).toEqual(ids)
    const messages: HookWireMessage[] = of('hook.before_llm')[1].messages
    expect(messages.flatMap(({ tool_calls = [] }) => idsIn(tool_calls))).toEqual(ids)
    expect(messages.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id]))).toEqual(ids)
  })
})
