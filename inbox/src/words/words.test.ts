import { describe, expect, it } from 'vitest'
import { inboxWordsIn, languageFor, wordFor } from './words.ts'

describe('words', () => {
  it("speaks the first of the reader's languages that it has", () => {
    expect(languageFor(['zh-Hans-CN', 'en'])).toBe('zh')
    expect(languageFor(['de-DE', 'en-GB', 'zh'])).toBe('en')
    expect(languageFor(['de'])).toBe('en')
    expect(languageFor([])).toBe('en')
  })

  it('names what a newer server has no word for here as it is', () => {
    const table: Record<string, string> = { pending: 'waiting' }
    expect(wordFor(table, 'toString' as string)).toBe('toString')
    expect(inboxWordsIn('en').failure('__proto__')).toBeUndefined()
  })

  it.each(['en', 'zh'] as const)(
    'tells the time left in %s without ever saying less than there is',
    (language) => {
      const { timeLeft } = inboxWordsIn(language)
      expect(timeLeft(1)).toContain('1')
      expect(timeLeft(59_001)).toMatch(/1.*00/)
      expect(timeLeft(61_000)).toMatch(/1.*01/)
      expect(timeLeft(3_600_000)).toMatch(/1.*0/)
      expect(timeLeft(72 * 3_600_000)).toContain('3')
    },
  )
})
