import { describe, expect, it } from 'vitest'
import type { Hook, HookMount, HookTool } from '../hook.ts'
import { aboutTurn, CALL, createTestChain, mount, REQUEST } from './fixtures/test-chain.ts'

const answering = (answer: unknown): Hook => ({ beforeTool: () => answer as undefined })
const stepOf = (answer: unknown, more: Partial<HookMount> = {}) => {
  const setup = createTestChain([mount('x', answering(answer), more)])
  return setup.chain.beforeTool(CALL, aboutTurn())
}
const GO = { kind: 'go', tool: CALL.tool, arguments: CALL.arguments, changedBy: [] }
const WEATHER: HookTool = { name: 'weather', description: 'The weather', schema: { type: 'object' } }

describe('beforeTool: what is understood', () => {
  it.each([
    ['nothing', undefined],
    ['continue', { action: 'continue' }],
    ['modify without a call, as in the original protocol', { action: 'modify' }],
    ['the same call again', { action: 'modify', call: CALL }],
    ['the same call beside continue', { action: 'continue', call: { ...CALL } }],
  ])('%s changes nothing, from anyone', async (_, answer) => {
    expect(await stepOf(answer)).toEqual(GO)
  })

  it('reports a modify that carries nothing', async () => {
    const { chain, faults } = createTestChain([mount('x', answering({ action: 'modify', args: {} }))])
    await chain.beforeTool(CALL, aboutTurn())
    expect(faults).toMatchObject([
      {
        effect: 'passed_over',
        reason:
          'hook "x" failed: it answered modify without `call`, so nothing is changed; found: action, args',
      },
    ])
  })

  it('a trusted hook may change and rename, and a call beside continue counts', async () => {
    const call = { tool: 'send_note', arguments: { to: 'ana' }, callId: 'ignored' }
    const changed = { kind: 'go', tool: 'send_note', arguments: { to: 'ana' }, changedBy: ['x'] }
    expect(await stepOf({ action: 'modify', call }, { trusted: true })).toEqual(changed)
    expect(await stepOf({ action: 'continue', call }, { trusted: true })).toEqual(changed)
  })

  it.each([
    [
      { action: 'deny_tool', reason: 'not today' },
      { kind: 'deny', by: 'x', reason: 'not today' },
    ],
    [{ action: 'deny_tool' }, { kind: 'deny', by: 'x', reason: 'hook "x" denied it and gave no reason' }],
    [
      { action: 'deny_tool', reason: 7, message: 'secret' },
      {
        kind: 'deny',
        by: 'x',
        reason: 'hook "x" denied it and gave no reason; its answer has no `reason`, but: message',
      },
    ],
    [
      { action: 'abort_turn', reason: 'enough' },
      { kind: 'stop', hard: false, by: 'x', reason: 'enough' },
    ],
    [
      { action: 'hard_abort' },
      { kind: 'stop', hard: true, by: 'x', reason: 'hook "x" ended the turn and gave no reason' },
    ],
  ])('P5: %j narrows, from anyone, also where failures are passed over', async (answer, step) => {
    expect(await stepOf(answer)).toEqual(step)
    expect(await stepOf(answer, { trusted: true, onFailure: 'continue' })).toEqual(step)
  })

  it('the first that denies ends the chain', async () => {
    let asked = false
    const { chain } = createTestChain([
      mount('a', answering({ action: 'deny_tool', reason: 'no' })),
      mount('b', {
        beforeTool() {
          asked = true
          return undefined
        },
      }),
    ])
    await chain.beforeTool(CALL, aboutTurn())
    expect(asked).toBe(false)
  })
})

