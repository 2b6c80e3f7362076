import { describe, expect, it } from 'vitest'
import { HEALTH_WORDS } from './words.ts'

describe('figures in words', () => {
  it('times are said as people say them', () => {
    const { duration } = HEALTH_WORDS.en
    expect(
      [0, 400, 1000, 5000, 45_000, 60_000, 300_000, 3_600_000, 86_400_000, 3 * 86_400_000].map(duration),
    ).toEqual(['0 s', '0.4 s', '1 s', '5 s', '45 s', '1 min', '5 min', '1 h', '1 day', '3 days'])
    expect(HEALTH_WORDS.zh.duration(45_000)).toBe('45 秒')
  })

  it('a scale has its unit', () => {
    expect(HEALTH_WORDS.en.perDay.scale(1200)).toBe('0 to 1,200 a day')
    expect(HEALTH_WORDS.zh.perDay.scale(12)).toBe('每天 0 至 12 次')
    expect(HEALTH_WORDS.en.perDay.scale(0)).toBe('none')
  })

  it('a little is never said to be nothing, and most never to be all', () => {
    const { percent } = HEALTH_WORDS.en
    expect([0, 0.001, 0.5, 0.999, 1].map(percent)).toEqual(['0%', '<1%', '50%', '>99%', '100%'])
  })
})
