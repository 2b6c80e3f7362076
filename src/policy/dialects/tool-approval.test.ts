import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBanksmanError } from '../../core/errors.ts'
import { importToolApproval } from './tool-approval.ts'

const blockOf = (value: object) => importToolApproval({ enabled: true, ...value }).block
const notesOf = (value: object) =>
  importToolApproval({ enabled: true, allow: ['ask_user_question'], ...value }).notes

describe("LibreChat's toolApproval", () => {
  it('has the same lists and modes', () => {
    expect(
      importToolApproval({
        enabled: true,
        mode: 'bypass',
        deny: ['*_delete'],
        ask: ['send_*'],
        allow: ['read_*', 'ask_user_question'],
        reason: '{tool} needs a person',
      }),
    ).toMatchObject({
      block: {
        mode: 'bypass',
        deny: ['*_delete'],
        ask: ['send_*'],
        allow: ['read_*', 'ask_user_question'],
        reason: '{tool} needs a person',
      },
      notes: [
        { pointer: '/reason', effect: 'changed', about: expect.stringContaining('a denial names the rule') },
      ],
      origins: {
        '/deny/0': '/deny/0',
        '/ask/0': '/ask/0',
        '/allow/0': '/allow/0',
        '/allow/1': '/allow/1',
      },
    })
  })

  it('without anything in it asks about everything', () => {
    expect(blockOf({})).toEqual({})
    expect(blockOf({ mode: null, allow: null, deny: [], ask: undefined, reason: '' })).toEqual({})
  })

  it.each([undefined, false, null, 'true', 1])(
    'P5: enabled: %j ran every tool there, and is not read as "allow everything"',
    (enabled) => {
      const { block, notes } = importToolApproval({ enabled, deny: ['x'] })
      expect(block).toEqual({ deny: ['x'] })
      expect(notes).toContainEqual(expect.objectContaining({ pointer: '/enabled', effect: 'stricter' }))
    },
  )

  it.each(['bypassPermissions', 'DEFAULT', '', 'Bypass', 'plan', 'acceptEdits'])(
    'P5: an unknown mode (%j) asks, there and here',
    (mode) => {
      expect(blockOf({ mode })).toEqual({})
      expect(notesOf({ mode })).toContainEqual(
        expect.objectContaining({ pointer: '/mode', effect: 'changed' }),
      )
    },
  )

  it('under dontAsk what ask names is still asked about, not denied', () => {
    expect(blockOf({ mode: 'dontAsk', ask: ['a', 'b'], allow: ['b', 'c'] })).toEqual({
      mode: 'dontAsk',
      ask: ['a', 'b'],
      allow: ['a', 'b', 'c'],
    })
    expect(notesOf({ mode: 'dontAsk', ask: ['a'] })).toContainEqual(
      expect.objectContaining({ pointer: '/ask', effect: 'changed' }),
    )
  })

  it('P5: a name in parentheses was literal there: it never becomes an allow of commands', () => {
    const { block, notes } = importToolApproval({
      enabled: true,
      allow: ['Bash(git *)', '(a|b)'],
      deny: ['Bash(rm *)'],
      ask: ['mine(x)'],
    })
    expect(block).toEqual({ allow: ['(a|b)'], deny: ['Bash(rm *)'], ask: ['mine(x)'] })
    expect(notes).toContainEqual(expect.objectContaining({ pointer: '/allow/0', effect: 'dropped' }))
    expect(notes).toContainEqual(expect.objectContaining({ pointer: '/deny/0', effect: 'stricter' }))
  })

  it('tells of patterns that fit no tool of an MCP server', () => {
    expect(notesOf({ deny: ['mcp:github:*'] })).toMatchObject([
      { pointer: '/deny/0', effect: 'changed', about: expect.stringContaining('"*_mcp_github"') },
    ])
    expect(notesOf({ deny: ['search_mcp_github', 'mcp:*'] })).toEqual([])
  })

  it('tells what it leaves out: hooks, empty entries, a reason that can not be shown', () => {
    const { block, notes } = importToolApproval({
      enabled: true,
      allow: ['', 'a', 'ask_user_question'],
      reason: '  ',
      hooks: [{ module: './x.js' }],
      required: ['a'],
    })
    expect(block).toEqual({ allow: ['a', 'ask_user_question'] })
    expect(notes.map(({ pointer, effect }) => [pointer, effect])).toEqual([
      ['/required', 'dropped'],
      ['/allow/0', 'dropped'],
      ['/reason', 'dropped'],
      ['/hooks', 'dropped'],
    ])
  })

  it("tells that LibreChat's own question tool was let through", () => {
    const told = (value: object) =>
      importToolApproval({ enabled: true, ...value }).notes.some(({ about }) =>
        about.includes('ask_user_question'),
      )
    expect([{}, { allow: ['read_*'] }].map(told)).toEqual([true, true])
    expect([{ mode: 'bypass' }, { ask: ['ask_user_question'] }, { allow: ['*'] }].map(told)).toEqual([
      false,
      false,
      false,
    ])
  })

  it.each([
    ['a list', []],
    ['nothing', null],
    ['a text', 'x'],
    ['a text in place of a list', { deny: 'a' }],
    ['what looks like a list', { deny: { length: 1 } }],
    ['a number in a list', { allow: [1] }],
    ['a misspelt deny', { denny: ['a'] }],
    ['a misspelt ask', { aks: ['a'] }],
    ['a mode that is no text', { mode: 1 }],
    ['a reason that is no text', { reason: 5 }],
  ])('P5: %s is refused as a whole', (_, value) => {
    const given =
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? { enabled: true, ...value }
        : value
    expect(() => importToolApproval(given)).toThrow(
      expect.objectContaining({
        code: 'invalid_policy',
        details: expect.objectContaining({ pointer: expect.any(String) }),
      }),
    )
  })

  it('P5: whatever it is given, it gives a block or says what is wrong; it never fails otherwise', () => {
    const list = fc.oneof(
      fc.array(fc.oneof(fc.string(), fc.constantFrom('*', 'Bash(x)', 'mcp:a:*'))),
      fc.anything(),
    )
    const given = fc.record(
      {
        enabled: fc.anything(),
        mode: fc.anything(),
        allow: list,
        deny: list,
        ask: list,
        reason: fc.anything(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(given, fc.anything()), (value) => {
        try {
          const { block, notes } = importToolApproval(value)
          expect(block.mode === 'bypass' && (value as { mode?: unknown }).mode !== 'bypass').toBe(false)
          for (const note of notes) expect(note.about.length).toBeGreaterThan(20)
        } catch (error) {
          if (!isBanksmanError(error, 'invalid_policy')) throw error
        }
      }),
    )
  })
})
