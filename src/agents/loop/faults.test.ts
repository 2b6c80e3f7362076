/** A store that fails in the middle of a turn, and tools that do not stop. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { BanksmanError } from '../../core/errors.ts'
import { ana } from '../../gateway/fixtures/test-gateway.ts'
import type { Store, TurnVerbs } from '../../stores/store.ts'
import { find, kinds, openTestAgent, type TestAgent, type TestAgentOptions } from '../fixtures/test-agent.ts'
import type { Model } from '../models/model.ts'
import { defineTool } from '../tools/tool.ts'

async function open(options: TestAgentOptions): Promise<TestAgent> {
  const setup = await openTestAgent(options)
  onTestFinished(() => setup.close())
  return setup
}

/** The first append of such an entry fails: before it is written, or after it. */
function failingOnce(kind: string, when: 'before' | 'after') {
  let left = 1
  return (store: Store): Store => {
    const append: TurnVerbs['append'] = async (appending) => {
      const fails = (appending.turn as { kind: string }).kind === kind && left-- > 0
      const fault = new BanksmanError('store_unavailable', 'the disk is full')
      if (fails && when === 'before') throw fault
      const result = await store.turns.append(appending)
      if (fails) throw fault
      return result
    }
    return { ...store, turns: { ...store.turns, append } }
  }
}

/** Says something else each time it is asked the same. */
function changingModel(): { model: Model; asked: () => number } {
  let asked = 0
  const model: Model = {
    name: 'changing',
    async *stream({ messages }) {
      asked++
      if (messages.some(({ role }) => role === 'tool')) yield { kind: 'text', delta: 'done' }
      else {
        const argumentsText = JSON.stringify({ line: `try ${asked}` })
        yield { kind: 'call', id: 'c', tool: 'note', argumentsText }
      }
      yield { kind: 'end', finish: 'stop', usage: { inputTokens: 1, outputTokens: 1 } }
    },
  }
  return { model, asked: () => asked }
}

async function finish<T>(setup: TestAgent, turn: Promise<T>): Promise<T> {
  let isOver = false
  void turn.then(
    () => {
      isOver = true
    },
    () => {},
  )
  for (let count = 0; count < 2000 && !isOver; count++) {
    await setup.setup.clock.advance(1000)
    await new Promise((go) => setImmediate(go))
  }
  return turn
}

describe('a log that can not be written', () => {
  it.each(['before', 'after'] as const)(
    'P4: an answer that failed %s it was written: each call that ran is the one in the log, once',
    async (when) => {
      const { model } = changingModel()
      const setup = await open({ model, policy: { allow: ['note'] }, wrap: failingOnce('answered', when) })
      const events = await finish(setup, setup.say('go'))
      expect(find(events, 'turn_ended').status).toBe('completed')
      const { entries } = await setup.agent.entries('s1', {}, ana)
      expect(entries.map(({ kind }) => kind)).toEqual(['begun', 'answered', 'result', 'answered', 'ended'])
      const [, answered] = entries
      const args = answered?.kind === 'answered' ? JSON.parse(answered.calls[0]!.argumentsText) : undefined
      expect(setup.notes).toEqual([args.line])
    },
  )

  it('P5: nobody is asked about an answer that is lost', async () => {
    const { model } = changingModel()
    const setup = await open({ model, policy: {}, wrap: failingOnce('answered', 'before') })
    const turn = setup.say('go')
    await finish(setup, Promise.race([turn, setup.setup.clock.advance(5000)]))
    const { items } = await setup.setup.store.list({ state: 'pending' })
    expect(items.map(({ bytes }) => JSON.parse(bytes).arguments)).toEqual([{ line: 'try 2' }])
    await setup.agent.interrupt('s1', { kind: 'hard' }, ana)
    await turn
  })

  it.each(['before', 'after'] as const)(
    'P4: a result that failed %s it was written does not run the tool again',
    async (when) => {
      const script = [{ steps: [{ calls: [{ tool: 'note', arguments: { line: 'x' } }] }, { say: 'done' }] }]
      const setup = await open({ script, policy: { allow: ['note'] }, wrap: failingOnce('result', when) })
      const events = await finish(setup, setup.say('go'))
      expect(find(events, 'turn_ended').status).toBe('completed')
      expect(setup.notes).toEqual(['x'])
    },
  )
})

describe('a tool that does not stop', () => {
  it('P5: holds up neither a hard interrupt nor the next turn', async () => {
    const deaf = defineTool({
      name: 'deaf',
      description: 'Never ends.',
      schema: z.strictObject({}),
      run: () => new Promise<never>(() => {}),
    })
    const script = [
      { when: 'go', steps: [{ calls: [{ tool: 'deaf' }] }, { say: 'x' }] },
      { when: 'hello', steps: [{ say: 'here I am' }] },
    ]
    const setup = await open({ script, tools: [deaf], policy: { allow: ['deaf'] } })
    const { after } = await setup.agent.say({ session: 's1', text: 'go' }, ana)
    for await (const event of setup.agent.events('s1', { after }, ana))
      if (event.kind === 'call_started') break
    await setup.agent.interrupt('s1', { kind: 'hard' }, ana)
    const events = await finish(setup, setup.say('hello?'))
    expect(find(events, 'turn_ended').text).toBe('here I am')
    expect(kinds(events)[0]).toBe('turn_begun')
  })
})
