import { describe, expect, it } from 'vitest'
import type { Hook, HookModelRequest, HookMount } from '../hook.ts'
import { aboutTurn, createTestChain, mount, REQUEST, RESPONSE } from './fixtures/test-chain.ts'

const tool = (name: string, description = 'A tool') => ({ name, description, schema: { type: 'object' } })
const changing = (change: (request: HookModelRequest) => unknown): Hook => ({
  beforeModel: (request) => ({ action: 'modify', request: { ...request, ...(change(request) as object) } }),
})
const adding = (...names: string[]) =>
  changing(({ tools }) => ({ tools: [...tools, ...names.map((name) => tool(name))] }))
const trusted = (name: string, hook: Hook, more: Partial<HookMount> = {}) =>
  mount(name, hook, { trusted: true, ...more })

describe('beforeModel', () => {
  it('a trusted hook may change the request, and the next one sees it', async () => {
    const { chain } = createTestChain([
      trusted(
        'a',
        changing(() => ({ model: 'other', temperature: 0.2, maxTokens: undefined })),
      ),
      trusted(
        'b',
        changing(({ model, messages }) => ({ messages: [...messages, { role: 'user', text: model }] })),
      ),
    ])
    expect(await chain.beforeModel({ ...REQUEST, maxTokens: 5 }, aboutTurn())).toEqual({
      kind: 'go',
      request: {
        ...REQUEST,
        model: 'other',
        temperature: 0.2,
        messages: [...REQUEST.messages, { role: 'user', text: 'other' }],
      },
      added: [],
      changedBy: ['a', 'b'],
    })
  })

  it('the same request again is no change, with media and calls in it, from anyone', async () => {
    const request: HookModelRequest = {
      ...REQUEST,
      messages: [
        { role: 'user', text: 'see', media: [{ type: 'image/png', data: new Uint8Array([1]) }] },
        {
          role: 'assistant',
          text: '',
          reasoning: 'r',
          calls: [{ id: 'c', tool: 'exec', argumentsText: '{' }],
          provider: { a: 1 },
        },
        { role: 'tool', callId: 'c', tool: 'exec', text: 'no', isError: true },
      ],
      lastWord: true,
    }
    const { chain } = createTestChain([
      mount('a', { beforeModel: (given) => ({ action: 'modify', request: given }) }),
    ])
    expect(await chain.beforeModel(request, aboutTurn())).toEqual({
      kind: 'go',
      request,
      added: [],
      changedBy: [],
    })
  })

  it('P5: a hook that is not trusted ends the turn with its change, whatever onFailure says', async () => {
    const { chain } = createTestChain([
      mount(
        'a',
        changing(() => ({ model: 'other' })),
        { onFailure: 'continue' },
      ),
    ])
    expect(await chain.beforeModel(REQUEST, aboutTurn())).toEqual({
      kind: 'stop',
      hard: false,
      by: 'a',
      reason: 'hook "a" is not trusted, so it may not change a request; set trusted: true if it should',
    })
  })

  it.each([
    [
      { action: 'deny_tool', reason: 'x' },
      '"deny_tool" has no meaning here; beforeModel takes continue, modify, abort_turn, hard_abort',
    ],
    [{ action: 'respond', result: { text: 'x' } }, '"respond" has no meaning here'],
    [{ action: 'modify', request: { ...REQUEST, messages: [] } }, 'request.messages must not be empty'],
    [
      { action: 'modify', request: { ...REQUEST, messages: [{ role: 'root', text: '' }] } },
      'request.messages.0.role must have the role',
    ],
    [
      { action: 'modify', request: { ...REQUEST, messages: [{ role: 'user' }] } },
      'request.messages.0.text must be a text',
    ],
    [
      { action: 'modify', request: { messages: REQUEST.messages, tools: [] } },
      'request.model must be a text',
    ],
    [{ action: 'modify', request: { ...REQUEST, tools: undefined } }, 'request.tools must be a list'],
    [
      { action: 'modify', request: { ...REQUEST, tools: [{ name: 'x', description: '', schema: [] }] } },
      'request.tools.0.schema must be an object',
    ],
    [{ action: 'modify', request: { ...REQUEST, maxTokens: 0 } }, 'request.maxTokens must be more than 0'],
    [{ action: 'modify', request: 'all' }, 'request must be an object'],
  ])('P5: %j ends the turn, or is passed over where the mount says so', async (answer, words) => {
    const step = async (onFailure: 'deny' | 'continue') =>
      createTestChain([
        trusted('a', { beforeModel: () => answer as never }, { onFailure }),
      ]).chain.beforeModel(REQUEST, aboutTurn())
    const stopped = await step('deny')
    expect(stopped).toMatchObject({ kind: 'stop', hard: false, by: 'a' })
    expect(stopped.kind === 'stop' && stopped.reason).toContain(`hook "a" failed: ${words}`)
    expect(await step('continue')).toEqual({ kind: 'go', request: REQUEST, added: [], changedBy: [] })
  })

  it.each([
    ['abort_turn', false],
    ['hard_abort', true],
  ] as const)('%s ends it, from anyone', async (action, hard) => {
    const { chain } = createTestChain([mount('a', { beforeModel: () => ({ action, reason: 'enough' }) })])
    expect(await chain.beforeModel(REQUEST, aboutTurn())).toEqual({
      kind: 'stop',
      hard,
      by: 'a',
      reason: 'enough',
    })
  })
})

