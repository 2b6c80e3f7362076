import { describe, expect, it } from 'vitest'
import type { Hook } from '../hook.ts'
import { aboutTurn, CALL, createTestChain, mount, REQUEST, RESPONSE, RESULT } from './fixtures/test-chain.ts'

/** What a careless or foreign hook answers, which the types would not let through. */
const answering = (stage: keyof Hook, answer: unknown): Hook => ({ [stage]: () => answer }) as Hook
const never = () => new Promise<never>(() => {})

describe('order and mounting', () => {
  it('consults in-process hooks first, then by priority, then by name', async () => {
    const order: string[] = []
    const noting = (name: string): Hook => ({ beforeTool: () => void order.push(name) })
    const { chain } = createTestChain([
      mount('a', noting('a'), { kind: 'process', priority: -5 }),
      mount('c', noting('c'), { priority: 10 }),
      mount('z', noting('z')),
      mount('b', noting('b'), { priority: 10 }),
      mount('B', noting('B'), { priority: 10 }),
    ])
    await chain.beforeTool(CALL, aboutTurn())
    expect(order).toEqual(['z', 'B', 'b', 'c', 'a'])
  })

  it.each([
    [
      'two hooks with one name',
      [mount('x', {}), mount('x', {}, { kind: 'process' })],
      'two hooks with the name "x"',
    ],
    ['a hook without a name', [mount('', {})], 'must have a name'],
    [
      'a stage that is no function',
      [mount('x', answering('close', 1)), mount('y', { beforeTool: true } as never)],
      'beforeTool must be a function',
    ],
    ['an unknown onFailure', [mount('x', {}, { onFailure: 'allow' as never })], 'deny or continue'],
    ['a priority that is no number', [mount('x', {}, { priority: Number.NaN })], 'priority must be a number'],
    [
      'tools of a hook that is not trusted',
      [mount('x', { beforeTool() {} }, { tools: [tool('t')] })],
      'only a trusted hook',
    ],
    [
      'tools that nobody answers for',
      [mount('x', {}, { trusted: true, tools: [tool('t')] })],
      'no beforeTool',
    ],
    [
      'a tool of two hooks',
      ['x', 'y'].map((name) => mount(name, { beforeTool() {} }, { trusted: true, tools: [tool('t')] })),
      'provided by hook "x" already',
    ],
  ])('refuses %s', (_, mounts, message) => {
    expect(() => createTestChain(mounts)).toThrow(message)
  })

  it('P5: a hook that loses its stage or its mount that gains trust later changes nothing', async () => {
    const hook: Hook = { beforeTool: () => ({ action: 'modify', call: { tool: 'exec', arguments: {} } }) }
    const mounted = mount('x', hook)
    const { chain } = createTestChain([mounted])
    mounted.trusted = true
    expect(await chain.beforeTool(CALL, aboutTurn())).toMatchObject({ kind: 'deny' })
    delete hook.beforeTool
    expect(await chain.beforeTool(CALL, aboutTurn())).toMatchObject({ kind: 'deny' })
  })

  it('without hooks everything goes on as it is', async () => {
    const { chain } = createTestChain([])
    expect(await chain.beforeTool(CALL, aboutTurn())).toEqual({
      kind: 'go',
      tool: CALL.tool,
      arguments: CALL.arguments,
      changedBy: [],
    })
    expect(await chain.beforeModel(REQUEST, aboutTurn())).toEqual({
      kind: 'go',
      request: REQUEST,
      added: [],
      changedBy: [],
    })
    expect(await chain.afterModel(RESPONSE, aboutTurn())).toEqual({
      kind: 'go',
      response: RESPONSE,
      changedBy: [],
    })
    expect(await chain.afterTool(RESULT, aboutTurn())).toEqual({
      kind: 'go',
      result: { text: 'sent', isError: false },
      changedBy: [],
    })
    expect(await chain.approveTool(CALL, aboutTurn())).toEqual({ kind: 'go' })
  })
})

