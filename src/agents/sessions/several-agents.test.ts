/** Several agents in one host, and nodes that don't have the same ones. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { ana, ben } from '../../gateway/fixtures/test-gateway.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { EngineScript, EngineStore } from '../../testing/engine-suite.ts'
import { openEngineStore } from '../fixtures/engine-store.ts'
import { createLineEngine } from '../fixtures/line-engine.ts'
import { createScriptedLoop } from '../fixtures/loop-under-test.ts'
import type { Engine, OpenEngine } from './engine.ts'
import { type Agent, createSessionHost } from './session-host.ts'

const saying = (text: string, parts: Partial<EngineScript> = {}): EngineScript => ({
  answers: [{ say: text }],
  run: async () => '',
  asked: async () => {},
  ...parts,
})

async function open(): Promise<EngineStore & { host(agents: Record<string, Engine>): Promise<Hosting> }> {
  const store = await openEngineStore()
  const agents: Agent[] = []
  onTestFinished(async () => {
    for (const agent of agents) {
      const closing = agent.close()
      await store.advance(20_000)
      await closing
    }
    await store.close()
  })
  return {
    ...store,
    async host(engines) {
      const node = await store.node()
      const agent = createSessionHost({
        ...node,
        agents: new Map(Object.entries(engines)),
        defaultAgent: 'main',
        report: () => {},
      })
      agents.push(agent)
      await agent.resume()
      return { agent, kill: node.kill, gateway: node.gateway }
    },
  }
}

interface Hosting {
  agent: Agent
  gateway: Gateway
  kill(): Promise<void>
}

async function endOf({ agent }: Pick<Hosting, 'agent'>, session = 's1', turn = 't1') {
  const entries = async () => (await agent.entries(session, {}, ana)).entries
  await until(async () => (await entries()).some((entry) => entry.kind === 'ended' && entry.turn === turn))
  const all = await entries()
  return {
    begun: all.find((entry) => entry.kind === 'begun'),
    end: all.findLast((entry) => entry.kind === 'ended'),
  }
}

describe('several agents', () => {
  it('each has the sessions whose first message was for it, and its own engine', async () => {
    const { host } = await open()
    const node = await host({
      main: createScriptedLoop(saying('I am main')),
      coder: createLineEngine(saying('I am coder')),
    })
    await node.agent.say({ session: 's1', text: 'who?' }, ana)
    await node.agent.say({ session: 's2', text: 'who?', agent: 'coder' }, ana)
    const [one, two] = [await endOf(node, 's1'), await endOf(node, 's2')]
    expect([one.end, two.end]).toMatchObject([{ text: 'I am main' }, { text: 'I am coder' }])
    expect(one.begun).not.toHaveProperty('agent')
    expect(two.begun).toMatchObject({ agent: 'coder' })
    // From then on nobody has to say it again.
    await node.agent.say({ session: 's2', text: 'still?' }, ana)
    expect((await endOf(node, 's2', 't2')).end).toMatchObject({ text: 'I am coder' })
    expect((await node.agent.progress('s2', ana)).agent).toEqual({ name: 'coder' })
    expect(node.agent.describe()).toMatchObject({
      name: 'main',
      agents: ['main', 'coder'],
      model: 'scripted',
    })
    expect(node.agent.describe('coder')).toMatchObject({ name: 'coder', model: 'lines' })
  })

  it('a session stays with its agent, and one that is not there is named with those that are', async () => {
    const { host } = await open()
    const node = await host({ main: createScriptedLoop(saying('x')), coder: createLineEngine(saying('y')) })
    await node.agent.say({ session: 's1', text: 'hello' }, ana)
    await endOf(node)
    await expect(node.agent.say({ session: 's1', text: 'hello', agent: 'coder' }, ana)).rejects.toMatchObject(
      {
        code: 'invalid',
        message: expect.stringContaining('is a conversation with agent `main`'),
      },
    )
    await node.agent.say({ session: 's1', text: 'hello', agent: 'main' }, ana)
    await expect(
      node.agent.say({ session: 's9', text: 'hello', agent: 'nobody' }, ana),
    ).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('there are: main, coder'),
    })
    expect(() => node.agent.describe('nobody')).toThrow('there are: main, coder')
  })

  it('P6: who was refused has no share in the session that somebody else begins then', async () => {
    const { host } = await open()
    const node = await host({ main: createScriptedLoop(saying('for ana')) })
    const claimed = node.agent.say({ session: 's1', text: 'mine?', agent: 'nobody' }, ben)
    await expect(claimed).rejects.toMatchObject({ code: 'invalid' })
    await node.agent.say({ session: 's1', text: 'my secret plan' }, ana)
    await expect(node.agent.entries('s1', {}, ben)).rejects.toMatchObject({ code: 'unknown_id' })
    expect((await endOf(node)).begun).toMatchObject({ by: 'ana' })
    await node.agent.say({ session: 's1', text: 'go on' }, ana)
  })

  it('P6: of two first words at once one begins the session, and the other is refused', async () => {
    const { host } = await open()
    const node = await host({ main: createScriptedLoop(saying('hello')) })
    const said = await Promise.allSettled([
      node.agent.say({ session: 's1', text: 'of ana' }, ana),
      node.agent.say({ session: 's1', text: 'of ben' }, ben),
    ])
    expect(said.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const refused = said.find((one) => one.status === 'rejected')
    expect(refused?.reason).toMatchObject({ code: 'not_yours' })
    const { entries } = await node.agent.entries('s1', {}, ana)
    expect(new Set(entries.flatMap((entry) => ('by' in entry ? [entry.by] : []))).size).toBe(1)
  })

  it('a node takes over only turns of agents that it has; others are heard there and stopped all the same', async () => {
    const { host, advance } = await open()
    const held = () => new Promise<void>(() => {})
    const one = await host({ coder: createScriptedLoop(saying('never', { asked: held })) })
    const plain = await host({ main: createScriptedLoop(saying('wrong')) })
    await one.agent.say({ session: 's1', text: 'go', agent: 'coder' }, ana)
    await one.kill()
    await advance(60_000)
    const kinds = async () => (await plain.agent.entries('s1', {}, ana)).entries.map(({ kind }) => kind)
    expect(await kinds()).toEqual(['begun'])
    await plain.agent.say({ session: 's1', text: 'and this' }, ana)
    expect(await kinds()).toEqual(['begun', 'steered'])
    const other = await host({ coder: createScriptedLoop(saying('taken over')) })
    await advance(10_000)
    expect((await endOf(other)).end).toMatchObject({ text: 'taken over', status: 'completed' })
    // It has ended, and the agent is not here to begin another.
    await expect(plain.agent.say({ session: 's1', text: 'again' }, ana)).rejects.toMatchObject({
      message: expect.stringContaining('there is no agent `coder` here; there are: main'),
    })
  })

  it('what the process before had asked is withdrawn with the turn, whatever an engine calls its calls', async () => {
    const { host, advance } = await open()
    const engineOf = (runTurn: OpenEngine['runTurn']): Engine => ({
      kind: 'own',
      lease: 'turn',
      describe: () => ({ model: 'own', tools: [] }),
      open: async () => ({ runTurn, async close() {} }),
    })
    const usage = { inputTokens: 0, outputTokens: 0 }
    const asking = engineOf(async (turn) => {
      const call = { id: 'toolu_1', modelId: 'toolu_1', tool: 'deploy', argumentsText: '{}' }
      await turn.append({ kind: 'answered', step: 1, model: 'own', text: '', calls: [call], heard: 0, usage })
      await turn.hold({ tool: 'deploy', arguments: {}, callId: call.id })
      return { status: 'completed', text: '', heard: 0 }
    })
    const one = await host({ main: asking })
    await one.agent.say({ session: 's1', text: 'go' }, ana)
    await until(async () => (await one.gateway.list({ state: 'pending' }, ana)).items.length === 1)
    await one.kill()
    await advance(60_000)
    const other = await host({
      main: engineOf(async () => ({ status: 'completed', text: 'over', heard: 0 })),
    })
    expect((await endOf(other)).end).toMatchObject({ text: 'over' })
    expect((await other.gateway.list({ state: 'pending' }, ana)).items).toEqual([])
  })
})
