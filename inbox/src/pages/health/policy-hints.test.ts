import { describe, expect, it } from 'vitest'
import { isAlwaysApproved, isQuickNotable, oftenExpires, readDays } from './policy-hints.ts'

const rule = { rule: 'shell', asked: 40, approved: 40, rejected: 0, expired: 0, medianMs: 1 }

describe('what the figures suggest', () => {
  it('a rule that was always approved could be relaxed, but one refusal is reason enough for it', () => {
    expect(isAlwaysApproved(rule)).toBe(true)
    expect(isAlwaysApproved({ ...rule, approved: 39, rejected: 1 })).toBe(false)
    expect(isAlwaysApproved({ ...rule, asked: 3, approved: 3 })).toBe(false)
    expect(isAlwaysApproved({ ...rule, asked: 41, expired: 1 })).toBe(true)
    expect(isAlwaysApproved({ ...rule, asked: 100 })).toBe(false)
  })

  it('a rule that nobody answers in time is told apart', () => {
    expect(oftenExpires({ ...rule, expired: 12 })).toBe(true)
    expect(oftenExpires({ ...rule, asked: 2, expired: 2 })).toBe(false)
  })

  it('quick decisions are worth a word only where they are a habit', () => {
    const timeToDecide = { decided: 100, medianMs: 1, p90Ms: 1, buckets: [] }
    expect(isQuickNotable({ quick: { decisions: 2, streaks: [] }, timeToDecide })).toBe(false)
    expect(isQuickNotable({ quick: { decisions: 9, streaks: [] }, timeToDecide })).toBe(true)
    const streaks = [{ by: 'ana', count: 3, from: '', to: '' }]
    expect(isQuickNotable({ quick: { decisions: 3, streaks }, timeToDecide })).toBe(true)
  })

  it('two weeks unless something else is wanted that there is', () => {
    expect([undefined, '7', '15', '90', 'constructor'].map(readDays)).toEqual([14, 7, 14, 90, 14])
  })
})