describe('beforeTool: failures', () => {
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  const modify = (call: unknown) => ({ action: 'modify', call })
  it.each([
    [null, 'it answered null'],
    ['deny_tool', 'it answered a string'],
    [[], 'it answered a list'],
    [
      {},
      'the answer lacks an action; found: nothing; beforeTool takes continue, modify, respond, deny_tool, abort_turn, hard_abort',
    ],
    [{ allow: false }, 'the answer lacks an action; found: allow'],
    [{ action: 'redact' }, 'unknown action "redact"'],
    [{ action: 'toString' }, 'unknown action "toString"'],
    [{ action: ['deny_tool'] }, 'the answer lacks an action; found: action'],
    [{ action: 'continue', then: () => {} }, 'timed out'],
    [{ action: 'continue', more: () => {} }, 'its answer is not plain data'],
    [{ action: 'respond' }, 'it answered respond without a result'],
    [modify('exec'), 'call must be an object'],
    [modify({ arguments: {} }), 'call.tool must be a text'],
    [modify({ tool: '', arguments: {} }), 'call.tool must not be empty'],
    [modify({ tool: 'exec' }), 'call.arguments must be plain JSON'],
    [modify({ tool: 'exec', arguments: [] }), 'call.arguments must be an object'],
    [modify({ tool: 'exec', arguments: { at: new Date(0) } }), 'a Date is not plain JSON'],
    [modify({ tool: 'exec', arguments: { n: Number.NaN } }), 'NaN is not a JSON number'],
    [modify({ tool: 'exec', arguments: { n: 1n } }), 'a bigint is not JSON'],
    [modify({ tool: 'exec', arguments: { text: '\ud800' } }), 'lone surrogate'],
    [modify({ tool: 'exec', arguments: cyclic }), 'nested deeper than 100'],
    [modify({ tool: 'exec', arguments: { text: 'x'.repeat(2 ** 20) } }), 'longer than'],
  ])('P5: %o denies, or is passed over where the mount says so', async (answer, words) => {
    for (const trusted of [false, true]) {
      for (const onFailure of ['deny', 'continue'] as const) {
        const { chain, clock, faults } = createTestChain([
          mount('x', answering(answer), { trusted, onFailure }),
        ])
        const step = chain.beforeTool(CALL, aboutTurn())
        await clock.advance(5000)
        expect(faults).toHaveLength(1)
        expect(faults[0]?.reason).toContain(words)
        expect(faults[0]?.reason).toMatch(/^hook "x" (failed: |timed out after 5000 ms$)/)
        expect(faults[0]?.effect).toBe(onFailure === 'deny' ? 'denied' : 'passed_over')
        expect(await step).toEqual(
          onFailure === 'continue' ? GO : { kind: 'deny', by: 'x', reason: faults[0]?.reason },
        )
      }
    }
  })

  it.each([
    [{ action: 'modify', call: { tool: 'exec', arguments: {} } }, 'change a call'],
    [{ action: 'modify', call: { ...CALL, arguments: {} } }, 'change a call'],
    [{ action: 'respond', result: { text: 'done' } }, "answer in a tool's place"],
  ])('P5: %j of a hook that is not trusted denies, whatever onFailure says', async (answer, what) => {
    const reason = `hook "x" is not trusted, so it may not ${what}; set trusted: true if it should`
    for (const onFailure of ['deny', 'continue'] as const)
      expect(await stepOf(answer, { onFailure })).toEqual({ kind: 'deny', by: 'x', reason })
  })

  it('P5: one that throws what is no error denies', async () => {
    const thrown = {
      toString() {
        throw new Error('again')
      },
    }
    const { chain } = createTestChain([mount('x', { beforeTool: () => Promise.reject(thrown) })])
    expect(await chain.beforeTool(CALL, aboutTurn())).toMatchObject({
      kind: 'deny',
      reason: 'hook "x" failed: it threw something that can not be shown',
    })
  })
})

