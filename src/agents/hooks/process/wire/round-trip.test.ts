/** What is sent and given back unchanged is no change, and what is changed arrives as it was meant. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/json/json.ts'
import type { ModelCall, ModelMessage } from '../../../models/model.ts'
import type { HookContext, HookModelRequest, HookModelResponse, HookResult } from '../../hook.ts'
import { contextFromWire, contextToWire } from './context.ts'
import type { WireMembers } from './fields.ts'
import { modelRequestFromWire, modelRequestToWire } from './model-request.ts'
import { modelResponseToWire } from './model-response.ts'
import {
  readModelRequestDecision,
  readModelResponseDecision,
  readResultDecision,
  readToolDecision,
} from './read-decisions.ts'
import { toolCallToWire } from './tool-call.ts'
import { toolResultToWire } from './tool-result.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 10 })
const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 })
const args = fc
  .dictionary(name, fc.jsonValue({ noUnicodeString: false, maxDepth: 2 }))
  .map((value) => over(value) as JsonObject)
const optional = <Value>(key: string, value: fc.Arbitrary<Value>) =>
  fc.option(value, { nil: undefined }).map((found) => (found === undefined ? {} : { [key]: found }))
const all = <Whole>(...parts: fc.Arbitrary<object>[]) =>
  fc.tuple(...parts).map((found) => Object.assign({}, ...found) as Whole)

const call = all<ModelCall>(
  fc.record({ id: name, tool: name, argumentsText: text }),
  optional('provider', text),
)
const media = fc.array(fc.record({ type: fc.constant('image/png'), data: fc.uint8Array({ maxLength: 4 }) }), {
  minLength: 1,
  maxLength: 2,
})
const message: fc.Arbitrary<ModelMessage> = fc.oneof(
  fc.record({ role: fc.constant('system' as const), text }),
  all<ModelMessage>(fc.record({ role: fc.constant('user'), text }), optional('media', media)),
  all<ModelMessage>(
    fc.record({ role: fc.constant('assistant'), text, calls: fc.array(call, { maxLength: 2 }) }),
    optional('reasoning', text),
    optional('provider', text),
  ),
  all<ModelMessage>(
    fc.record({ role: fc.constant('tool'), callId: name, tool: name, text, isError: fc.boolean() }),
    optional('media', media),
  ),
)
const request = all<HookModelRequest>(
  fc.record({
    model: name,
    messages: fc.array(message, { maxLength: 4 }),
    tools: fc.array(fc.record({ name, description: text, schema: args }), { maxLength: 2 }),
  }),
  optional('maxTokens', fc.nat()),
  optional('temperature', fc.double({ min: 0, max: 2, noNaN: true })),
  optional('lastWord', fc.constant(true)),
)
const response = all<HookModelResponse>(
  fc.record({
    model: name,
    text,
    calls: fc.array(call, { maxLength: 2 }),
    finish: fc.constantFrom('stop', 'calls', 'length', 'filtered', 'other'),
    usage: fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat() }),
  }),
  optional('reasoning', text),
)
const result = all<HookResult>(
  fc.record({ callId: name, tool: name, arguments: args, text, isError: fc.boolean(), durationMs: fc.nat() }),
  optional('forUser', text),
  optional(
    'media',
    fc.array(fc.record({ id: name, type: fc.constant('image/png') }), { minLength: 1, maxLength: 2 }),
  ),
  optional('handled', fc.boolean()),
)

describe('what comes back as it was sent', () => {
  it('P3: a model request', () => {
    fc.assert(
      fc.property(request, (sent) => {
        const reply = over({ action: 'modify', request: modelRequestToWire(sent) })
        expect(readModelRequestDecision(reply, sent)).toEqual({ action: 'continue' })
      }),
    )
  })

  it('P3: a model request with the same words twice', () => {
    const twice: HookModelRequest = {
      model: 'm',
      messages: [
        { role: 'user', text: 'yes' },
        { role: 'user', text: 'yes' },
      ],
      tools: [],
    }
    const reply = over({ action: 'modify', request: modelRequestToWire(twice) })
    expect(readModelRequestDecision(reply, twice)).toEqual({ action: 'continue' })
  })

  it('P3: also from a hook that drops what it does not know', () => {
    fc.assert(
      fc.property(request, (sent) => {
        const wire = over(modelRequestToWire(sent)) as { messages: Record<string, unknown>[] }
        for (const one of wire.messages) {
          delete one.name
          delete one.is_error
          delete one.attachments
        }
        expect(readModelRequestDecision({ request: wire }, sent)).toEqual({ action: 'continue' })
      }),
    )
  })

  it('P3: a model’s answer', () => {
    fc.assert(
      fc.property(response, (sent) => {
        const reply = over({ action: 'modify', response: modelResponseToWire(sent) })
        expect(readModelResponseDecision(reply, sent)).toEqual({ action: 'continue' })
      }),
    )
  })

  it('P3: a call', () => {
    fc.assert(
      fc.property(fc.record({ callId: name, tool: name, arguments: args }), (sent) => {
        const reply = over({ action: 'modify', call: toolCallToWire(sent) })
        expect(readToolDecision(reply, sent)).toEqual({ action: 'continue' })
      }),
    )
  })

  it('P3: a result', () => {
    fc.assert(
      fc.property(result, (sent) => {
        const reply = over({ action: 'modify', result: { tool: sent.tool, result: toolResultToWire(sent) } })
        expect(readResultDecision(reply, sent)).toEqual({ action: 'continue' })
      }),
    )
  })

  it('where and who', () => {
    const about = all<HookContext>(
      fc.record({
        session: name,
        turn: fc.uuid(),
        step: fc.nat(),
        agent: fc.record({ name: fc.constantFrom('main', 'a b') }),
        by: name,
      }),
      optional('parentTurn', fc.uuid()),
      optional('origin', all(fc.record({ channel: name }), optional('conversation', name))),
    )
    const { signal } = new AbortController()
    fc.assert(
      fc.property(about, (sent) => {
        const wire = over(contextToWire({ ...sent, signal }, 'before_tool')) as WireMembers
        expect(contextFromWire(wire, signal)).toEqual({ ...sent, signal })
        const { context: _, ...first } = wire
        expect(contextFromWire(first, signal)).toEqual({ ...sent, by: '', signal })
      }),
    )
  })
})

describe('a changed conversation', () => {
  const picture = { type: 'image/png', data: new Uint8Array([1]) }
  const sent: HookModelRequest = {
    model: 'm',
    messages: [
      { role: 'user', text: 'look', media: [picture] },
      {
        role: 'assistant',
        text: '',
        calls: [{ id: 'c', tool: 'ls', argumentsText: '{}' }],
        provider: 'signed',
      },
      { role: 'tool', callId: 'c', tool: 'ls', text: 'secret', isError: true },
    ],
    tools: [],
    temperature: 1,
  }
  const changed = (messages: unknown[]) => readModelRequestDecision({ request: { messages } }, sent)

  it('P3: replaces and does not merge; only the model stays', () => {
    expect(readModelRequestDecision({ request: {} }, sent)).toEqual({
      action: 'modify',
      request: { model: 'm', messages: [], tools: [] },
    })
  })

  it('keeps what never went over the wire with messages that are as they were', () => {
    const [user, assistant] = modelRequestToWire(sent).messages
    expect(changed([assistant, user])).toEqual({
      action: 'modify',
      request: { model: 'm', messages: [sent.messages[1], sent.messages[0]], tools: [] },
    })
  })

  it('P3: drops the provider’s signature of words that were changed, and keeps pictures that are still named', () => {
    const [user, assistant, tool] = modelRequestToWire(sent).messages
    const decision = changed([
      { ...user, content: 'look again', attachments: [] },
      { ...assistant, content: 'other' },
      { role: 'tool', content: '***', tool_call_id: 'c' },
      { ...tool, tool_call_id: 'd', name: undefined },
    ])
    expect(decision).toMatchObject({
      request: {
        messages: [
          { role: 'user', text: 'look again', media: [picture] },
          { role: 'assistant', text: 'other', calls: [{ id: 'c', tool: 'ls', argumentsText: '{}' }] },
          { role: 'tool', callId: 'c', tool: 'ls', text: '***', isError: true },
          { role: 'tool', callId: 'd', tool: '', text: 'secret', isError: true },
        ],
      },
    })
    expect(JSON.stringify(decision)).not.toContain('signed')
  })

  it.each([
    [
      [{ role: 'robot', content: '' }],
      'reply.request.messages[0].role must be system, user, assistant or tool',
    ],
    [[{ role: 'user', content: [{ type: 'text' }] }], 'messages[0].content must be a string; found a list'],
    [['hi'], 'reply.request.messages[0] must be an object; found the text "hi"'],
    [[{ role: 'tool', content: '' }], 'messages[0].tool_call_id must be a string that is not empty'],
    [
      [{ role: 'user', content: '', media: ['media://attached/9/9'] }],
      'media[0] must be a picture or file of this request',
    ],
    [
      [{ role: 'user', content: '', media: ['media://attached/1/0'] }],
      'media[0] must be a picture or file of this request',
    ],
    [
      [
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'c', function: { name: 'ls', arguments: {} } }],
        },
      ],
      'tool_calls[0].function.arguments must be a string; found an object',
    ],
    [
      [{ role: 'assistant', content: '', tool_calls: [{ id: 'c' }] }],
      'tool_calls[0].function must be an object',
    ],
  ])('P5: refuses %j', (messages, because) => {
    expect(() => changed(messages)).toThrow(because)
  })

  it('P5: refuses tools and options of the wrong type', () => {
    const read = (request: object) => () => readModelRequestDecision({ request }, sent)
    expect(read({ tools: {} })).toThrow('reply.request.tools must be a list; found an object')
    expect(read({ tools: [{ name: 'x' }] })).toThrow(
      'reply.request.tools[0].function must be an object; found nothing',
    )
    expect(read({ tools: [{ function: {} }] })).toThrow(
      'tools[0].function.name must be a string that is not empty',
    )
    expect(read({ options: { max_tokens: '5' } })).toThrow(
      'options.max_tokens must be a number; found the text "5"',
    )
  })

  it('in the hook pictures that stayed with the host are only named', () => {
    const inHook = modelRequestFromWire(over(modelRequestToWire(sent)) as WireMembers, 'params')
    expect(inHook.messages[0]).toMatchObject({
      media: [{ type: 'image/png', data: new Uint8Array(0), ref: 'media://attached/0/0' }],
    })
  })
})

/** Over the wire and back. */
function over(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
