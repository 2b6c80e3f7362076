import { describe, expect, it } from 'vitest'
import { sayDecisionAction } from './decisions.ts'
import { saySessionAction } from './session-actions.ts'
import { saySessionState } from './session-states.ts'

describe('what is said of a session', () => {
  it('one that waits for a person is not working', () => {
    expect(saySessionState('waiting', 'en')).toBe('waiting for approval')
    expect(saySessionState('waiting', 'zh')).toBe('等待审批')
    expect(saySessionState('running', 'en')).toBe('working')
  })

  it('tells stopping, closing and ending apart, and whether each can be undone', () => {
    for (const [locale, back] of [
      ['en', /next message/],
      ['zh', /下一条消息/],
    ] as const) {
      const said = (['stop', 'close', 'end'] as const).map((action) => saySessionAction(action, locale))
      expect(new Set(said.map(({ label }) => label)).size).toBe(3)
      expect(said.map(({ about }) => back.test(about))).toEqual([true, true, false])
    }
    expect(saySessionAction('end', 'en').about).toContain("can't be undone")
    expect(saySessionAction('end', 'zh').about).toContain('无法恢复')
  })

  it('a decision that ends the session is called as its end is elsewhere', () => {
    for (const locale of ['en', 'zh'] as const)
      expect(sayDecisionAction('terminate', locale)).toBe(saySessionAction('end', locale).label)
  })
})
