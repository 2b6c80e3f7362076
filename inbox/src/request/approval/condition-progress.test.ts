import { describe, expect, it } from 'vitest'
import type { Vote, WireView } from '../../../../src/client/index.ts'
import { alikeConditions, conditionProgressOf, hardestCondition } from './condition-progress.ts'

const vote = (by: string, digest = 'd'): Vote => ({ by, digest, at: '2026-01-01T00:00:00Z', via: 'inbox' })

function view(votes: Vote[], eligible: WireView['eligible']): Pick<WireView, 'request' | 'eligible'> {
  const approvers = [
    { rule: 'deploys', approvers: ['group:sre'], quorum: 2 },
    { rule: 'money', approvers: ['ana'], quorum: 1 },
  ]
  return { request: { digest: 'd', votes, approvers } as unknown as WireView['request'], eligible }
}

describe('conditions', () => {
  const eligible = { deploys: ['ana', 'ben', 'cy'], money: ['ana'] }

  it('counts a vote for the rules whose approver the voter is', () => {
    expect(conditionProgressOf(view([vote('ben')], eligible))).toEqual([
      { rule: 'deploys', approvers: ['group:sre'], needed: 2, given: ['ben'], open: ['ana', 'cy'] },
      { rule: 'money', approvers: ['ana'], needed: 1, given: [], open: ['ana'] },
    ])
  })

  it('P3: a vote for what was shown before an edit does not count', () => {
    expect(conditionProgressOf(view([vote('ben', 'before')], eligible))[0]?.given).toEqual([])
  })

  it('says nothing of who could still where it was not told', () => {
    expect(conditionProgressOf(view([vote('ben')], {}))[0]).not.toHaveProperty('open')
  })

  it('puts together the rules that want the same of the same people, and no others', () => {
    const one = { rule: 'a', approvers: ['owner'], needed: 1, given: [] }
    const groups = alikeConditions([one, { ...one, rule: 'b' }, { ...one, rule: 'c', needed: 2 }])
    expect(groups.map((group) => group.map(({ rule }) => rule))).toEqual([['a', 'b'], ['c']])
  })

  it('tells of the condition that lacks most, and of none where one person is enough', () => {
    expect(hardestCondition(conditionProgressOf(view([vote('ben')], eligible)))?.rule).toBe('deploys')
    expect(hardestCondition([{ rule: 'r', approvers: [], needed: 1, given: [] }])).toBeUndefined()
  })
})
