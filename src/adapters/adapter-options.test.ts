import { describe, expect, it } from 'vitest'
import { createClient } from '../client/index.ts'
import { checkAdapter, toolCallOf, warnOfUngated } from './adapter-options.ts'

const call = { tool: 'send', arguments: { n: 1 }, id: 'c1', definition: undefined, context: { user: 'ana' } }
const guard = { hold: () => Promise.reject(new Error('not called here')) }

describe('the guard', () => {
  it('P5: a gateway that was not awaited is refused at once, and the error says so', () => {
    const opening = Promise.resolve(guard)
    expect(() => checkAdapter(opening as never, { session: 's1' }, false)).toThrow(/an `await` .* is missing/)
  })

  it.each([undefined, null, {}, [], { send: { execute() {} } }])('P5: %j is none', (given) => {
    expect(() => checkAdapter(given as never, { session: 's1' }, false)).toThrow(/must be a guard/)
  })

  it('may be a client, which is no gateway', () => {
    const client = createClient({ url: 'http://127.0.0.1:1', token: 'none' })
    expect(() => checkAdapter(client, { session: 's1' }, false)).not.toThrow()
  })
})

describe('the session', () => {
  it.each([undefined, '', 7, null, {}])('P5: %j is none', (session) => {
    expect(() => checkAdapter(guard, { session } as never, false)).toThrow(/session must be/)
  })

  it('may be left out where the framework has threads, and nowhere else', () => {
    expect(() => checkAdapter(guard, {}, true)).not.toThrow()
    expect(() => checkAdapter(guard, {}, false)).toThrow(/session must be/)
    expect(() => checkAdapter(guard, { session: '' }, true)).toThrow(/session must be/)
  })

  it('is read from the context, or is the thread', () => {
    const session = ({ user }: { user: string }) => `chat-of-${user}`
    expect(toolCallOf(call, { session }).session).toBe('chat-of-ana')
    expect(toolCallOf({ ...call, thread: 't1' }, { session: 's1' }).session).toBe('s1')
    expect(toolCallOf({ ...call, thread: 't1' }, {}).session).toBe('t1')
    for (const none of [undefined, ''])
      expect(() => toolCallOf(call, { session: () => none })).toThrow(/no session/)
  })
})

describe('the call', () => {
  it('has what the framework and the program say, and nothing that is absent', () => {
    expect(toolCallOf(call, { session: 's1' })).toEqual({
      tool: 'send',
      arguments: { n: 1 },
      callId: 'c1',
      session: 's1',
    })
    const agent = { name: 'sub', parents: ['main'] }
    const callId = ({ user }: { user: string }) => `of-${user}`
    const options = { session: 's1', parentSession: 's0', agent, callId }
    expect(toolCallOf(call, options)).toMatchObject({ callId: 'of-ana', agent, parentSession: 's0' })
  })

  it('P5: has an id that no guard takes where the framework gives none', () => {
    expect(toolCallOf({ ...call, id: undefined }, { session: 's1' }).callId).toBe('')
  })
})

it('tools that can not be gated are told of once, and not where there are none', () => {
  const warnings: string[] = []
  warnOfUngated([], 'x', (text) => warnings.push(text))
  expect(warnings).toEqual([])
  warnOfUngated(['web_search', 'map'], 'the provider runs them', (text) => warnings.push(text))
  expect(warnings).toEqual([
    'Banksman can\'t gate "web_search", "map": the provider runs them. No policy and no person is asked about them.',
  ])
})