describe('tools in a request', () => {
  it('names what was added, by whom, and forgets what a later hook took away', async () => {
    const { chain } = createTestChain([
      trusted('a', adding('weather', 'tides')),
      trusted(
        'b',
        changing(({ tools }) => ({ tools: tools.filter(({ name }) => name !== 'tides' && name !== 'exec') })),
      ),
    ])
    const step = await chain.beforeModel(REQUEST, aboutTurn())
    expect(step).toMatchObject({
      kind: 'go',
      request: { tools: [tool('weather')] },
      added: [{ ...tool('weather'), hook: 'a' }],
    })
    expect(await chain.provide({ callId: 'c', tool: 'tides', arguments: {} }, aboutTurn())).toMatchObject({
      kind: 'deny',
      by: 'hooks',
    })
  })

  it('a hook may offer its own again at every request, listed already or not, and describe it anew', async () => {
    let description = 'A tool'
    const { chain } = createTestChain([
      trusted(
        'a',
        changing(({ tools }) => ({ tools: [...tools, tool('weather', description)] })),
      ),
    ])
    await chain.beforeModel(REQUEST, aboutTurn())
    const listed = { ...REQUEST, tools: [...REQUEST.tools, tool('weather')] }
    expect(await chain.beforeModel(listed, aboutTurn())).toMatchObject({
      kind: 'go',
      request: { tools: listed.tools },
    })
    description = 'Another'
    expect(await chain.beforeModel(listed, aboutTurn())).toMatchObject({
      kind: 'go',
      added: [{ ...tool('weather', 'Another'), hook: 'a' }],
    })
    expect(await chain.beforeModel(REQUEST, aboutTurn())).toMatchObject({
      kind: 'go',
      added: [{ name: 'weather' }],
    })
  })

  it('the definition of the configuration holds against what the program says of it again', async () => {
    const { chain } = createTestChain([
      trusted('a', { ...adding('weather'), beforeTool() {} }, { tools: [tool('weather', 'As configured')] }),
    ])
    const listed = { ...REQUEST, tools: [...REQUEST.tools, tool('weather', 'As configured')] }
    expect(await chain.beforeModel(listed, aboutTurn())).toMatchObject({
      request: { tools: listed.tools },
      added: [],
    })
    expect(await chain.beforeModel(REQUEST, aboutTurn())).toMatchObject({
      request: { tools: REQUEST.tools },
      added: [],
    })
  })

  const first = trusted(
    '0',
    changing(({ tools }) => ({ tools: [...tools.slice(1), tool('tides')] })),
  )
  it.each([
    ['listed', [trusted('a', adding('exec'))], '"exec", and that name is taken'],
    [
      'listed, and taken away by another hook',
      [first, trusted('a', adding('exec'))],
      '"exec", and that name is taken',
    ],
    [
      'listed, with another definition',
      [
        trusted(
          'a',
          changing(() => ({ tools: [tool('exec', 'harmless')] })),
        ),
      ],
      '"exec", and that name is taken',
    ],
    ['added by another hook', [first, trusted('a', adding('tides'))], '"tides", which is hook "0"\'s'],
    [
      'provided by another hook',
      [
        trusted('z', { beforeTool() {} }, { tools: [tool('stars')], priority: 5 }),
        trusted('a', adding('stars')),
      ],
      '"stars", which is hook "z"\'s',
    ],
    ['reserved', [trusted('a', adding('spawn'))], '"spawn", and that name is taken'],
    [
      'added by another hook in the same request',
      [trusted('a', adding('new', 'new')), trusted('b', adding('new'), { priority: 1 })],
      '"new", which is hook "a"\'s',
    ],
    ['no name for a model', [trusted('a', adding('rm -rf'))], 'letters, digits, _ and -'],
    [
      'too many',
      [trusted('a', adding(...Array.from({ length: 129 }, (_, index) => `t${index}`)))],
      'more than 128 tools',
    ],
  ])('P5: refuses the whole change where a name is %s', async (_, mounts, words) => {
    const { chain } = createTestChain(mounts, { taken: (name) => name === 'spawn' })
    const step = await chain.beforeModel(REQUEST, aboutTurn())
    expect(step.kind === 'stop' && step.reason).toContain(words)
  })

  it('P5: a tool of a hook that is not trusted ends the turn', async () => {
    const { chain } = createTestChain([mount('a', adding('weather'), { onFailure: 'continue' })])
    expect(await chain.beforeModel(REQUEST, aboutTurn())).toMatchObject({
      kind: 'stop',
      reason: expect.stringContaining('not trusted'),
    })
  })

  it('P5: another hook can not take over a tool in a later request', async () => {
    let who = 'a'
    const only = (name: string): Hook => ({
      beforeModel: (request, about) =>
        who === name ? adding('weather').beforeModel?.(request, about) : undefined,
    })
    const { chain } = createTestChain([trusted('a', only('a')), trusted('b', only('b'))])
    await chain.beforeModel(REQUEST, aboutTurn())
    who = 'b'
    expect(await chain.beforeModel(REQUEST, aboutTurn())).toMatchObject({ kind: 'stop', by: 'b' })
    expect(await chain.beforeModel(REQUEST, aboutTurn({ session: 's2' }))).toMatchObject({ kind: 'go' })
  })

  it('after an interrupt there are no tools, also of hooks that always add theirs', async () => {
    const { chain } = createTestChain([trusted('a', adding('weather'))])
    const request = { ...REQUEST, tools: [], lastWord: true as const }
    expect(await chain.beforeModel(request, aboutTurn())).toMatchObject({
      kind: 'go',
      request: { tools: [], lastWord: true },
      added: [],
    })
  })

  it('remembers the sessions that were last used, and no more', async () => {
    const { chain } = createTestChain([
      trusted('a', {
        ...adding('weather'),
        beforeTool: () => ({ action: 'respond', result: { text: 'sunny' } }),
      }),
    ])
    const provided = async (session: string) =>
      (await chain.provide({ callId: 'c', tool: 'weather', arguments: {} }, aboutTurn({ session }))).kind
    for (let at = 0; at < 4096; at++) await chain.beforeModel(REQUEST, aboutTurn({ session: `s${at}` }))
    await chain.beforeModel(REQUEST, aboutTurn({ session: 's0' }))
    await chain.beforeModel(REQUEST, aboutTurn({ session: 'one more' }))
    expect([await provided('s0'), await provided('s1'), await provided('one more')]).toEqual([
      'result',
      'deny',
      'result',
    ])
  })
})