describe('beforeTool: respond', () => {
  it('puts data on the shelf of the session, and takes what is there by the shelf’s own word', async () => {
    const data = new Uint8Array([1, 2, 3])
    const { chain, shelf } = createTestChain([
      mount(
        'x',
        answering({
          action: 'respond',
          result: {
            text: 'a map',
            forUser: 'here',
            handled: true,
            media: [
              { type: 'image/png', data, name: 'map.png' },
              { id: 'm1', type: 'text/html' },
            ],
          },
        }),
        { trusted: true },
      ),
    ])
    await shelf.put('s1', { type: 'image/jpeg', data })
    expect(await chain.beforeTool(CALL, aboutTurn())).toEqual({
      kind: 'respond',
      tool: CALL.tool,
      arguments: CALL.arguments,
      by: 'x',
      result: {
        text: 'a map',
        forUser: 'here',
        handled: true,
        media: [
          { id: 'm2', type: 'image/png', name: 'map.png' },
          { id: 'm1', type: 'image/jpeg' },
        ],
      },
    })
    expect((await shelf.get('s1', 'm2'))?.data).toEqual(data)
  })

  it.each([
    [{ text: 'x', media: [{ id: 'm1', type: 'image/png' }] }, 'there is no media "m1" in this session'],
    [{ text: 'x', media: [{ type: 'image/png', data: 'AAAA' }] }, 'result.media.0 must be { id, type }'],
    [{ text: 'x', media: 'm1' }, 'result.media must be a list'],
    [{ media: [] }, 'result.text must be a text'],
    [{ text: 'x', isError: 'no' }, 'result.isError must be true or false'],
    ['x', 'result must be an object'],
  ])('P5: %j is a failure, also with media of another session', async (result, words) => {
    const setup = createTestChain([mount('x', answering({ action: 'respond', result }), { trusted: true })])
    await setup.shelf.put('another', { type: 'image/png', data: new Uint8Array(1) })
    const step = await setup.chain.beforeTool(CALL, aboutTurn())
    expect(step.kind === 'deny' && step.reason).toContain(words)
  })

  it('P5: a shelf that is full denies', async () => {
    const result = { text: 'x', media: [{ type: 'image/png', data: new Uint8Array(1) }] }
    const { chain } = createTestChain(
      [mount('x', answering({ action: 'respond', result }), { trusted: true })],
      {
        media: { put: async () => Promise.reject(new Error('it is too large')), get: async () => undefined },
      },
    )
    expect(await chain.beforeTool(CALL, aboutTurn())).toMatchObject({
      kind: 'deny',
      reason: 'hook "x" failed: its media could not be kept: it is too large',
    })
  })
})

describe('tools that a hook provides', () => {
  const provider = (hook: Hook, more: Partial<HookMount> = {}) =>
    mount('p', hook, { trusted: true, tools: [WEATHER], ...more })
  const call = { callId: 'c', tool: 'weather', arguments: { city: 'Hangzhou' } }

  it('names them with the hook, skips its beforeTool and has it answer after all others', async () => {
    const asked: string[] = []
    const { chain } = createTestChain([
      provider({
        beforeTool({ tool }) {
          asked.push(`p ${tool}`)
          return { action: 'respond', result: { text: 'sunny' } }
        },
      }),
      mount('q', { beforeTool: ({ tool }) => void asked.push(`q ${tool}`) }),
    ])
    expect(chain.tools).toEqual([{ ...WEATHER, hook: 'p' }])
    expect(await chain.beforeTool(call, aboutTurn())).toMatchObject({ kind: 'go' })
    expect(asked).toEqual(['q weather'])
    expect(await chain.provide(call, aboutTurn())).toEqual({
      kind: 'result',
      by: 'p',
      result: { text: 'sunny' },
    })
    expect(asked).toEqual(['q weather', 'p weather'])
  })

  it('P5: one that was skipped is consulted after all when a later hook makes it a call of another tool', async () => {
    const { chain } = createTestChain([
      provider({
        beforeTool: ({ tool }) => (tool === 'exec' ? { action: 'deny_tool', reason: 'no exec' } : undefined),
      }),
      mount('q', answering({ action: 'modify', call: { tool: 'exec', arguments: {} } }), { trusted: true }),
    ])
    expect(await chain.beforeTool(call, aboutTurn())).toEqual({ kind: 'deny', by: 'p', reason: 'no exec' })
  })

  it.each([
    [undefined, 'did not answer with respond'],
    [{ action: 'continue' }, 'did not answer with respond'],
    [{ action: 'modify', call: { tool: 'exec', arguments: {} } }, 'approved already'],
    [{ action: 'nonsense' }, 'unknown action "nonsense"'],
    [{ action: 'respond', result: { text: 1 } }, 'result.text must be a text'],
    [{ action: 'deny_tool', reason: 'no such city' }, 'no such city'],
  ])('P5: %j in a tool’s place denies, whatever onFailure says', async (answer, words) => {
    const { chain } = createTestChain([provider(answering(answer), { onFailure: 'continue' })])
    const step = await chain.provide(call, aboutTurn())
    expect(step.kind === 'deny' && step.reason).toContain(words)
  })

  it('ends the turn where it says so', async () => {
    const { chain } = createTestChain([provider(answering({ action: 'hard_abort', reason: 'out' }))])
    expect(await chain.provide(call, aboutTurn())).toEqual({
      kind: 'stop',
      hard: true,
      by: 'p',
      reason: 'out',
    })
  })

  it('P5: a tool that no hook provides is denied, and so is one of another session', async () => {
    const tools = [...REQUEST.tools, { ...WEATHER, name: 'tides' }]
    const { chain } = createTestChain([
      mount(
        'a',
        {
          beforeModel: (request) => ({ action: 'modify', request: { ...request, tools } }),
          beforeTool: () => ({ action: 'respond', result: { text: 'high' } }),
        },
        { trusted: true },
      ),
    ])
    const tides = { ...call, tool: 'tides' }
    expect(await chain.provide(tides, aboutTurn())).toMatchObject({
      kind: 'deny',
      reason: 'no hook provides the tool "tides" in this session now',
    })
    await chain.beforeModel(REQUEST, aboutTurn())
    expect(await chain.provide(tides, aboutTurn())).toMatchObject({
      kind: 'result',
      by: 'a',
      result: { text: 'high' },
    })
    expect(await chain.provide(tides, aboutTurn({ session: 's2' }))).toMatchObject({ kind: 'deny' })
    expect(await chain.beforeTool(tides, aboutTurn())).toMatchObject({ kind: 'go' })
    expect(await chain.beforeTool(tides, aboutTurn({ session: 's2' }))).toMatchObject({
      kind: 'respond',
      by: 'a',
    })
  })
})

