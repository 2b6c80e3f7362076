import { describe, expect, it, onTestFinished } from 'vitest'
import { agent as agentActor, ana, approve, ben } from '../../gateway/fixtures/test-gateway.ts'
import {
  collect,
  find,
  kinds,
  openTestAgent,
  type TestAgent,
  type TestAgentOptions,
  waiting,
} from '../fixtures/test-agent.ts'

async function open(options: TestAgentOptions = {}): Promise<TestAgent> {
  const setup = await openTestAgent(options)
  onTestFinished(() => setup.close())
  return setup
}

const NOTE = [
  {
    steps: [
      { say: 'I will note it.', calls: [{ tool: 'note', arguments: { line: 'one' } }] },
      {
        oneOf: [{ when: { result: 'refused' }, say: 'Not noted: {reason}' }, { say: 'Done: {result}' }],
      },
    ],
  },
]

describe('a turn', () => {
  it('thinks, acts, observes and has the last word', async () => {
    const setup = await open({ script: NOTE, policy: { allow: ['note'] } })
    const events = await setup.say('note it')
    expect(kinds(events)).toEqual([
      'turn_begun',
      'model_called',
      'model_answered',
      'call_proposed',
      'call_started',
      'call_finished',
      'observing',
      'model_called',
      'model_answered',
      'turn_ended',
    ])
    expect(find(events, 'turn_ended')).toMatchObject({
      status: 'completed',
      text: 'Done: noted one',
      steps: 2,
    })
    expect(setup.notes).toEqual(['one'])
    expect(events.map((event) => event.id)).toEqual([...new Set(events.map((event) => event.id))])
  })

  it('P3: a person approves, and the tool runs once on what they saw', async () => {
    const setup = await open({ script: NOTE, policy: {} })
    const turn = setup.say('note it')
    const [request] = await waiting(setup)
    expect(request).toMatchObject({
      tool: 'note',
      callId: 't1.1.0',
      submittedBy: 'ana',
      agent: { name: 'main' },
    })
    expect(setup.notes).toEqual([])
    await approve(setup.setup, request!)
    const events = await turn
    expect(kinds(events)).toContain('call_waiting')
    expect(find(events, 'call_started').request).toBe(request!.id)
    expect(setup.notes).toEqual(['one'])
  })

  it('P5: a rejection goes back to the model, with the reason and by whom', async () => {
    const setup = await open({ script: NOTE, policy: {} })
    const turn = setup.say('note it')
    const [request] = await waiting(setup)
    await setup.setup.gateway.decide(
      request!.id,
      { decision: 'reject', digest: request!.digest, reason: 'not today' },
      ana,
    )
    const events = await turn
    expect(find(events, 'call_refused')).toMatchObject({ state: 'rejected', by: 'ana', mayRetry: false })
    expect(find(events, 'turn_ended').text).toContain('not today')
    expect(setup.notes).toEqual([])
  })

  it('P11: no agent talks to the agent', async () => {
    const setup = await open()
    await expect(setup.agent.say({ session: 's1', text: 'hi' }, agentActor)).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  it("P6: nobody talks in another's session, or listens there", async () => {
    const setup = await open()
    await setup.say('hello')
    await expect(setup.agent.say({ session: 's1', text: 'hi' }, ben)).rejects.toMatchObject({
      code: 'not_yours',
    })
    await expect(collect(setup.agent.events('s1', {}, ben), 't1')).rejects.toMatchObject({
      code: 'unknown_id',
    })
    await expect(setup.agent.entries('s1', {}, ben)).rejects.toMatchObject({ code: 'unknown_id' })
  })
})

describe('after a restart', () => {
  it('P7: a turn that waits for a person goes on, and the tool runs once', async () => {
    const before = await openTestAgent({ script: NOTE, policy: {} })
    const { turn } = await before.agent.say({ session: 's1', text: 'note it' }, ana)
    const [request] = await waiting(before)
    const after = await before.restart()
    onTestFinished(() => after.close())
    expect(await after.agent.resume()).toBe(1)
    const rest = collect(after.agent.events('s1', { after: `${turn}-1` }, ana), turn)
    expect(await waiting(after)).toHaveLength(1)
    await approve(after.setup, request!)
    const events = await rest
    expect(kinds(events)).toEqual([
      'turn_begun',
      'model_answered',
      'call_proposed',
      'call_waiting',
      'call_started',
      'call_finished',
      'observing',
      'model_called',
      'model_answered',
      'turn_ended',
    ])
    expect(after.notes).toEqual(['one'])
  })
})
