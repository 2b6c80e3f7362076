import { describe, expect, it } from 'vitest'
import { sayApprovedBefore, sayDeciders, sayNames } from './deciders.ts'

const votes = [{ by: 'ana' }, { by: 'ben\u202e' }]

describe('who decided, in words', () => {
  it('P9: names every vote, and hides nothing in a name', () => {
    const approved = { votes, decision: { kind: 'approve', by: 'ben\u202e' } } as const
    expect(sayDeciders(approved, 'en')).toBe('ana and ben⟨U+202E RLO⟩')
    expect(sayDeciders(approved, 'zh')).toBe('ana 和 ben⟨U+202E RLO⟩')
    expect(sayApprovedBefore(approved, 'en')).toBeUndefined()
  })

  it('sets letters apart from Chinese characters, and Chinese names not', () => {
    expect(sayNames(['您', 'ben'], 'zh')).toBe('您和 ben')
    expect(sayNames(['小李', '小王'], 'zh')).toBe('小李和小王')
    expect(sayNames(['ana', '小王', 'ben'], 'zh')).toBe('ana、小王和 ben')
    expect(sayNames(['ana'], 'zh')).toBe('ana')
    expect(sayNames([], 'zh')).toBe('')
  })

  it('says of what is pending, and of what came to nothing, who approved it', () => {
    const [ana] = votes
    const rejected = { votes: [ana!], decision: { kind: 'reject', by: 'ben' } } as const
    expect(sayDeciders(rejected, 'en')).toBe('ben')
    expect(sayApprovedBefore(rejected, 'en')).toBe('ana had approved it')
    expect(sayApprovedBefore(rejected, 'zh')).toBe('ana 此前已批准')
    expect(sayApprovedBefore({ votes: [ana!], state: 'expired' }, 'en')).toBe('ana had approved it')
    expect(sayApprovedBefore({ votes: [ana!], state: 'pending' }, 'en')).toBe('approved so far by ana')
    expect(sayApprovedBefore({ votes: [ana!], state: 'pending' }, 'zh')).toBe('ana 已批准')
    expect(sayDeciders({ votes: [] }, 'en')).toBeUndefined()
  })
})
