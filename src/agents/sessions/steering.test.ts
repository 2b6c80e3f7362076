/** Words while a turn runs, and stopping it. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { until } from '../../../test/fixtures/until.ts'
import { ana, approve, ben } from '../../gateway/fixtures/test-gateway.ts'
import { heldModel } from '../fixtures/held-model.ts'
import {
  collect,
  find,
  kinds,
  openTestAgent,
  type TestAgent,
  type TestAgentOptions,
  waiting,
} from '../fixtures/test-agent.ts'
import type { Model, ModelEvent } from '../models/model.ts'
import { ModelFault } from '../models/model.ts'
import { defineTool } from '../tools/tool.ts'

async function open(options: TestAgentOptions = {}): Promise<TestAgent> {
  const setup = await openTestAgent(options)
  onTestFinished(() => setup.close())
  return setup
}

const END: ModelEvent = { kind: 'end', finish: 'stop', usage: { inputTokens: 1, outputTokens: 1 } }
const NOTE = [{ steps: [{ calls: [{ tool: 'note', arguments: { line: 'x' } }] }, { say: 'done' }] }]

describe('steering', () => {
  it('what is said while a turn runs is heard by the model before the turn ends', async () => {
    const { model, asked, answers } = heldModel()
    const setup = await open({ model })
    const turn = setup.say('first')
    await until(() => answers.length === 1)
    expect(await setup.agent.say({ session: 's1', text: 'and also this' }, ana)).toMatchObject({
      turn: 't1',
      kind: 'steered',
    })
    answers[0]!('thinking about the first')
    await until(() => answers.length === 2)
    expect(asked[1]?.messages.at(-1)).toEqual({ role: 'user', text: 'and also this' })
    answers[1]!('both')
    const events = await turn
    expect(kinds(events)).toContain('steered')
    expect(find(events, 'turn_ended').text).toBe('both')
  })

  it('words after the end begin a new turn, and the model has the whole conversation', async () => {
    const { model, asked, answers } = heldModel()
    const setup = await open({ model })
    const one = setup.say('first')
    await until(() => answers.length === 1)
    answers[0]!('one')
    await one
    const two = setup.say('second')
    await until(() => answers.length === 2)
    expect(asked[1]?.messages).toMatchObject([
      { role: 'system' },
      { role: 'user', text: 'first' },
      { role: 'assistant', text: 'one' },
      { role: 'user', text: 'second' },
    ])
    answers[1]!('two')
    expect((await two)[0]?.turn).toBe('t2')
  })

  it('many at once: one turn runs, and no word is lost', async () => {
    const { model, asked, answers } = heldModel()
    const setup = await open({ model })
    const said = await Promise.all(
      Array.from({ length: 5 }, (_, index) => setup.agent.say({ session: 's1', text: `word ${index}` }, ana)),
    )
    expect(said.filter(({ kind }) => kind === 'begun')).toHaveLength(1)
    await until(() => answers.length === 1)
    answers[0]!('a')
    await until(() => answers.length === 2)
    answers[1]!('b')
    const last = asked.at(-1)!.messages.flatMap((message) => (message.role === 'user' ? [message.text] : []))
    expect(last.toSorted()).toEqual(['word 0', 'word 1', 'word 2', 'word 3', 'word 4'])
    await collect(setup.agent.events('s1', { after: 't1-0' }, ana), 't1')
  })
})

describe('interrupting', () => {
  it('P5: hard stops at once: what waits is cancelled, and nothing runs', async () => {
    const setup = await open({ script: NOTE, policy: {} })
    const turn = setup.say('go')
    const request = (await waiting(setup))[0]!
    expect(await setup.agent.interrupt('s1', { kind: 'hard', reason: 'stop' }, ana)).toBe(true)
    const events = await turn
    expect(find(events, 'turn_ended')).toMatchObject({ status: 'interrupted' })
    expect(await setup.setup.gateway.get(request.id, ana)).toMatchObject({
      state: 'cancelled',
      progress: { cancelled: { cause: 'interrupted' } },
    })
    expect(setup.notes).toEqual([])
  })

  it('graceful: what waits is withdrawn, and the model has a last word without tools', async () => {
    const script = [
      {
        steps: [{ calls: [{ tool: 'note', arguments: { line: 'x' } }] }, { say: 'done' }],
        lastWord: 'I stopped.',
      },
    ]
    const setup = await open({ script, policy: {} })
    const turn = setup.say('go')
    await waiting(setup)
    await setup.agent.interrupt('s1', { kind: 'graceful' }, ana)
    const events = await turn
    expect(find(events, 'turn_ended')).toMatchObject({ status: 'interrupted' })
    expect(find(events, 'call_refused').state).toBe('cancelled')
    expect(events.filter((event) => event.kind === 'model_called').at(-1)).toMatchObject({ tools: 0 })
    expect(setup.notes).toEqual([])
  })

  it('hard tells a tool that runs to stop', async () => {
    let stopped = false
    const slow = defineTool({
      name: 'slow',
      description: 'Takes its time.',
      schema: z.strictObject({}),
      async run(_, { signal }) {
        await new Promise((_resolve, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
        stopped = true
        return { text: 'never' }
      },
    })
    const setup = await open({
      script: [{ steps: [{ calls: [{ tool: 'slow' }] }, { say: 'x' }] }],
      tools: [slow],
      policy: { allow: ['slow'] },
    })
    const said = await setup.agent.say({ session: 's1', text: 'go' }, ana)
    const events: string[] = []
    for await (const event of setup.agent.events('s1', { after: said.after }, ana)) {
      events.push(event.kind)
      if (event.kind === 'call_started') await setup.agent.interrupt('s1', { kind: 'hard' }, ana)
      if (event.kind === 'turn_ended') break
    }
    expect(stopped).toBe(false)
    expect(events.at(-1)).toBe('turn_ended')
    expect(await setup.agent.interrupt('s1', { kind: 'hard' }, ana)).toBe(false)
  })

  it('stops a model in the middle of its answer', async () => {
    const { model, answers } = heldModel()
    const setup = await open({ model })
    const turn = setup.say('go')
    await until(() => answers.length === 1)
    await setup.agent.interrupt('s1', { kind: 'hard' }, ana)
    expect(find(await turn, 'turn_ended').status).toBe('interrupted')
  })
})

describe('a model that fails', () => {
  it('is asked again, after a while that is told', async () => {
    let asked = 0
    const model: Model = {
      name: 'flaky',
      async *stream() {
        if (++asked < 3) throw new ModelFault('busy', { mayRetry: true })
        yield { kind: 'text', delta: 'at last' }
        yield END
      },
    }
    const setup = await open({ model })
    const turn = setup.say('go')
    let isOver = false
    void turn.then(() => {
      isOver = true
    })
    for (let count = 0; count < 1000 && !isOver; count++) await setup.setup.clock.advance(1000)
    const events = await turn
    expect(events.filter((event) => event.kind === 'model_retried')).toHaveLength(2)
    expect(find(events, 'turn_ended').text).toBe('at last')
  })

  it('that breaks off in the middle is asked again, and the half answer is dropped', async () => {
    let asked = 0
    const model: Model = {
      name: 'flaky',
      async *stream() {
        yield { kind: 'text', delta: `try ${++asked}` }
        if (asked === 1) throw new ModelFault('lost', { mayRetry: true })
        yield END
      },
    }
    const setup = await open({ model })
    const events = await setup.say('go')
    expect(find(events, 'turn_ended')).toMatchObject({ status: 'completed', text: 'try 2' })
  })

  it('P5: for good ends the turn, and says why', async () => {
    const model: Model = {
      name: 'closed',
      // biome-ignore lint/correctness/useYield: it fails before it says anything.
      async *stream() {
        throw new ModelFault('the key is wrong', { mayRetry: false })
      },
    }
    const setup = await open({ model })
    const events = await setup.say('go')
    expect(find(events, 'turn_ended')).toMatchObject({ status: 'failed', reason: 'the key is wrong' })
    expect(await setup.agent.running('s1', ana)).toBe(undefined)
  })
})

describe('listening', () => {
  it('goes on after any event that was seen, and misses nothing', async () => {
    const setup = await open({ script: NOTE, policy: { allow: ['note'] } })
    const all = await setup.say('go')
    for (const [index, { id }] of all.slice(0, -1).entries()) {
      const rest = await collect(setup.agent.events('s1', { after: id }, ana), 't1')
      expect(rest.map((event) => event.id)).toEqual(all.slice(index + 1).map((event) => event.id))
    }
  })

  it('after a restart the turn is told again from its log', async () => {
    const before = await openTestAgent({ script: NOTE, policy: {} })
    const turn = before.say('go')
    await approve(before.setup, (await waiting(before))[0]!)
    const all = await turn
    const after = await before.restart()
    onTestFinished(() => after.close())
    const again = await collect(after.agent.events('s1', { after: all[2]!.id }, ana), 't1')
    expect(kinds(again)).toEqual([
      'turn_begun',
      'model_answered',
      'call_proposed',
      'call_finished',
      'model_answered',
      'turn_ended',
    ])
    expect(after.notes).toEqual(['x'])
    await expect(after.agent.running('s1', ben)).resolves.toBe(undefined)
  })
})