describe('copies', () => {
  it('P3: what a hook does to its copy, then or later, changes nothing', async () => {
    const kept: { arguments: Record<string, unknown> }[] = []
    const given = { action: 'modify', call: { tool: 'send_mail', arguments: { to: 'eve' } } } as const
    const { chain } = createTestChain([
      mount('a', {
        beforeTool(call, about) {
          call.tool = 'exec'
          call.arguments.body = 'changed'
          about.agent.name = 'someone else'
          kept.push(call)
          return undefined
        },
      }),
      mount('b', { beforeTool: () => given }, { trusted: true, priority: 1 }),
      mount(
        'c',
        {
          beforeTool: (call, about) =>
            void kept.push({ ...call, arguments: { ...call.arguments, agent: about.agent.name } }),
        },
        { priority: 2 },
      ),
    ])
    const step = await chain.beforeTool(CALL, aboutTurn())
    ;(given.call.arguments as Record<string, unknown>).to = 'mallory'
    expect(step).toEqual({ kind: 'go', tool: 'send_mail', arguments: { to: 'eve' }, changedBy: ['b'] })
    expect(kept[1]?.arguments).toEqual({ to: 'eve', agent: 'main' })
    expect(CALL.arguments).toEqual({ to: 'ben', body: { text: 'hi' } })
  })

  it('P3: who asks may go on with its object, and approvers can not show each other another call', async () => {
    const call = structuredClone(CALL)
    const seen: unknown[] = []
    const { chain, clock } = createTestChain([
      mount('a', {
        beforeTool: () => new Promise((resolve) => void clock.after(10, () => resolve(undefined))),
        async approveTool(shown) {
          shown.arguments.to = 'eve'
          return { approved: true }
        },
      }),
      mount('b', {
        approveTool(shown) {
          seen.push(shown)
          return { approved: true }
        },
      }),
    ])
    const step = chain.beforeTool(call, aboutTurn())
    call.arguments.to = 'mallory'
    await clock.advance(10)
    expect(await step).toMatchObject({ kind: 'go', arguments: CALL.arguments })
    await chain.approveTool(structuredClone(CALL), aboutTurn())
    expect(seen).toEqual([CALL])
  })

  it('P3: a property that reads differently each time is read once', async () => {
    let reads = 0
    const call = {
      tool: 'send_mail',
      get arguments() {
        return { read: ++reads }
      },
    }
    const { chain } = createTestChain([
      mount('a', { beforeTool: () => ({ action: 'modify', call }) }, { trusted: true }),
    ])
    expect(await chain.beforeTool(CALL, aboutTurn())).toMatchObject({ kind: 'go', arguments: { read: 1 } })
    expect(reads).toBe(1)
  })

  it('P3: a key that means something to JavaScript is a key', async () => {
    const args = JSON.parse('{"__proto__": {"admin": true}, "10": 1, "9": 2}')
    let seen: unknown
    const { chain } = createTestChain([
      mount('a', {
        beforeTool(call) {
          seen = call.arguments
          return undefined
        },
      }),
    ])
    const step = await chain.beforeTool({ ...CALL, arguments: args }, aboutTurn())
    expect(JSON.stringify(seen)).toContain('__proto__')
    expect(step.kind === 'go' && JSON.stringify(step.arguments)).toContain('"__proto__":{"admin":true}')
  })
})

