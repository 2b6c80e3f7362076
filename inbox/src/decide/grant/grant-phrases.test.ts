import { describe, expect, it } from 'vitest'
import type { GrantScope } from '../../../../src/client/index.ts'
import { DECIDE_WORDS } from '../words/words.ts'
import { chooseGrantSpan, GRANT_ONCE, type GrantSpan } from './grant-draft.ts'
import { approveButtonText, grantLeftText, grantSpanText } from './grant-phrases.ts'

const ALL: GrantScope[] = ['once', 'session', 'always']
const { grant: english } = DECIDE_WORDS.en
const { grant: chinese } = DECIDE_WORDS.zh

describe('what the button says of a grant', () => {
  it.each<[GrantSpan, string, string]>([
    ['hour', 'Approve, and allow for an hour in this session', '批准，并在本次会话中允许 1 小时'],
    ['times', 'Approve, and allow 5 more times in this session', '批准，并在本次会话中再允许 5 次'],
    ['session', 'Approve, and allow in this session', '批准，并在本次会话中允许'],
    ['always', 'Approve, and always allow', '批准，并始终允许'],
  ])('%s', (span, en, zh) => {
    const choice = chooseGrantSpan(span, ALL)
    expect(approveButtonText(english, choice)).toBe(en)
    expect(approveButtonText(chinese, choice)).toBe(zh)
  })

  it('names the bounds that somebody gave, and the calls', () => {
    const choice = {
      ...chooseGrantSpan('always', ALL),
      expiresIn: '8h',
      uses: '1',
      what: '`git push *`',
    } as const
    expect(approveButtonText(english, choice)).toBe(
      'Approve, and allow one more time for 8 hours in every session',
    )
    expect(grantLeftText(english, choice)).toBe('`git push *`, one more time for 8 hours in every session')
    expect(grantLeftText(english, { ...choice, what: '' })).toContain('exactly this call')
    expect(grantSpanText(english, 'hour', { ...chooseGrantSpan('hour', ALL), expiresIn: '7d' })).toBe(
      'for a week',
    )
    expect(grantSpanText(english, 'once', GRANT_ONCE)).toBe('just once')
  })
})
