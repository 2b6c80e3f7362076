import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { ana, ben, eve } from '../../gateway/fixtures/test-gateway.ts'
import { openEngineStore } from '../fixtures/engine-store.ts'
import type { Engine, EngineTurn, OpenEngine } from './engine.ts'
import { createSessionHost } from './session-host.ts'

async function host(runTurn: OpenEngine['runTurn'] = async () => DONE) {
  const store = await openEngineStore()
  const node = await store.node()
  const closed: string[] = []
  let opened = 0
  const engine: Engine = {
    kind: 'test',
    lease: 'open',
    describe: () => ({ model: 'm', tools: [] }),
    async open() {
      opened++
      return { runTurn, close: async (reason) => void closed.push(reason) }
    },
  }
  const agent = createSessionHost({
    ...node,
    agents: new Map([
      ['main', engine],
      ['coder', engine],
    ]),
    defaultAgent: 'main',
    report: () => {},
  })
  onTestFinished(async () => {
    const closing = agent.close()
    await store.advance(20_000)
    await closing
    await store.close()
  })
  const kinds = async () => (await agent.entries('s1', {}, ana)).entries.map(({ kind }) => kind)
  return { agent, gateway: node.gateway, closed, kinds, opened: () => opened }
}

const DONE = { status: 'completed', text: 'done', heard: 0 } as const

/** A turn that runs until it is stopped. */
const untilStopped = ({ stop }: EngineTurn) =>
  new Promise<never>((_, reject) => stop.addEventListener('abort', () => reject(stop.reason)))

describe('a session that is opened', () => {
  it('P6: is whose it was opened for, before anybody says anything', async () => {
    const { agent, gateway, kinds } = await host()
    await agent.open({ session: 's1', agent: 'coder' }, ben)
    expect(await kinds()).toEqual(['opened'])
    expect(await gateway.session('s1', ana)).toMatchObject({ owner: 'ben' })
    await expect(agent.say({ session: 's1', text: 'mine' }, eve)).rejects.toMatchObject({ code: 'not_yours' })
    await expect(agent.open({ session: 's1' }, eve)).rejects.toMatchObject({ code: 'not_yours' })
    await expect(agent.open({ session: 's1' }, ben)).rejects.toMatchObject({ code: 'invalid' })
    expect(await agent.progress('s1', ben)).toEqual({
      session: 's1',
      agent: { name: 'coder' },
      state: 'idle',
    })
  })

  it('has the agent that it was opened for, which no message changes', async () => {
    const { agent, kinds } = await host()
    await agent.open({ session: 's1', agent: 'coder' }, ben)
    await expect(agent.say({ session: 's1', text: 'hi', agent: 'main' }, ben)).rejects.toMatchObject({
      code: 'invalid',
    })
    expect(await agent.say({ session: 's1', text: 'hi' }, ben)).toMatchObject({ turn: 't1', kind: 'begun' })
    await until(async () => (await agent.progress('s1', ben)).state === 'idle')
    expect(await kinds()).toEqual(['opened', 'begun', 'ended'])
    expect((await agent.progress('s1', ben)).agent.name).toBe('coder')
  })

  it('isn’t taken for a turn that was left, and can have a mode', async () => {
    const { agent, gateway } = await host()
    await agent.open({ session: 's1' }, ben)
    expect(await gateway.turns.unfinished()).toEqual([])
    expect(await agent.resume()).toBe(0)
    await gateway.setMode('s1', 'plan', ben)
    expect(await gateway.session('s1', ben)).toMatchObject({ mode: 'plan' })
  })

  it('of an agent that there isn’t says which there are', async () => {
    const { agent } = await host()
    await expect(agent.open({ session: 's1', agent: 'x' }, ben)).rejects.toThrow('there are: main, coder')
  })
})

describe('a session that is put to sleep', () => {
  it('stops at once, closes its engine and gives the lease back; the next message opens another', async () => {
    const turns: string[] = []
    const { agent, closed, opened } = await host((turn) => {
      turns.push(turn.id)
      return turns.length === 1 ? untilStopped(turn) : Promise.resolve(DONE)
    })
    await agent.say({ session: 's1', text: 'go' }, ben)
    await until(() => turns.length === 1)
    expect(await agent.isAwake('s1')).toBe(true)
    await agent.sleep('s1', { reason: 'closed' }, ben)
    expect(closed).toEqual(['idle'])
    expect(await agent.isAwake('s1')).toBe(false)
    expect((await agent.progress('s1', ben)).turn?.ended).toMatchObject({ status: 'interrupted' })
    await agent.say({ session: 's1', text: 'again' }, ben)
    await until(async () => (await agent.progress('s1', ben)).turn?.ended?.status === 'completed')
    expect(opened()).toBe(2)
  })

  it('P6: only by its owner or an admin, who may talk in it too where they manage it', async () => {
    const { agent, closed } = await host()
    await agent.say({ session: 's1', text: 'go' }, ben)
    await until(async () => (await agent.progress('s1', ben)).state === 'idle')
    await expect(agent.sleep('s1', {}, eve)).rejects.toMatchObject({ code: 'unknown_id' })
    await expect(agent.say({ session: 's1', text: 'x' }, eve, 'manage')).rejects.toMatchObject({
      code: 'unknown_id',
    })
    await expect(agent.say({ session: 's2', text: 'x' }, ana, 'manage')).rejects.toMatchObject({
      code: 'unknown_id',
    })
    await agent.sleep('s1', {}, ana)
    expect(closed).toEqual(['idle'])
    await agent.say({ session: 's1', text: 'from ana' }, ana, 'manage')
    expect((await agent.progress('s1', ben)).turn).toMatchObject({ by: 'ana', text: 'from ana' })
  })
})