describe('time and stopping', () => {
  it('P5: a hook that hangs denies, and says after how long', async () => {
    const { chain, clock, faults } = createTestChain([mount('x', { beforeTool: never })])
    const step = chain.beforeTool(CALL, aboutTurn())
    await clock.advance(5000)
    expect(await step).toEqual({ kind: 'deny', by: 'x', reason: 'hook "x" timed out after 5000 ms' })
    expect(faults).toEqual([
      {
        hook: 'x',
        stage: 'beforeTool',
        reason: 'hook "x" timed out after 5000 ms',
        effect: 'denied',
        session: 's1',
        turn: 't1',
      },
    ])
  })

  it('P5: an answer that comes too late is dropped', async () => {
    let answer = (_: { approved: boolean }) => {}
    const { chain, clock } = createTestChain([
      mount(
        'x',
        {
          approveTool: () =>
            new Promise((resolve) => {
              answer = resolve
            }),
        },
        { timeouts: { approveMs: 50 } },
      ),
    ])
    const step = chain.approveTool(CALL, aboutTurn())
    await clock.advance(50)
    answer({ approved: true })
    expect(await step).toEqual({ kind: 'deny', by: 'x', reason: 'hook "x" timed out after 50 ms' })
  })

  it('P12: a limit is for one hook alone, and an approver has the longer one', async () => {
    const slow = (clock: { after(ms: number, callback: () => void): unknown }, ms: number) =>
      new Promise<undefined>((resolve) => void clock.after(ms, () => resolve(undefined)))
    const setup = createTestChain(
      ['a', 'b', 'c'].map((name) =>
        mount(name, {
          beforeTool: () => slow(setup.clock, 4000),
          async approveTool() {
            await slow(setup.clock, 59_000)
            return { approved: true }
          },
        }),
      ),
    )
    const before = setup.chain.beforeTool(CALL, aboutTurn())
    await setup.clock.advance(12_000)
    expect(await before).toMatchObject({ kind: 'go' })
    const approval = setup.chain.approveTool(CALL, aboutTurn())
    await setup.clock.advance(180_000)
    expect(await approval).toEqual({ kind: 'go' })
  })

  it('limits of a mount hold, and what is no limit keeps the usual one', async () => {
    const { chain, clock } = createTestChain([
      mount('x', { beforeTool: never, approveTool: never }, { timeouts: { interceptMs: 20, approveMs: 0 } }),
    ])
    const before = chain.beforeTool(CALL, aboutTurn())
    const approval = chain.approveTool(CALL, aboutTurn())
    await clock.advance(60_000)
    expect(await before).toMatchObject({ reason: 'hook "x" timed out after 20 ms' })
    expect(await approval).toMatchObject({ reason: 'hook "x" timed out after 60000 ms' })
  })

  it('aborts the signal of a hook whose time is over, and not that of one that has answered', async () => {
    const signals: AbortSignal[] = []
    const keep = (_: unknown, { signal }: { signal: AbortSignal }) => void signals.push(signal)
    const { chain, clock } = createTestChain([
      mount('a', { beforeTool: keep }),
      mount('b', {
        beforeTool(call, about) {
          keep(call, about)
          return never()
        },
      }),
    ])
    const step = chain.beforeTool(CALL, aboutTurn())
    await clock.advance(5000)
    await step
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true])
  })

  it('P5: a turn that is stopped goes nowhere, also past a hook that may be passed over, and blames nobody', async () => {
    const stop = new AbortController()
    const { chain, clock, faults } = createTestChain([
      mount('x', { beforeTool: never, beforeModel: never }, { onFailure: 'continue' }),
    ])
    const about = aboutTurn({ signal: stop.signal })
    const steps = Promise.all([chain.beforeTool(CALL, about), chain.beforeModel(REQUEST, about)])
    await clock.advance(1)
    stop.abort()
    const reason = 'the turn was stopped while hook "x" was consulted'
    expect(await steps).toEqual([
      { kind: 'deny', by: 'x', reason },
      { kind: 'stop', hard: false, by: 'x', reason },
    ])
    expect(await chain.beforeTool(CALL, about)).toMatchObject({ kind: 'deny' })
    expect(faults).toEqual([])
  })
})

describe('closing', () => {
  it('closes all, although one throws and one hangs, and only once', async () => {
    const closed: string[] = []
    const setup = createTestChain([
      mount('a', { close: async () => Promise.reject(new Error('stuck door')) }),
      mount('b', { close: never }),
      mount('c', { close: async () => void closed.push('c') }),
    ])
    const done = Promise.all([setup.chain.close(), setup.chain.close()])
    await setup.clock.advance(5000)
    await done
    expect(closed).toEqual(['c'])
    expect(setup.faults.map(({ reason }) => reason)).toEqual([
      'hook "a" failed: stuck door',
      'hook "b" did not close within 5000 ms',
    ])
  })

  it('P5: what is under way is denied when the hooks are closed, and so is what comes after', async () => {
    const { chain, clock } = createTestChain([mount('x', { beforeTool: never }, { onFailure: 'continue' })])
    const step = chain.beforeTool(CALL, aboutTurn())
    await clock.advance(1)
    await chain.close()
    expect(await step).toMatchObject({
      kind: 'deny',
      reason: 'the hooks were closed while hook "x" was consulted',
    })
    expect(await chain.beforeTool(CALL, aboutTurn())).toMatchObject({ kind: 'deny' })
  })

  it('P5: a listener that throws does not decide', async () => {
    const { chain } = createTestChain(
      [
        mount('x', {
          beforeTool: () => {
            throw new Error('no')
          },
        }),
      ],
      {
        report() {
          throw new Error('no disk')
        },
      },
    )
    expect(await chain.beforeTool(CALL, aboutTurn())).toEqual({
      kind: 'deny',
      by: 'x',
      reason: 'hook "x" failed: no',
    })
  })
})

function tool(name: string) {
  return { name, description: 'A tool', schema: { type: 'object' } }
}