describe('afterModel', () => {
  const stepOf = (answer: unknown, more: Partial<HookMount> = {}) =>
    createTestChain([mount('a', { afterModel: () => answer as never }, more)]).chain.afterModel(
      RESPONSE,
      aboutTurn(),
    )

  it('a trusted hook may change text and calls; a call keeps its id once, and a new one has none', async () => {
    const [first] = RESPONSE.calls
    const calls = [
      { id: 't1.1.1', tool: 'read_file', argumentsText: '{}' },
      { id: 't1.1.1', tool: 'exec', argumentsText: '{"again":1}' },
      { id: 'call_0', tool: 'exec', argumentsText: '{"new":1}' },
      { id: 't1.1.0', tool: first!.tool, argumentsText: first!.argumentsText },
    ]
    const response = {
      ...RESPONSE,
      text: 'changed',
      calls,
      usage: { inputTokens: 0, outputTokens: 0 },
      model: 'free',
    }
    expect(await stepOf({ action: 'modify', response }, { trusted: true })).toEqual({
      kind: 'go',
      changedBy: ['a'],
      response: {
        ...RESPONSE,
        text: 'changed',
        calls: [calls[0], { ...calls[1], id: '' }, { ...calls[2], id: '' }, first],
      },
    })
  })

  it('the same response again is no change, from anyone, also without what the provider wants back', async () => {
    const calls = RESPONSE.calls.map(({ id, tool, argumentsText }) => ({ id, tool, argumentsText }))
    expect(await stepOf({ action: 'continue', response: { ...RESPONSE, calls } })).toEqual({
      kind: 'go',
      response: RESPONSE,
      changedBy: [],
    })
  })

  it.each([
    [
      { action: 'modify', response: { ...RESPONSE, text: 'x' } },
      'not trusted, so it may not change a response',
      'stop',
    ],
    [{ action: 'redact' }, 'unknown action "redact"; afterModel takes', 'go'],
    [{ action: 'deny_tool' }, '"deny_tool" has no meaning here', 'go'],
    [{ action: 'modify', response: { text: 'x' } }, 'response.calls must be a list', 'go'],
    [
      { action: 'modify', response: { text: 'x', calls: [{ id: 'x', tool: 'exec', argumentsText: {} }] } },
      'response.calls.0.argumentsText must be a text',
      'go',
    ],
  ])('P5: %j ends the turn', async (answer, words, passedOver) => {
    const step = await stepOf(answer)
    expect(step).toMatchObject({ kind: 'stop', hard: false, by: 'a' })
    expect(step.kind === 'stop' && step.reason).toContain(words)
    expect(await stepOf(answer, { onFailure: 'continue' })).toMatchObject({ kind: passedOver })
  })
})
