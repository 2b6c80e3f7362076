/** The real provider code against a real server on this machine, over both wires. */
import { describe, expect, it } from 'vitest'
import { refusalText } from '../../../guard/model-texts.ts'
import type { ModelMessage } from '../model.ts'
import { all, ask, callsOf, join, live, PROVIDERS, start, WEATHER } from './fixtures/served-model.ts'
import { loadLibrary } from './load-library.ts'

describe.each(PROVIDERS)('a model over the wire of %s', (provider) => {
  it('is asked and answers, with thoughts, words, calls and what it used', async () => {
    const { model, server } = await start(provider, [
      {
        steps: [
          {
            think: 'A tool knows that. I ask it.',
            say: 'Let me see — 天气 — one moment.',
            calls: [
              { tool: 'get_weather', arguments: { city: '杭州' } },
              { tool: 'get_weather', arguments: { city: 'Ulm', days: [1, 2.5, null] } },
            ],
          },
        ],
      },
    ])
    const events = await all(model.stream({ ...ask('Weather?'), maxTokens: 500, temperature: 0.5 }, live()))
    expect(join(events, 'reasoning')).toBe('A tool knows that. I ask it.')
    expect(join(events, 'text')).toBe('Let me see — 天气 — one moment.')
    expect(events.filter(({ kind }) => kind === 'text').length).toBeGreaterThan(1)
    expect(callsOf(events)).toEqual([
      ['call_0_0', 'get_weather', '{"city":"杭州"}'],
      ['call_0_1', 'get_weather', '{"city":"Ulm","days":[1,2.5,null]}'],
    ])
    expect(events.at(-1)).toMatchObject({
      kind: 'end',
      finish: 'calls',
      usage: { inputTokens: 5, outputTokens: 26 },
    })
    expect(server.requests[0]?.question).toEqual({
      model: 'test-model',
      messages: [
        { role: 'system', text: 'Be brief.' },
        { role: 'user', text: 'Weather?' },
      ],
      tools: [WEATHER],
      maxTokens: 500,
      temperature: 0.5,
    })
  })

  it('P3: hands on the raw text of arguments, whatever is wrong with it', async () => {
    const texts = [
      '{"city":"Ulm","city":"Hangzhou"}',
      '{"amount":12345678901234567890.10, "e": 1e400}',
      ' {"__proto__": {"a": 1}} ',
      '{"city": "Ulm"',
      '[1]',
      'rm -rf /',
      '{"text":"\\u00e9\\ud83d\\ude00 😀"}',
    ]
    const { model } = await start(provider, [
      { steps: [{ calls: texts.map((argumentsText) => ({ tool: 'get_weather', argumentsText })) }] },
    ])
    const events = await all(model.stream(ask('go'), live()))
    expect(callsOf(events).map(([, , text]) => text)).toEqual(texts)
  })

  it('passes on ids that the server has used before', async () => {
    const { model } = await start(
      provider,
      [{ repeat: true, steps: [{ calls: [{ tool: 'get_weather' }] }] }],
      {
        reuseCallIds: true,
      },
    )
    for (const _ of [1, 2])
      expect(callsOf(await all(model.stream(ask('go'), live())))).toEqual([['call_0', 'get_weather', '{}']])
  })

  it('does not mix up two calls of one answer that have the same id', async () => {
    const { model } = await start(
      provider,
      [
        {
          steps: [
            {
              calls: [
                { tool: 'get_weather', arguments: { city: 'Ulm' } },
                { tool: 'get_weather', arguments: { city: 'Rome' } },
              ],
            },
          ],
        },
      ],
      { reuseCallIds: true },
    )
    const calls = callsOf(await all(model.stream(ask('go'), live())))
    expect(calls.map(([, , text]) => text)).toEqual(['{"city":"Ulm"}', '{"city":"Rome"}'])
  })

  it('is told results, refusals and steering, under ids that the wire takes', async () => {
    const refusal = refusalText('get_weather', {
      state: 'rejected',
      because: 'not today',
      by: 'ana',
      mayRetry: false,
    })
    const { model, server } = await start(provider, [
      {
        steps: [
          { say: 'x' },
          { oneOf: [{ when: { result: 'refused' }, say: 'I see: {reason}' }, { say: 'no' }] },
        ],
      },
    ])
    const history: ModelMessage[] = [
      {
        role: 'assistant',
        text: '',
        calls: [
          { id: 'turn-1.1.0', tool: 'get_weather', argumentsText: '{"city":"Ulm"}' },
          { id: 'turn-1.1.1', tool: 'get_weather', argumentsText: '{"broken"' },
          { id: 'turn-1.1.2', tool: 'get_weather', argumentsText: '[1]' },
        ],
      },
      { role: 'tool', callId: 'turn-1.1.0', tool: 'get_weather', text: 'sunny', isError: false },
      { role: 'tool', callId: 'turn-1.1.1', tool: 'get_weather', text: refusal, isError: true },
      { role: 'tool', callId: 'turn-1.1.2', tool: 'get_weather', text: 'no', isError: true },
      { role: 'user', text: 'be quick' },
    ]
    expect(join(await all(model.stream(ask('Weather?', ...history), live())), 'text')).toBe(
      'I see: not today',
    )
    const [, , assistant, ran, refused, , steering] = server.requests[0]!.question!.messages
    expect(assistant).toMatchObject({
      calls: ['{"city":"Ulm"}', '{}', '{}'].map((argumentsText) => ({ argumentsText })),
    })
    expect(ran).toMatchObject({ role: 'tool', text: 'sunny', isError: false })
    expect(refused).toMatchObject({ role: 'tool', text: refusal, isError: provider === 'anthropic' })
    expect(steering).toEqual({ role: 'user', text: 'be quick' })
  })

  it('gets its own answers back as they were, with what it has signed', async () => {
    const { model, server } = await start(provider, [
      {
        steps: [
          {
            think: 'Hm, a tool.',
            say: 'I look.',
            calls: [{ tool: 'get_weather', arguments: { city: 'Ulm' } }],
          },
          { say: 'Done.' },
        ],
      },
    ])
    const events = await all(model.stream(ask('Weather?'), live()))
    const end = events.at(-1)
    const [id = '', tool = '', argumentsText = ''] = callsOf(events)[0]!
    const answer: ModelMessage = {
      role: 'assistant',
      text: join(events, 'text'),
      reasoning: join(events, 'reasoning'),
      calls: [{ id, tool, argumentsText }],
      ...(end?.kind === 'end' && end.provider !== undefined
        ? { provider: JSON.parse(JSON.stringify(end.provider)) }
        : {}),
    }
    const result: ModelMessage = { role: 'tool', callId: id, tool, text: 'sunny', isError: false }
    expect(join(await all(model.stream(ask('Weather?', answer, result), live())), 'text')).toBe('Done.')
    expect(server.requests[1]!.question!.messages[2]).toMatchObject({
      reasoning: 'Hm, a tool.',
      text: 'I look.',
      calls: [{ id, argumentsText: '{"city":"Ulm"}' }],
    })
    // A hook has changed the words: the signed thought still goes back as it was.
    const changed = { ...answer, text: 'I look around.' }
    await all(model.stream(ask('Weather?', changed, result), live()))
    expect(server.requests[2]!.question!.messages[2]).toMatchObject({
      reasoning: 'Hm, a tool.',
      text: 'I look around.',
    })
  })

  it('is shown pictures of people and of tools', async () => {
    const { model, server } = await start(provider, [{ steps: [{ say: 'a' }, { say: 'Nice.' }] }])
    const picture = { type: 'image/png', data: new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]) }
    const call = { id: 'c.1', tool: 'draw', argumentsText: '{}' }
    await all(
      model.stream(
        {
          tools: [],
          messages: [
            {
              role: 'user',
              text: 'Like this?',
              media: [picture, { type: 'audio/x-odd', data: new Uint8Array(3) }],
            },
            { role: 'assistant', text: '', calls: [call, { ...call, id: 'c.2' }] },
            { role: 'tool', callId: 'c.1', tool: 'draw', text: 'drawn', isError: false, media: [picture] },
            { role: 'tool', callId: 'c.2', tool: 'draw', text: 'half', isError: true, media: [picture] },
          ],
        },
        live(),
      ),
    )
    const messages = server.requests[0]!.question!.messages
    const shown = messages.flatMap((message) => ('media' in message ? (message.media ?? []) : []))
    expect(shown).toEqual([picture, picture, picture])
    expect(JSON.stringify(messages)).toContain('audio/x-odd')
    expect(JSON.stringify(messages)).toContain('The tool draw has shown this')
  })

  it('takes another model that a hook has chosen, by either of its names', async () => {
    const { model, server } = await start(provider, [{ steps: [{ say: 'Hello.' }] }])
    expect(model.name).toBe(`${provider}/test-model`)
    for (const name of ['other', `${provider}/other`, model.name])
      await all(model.stream({ ...ask('go'), model: name }, live()))
    expect(server.requests.map(({ body }) => (body as { model: string }).model)).toEqual([
      'other',
      'other',
      'test-model',
    ])
  })

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['filtered', 'filtered'],
    ['other', 'other'],
  ] as const)('says that an answer ended with %s', async (finish, expected) => {
    const { model } = await start(provider, [{ steps: [{ say: 'Hello.', finish }] }])
    expect((await all(model.stream(ask('go'), live()))).at(-1)).toMatchObject({
      kind: 'end',
      finish: expected,
    })
  })
})

describe('a library that is not there', () => {
  it('is named, with what to do', async () => {
    const missing = 'a-library-that-is-not-there'
    await expect(loadLibrary(missing, () => import(missing))).rejects.toMatchObject({
      code: 'missing_dependency',
      message: expect.stringContaining(`npm install ${missing}`),
    })
    const broken = new Error('a bug in it')
    await expect(loadLibrary('x', () => Promise.reject(broken))).rejects.toBe(broken)
  })
})
