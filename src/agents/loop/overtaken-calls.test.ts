/** Words that come while the calls of an answer are worked on, and ids of calls that hooks have changed. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { TurnEvent } from '../../core/conversation.ts'
import { ana, approve } from '../../gateway/fixtures/test-gateway.ts'
import { heldModel } from '../fixtures/held-model.ts'
import {
  find,
  openTestAgent,
  type TestAgent,
  type TestAgentOptions,
  waiting,
} from '../fixtures/test-agent.ts'
import type { Hook } from '../hooks/hook.ts'
import type { Model, ModelCall, ModelRequest } from '../models/model.ts'
import { defineTool } from '../tools/tool.ts'

async function open(options: TestAgentOptions): Promise<TestAgent> {
  const setup = await openTestAgent(options)
  onTestFinished(() => setup.close())
  return setup
}

const note = (line: string) => ({ tool: 'note', arguments: { line } })
const trusted = (hook: Hook) => [{ name: 'h', kind: 'in_process' as const, trusted: true, hook }]
const refusals = (events: TurnEvent[]) =>
  events.flatMap((event) =>
    event.kind === 'call_refused' ? [[event.call, event.state, event.mayRetry]] : [],
  )
const SKIPPED = [['t1.1.1', 'skipped', true]]

/** Two calls and then an end; keeps what it was asked. */
function twoCalls(asked: ModelRequest[], ...calls: ModelCall[]): Model {
  return {
    name: 'two-calls',
    async *stream(request) {
      asked.push(request)
      if (asked.length === 1) for (const call of calls) yield { kind: 'call', ...call }
      else yield { kind: 'text', delta: 'done' }
      yield { kind: 'end', finish: 'stop', usage: { inputTokens: 1, outputTokens: 1 } }
    },
  }
}

describe('what a person says while calls are worked on', () => {
  const steps = [{ calls: [note('first'), note('second')] }, { say: 'over' }]

  it('P5: while a hook answers in place of one: the others are skipped, and the model hears the words', async () => {
    const asked: ModelRequest[] = []
    const call = (line: string): ModelCall => ({
      id: line,
      tool: 'note',
      argumentsText: JSON.stringify({ line }),
    })
    const setup = await open({
      model: twoCalls(asked, call('first'), call('second')),
      policy: { allow: ['note'] },
      hooks: trusted({
        async beforeTool({ arguments: args }) {
          if (args.line !== 'first') return undefined
          await setup.agent.say({ session: 's1', text: 'wait' }, ana)
          return { action: 'respond', result: { text: 'from the hook' } }
        },
      }),
    })
    const events = await setup.say('go')
    expect(refusals(events)).toEqual(SKIPPED)
    expect(setup.notes).toEqual([])
    expect(asked[1]?.messages.slice(-3)).toMatchObject([
      { role: 'tool', callId: 't1.1.0', text: 'from the hook' },
      { role: 'tool', callId: 't1.1.1', isError: true },
      { role: 'user', text: 'wait' },
    ])
  })

  it('P5: while one runs: what the policy allows and has not begun is skipped', async () => {
    const slow = defineTool({
      name: 'slow',
      description: 'Takes its time.',
      schema: z.strictObject({}),
      async run() {
        await setup.agent.say({ session: 's1', text: 'wait' }, ana)
        return { text: 'ran' }
      },
    })
    const setup = await open({
      script: [{ steps: [{ calls: [{ tool: 'slow' }, note('second')] }, { say: 'over' }] }],
      tools: [slow],
      policy: { allow: ['slow', 'note'] },
    })
    const events = await setup.say('go')
    expect(refusals(events)).toEqual(SKIPPED)
    expect(setup.notes).toEqual([])
    expect(find(events, 'turn_ended').status).toBe('completed')
  })

  it('what a person was asked about before, and approves, runs', async () => {
    const setup = await open({ script: [{ steps }], policy: {} })
    const turn = setup.say('go')
    const requests = await waiting(setup, 2)
    await setup.agent.say({ session: 's1', text: 'go on' }, ana)
    for (const request of requests) await approve(setup.setup, request)
    expect(refusals(await turn)).toEqual([])
    expect(setup.notes).toEqual(['first', 'second'])
  })

  it('after a restart nothing is skipped that a person may have been asked about', async () => {
    let setup = await open({ script: [{ steps }], policy: {} })
    setup.say('go').catch(() => {})
    await waiting(setup, 2)
    await setup.agent.say({ session: 's1', text: 'go on' }, ana)
    setup = await setup.restart()
    onTestFinished(() => setup.close())
    await setup.agent.resume()
    for (const request of await waiting(setup, 2)) await approve(setup.setup, request)
    await expect.poll(() => setup.notes).toEqual(['first', 'second'])
  })

  it('before the model has answered skips nothing of an answer with one call', async () => {
    const { model, answers } = heldModel()
    const setup = await open({ model })
    const turn = setup.say('go')
    await expect.poll(() => answers.length).toBe(1)
    await setup.agent.say({ session: 's1', text: 'more' }, ana)
    answers[0]!('one')
    await expect.poll(() => answers.length).toBe(2)
    answers[1]!('two')
    expect(refusals(await turn)).toEqual([])
  })
})

describe('calls that a trusted hook has changed after the model answered', () => {
  const call = (line: string): ModelCall => ({
    id: 'same',
    tool: 'note',
    argumentsText: JSON.stringify({ line }),
  })

  /** The ids by which the calls that are left were started, and what they wrote. */
  async function started(change: (calls: ModelCall[]) => ModelCall[]) {
    const setup = await open({
      model: twoCalls([], call('first'), call('second')),
      policy: { allow: ['note'] },
      hooks: trusted({
        afterModel: (response) =>
          response.calls.length === 0
            ? undefined
            : { action: 'modify', response: { ...response, calls: change(response.calls) } },
      }),
    })
    const events = await setup.say('go')
    const ids = events.flatMap((event) => (event.kind === 'call_started' ? [event.call] : []))
    return { ids, notes: setup.notes }
  }

  it('keep the ids by which the hook knows them', async () => {
    expect(await started(([, second]) => [second!])).toEqual({ ids: ['t1.1.1'], notes: ['second'] })
    const turned = await started(([first, second]) => [second!, first!])
    expect(turned).toEqual({ ids: ['t1.1.1', 't1.1.0'], notes: ['second', 'first'] })
  })

  it('P4: no two have one id, and none has that of another call', async () => {
    const twice = await started(([first]) => [first!, { ...first!, argumentsText: '{"line":"again"}' }])
    expect(twice).toEqual({ ids: ['t1.1.0', 't1.1.2'], notes: ['first', 'again'] })
    const forged = await started(() => [
      { ...call('forged'), id: 't0.1.0' },
      { ...call('made'), id: 't1.1.2' },
    ])
    expect(forged).toEqual({ ids: ['t1.1.2', 't1.1.3'], notes: ['forged', 'made'] })
  })
})
