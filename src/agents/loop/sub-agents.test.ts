import { describe, expect, it, onTestFinished } from 'vitest'
import { ana, approve } from '../../gateway/fixtures/test-gateway.ts'
import {
  collect,
  find,
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

const SCRIPT = [
  {
    when: 'delegate',
    steps: [
      { calls: [{ tool: 'spawn', arguments: { task: 'write it down' } }] },
      { say: 'the other said: {result}' },
    ],
  },
  {
    when: 'write it down',
    steps: [{ calls: [{ tool: 'note', arguments: { line: 'from below' } }] }, { say: 'it is done' }],
  },
  {
    when: 'deeper',
    steps: [{ calls: [{ tool: 'spawn', arguments: { task: 'deeper' } }] }, { say: 'back: {result}' }],
  },
]

describe('an agent that another has started', () => {
  it('P6: has its lineage and its own session on every call, and its last word is the result', async () => {
    const setup = await open({ script: SCRIPT, policy: { allow: ['spawn'] } })
    const turn = setup.say('delegate')
    const request = (await waiting(setup))[0]!
    expect(request).toMatchObject({
      session: 's1.t1.1.0',
      agent: { name: 'main', parents: ['main'] },
      submittedBy: 'ana',
    })
    expect(await setup.setup.gateway.session(request.session, ana)).toMatchObject({ parent: 's1' })
    await approve(setup.setup, request)
    const events = await turn
    expect(find(events, 'turn_ended')).toBeDefined()
    expect(events.at(-1)).toMatchObject({ kind: 'turn_ended', text: 'the other said: it is done' })
    expect(find(events, 'sub_began')).toMatchObject({ child: 's1.t1.1.0', session: 's1' })
    expect(events.filter((event) => event.session === 's1.t1.1.0').length).toBeGreaterThan(3)
    expect(setup.notes).toEqual(['from below'])
  })

  it('P7: one that waited for a person when the process ended goes on with its task', async () => {
    const before = await openTestAgent({ script: SCRIPT, policy: { allow: ['spawn'] } })
    await before.agent.say({ session: 's1', text: 'delegate' }, ana)
    const request = (await waiting(before))[0]!
    const after = await before.restart()
    onTestFinished(() => after.close())
    expect(await after.agent.resume()).toBe(1)
    const rest = collect(after.agent.events('s1', { after: 't1-0' }, ana), 't1')
    await approve(after.setup, request)
    const events = await rest
    expect(events.at(-1)).toMatchObject({ kind: 'turn_ended', text: 'the other said: it is done' })
    expect(after.notes).toEqual(['from below'])
  })

  it('P5: hard interrupts reach it, and what it asked is withdrawn', async () => {
    const setup = await open({ script: SCRIPT, policy: { allow: ['spawn'] } })
    const turn = setup.say('delegate')
    const request = (await waiting(setup))[0]!
    await setup.agent.interrupt('s1', { kind: 'hard' }, ana)
    expect((await turn).at(-1)).toMatchObject({ kind: 'turn_ended', status: 'interrupted' })
    expect(await setup.setup.gateway.get(request.id, ana)).toMatchObject({ state: 'cancelled' })
    expect(setup.notes).toEqual([])
  })

  it('ends with the session', async () => {
    const setup = await open({ script: SCRIPT, policy: { allow: ['spawn'] } })
    const turn = setup.say('delegate')
    const request = (await waiting(setup))[0]!
    await setup.setup.gateway.endSession('s1', { reason: 'enough' }, ana)
    expect((await turn).at(-1)).toMatchObject({ kind: 'turn_ended', status: 'terminated' })
    expect(await setup.setup.gateway.get(request.id, ana)).toMatchObject({ state: 'cancelled' })
  })

  it('goes only so deep', async () => {
    const setup = await open({ script: SCRIPT, policy: { allow: ['spawn'] } })
    const events = await setup.say('deeper')
    expect(events.at(-1)).toMatchObject({ kind: 'turn_ended', status: 'completed' })
    expect(JSON.stringify(events)).toContain('3 deep, and no deeper')
  })
})
