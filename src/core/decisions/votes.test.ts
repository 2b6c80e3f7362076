import { describe, expect, it } from 'vitest'
import type { DecisionKind } from '../decision.ts'
import { sayInEnglish } from '../reasons/english.ts'
import { alreadyDecided, approvedBefore, decidersOf } from './votes.ts'

const request = (kind: DecisionKind | undefined, by: string, ...voters: string[]) => ({
  ...(kind === undefined ? {} : { decision: { kind, by } }),
  votes: voters.map((voter) => ({ by: voter })),
})

describe('who decided', () => {
  it.each([
    ['everybody who approved', request('approve', 'ben', 'ana', 'ben'), ['ana', 'ben'], []],
    ['the editor and who approved the edit', request('edit', 'eve', 'ana', 'eve'), ['ana', 'eve'], []],
    ['the one who rejected, whoever had approved', request('reject', 'ben', 'ana'), ['ben'], ['ana']],
    ['the one who ended the session', request('terminate', 'ben', 'ana', 'eve'), ['ben'], ['ana', 'eve']],
    ['nobody yet', request(undefined, '', 'ana'), [], ['ana']],
    [
      'the one who decided, in a record without votes',
      { decision: request('approve', 'ben').decision },
      ['ben'],
      [],
    ],
  ])('P2: %s', (_, one, deciders, before) => {
    expect(decidersOf(one)).toEqual(deciders)
    expect(approvedBefore(one)).toEqual(before)
  })

  it('who comes too late is told all of them', () => {
    const decided = { votes: ['ana', 'ben', 'eve'].map((by) => ({ by })) }
    expect(sayInEnglish(alreadyDecided({ ...decided, decision: { kind: 'approve', by: 'eve' } }))).toBe(
      'ana, ben and eve have already decided: approve',
    )
    expect(sayInEnglish(alreadyDecided({ ...decided, decision: { kind: 'reject', by: 'kim' } }))).toBe(
      'kim has already decided: reject',
    )
  })
})
