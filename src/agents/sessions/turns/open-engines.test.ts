/** What the host does about engines that break the contract. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../../test/fixtures/until.ts'
import { BanksmanError } from '../../../core/errors.ts'
import { ana } from '../../../gateway/fixtures/test-gateway.ts'
import type { Gateway } from '../../../gateway/gateway-verbs.ts'
import { openEngineStore } from '../../fixtures/engine-store.ts'
import { createLineEngine, linePrograms } from '../../fixtures/line-engine.ts'
import { entriesOf } from '../../fixtures/node-conversations.ts'
import type { Engine, EngineTurn, OpenEngine } from '../engine.ts'
import { createSessionHost } from '../session-host.ts'

async function hostWith(engine: Engine, wrap: (gateway: Gateway) => Gateway = (gateway) => gateway) {
  const store = await openEngineStore()
  const { gateway, ...node } = await store.node()
  const faults: unknown[] = []
  const agent = createSessionHost({
    ...node,
    gateway: wrap(gateway as Gateway),
    agents: new Map([['main', engine]]),
    defaultAgent: 'main',
    report: ({ error }) => faults.push(error),
  })
  onTestFinished(async () => {
    const closing = agent.close()
    await store.advance(20_000)
    await closing
    await store.close()
  })
  const last = async () => (await agent.entries('s1', {}, ana)).entries.at(-1)
  return { store, agent, faults, last, say: (text: string) => agent.say({ session: 's1', text }, ana) }
}

function engineOf(runTurn: OpenEngine['runTurn'], closed: string[] = []): Engine {
  const open: OpenEngine = { runTurn, close: async (reason) => void closed.push(reason) }
  return { kind: 'test', lease: 'open', describe: () => ({ model: 'm', tools: [] }), open: async () => open }
}

describe('an engine', () => {
  it('P5: that does not stop is let go of, closed, and can do nothing more in the turn', async () => {
    const closed: string[] = []
    const turns: EngineTurn[] = []
    const engine = engineOf((turn) => {
      turns.push(turn)
      return new Promise(() => {})
    }, closed)
    const { store, agent, last, say } = await hostWith(engine)
    await say('go')
    await until(() => turns.length === 1)
    await agent.interrupt('s1', { kind: 'hard' }, ana)
    await store.advance(16_000)
    await until(async () => (await last())?.kind === 'ended')
    expect(await last()).toMatchObject({ status: 'interrupted' })
    await until(() => closed.length === 1)
    expect(closed).toEqual(['failed'])
    const call = { tool: 'read_note', arguments: {}, callId: 'late' }
    await expect(turns[0]!.guard(call, () => 'ran')).rejects.toMatchObject({ code: 'closed' })
    await expect(turns[0]!.hold(call)).rejects.toMatchObject({ code: 'closed' })
    await expect(turns[0]!.confirmLease()).rejects.toMatchObject({ code: 'closed' })
    await expect(turns[0]!.append({ kind: 'barred', shape: 'x', by: 'ana' })).rejects.toMatchObject({
      code: 'closed',
    })
  })

  it('that is given a message twice and does not hear it fails its turn', async () => {
    let runs = 0
    const { agent, last, say } = await hostWith(
      engineOf(async () => {
        if (runs++ === 0) await say('and this')
        return { status: 'completed', text: 'done', heard: 0 }
      }),
    )
    await say('go')
    await until(async () => (await last())?.kind === 'ended')
    expect(await last()).toMatchObject({ status: 'failed' })
    expect(runs).toBe(2)
    expect(await entriesOf({ agent })).toEqual(['begun', 'steered', 'ended'])
  })

  it('whose program ends between turns is opened anew for the next one', async () => {
    const script = { answers: [{ say: 'here' }], run: async () => '', asked: async () => {} }
    // Tests that share this worker may have left programs of theirs.
    const others = new Set(linePrograms)
    const { faults, last, say } = await hostWith(createLineEngine(script))
    await say('go')
    await until(async () => (await last())?.kind === 'ended')
    const [program] = [...linePrograms].filter((pid) => !others.has(pid))
    process.kill(program!, 'SIGKILL')
    await until(() => faults.length === 1)
    await say('again')
    await until(async () => {
      const entry = await last()
      return entry?.kind === 'ended' && entry.turn === 't2'
    })
    expect(await last()).toMatchObject({ status: 'completed', text: 'here' })
    expect([...linePrograms]).not.toContain(program)
  })

  it('that fails while its turn ends is closed, and opened anew for the next one', async () => {
    const closed: string[] = []
    let opened = 0
    const { faults, last, say } = await hostWith({
      ...engineOf(async () => ({ status: 'completed', text: '', heard: 1 })),
      async open(session) {
        opened++
        return {
          async runTurn() {
            if (opened === 1) session.failed(new Error('the program has ended'))
            return { status: 'completed', text: 'here', heard: 1 }
          },
          close: async (reason) => void closed.push(reason),
        }
      },
    })
    await say('go')
    await until(() => closed.length === 1)
    expect(closed).toEqual(['failed'])
    await say('again')
    await until(async () => {
      const entry = await last()
      return entry?.kind === 'ended' && entry.turn === 't2'
    })
    expect([opened, faults.length]).toEqual([2, 1])
  })

  it('that can not be opened fails the turn, with the reason', async () => {
    const engine = engineOf(async () => ({ status: 'completed', text: '', heard: 0 }))
    const { last, say } = await hostWith({
      ...engine,
      open: async () => {
        throw new Error('there is no such program')
      },
    })
    await say('go')
    await until(async () => (await last())?.kind === 'ended')
    expect(await last()).toMatchObject({ status: 'failed', reason: 'there is no such program' })
  })

  it('P4: a message that comes while the engine closes begins a turn that has its lease', async () => {
    const closing = Promise.withResolvers<void>()
    let closes = 0
    const engine: Engine = {
      kind: 'test',
      lease: 'turn',
      describe: () => ({ model: 'm', tools: [] }),
      open: async () => ({
        async runTurn(turn) {
          // As before a tool runs.
          await new Promise<void>((resolve) => setTimeout(resolve, 20))
          await turn.confirmLease()
          return { status: 'completed', text: 'done', heard: 0 }
        },
        async close() {
          if (closes++ === 0) await closing.promise
        },
      }),
    }
    const { agent, last, say } = await hostWith(engine)
    await say('go')
    await until(() => closes === 1)
    const said = say('again')
    closing.resolve()
    expect(await said).toMatchObject({ kind: 'begun', turn: 't2' })
    await until(async () => (await last())?.kind === 'ended')
    expect(await entriesOf({ agent })).toEqual(['begun', 'ended', 'begun', 'ended'])
  })

  it('P5: a turn that was begun after a message failed is stopped at once, and has the session’s only engine', async () => {
    let fails = true
    const turns: EngineTurn[] = []
    const engine = engineOf((turn) => {
      turns.push(turn)
      return new Promise((_, reject) => turn.stop.addEventListener('abort', () => reject(turn.stop.reason)))
    })
    const { agent, say } = await hostWith(engine, (gateway) => ({
      ...gateway,
      turns: {
        ...gateway.turns,
        async append(...about) {
          if (fails) {
            fails = false
            throw new BanksmanError('store_unavailable', 'the store is away')
          }
          return gateway.turns.append(...about)
        },
      },
    }))
    const [first, second] = await Promise.allSettled([say('one'), say('two')])
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled'])
    await until(() => turns.length === 1)
    expect(await say('three')).toMatchObject({ kind: 'steered', turn: 't1' })
    expect(turns).toHaveLength(1)
    expect(await agent.interrupt('s1', { kind: 'hard' }, ana)).toBe(true)
    expect(turns[0]!.stop.aborted).toBe(true)
    expect(turns).toHaveLength(1)
  })

  it('P4: no second engine is opened while the one of a turn that could not be ended closes', async () => {
    const closing = Promise.withResolvers<void>()
    let fails = true
    let isOpen = 0
    let most = 0
    let closes = 0
    const engine: Engine = {
      ...engineOf(async () => ({ status: 'completed', text: '', heard: 0 })),
      async open() {
        most = Math.max(most, ++isOpen)
        return {
          runTurn: async (turn) => ({ status: 'completed', text: 'done', heard: turn.messages().length }),
          async close() {
            if (closes++ === 0) await closing.promise
            isOpen--
          },
        }
      },
    }
    const { last, say } = await hostWith(engine, (gateway) => ({
      ...gateway,
      turns: {
        ...gateway.turns,
        async append(about, actor) {
          if (!about.unfinished && fails) {
            fails = false
            throw new Error('something is wrong')
          }
          return gateway.turns.append(about, actor)
        },
      },
    }))
    await say('go')
    await until(() => closes === 1)
    const said = say('again')
    await new Promise((resolve) => setTimeout(resolve, 50))
    closing.resolve()
    await said
    await until(async () => (await last())?.kind === 'ended')
    expect(most).toBe(1)
  })
})
