import { describe, expect, it } from 'vitest'
import { aboutTurn, CALL, createTestChain, REQUEST } from '../chain/fixtures/test-chain.ts'
import type { Hook } from '../hook.ts'
import { readHookConfiguration } from './hook-configuration.ts'
import { createHookMounts, type MountParts } from './hook-mounts.ts'

const GATE = { command: ['gate'], intercept: ['before_tool', 'approve_tool'] }
const mount = async (value: unknown, parts: Partial<MountParts> = {}) =>
  createHookMounts(readHookConfiguration(value), { builtins: {}, startProcess: () => ({}), ...parts })

describe('mountsOf', () => {
  it('mounts what is configured as it is configured', async () => {
    const hook: Hook = { observe() {} }
    const mounts = await mount(
      {
        builtins: { audit: { priority: 3, config: { file: 'x' } } },
        processes: {
          gate: {
            ...GATE,
            priority: 7,
            trusted: true,
            onFailure: 'continue',
            observe: ['turn_end'],
            tools: [{ name: 't', description: '' }],
          },
        },
      },
      {
        builtins: { audit: (config) => ({ ...hook, observe: () => void config }) },
        startProcess: () => hook,
      },
    )
    expect(mounts).toMatchObject([
      { name: 'audit', kind: 'in_process', priority: 3, trusted: true },
      {
        name: 'gate',
        kind: 'process',
        priority: 7,
        trusted: true,
        onFailure: 'continue',
        tools: [{ name: 't' }],
      },
    ])
    const event = { id: 't-1', turn: 't', session: 's', agent: { name: 'main' }, at: 0 }
    const observes = mounts[1]!.observes!
    expect(observes({ ...event, kind: 'observing', step: 1, results: 1 })).toBe(false)
    expect(
      observes({
        ...event,
        kind: 'turn_ended',
        status: 'completed',
        text: '',
        usage: { inputTokens: 0, outputTokens: 0 },
        steps: 1,
        durationMs: 1,
      }),
    ).toBe(true)
  })

  it('refuses a built-in that there is not, and lists those that there are', async () => {
    const builtins = { audit: () => ({}), masks: () => ({}) }
    for (const name of ['adit', 'toString']) {
      await expect(mount({ builtins: { [name]: {} } }, { builtins })).rejects.toMatchObject({
        code: 'invalid_configuration',
        message: expect.stringContaining(
          `hooks.builtins.${name} is no built-in hook; there are: audit, masks`,
        ),
        details: { pointer: `/hooks/builtins/${name}` },
      })
    }
  })

  it('says where a built-in did not take its configuration', async () => {
    const audit = () => {
      throw new Error('file is missing')
    }
    await expect(mount({ builtins: { audit: {} } }, { builtins: { audit } })).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining('file is missing'),
      details: { pointer: '/hooks/builtins/audit/config' },
    })
  })

  it('P5: a process that does not start fails at what it was to be asked about, and takes no other down', async () => {
    const mounts = await mount(
      { processes: { gate: GATE, other: { ...GATE, intercept: ['before_llm'] } } },
      {
        startProcess({ name }) {
          if (name === 'gate') throw new Error('no such file')
          return { beforeModel: () => ({ action: 'continue' }) }
        },
      },
    )
    const { chain } = createTestChain(mounts)
    const reason = 'hook "gate" failed: it could not be started: no such file'
    expect(await chain.beforeTool(CALL, aboutTurn())).toEqual({ kind: 'deny', by: 'gate', reason })
    expect(await chain.approveTool(CALL, aboutTurn())).toEqual({ kind: 'deny', by: 'gate', reason })
    expect(await chain.beforeModel(REQUEST, aboutTurn())).toMatchObject({ kind: 'go' })
  })

  it('P5: asks a process only what it was configured for, and that always', async () => {
    const asked: string[] = []
    const hook: Hook = {
      beforeTool: () => void asked.push('before_tool'),
      afterTool: () => void asked.push('after_tool'),
      observe: () => void asked.push('observe'),
      close: async () => void asked.push('close'),
    }
    const { chain, clock } = createTestChain(
      await mount({ processes: { gate: GATE } }, { startProcess: async () => hook }),
    )
    await chain.beforeTool(CALL, aboutTurn())
    await chain.afterTool({ ...CALL, text: '', isError: false, durationMs: 0 }, aboutTurn())
    chain.tell({
      id: 't-1',
      turn: 't',
      session: 's',
      agent: { name: 'main' },
      at: 0,
      kind: 'observing',
      step: 1,
      results: 1,
    })
    await clock.advance(0)
    await chain.close()
    expect(asked).toEqual(['before_tool', 'close'])
    const denied = createTestChain(await mount({ processes: { gate: GATE } }, { startProcess: () => hook }))
    expect(await denied.chain.approveTool(CALL, aboutTurn())).toMatchObject({
      kind: 'deny',
      reason: 'hook "gate" failed: it does not answer to approve_tool',
    })
  })
})
