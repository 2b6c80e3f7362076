import { describe, expect, it } from 'vitest'
import { sayOutcomeSource } from './outcomes.ts'

const ofChat = { agent: { name: 'coder' }, submittedBy: 'owner', outcome: { by: 'owner' } } as const

describe('whose word an outcome is', () => {
  it('names the agent that ran the call, and not the person it works for', () => {
    expect(sayOutcomeSource(ofChat, 'en')).toBe('run by agent coder')
    expect(sayOutcomeSource(ofChat, 'zh')).toBe('由智能体 coder 执行')
  })

  it('names the credential of an agent that says no name', () => {
    const { agent: _, ...unnamed } = ofChat
    const ran = { ...unnamed, submittedBy: 'agent-1', outcome: { by: 'agent-1' } }
    expect(sayOutcomeSource(ran, 'en')).toBe('run by agent-1')
  })

  it('P5: names the person who says what became of a call whose runner stopped responding', () => {
    expect(sayOutcomeSource({ ...ofChat, outcome: { by: 'owner', settled: true } }, 'en')).toBe(
      'reported by owner',
    )
    expect(sayOutcomeSource({ ...ofChat, outcome: { by: 'ana' } }, 'zh')).toBe('由 ana 报告')
  })

  it('P9: shows what a name hides', () => {
    expect(sayOutcomeSource({ ...ofChat, agent: { name: 'a\u202eb' } }, 'en')).toContain('⟨U+202E')
  })
})
