import { describe, expect, it } from 'vitest'
import { sayApprovedBefore, sayDeciders } from './deciders.ts'

const votes = [{ by: 'ana' }, { by: 'ben\u202e' }]

describe('who decided, in words', () => {
  it('P9: names every vote, and hides nothing in a name', () => {
    const approved = { votes, decision: { kind: 'approve', by: 'ben\u202e' } } as const
    expect(sayDeciders(approved, 'en')).toBe('ana and ben⟨U+202E RLO⟩')
    expect(sayDeciders(approved, 'zh')).toBe('ana、ben⟨U+202E RLO⟩')
    expect(sayApprovedBefore(approved, 'en')).toBeUndefined()
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
