import { describe, expect, it } from 'vitest'
import type { HookModelRequest, HookModelResponse, HookResult } from '../../hook.ts'
import {
  readApproval,
  readModelRequestDecision,
  readModelResponseDecision,
  readResultDecision,
  readToolDecision,
} from './read-decisions.ts'

const request: HookModelRequest = { model: 'm', messages: [], tools: [] }
const response: HookModelResponse = {
  model: 'm',
  text: 'a leak',
  calls: [],
  finish: 'stop',
  usage: { inputTokens: 1, outputTokens: 1 },
}
const call = { callId: 'c', tool: 'ls', arguments: { a: 1 } }
const result: HookResult = { ...call, text: 'a leak', isError: false, durationMs: 1 }

const STAGES = {
  before_llm: (reply: unknown) => readModelRequestDecision(reply, request),
  after_llm: (reply: unknown) => readModelResponseDecision(reply, response),
  before_tool: (reply: unknown) => readToolDecision(reply, call),
  after_tool: (reply: unknown) => readResultDecision(reply, result),
}
const EVERYWHERE = ['abort_turn', 'hard_abort']
const stages = Object.entries(STAGES)

describe.each(stages)('%s', (stage, read) => {
  it.each([undefined, null, {}, { action: '' }, { action: null }, { action: 'continue' }, { ok: true }])(
    'goes on with %j',
    (reply) => expect(read(reply)).toEqual({ action: 'continue' }),
  )

  it.each(['abort_turn', 'hard_abort'])('ends the turn with %s', (action) => {
    expect(read({ action, reason: 'enough', message: 'not this' })).toEqual({ action, reason: 'enough' })
    expect(read({ action, message: 'this' })).toEqual({ action, reason: 'this' })
    expect(read({ action, reason: 5 })).toEqual({ action })
    expect(read({ action, reason: 'x'.repeat(5000) })).toEqual({ action, reason: `${'x'.repeat(2000)}…` })
  })

  it.each(['redact', 'Continue', 'allow', 'approve', 'constructor', 1, true, {}, ['continue']])(
    'P5: does not know the action %j',
    (action) => expect(() => read({ action })).toThrow(/^reply\.action must be one of continue, modify, /),
  )

  it.each(['respond', 'deny_tool'])('P5: has %s only before a tool', (action) => {
    const reply = { action, result: { for_llm: 'x' } }
    if (stage === 'before_tool') expect(read(reply)).toMatchObject({ action })
    else expect(() => read(reply)).toThrow(`found the text "${action}"`)
  })

  it('P5: modify without a payload, or with one of the wrong type, is none', () => {
    expect(() => read({ action: 'modify', args: {} })).toThrow('found: action, args')
    for (const wrong of ['x', 1, [], true]) {
      const reply = { request: wrong, response: wrong, call: wrong, result: wrong }
      expect(() => read({ action: 'continue', ...reply })).toThrow('must be an object; found')
    }
  })

  it.each(['yes', 1, true, [], ['continue']])('P5: %j is no answer', (reply) => {
    expect(() => read(reply)).toThrow('reply must be an object; found')
  })

  it('only the actions of all stages end turns', () => {
    for (const action of EVERYWHERE) expect(read({ action })).toEqual({ action })
  })
})

