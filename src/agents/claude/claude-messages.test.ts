import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readClaudeMessage } from './claude-messages.ts'

describe('what the program says', () => {
  it('secretary 12: names its transcript when it begins', () => {
    expect(
      readClaudeMessage({ type: 'system', subtype: 'init', session_id: 'x', model: 'm', tools: ['Bash', 1] }),
    ).toEqual({ kind: 'init', transcript: 'x', model: 'm', tools: ['Bash'] })
    expect(readClaudeMessage({ type: 'system', subtype: 'init' })).toBeUndefined()
    expect(readClaudeMessage({ type: 'system', subtype: 'status', session_id: 'x' })).toBeUndefined()
  })

  it('counts what was read from the cache as input', () => {
    const usage = {
      input_tokens: 1,
      cache_read_input_tokens: 20,
      cache_creation_input_tokens: 300,
      output_tokens: 4,
    }
    expect(readClaudeMessage({ type: 'assistant', message: { id: 'm', content: [], usage } })).toMatchObject({
      usage: { inputTokens: 321, outputTokens: 4 },
    })
  })

  it('of a sub-agent isn’t told in pieces', () => {
    const event = { type: 'content_block_delta', delta: { type: 'text_delta', text: 'x' } }
    expect(readClaudeMessage({ type: 'stream_event', parent_tool_use_id: 'toolu_1', event })).toBeUndefined()
    expect(readClaudeMessage({ type: 'stream_event', parent_tool_use_id: null, event })).toEqual({
      kind: 'text',
      delta: 'x',
    })
  })

  it('secretary N11: a result is a success only if it says so twice', () => {
    const result = (members: object) => readClaudeMessage({ type: 'result', ...members })
    expect(result({ subtype: 'success', is_error: false, result: 'x' })).toMatchObject({
      isError: false,
      text: 'x',
    })
    expect(result({ subtype: 'success', is_error: true, result: 'x' })).toMatchObject({ isError: true })
    expect(result({ subtype: 'error_new', is_error: false })).toMatchObject({ isError: true })
    expect(result({})).toMatchObject({ isError: true, text: 'it ended with an error' })
  })

  it('can be anything: it never throws, and every text is well-formed', () => {
    const kinds = fc.constantFrom('system', 'stream_event', 'assistant', 'user', 'result', 'other')
    const members = fc.dictionary(
      fc.constantFrom(
        'subtype',
        'message',
        'event',
        'result',
        'errors',
        'session_id',
        'total_cost_usd',
        'parent_tool_use_id',
      ),
      fc.anything({ maxDepth: 4 }),
    )
    fc.assert(
      fc.property(kinds, members, (type, rest) => {
        const read = readClaudeMessage({ ...rest, type })
        expect(JSON.stringify(read ?? '').isWellFormed()).toBe(true)
      }),
    )
    for (const value of [null, undefined, 1, 'x', []]) expect(readClaudeMessage(value)).toBeUndefined()
  })
})
