/** What becomes of the calls that a model makes. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { ana, approve, type TestGateway } from '../../gateway/fixtures/test-gateway.ts'
import {
  collect,
  find,
  kinds,
  openTestAgent,
  type TestAgent,
  type TestAgentOptions,
  waiting,
} from '../fixtures/test-agent.ts'
import type { Model, ModelRequest } from '../models/model.ts'
import { defineTool } from '../tools/tool.ts'

async function open(options: TestAgentOptions = {}): Promise<TestAgent> {
  const setup = await openTestAgent(options)
  onTestFinished(() => setup.close())
  return setup
}

const note = (line: string) => ({ tool: 'note', arguments: { line } })
const raw = (argumentsText: string, tool = 'note') => ({ tool, argumentsText })

function reject(setup: TestGateway, request: { id: string; digest: string }, reason = 'no') {
  return setup.gateway.decide(request.id, { decision: 'reject', digest: request.digest, reason }, ana)
}

describe('several calls in one answer', () => {
  const script = [{ steps: [{ calls: [note('a'), note('b'), note('c')] }, { say: 'done' }] }]

  it('are several requests at once; a no to one does not drop the others; results go back in order', async () => {
    const asked: ModelRequest[] = []
    const setup = await open({ script, policy: {} })
    const inner = setup.agent
    expect(inner.describe().tools.map(({ name }) => name)).toContain('note')
    const turn = setup.say('go')
    const [a, b, c] = await waiting(setup, 3)
    expect([a, b, c].map((request) => request?.callId)).toEqual(['t1.1.0', 't1.1.1', 't1.1.2'])
    await approve(setup.setup, c!)
    await reject(setup.setup, b!, 'not b')
    await approve(setup.setup, a!)
    const events = await turn
    expect(setup.notes.toSorted()).toEqual(['a', 'c'])
    const { entries } = await inner.entries('s1', {}, ana)
    const told = entries.flatMap((entry) => (entry.kind === 'result' ? [[entry.call, entry.outcome]] : []))
    expect(told.toSorted()).toEqual([
      ['t1.1.0', 'ran'],
      ['t1.1.1', 'refused'],
      ['t1.1.2', 'ran'],
    ])
    expect(find(events, 'observing').results).toBe(3)
    expect(asked).toEqual([])
  })

  it('the model is told the results in the order of its calls, under ids of our own', async () => {
    const asked: ModelRequest[] = []
    const model: Model = {
      name: 'test',
      async *stream(request) {
        asked.push(request)
        if (asked.length === 1) {
          // Some servers give every call the same id.
          yield { kind: 'call', id: 'call_0', tool: 'note', argumentsText: '{"line":"a"}' }
          yield { kind: 'call', id: 'call_0', tool: 'note', argumentsText: '{"line":"b"}' }
        }
        yield { kind: 'end', finish: 'stop', usage: { inputTokens: 3, outputTokens: 2 } }
      },
    }
    const setup = await open({ model, policy: { allow: ['note'] } })
    const events = await setup.say('go')
    expect(setup.notes).toEqual(['a', 'b'])
    expect(asked[1]?.messages.slice(-3)).toMatchObject([
      { role: 'assistant', calls: [{ id: 't1.1.0' }, { id: 't1.1.1' }] },
      { role: 'tool', callId: 't1.1.0', text: 'noted a', isError: false },
      { role: 'tool', callId: 't1.1.1', text: 'noted b', isError: false },
    ])
    expect(find(events, 'turn_ended')).toMatchObject({ usage: { inputTokens: 6, outputTokens: 4 }, steps: 2 })
  })
})

describe('P5: what is no call runs nothing, and the model is told what would be right', () => {
  it.each([
    ['broken JSON', raw('{"line": "x"'), "can't be read"],
    ['a key twice', raw('{"line":"x","line":"y"}'), "can't be read"],
    ['a number that would be rounded', raw('{"line":"x","n":12345678901234567890}'), "can't be read"],
    ['a list', raw('["x"]'), 'must be a JSON object'],
    ['an unknown tool', raw('{}', 'launch'), 'there is no tool "launch"; there are'],
    ['a missing argument', raw('{}'), 'line'],
    ['an argument too many', raw('{"line":"x","shout":true}'), 'shout'],
  ])('%s', async (_, call, because) => {
    const script = [{ steps: [{ calls: [call] }, { say: 'sorry' }] }]
    const setup = await open({ script, policy: { mode: 'bypass' } })
    const events = await setup.say('go')
    expect(find(events, 'call_refused')).toMatchObject({ state: 'invalid', mayRetry: true })
    expect(find(events, 'call_refused').because).toContain(because)
    expect(kinds(events)).not.toContain('call_started')
    expect(setup.notes).toEqual([])
  })

  it('calls of an answer that was cut off', async () => {
    const script = [{ steps: [{ calls: [note('x')], finish: 'length' }, { say: 'sorry' }] }]
    const setup = await open({ script, policy: { mode: 'bypass' } })
    expect(find(await setup.say('go'), 'call_refused').because).toContain('cut off')
    expect(setup.notes).toEqual([])
  })

  it('a model that loops for ever is stopped', async () => {
    const script = [{ steps: [{ calls: [note('again')] }], repeat: true }]
    const setup = await open({ script, policy: { allow: ['note'] }, agentSettings: { maxSteps: 4 } })
    const ended = find(await setup.say('go'), 'turn_ended')
    expect(ended).toMatchObject({ status: 'limit', steps: 4 })
    expect(setup.notes).toHaveLength(4)
  })

  it('what the policy denies, with its reason', async () => {
    const script = [{ steps: [{ calls: [note('x')] }, { say: 'I see: {reason}' }] }]
    const setup = await open({ script, policy: { deny: ['note'] } })
    const events = await setup.say('go')
    expect(find(events, 'call_refused')).toMatchObject({ state: 'denied', mayRetry: false })
    expect(setup.notes).toEqual([])
  })
})

describe('a rejected call', () => {
  it('P5: is refused at once when it is made again, with the same reason', async () => {
    const script = [{ steps: [{ calls: [note('x')] }, { calls: [note('x')] }, { say: 'ok' }] }]
    const setup = await open({ script, policy: {} })
    const turn = setup.say('go')
    await reject(setup.setup, (await waiting(setup))[0]!, 'never x')
    const events = await turn
    const refusals = events.filter((event) => event.kind === 'call_refused')
    expect(refusals).toHaveLength(2)
    expect(refusals[1]).toMatchObject({ state: 'rejected', by: 'ana', mayRetry: false })
    expect(refusals[1]).toMatchObject({ because: expect.stringContaining('never x') })
    expect(events.filter((event) => event.kind === 'call_waiting')).toHaveLength(1)
    expect(setup.notes).toEqual([])
  })

  const nagging = [
    {
      steps: [
        { calls: [note('x1')] },
        { calls: [note('x2')] },
        { calls: [note('x3')] },
        { calls: [note('x4')] },
        { say: 'I give up' },
      ],
    },
  ]

  async function rejectThree(setup: TestAgent) {
    for (let count = 0; count < 3; count++) await reject(setup.setup, (await waiting(setup))[0]!)
    return (await waiting(setup))[0]!
  }

  it('after three variants the person can be done with the kind, and the turn ends', async () => {
    const setup = await open({ script: nagging, policy: {} })
    const turn = setup.say('go')
    const question = await rejectThree(setup)
    expect(question).toMatchObject({ kind: 'question', tool: 'ask_user_question' })
    const label = question.questions![0]!.options![0]!.label
    await setup.setup.gateway.decide(
      question.id,
      { decision: 'answer', digest: question.digest, answers: { bar: { choices: [label] } } },
      ana,
    )
    expect(find(await turn, 'turn_ended')).toMatchObject({ status: 'interrupted' })
    const events = await setup.say('go again')
    expect(events.filter((event) => event.kind === 'call_waiting')).toEqual([])
    expect(find(events, 'call_refused').because).toContain('no more calls of this kind')
    expect(setup.notes).toEqual([])
  })

  it('or go on deciding one by one', async () => {
    const setup = await open({ script: nagging, policy: {} })
    const turn = setup.say('go')
    const question = await rejectThree(setup)
    const label = question.questions![0]!.options![1]!.label
    await setup.setup.gateway.decide(
      question.id,
      { decision: 'answer', digest: question.digest, answers: { bar: { choices: [label] } } },
      ana,
    )
    await approve(setup.setup, (await waiting(setup))[0]!)
    expect(find(await turn, 'turn_ended').text).toBe('I give up')
    expect(setup.notes).toEqual(['x4'])
  })
})

describe('other decisions', () => {
  const script = [{ steps: [{ calls: [note('x')] }, { say: 'I got: {result}' }] }]

  it('P3: an edit is what runs', async () => {
    const setup = await open({ script, policy: {} })
    const turn = setup.say('go')
    const request = (await waiting(setup))[0]!
    await setup.setup.gateway.decide(
      request.id,
      { decision: 'edit', digest: request.digest, arguments: { line: 'edited' } },
      ana,
    )
    expect(find(await turn, 'call_started').arguments).toEqual({ line: 'edited' })
    expect(setup.notes).toEqual(['edited'])
  })

  it("P5: an edit that the tool's own schema refuses runs nothing", async () => {
    const picky = defineTool({
      name: 'picky',
      description: 'Takes even numbers.',
      schema: z.strictObject({ n: z.number().refine((n) => n % 2 === 0, 'must be even') }),
      async run() {
        throw new Error('it ran')
      },
    })
    const even = [{ steps: [{ calls: [{ tool: 'picky', arguments: { n: 2 } }] }, { say: 'x' }] }]
    const setup = await open({ script: even, tools: [picky], policy: {} })
    const turn = setup.say('go')
    const { id, digest } = (await waiting(setup))[0]!
    await setup.setup.gateway.decide(id, { decision: 'edit', digest, arguments: { n: 3 } }, ana)
    const events = await turn
    expect(find(events, 'call_refused')).toMatchObject({ state: 'invalid' })
    expect(kinds(events)).not.toContain('call_started')
  })

  it("a response is the tool's result, and nothing runs", async () => {
    const setup = await open({ script, policy: {} })
    const turn = setup.say('go')
    const request = (await waiting(setup))[0]!
    await setup.setup.gateway.decide(
      request.id,
      { decision: 'respond', digest: request.digest, text: 'I did it myself' },
      ana,
    )
    expect(find(await turn, 'turn_ended').text).toBe('I got: I did it myself')
    expect(setup.notes).toEqual([])
  })

  it('P5: terminate ends the turn and the session', async () => {
    const setup = await open({ script, policy: {} })
    const turn = setup.say('go')
    const request = (await waiting(setup))[0]!
    await setup.setup.gateway.decide(request.id, { decision: 'terminate', digest: request.digest }, ana)
    expect(find(await turn, 'turn_ended')).toMatchObject({ status: 'terminated' })
    await expect(setup.agent.say({ session: 's1', text: 'more' }, ana)).rejects.toMatchObject({
      code: 'session_ended',
    })
    expect(setup.notes).toEqual([])
  })

  it('a question of the model is answered by a person, even where everything is allowed', async () => {
    const questions = [{ id: 'q', question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }]
    const setup = await open({
      script: [
        {
          steps: [{ calls: [{ tool: 'ask_user_question', arguments: { questions } }] }, { say: '{result}' }],
        },
      ],
      policy: { mode: 'bypass' },
    })
    const turn = setup.say('go')
    const request = (await waiting(setup))[0]!
    await setup.setup.gateway.decide(
      request.id,
      { decision: 'answer', digest: request.digest, answers: { q: { choices: ['B'] } } },
      ana,
    )
    expect(find(await turn, 'turn_ended').text).toContain('"B"')
  })
})

describe('P4: a process that ends while a tool runs', () => {
  it('the tool is not run again, and the model is told that it may have run', async () => {
    let started = 0
    const slow = defineTool({
      name: 'slow',
      description: 'Takes its time.',
      schema: z.strictObject({}),
      async run(_, { signal }) {
        started++
        await new Promise((_resolve, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
        return { text: 'never' }
      },
    })
    const script = [{ steps: [{ calls: [{ tool: 'slow' }] }, { say: 'told: {result}' }] }]
    const before = await openTestAgent({ script, tools: [slow], policy: { allow: ['slow'] } })
    const { turn } = await before.agent.say({ session: 's1', text: 'go' }, ana)
    for await (const event of before.agent.events('s1', { after: `${turn}-0` }, ana))
      if (event.kind === 'call_started') break
    // As kill -9 would: nothing is written that was not written before the tool began.
    const after = await before.restart()
    onTestFinished(() => after.close())
    await after.agent.resume()
    const events = await collect(after.agent.events('s1', { after: `${turn}-0` }, ana), turn)
    expect(started).toBe(1)
    expect(find(events, 'turn_ended').text).toContain('told:')
  })
})
