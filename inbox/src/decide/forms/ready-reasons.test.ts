import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DECIDE_WORDS } from '../words/words.ts'
import { lacksItsRest, withReason } from './ready-reasons.ts'

const ready = DECIDE_WORDS.en.reject.reasons

describe('ready-made reasons', () => {
  it('fill the text, and take the place of one another', () => {
    expect(withReason('', 'Not now', ready)).toBe('Not now')
    expect(withReason('Too dangerous', 'Not now', ready)).toBe('Not now')
    expect(withReason('prod is frozen', 'Not now', ready)).toBe('Not now. prod is frozen')
    expect(withReason('Not now. prod is frozen', 'Do it another way: ', ready)).toBe(
      'Do it another way: prod is frozen',
    )
    expect(withReason('先备份', '现在不行', DECIDE_WORDS.zh.reject.reasons)).toBe('现在不行。先备份')
  })

  it.each(['en', 'zh'] as const)(
    'that somebody has to finish say nothing without the rest (%s)',
    (language) => {
      const { reasons } = DECIDE_WORDS[language].reject
      const unfinished = reasons.filter((each) => lacksItsRest(each, reasons))
      expect(unfinished).toEqual(reasons.filter((each) => /[:：]\s*$/.test(each)))
      expect(unfinished).toHaveLength(1)
      expect(lacksItsRest(`${unfinished[0]}  \n`, reasons)).toBe(true)
      expect(lacksItsRest(`${unfinished[0]}use the test server`, reasons)).toBe(false)
      expect(lacksItsRest('', reasons)).toBe(false)
    },
  )

  it('property: never lose what somebody wrote', () => {
    const presses = fc.array(fc.constantFrom(...ready), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{3,20}$/), presses, (own, pressed) => {
        const text = pressed.reduce((now, each) => withReason(now, each, ready), own)
        expect(text.endsWith(own)).toBe(true)
        expect(text.startsWith(pressed.at(-1)!)).toBe(true)
      }),
    )
  })
})
