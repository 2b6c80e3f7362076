/** The bytes of the wires, through the real provider code: cut anywhere, and of the odd kinds that servers send. */

import { array, assert, asyncProperty, integer, property, string } from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { defined } from '../../../core/defined.ts'
import type { ModelEvent, ModelMessage } from '../model.ts'
import type { ModelScript } from '../scripted/script.ts'
import { all, ask, callsOf, faultOf, join, live, PROVIDERS, serve, start } from './fixtures/served-model.ts'
import { createProviderModel, type ProviderName } from './provider-model.ts'
import { toPrompt } from './to-prompt.ts'

const SCRIPT: ModelScript['scenes'] = [
  {
    steps: [
      {
        think: 'Zwölf Boxkämpfer…',
        say: '你好 — 😀 — hello',
        calls: [
          { tool: 'get_weather', argumentsText: '{"city":"München","city":"😀"}' },
          { tool: 'get_weather', argumentsText: '{"n":1e999' },
        ],
      },
    ],
  },
]

describe.each(PROVIDERS)('the bytes over the wire of %s', (provider) => {
  it('P3: give the same events wherever they are cut', async () => {
    const { server, model } = await start(provider, SCRIPT)
    const expected = pieces(await all(model.stream(ask('go'), live())))
    const bytes = await rawAnswer(provider, server.baseUrl, server.requests[0]!.body)
    await assert(
      asyncProperty(array(integer({ min: 0, max: bytes.length }), { maxLength: 40 }), async (cuts) => {
        expect(pieces(await all(answering(provider, cutAt(bytes, cuts)).stream(ask('go'), live())))).toEqual(
          expected,
        )
      }),
      { numRuns: 60 },
    )
    const single = Array.from({ length: bytes.length }, (_, index) => index)
    expect(pieces(await all(answering(provider, cutAt(bytes, single)).stream(ask('go'), live())))).toEqual(
      expected,
    )
  })

  it('are the same when a real server writes three at a time', async () => {
    const { model } = await start(provider, SCRIPT)
    const { model: slow } = await start(provider, SCRIPT, { writeBytes: 3, fragmentLength: 1 })
    expect(pieces(await all(slow.stream(ask('go'), live())))).toEqual(
      pieces(await all(model.stream(ask('go'), live()))),
    )
  })

  it('P5: cut off at any place are no answer, and make no call', async () => {
    const { server, model } = await start(provider, SCRIPT)
    await all(model.stream(ask('go'), live()))
    const bytes = await rawAnswer(provider, server.baseUrl, server.requests[0]!.body)
    const end = Buffer.from(bytes).lastIndexOf(
      provider === 'anthropic' ? 'event: message_stop' : '"finish_reason":"tool_calls"',
    )
    await assert(
      asyncProperty(integer({ min: 0, max: end }), async (length) => {
        const seen: ModelEvent[] = []
        const fault = await faultOf(
          answering(provider, [bytes.slice(0, length)]).stream(ask('go'), live()),
          seen,
        )
        expect(fault.mayRetry).toBe(true)
        expect(seen.filter(({ kind }) => kind === 'call' || kind === 'end')).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('take nothing from the environment', async () => {
    const elsewhere = await serve([{ steps: [{ say: 'elsewhere' }] }])
    vi.stubEnv('ANTHROPIC_BASE_URL', elsewhere.baseUrl)
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-from-the-environment')
    vi.stubEnv('OPENAI_API_KEY', 'sk-from-the-environment')
    try {
      let asked: Request | undefined
      const model = createProviderModel({
        provider,
        model: 'm',
        ...(provider === 'anthropic' ? {} : { baseUrl: 'https://models.example/v1' }),
        fetch: async (input, init) => {
          asked = new Request(input, init)
          return new Response('{}', { status: 400 })
        },
      })
      await faultOf(model.stream(ask('go'), live()))
      expect(asked?.url).toMatch(/^https:\/\/(api\.anthropic\.com|models\.example)\/v1\//)
      expect(JSON.stringify([...(asked?.headers ?? [])])).not.toContain('sk-from')
    } finally {
      vi.unstubAllEnvs()
    }
  })
})

describe('odd answers', () => {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  const call = (index: number, id: string | undefined, name: string | undefined, text: string) =>
    chunk({
      tool_calls: [
        { index, ...(id && { id }), type: 'function', function: { ...(name && { name }), arguments: text } },
      ],
    })
  const openai = (...frames: string[]) =>
    answering('openai-compatible', [new TextEncoder().encode(`${frames.join('')}data: [DONE]\n\n`)])

  it('P3: no fragment of arguments is left out in silence', async () => {
    const model = openai(
      call(0, 'a', 'x', '{"a":1}'),
      call(1, 'b', 'x', '{"b":1}'),
      call(0, 'b', undefined, ',"c":2'),
      chunk({}, 'tool_calls'),
    )
    const seen: ModelEvent[] = []
    const fault = await faultOf(model.stream(ask('go'), live()), seen)
    expect(fault.message).toMatch(/could not be told to belong/)
    expect(seen).toEqual([])
  })

  it('P3: what follows a whole value stays part of the text', async () => {
    const model = openai(
      call(0, 'a', 'x', '{"a":1}'),
      call(0, undefined, undefined, '{"a":2}'),
      chunk({}, 'tool_calls'),
    )
    expect(callsOf(await all(model.stream(ask('go'), live())))).toEqual([['a', 'x', '{"a":1}{"a":2}']])
  })

  it('calls that come with `stop` are calls, and missing usage is none', async () => {
    const events = await all(openai(call(0, 'a', 'x', ''), chunk({}, 'stop')).stream(ask('go'), live()))
    expect(events).toEqual([
      { kind: 'call', id: 'a', tool: 'x', argumentsText: '' },
      { kind: 'end', finish: 'calls', usage: { inputTokens: 0, outputTokens: 0 } },
    ])
  })

  it('thoughts between words go back in their order, hidden ones too', async () => {
    const events = [
      {
        type: 'message_start',
        message: { id: 'm', model: 'm', usage: { input_tokens: 3, output_tokens: 1 } },
      },
      ...block(0, { type: 'thinking', thinking: '', signature: '' }, [
        { type: 'thinking_delta', thinking: 'one' },
        { type: 'signature_delta', signature: 's1' },
      ]),
      ...block(1, { type: 'text', text: '' }, [{ type: 'text_delta', text: 'I think.' }]),
      ...block(2, { type: 'redacted_thinking', data: 'hidden' }, []),
      ...block(3, { type: 'tool_use', id: 't', name: 'x', input: {} }, [
        { type: 'input_json_delta', partial_json: '{}' },
      ]),
      ...block(4, { type: 'text', text: '' }, [{ type: 'text_delta', text: 'Wait.' }]),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
      { type: 'message_stop' },
    ]
    const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    const seen = await all(answering('anthropic', [new TextEncoder().encode(text)]).stream(ask('go'), live()))
    expect(join(seen, 'text')).toBe('I think.Wait.')
    const end = seen.at(-1)
    if (end?.kind !== 'end') throw new Error('it has no end')
    const answer: ModelMessage = {
      role: 'assistant',
      text: 'I think.Wait.',
      calls: [{ id: 't.1', tool: 'x', argumentsText: '{}' }],
      ...defined({ provider: end.provider }),
    }
    expect(toPrompt([answer], 'anthropic')[0]?.content).toEqual([
      { type: 'reasoning', text: 'one', providerOptions: { anthropic: { signature: 's1' } } },
      { type: 'text', text: 'I think.' },
      { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'hidden' } } },
      expect.objectContaining({ type: 'tool-call', toolName: 'x' }),
      { type: 'text', text: 'Wait.' },
    ])
  })
})

describe('a prompt', () => {
  it('has ids that every wire takes, the same in call and result, and one for each of ours', () => {
    assert(
      property(string(), string(), (one, other) => {
        const [a, b] = [one, other].map((id) => idsOf(id))
        expect(a?.call).toMatch(/^[A-Za-z0-9_-]{1,40}$/)
        expect(a?.result).toBe(a?.call)
        expect(a?.call === b?.call).toBe(one === other)
      }),
    )
  })

  it('has instructions at the beginning only, and pictures of tools after all results', () => {
    const picture = { type: 'image/png', data: new Uint8Array([1]) }
    const prompt = toPrompt(
      [
        { role: 'system', text: 'a' },
        { role: 'user', text: 'b' },
        {
          role: 'assistant',
          text: '',
          calls: ['1', '2'].map((id) => ({ id, tool: 'x', argumentsText: '{}' })),
        },
        { role: 'tool', callId: '1', tool: 'x', text: 'r', isError: false, media: [picture] },
        { role: 'tool', callId: '2', tool: 'x', text: 'r', isError: false },
        { role: 'system', text: 'c' },
      ],
      'openai-compatible',
    )
    expect(prompt.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
      'user',
      'user',
    ])
  })
})

function idsOf(id: string) {
  const [call, result] = toPrompt(
    [
      { role: 'assistant', text: '', calls: [{ id, tool: 'x', argumentsText: '{}' }] },
      { role: 'tool', callId: id, tool: 'x', text: '', isError: false },
    ],
    'anthropic',
  ).map(({ content }) => (content[0] as { toolCallId: string }).toolCallId)
  return { call, result }
}

function block(index: number, content_block: object, deltas: object[]) {
  return [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

/** How the text was cut into deltas is the one thing that may differ. */
function pieces(events: ModelEvent[]) {
  return [join(events, 'reasoning'), join(events, 'text'), callsOf(events), events.at(-1)]
}

async function rawAnswer(provider: ProviderName, baseUrl: string, body: unknown): Promise<Uint8Array> {
  const path = provider === 'anthropic' ? 'messages' : 'chat/completions'
  const response = await fetch(`${baseUrl}/${path}`, { method: 'POST', body: JSON.stringify(body) })
  return new Uint8Array(await response.arrayBuffer())
}

function cutAt(bytes: Uint8Array, cuts: number[]): Uint8Array[] {
  const places = [0, ...cuts.toSorted((one, other) => one - other), bytes.length]
  return places.slice(1).map((place, index) => bytes.slice(places[index], place))
}

function answering(provider: ProviderName, chunks: Uint8Array[]) {
  return createProviderModel({
    provider,
    model: 'test-model',
    baseUrl: 'http://127.0.0.1:9/v1',
    fetch: async () => {
      const left = chunks.filter(({ length }) => length > 0)
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const chunk = left.shift()
          if (chunk === undefined) controller.close()
          else controller.enqueue(chunk)
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
}