describe('before a tool', () => {
  it('P3: a changed call replaces the whole', () => {
    expect(STAGES.before_tool({ call: { tool: 'cat' } })).toEqual({
      action: 'modify',
      call: { tool: 'cat', arguments: {} },
    })
    expect(() => STAGES.before_tool({ call: { arguments: {} } })).toThrow(
      'reply.call.tool must be a string that is not empty; found: arguments',
    )
    expect(() => STAGES.before_tool({ call: { tool: 'cat', arguments: 'x' } })).toThrow(
      'reply.call.arguments',
    )
  })

  it('answers from `result` or from the call’s `hook_result`', () => {
    const expected = { action: 'respond', result: { text: 'hi', isError: false } }
    expect(STAGES.before_tool({ action: 'respond', result: { for_llm: 'hi' } })).toEqual(expected)
    const call = { tool: 'other', hook_result: { for_llm: 'hi' } }
    expect(STAGES.before_tool({ action: 'respond', call })).toEqual(expected)
  })

  it.each([
    [{}, 'reply.result must have for_llm, the text for the model; found: nothing'],
    [{ content: 'x' }, 'found: content'],
    [{ for_llm: 5 }, 'reply.result.for_llm must be a string; found the number 5'],
    [{ for_llm: '', is_error: 'no' }, 'reply.result.is_error must be true or false'],
    [{ for_llm: '', media: 'media://x' }, 'reply.result.media must be a list'],
    [{ for_llm: '', media: ['https://example.com/x.png'] }, 'reply.result.media[0] must be media://<id>'],
    [{ for_llm: '', media: ['file:///etc/passwd'] }, 'reply.result.media[0] must be media://<id>'],
    [{ for_llm: '', media: ['media://'] }, 'reply.result.media[0] must be media://<id>'],
    [{ for_llm: '', media: [{ id: 'x' }] }, 'reply.result.media[0] must be media://<id>'],
    [{ for_llm: '', media: ['data:image/png;base64,%%%'] }, 'a data: URL whose data can be read'],
    [{ for_llm: '', media: ['data:text/plain,%E0%A4%A'] }, 'a data: URL whose data can be read'],
    [{ for_llm: '', media: ['data:,x'] }, 'a data: URL with its type'],
    [{ for_llm: '', media: ['data:image/png'] }, 'a data: URL with its type'],
  ])('P5: refuses the result %j', (given, because) => {
    expect(() => STAGES.before_tool({ action: 'respond', result: given })).toThrow(because)
  })

  it('a silent result is for the model alone; a result may be for the person alone', () => {
    const respond = (given: object) => STAGES.before_tool({ action: 'respond', result: given })
    expect(respond({ for_llm: 'a', for_user: 'b', silent: true })).toMatchObject({
      result: { text: 'a', isError: false },
    })
    expect(respond({ for_llm: 'a', for_user: 'b', silent: true })).not.toHaveProperty('result.forUser')
    expect(respond({ for_user: 'b', response_handled: true })).toEqual({
      action: 'respond',
      result: { text: '', isError: false, forUser: 'b', handled: true },
    })
    expect(respond({ for_llm: '', media: ['data:text/plain,a%20b'] })).toMatchObject({
      result: { media: [{ type: 'text/plain', data: Buffer.from('a b') }] },
    })
  })
})

describe('after a tool', () => {
  it('changes the inner result', () => {
    expect(
      STAGES.after_tool({ action: 'modify', result: { result: { for_llm: '***', is_error: true } } }),
    ).toEqual({
      action: 'modify',
      result: { text: '***', isError: true },
    })
    expect(STAGES.after_tool({ action: 'modify', result: { tool: 'ls' } })).toEqual({ action: 'continue' })
  })

  it('P5: a result one level too high does not let through what it struck out', () => {
    expect(() => STAGES.after_tool({ action: 'modify', result: { for_llm: '***' } })).toThrow(
      'reply.result.result must be an object with for_llm; found in reply.result: for_llm',
    )
  })
})

describe('after a model', () => {
  it('changes the inner response, and nothing of who answered at what cost', () => {
    const changed = {
      model: 'x',
      response: { content: '***', usage: { prompt_tokens: 0 }, finish_reason: 'tool_calls' },
    }
    expect(STAGES.after_llm({ action: 'modify', response: changed })).toEqual({
      action: 'modify',
      response: { ...response, text: '***', finish: 'calls' },
    })
  })

  it('P5: a response one level too high does not let through what it struck out', () => {
    expect(() => STAGES.after_llm({ action: 'modify', response: { content: '***' } })).toThrow(
      'reply.response.response must be an object with content; found: content',
    )
  })
})

describe('approval', () => {
  it('is a boolean', () => {
    expect(readApproval({ approved: true })).toEqual({ approved: true })
    expect(readApproval({ approved: false, reason: 'no' })).toEqual({ approved: false, reason: 'no' })
    expect(readApproval({ approved: false, message: 'no' })).toEqual({ approved: false, reason: 'no' })
  })

  it.each([
    [undefined, 'reply lacks boolean `approved`; found: nothing'],
    [null, 'reply lacks boolean `approved`; found: nothing'],
    [{}, 'reply lacks boolean `approved`; found: nothing'],
    [{ allow: true }, 'reply lacks boolean `approved`; found: allow'],
    [{ action: 'continue' }, 'reply lacks boolean `approved`; found: action'],
    [{ approved: 'true' }, 'reply.approved must be true or false; found the text "true"'],
    [{ approved: 1 }, 'reply.approved must be true or false; found the number 1'],
    [{ approved: null }, 'reply.approved must be true or false; found null'],
    [true, 'reply must be an object; found the boolean true'],
    [[{ approved: true }], 'reply must be an object; found a list'],
    [
      Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`${'k'.repeat(50)}${n}`, n])),
      `found: ${'k'.repeat(40)}…`,
    ],
  ])('P5: %j is none', (reply, because) => {
    expect(() => readApproval(reply)).toThrow(because)
  })
})
