import { describe, expect, it } from 'vitest'
import { asJson, type CallDraft, callOf, formOf } from './call-draft.ts'

const tools = [{ name: 'Bash', kind: 'shell', argument: 'command' }, { name: 'look' }]
const draft = (parts: Partial<CallDraft>): CallDraft => ({
  tool: 'Bash',
  form: 'plain',
  plain: '',
  json: '',
  cwd: '',
  mode: '',
  ...parts,
})

describe('a call that is made up', () => {
  it('has its main argument from the plain field, exactly as it was written', () => {
    const made = callOf(draft({ plain: ' git status\n', cwd: ' /space ', mode: 'plan' }), tools)
    expect(made).toEqual({
      kind: 'call',
      call: { tool: 'Bash', arguments: { command: ' git status\n' }, cwd: '/space', mode: 'plan' },
    })
  })

  it('P3: has all arguments from strict JSON, or says what is wrong with it', () => {
    expect(callOf(draft({ form: 'json', json: '{"command":"ls","n":1}' }), tools)).toMatchObject({
      call: { arguments: { command: 'ls', n: 1 } },
    })
    for (const json of ['{"a":1,"a":2}', '[1]', '{"n":12345678901234567890}', '{']) {
      const made = callOf(draft({ form: 'json', json }), tools)
      expect(made).toMatchObject({ kind: 'mistake', about: 'arguments', detail: expect.stringMatching(/./) })
    }
    expect(callOf(draft({ form: 'json' }), tools)).toMatchObject({ call: { arguments: {} } })
  })

  it('of a tool that the policy does not know has no plain field', () => {
    expect(formOf(draft({ tool: 'look' }), tools)).toBe('json')
    expect(formOf(draft({ tool: 'other' }), tools)).toBe('json')
    expect(callOf(draft({ tool: 'other', plain: 'x', json: '{"y":1}' }), tools)).toMatchObject({
      call: { arguments: { y: 1 } },
    })
    expect(callOf(draft({ tool: ' ' }), tools)).toEqual({ kind: 'mistake', about: 'tool' })
  })

  it('keeps what was written when it is turned into JSON', () => {
    expect(JSON.parse(asJson(draft({ plain: 'a\u202eb' }), tools))).toEqual({ command: 'a\u202eb' })
    expect(asJson(draft({ plain: 'a\u202eb' }), tools)).toContain('\\u202e')
    expect(asJson(draft({ json: '{"x":1}' }), tools)).toBe('{"x":1}')
  })
})