describe('approveTool', () => {
  const approving = (answer: unknown, more: Partial<HookMount> = {}) =>
    createTestChain([
      mount('a', { approveTool: () => ({ approved: true }) }),
      mount('x', { approveTool: () => answer as undefined }, { kind: 'process', ...more }),
    ]).chain.approveTool(CALL, aboutTurn())

  it('goes on when all approve', async () => {
    expect(await approving({ approved: true, note: 'fine' })).toEqual({ kind: 'go' })
  })

  it.each([
    [{ approved: false, reason: 'too late' }, 'too late'],
    [{ approved: false }, 'hook "x" did not approve and gave no reason'],
    [{ allow: true }, 'hook "x" failed: the answer lacks the boolean `approved`; found: allow'],
    [{}, 'hook "x" failed: the answer lacks the boolean `approved`; found: nothing'],
    [{ action: 'continue' }, 'hook "x" failed: the answer lacks the boolean `approved`; found: action'],
    [undefined, 'hook "x" failed: the answer lacks the boolean `approved`; found nothing'],
    [true, 'hook "x" failed: the answer lacks the boolean `approved`; found a boolean'],
    [{ approved: 'true' }, 'hook "x" failed: `approved` must be true or false; found a string'],
    [{ approved: 1 }, 'hook "x" failed: `approved` must be true or false; found a number'],
    [
      { approved: true, action: 'deny_tool' },
      'hook "x" failed: it approves and says "deny_tool" in one answer',
    ],
  ])('P5: %j denies, trusted or not, whatever onFailure says', async (answer, reason) => {
    expect(await approving(answer, { onFailure: 'continue', trusted: true })).toEqual({
      kind: 'deny',
      by: 'x',
      reason,
    })
  })

  it('P5: one that throws denies', async () => {
    const answer = Promise.reject(new Error('boom'))
    expect(await approving(answer, { onFailure: 'continue' })).toMatchObject({
      kind: 'deny',
      reason: 'hook "x" failed: boom',
    })
  })

  it('asks in order, and not beyond the first that denies', async () => {
    const asked: string[] = []
    const approver = (name: string, approved: boolean) =>
      mount(name, {
        async approveTool() {
          asked.push(name)
          return { approved }
        },
      })
    const { chain } = createTestChain([approver('c', true), approver('b', false), approver('a', true)])
    expect(await chain.approveTool(CALL, aboutTurn())).toMatchObject({ kind: 'deny', by: 'b' })
    expect(asked).toEqual(['a', 'b'])
  })
})
