import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { until } from '../../../../test/fixtures/until.ts'
import { ana, approve } from '../../../gateway/fixtures/test-gateway.ts'
import { NOTE, open, say } from '../../fixtures/node-conversations.ts'
import { openTestAgent, waiting } from '../../fixtures/test-agent.ts'
import { defineTool } from '../../tools/tool.ts'

describe('progress', () => {
  it('is the same at every node while somebody is asked, and when it is over', async () => {
    const nodes = open()
    const one = await nodes.open({ script: NOTE, policy: {} })
    const other = await nodes.open({ script: NOTE, policy: {} })
    await say(one)
    const [request] = await waiting(one)
    const here = await one.agent.progress('s1', ana)
    expect(here).toMatchObject({ session: 's1', state: 'waiting', turn: { id: 't1', text: 'go', steps: 1 } })
    expect(here.turn?.waiting).toMatchObject([
      { request: request!.id, call: 't1.1.0', arguments: { line: 'x' } },
    ])
    expect(here.turn?.recent).toMatchObject([{ call: 't1.1.0', state: 'waiting' }])
    const there = await other.agent.progress('s1', ana)
    expect({ ...there, turn: { ...there.turn, since: 0 } }).toEqual({
      ...here,
      turn: { ...here.turn, since: 0 },
    })
    await approve(other.setup, request!)
    await until(async () => (await other.agent.progress('s1', ana)).state === 'idle')
    const { turn } = await other.agent.progress('s1', ana)
    expect(turn?.ended).toMatchObject({ status: 'completed', text: 'told: noted x' })
    expect(turn).toMatchObject({ calls: 1, steps: 2, said: ['told: noted x'], waiting: [] })
    expect(turn?.recent).toMatchObject([{ state: 'done' }])
  })

  it('says which call runs, since when, and what sub-agents do', async () => {
    const { promise: opened, resolve: goOn } = Promise.withResolvers<void>()
    const slow = defineTool({
      name: 'slow',
      description: 'Takes its time.',
      schema: z.strictObject({}),
      async run() {
        await opened
        return { text: 'at last' }
      },
    })
    const node = await openTestAgent({
      policy: { allow: ['slow', 'spawn'] },
      tools: [slow],
      script: [
        {
          when: 'go',
          steps: [{ calls: [{ tool: 'spawn', arguments: { task: 'dig' } }] }, { say: 'ok' }],
        },
        { when: 'dig', steps: [{ calls: [{ tool: 'slow', arguments: {} }] }, { say: 'dug' }] },
      ],
    })
    await node.agent.say({ session: 's1', text: 'go' }, ana)
    await until(async () => (await node.agent.progress('s1', ana)).turn?.calls === 2)
    await until(async () => (await node.agent.progress('s1', ana)).turn?.recent[1]?.state === 'running')
    const { state, turn } = await node.agent.progress('s1', ana)
    expect(state).toBe('running')
    expect(turn?.recent).toMatchObject([
      { session: 's1', tool: 'spawn', state: 'running' },
      { session: 's1.t1.1.0', tool: 'slow', state: 'running' },
    ])
    goOn()
    await until(async () => (await node.agent.progress('s1', ana)).state === 'idle')
    await node.close()
  })

  it('of a turn that was stopped has no call that still waits', async () => {
    const node = await openTestAgent({ script: NOTE, policy: {} })
    await node.agent.say({ session: 's1', text: 'go' }, ana)
    await waiting(node)
    await node.agent.interrupt('s1', { kind: 'hard' }, ana)
    await until(async () => (await node.agent.progress('s1', ana)).state === 'idle')
    const { turn } = await node.agent.progress('s1', ana)
    expect(turn).toMatchObject({ ended: { status: 'interrupted' }, waiting: [] })
    expect(turn?.recent).toMatchObject([{ call: 't1.1.0', state: 'refused' }])
    await node.close()
  })

  it('of a session in which nobody has said anything is idle, without a turn', async () => {
    const node = await openTestAgent()
    await node.setup.gateway.guard(
      { tool: 'read_file', arguments: { path: 'x' }, callId: 'c', session: 's9' },
      () => 'read',
      { as: ana, durable: true },
    )
    expect(await node.agent.progress('s9', ana)).toEqual({
      session: 's9',
      agent: { name: 'main' },
      state: 'idle',
    })
    await expect(node.agent.progress('s8', ana)).rejects.toMatchObject({ code: 'unknown_id' })
    await node.close()
  })
})
