import { describe, expect, it } from 'vitest'
import type { Directory } from '../../core/authority.ts'
import { checkPolicyBlock } from '../language/policy-block.ts'
import { peopleWarnings } from './people-warnings.ts'

const directory: Directory = {
  owner: 'ana',
  people: new Map([
    ['ana', { groups: ['sre'] }],
    ['ben', { groups: ['sre', 'approvers'] }],
    ['cleo', { groups: [] }],
  ]),
}
const told = (terms: object, known = directory) => {
  const rules = [{ name: 'r', when: { tool: 'x' }, then: 'ask', ...terms }]
  return peopleWarnings(checkPolicyBlock({ rules }).rules, known)
}

describe('people of a policy', () => {
  it.each<[terms: object, pointer: string, why: string]>([
    [{ approvers: ['bne'] }, '/rules/0/approvers/0', 'there is no person "bne" under people:'],
    [{ approvers: ['bne'] }, '/rules/0/approvers/0', 'did you mean "ben"?'],
    [{ approvers: ['ana', 'ownr'] }, '/rules/0/approvers/1', 'did you mean "owner"?'],
    [{ approvers: ['ana', 'group:sree'] }, '/rules/0/approvers/1', 'the group "sree" has no members'],
    [{ approvers: ['ana', 'group:sree'] }, '/rules/0/approvers/1', 'did you mean "sre"?'],
    [{ approvers: ['ana', 'sre'] }, '/rules/0/approvers/1', '"sre" is a group: write group:sre'],
    [{ approvers: ['group:cleo'] }, '/rules/0/approvers/0', '"cleo" is a person and no group: write cleo'],
    [
      { approvers: ['group:nobody'] },
      '/rules/0/approvers',
      'nobody may approve, so nothing it asks about can run',
    ],
    [
      { approvers: ['group:sre'], quorum: 3 },
      '/rules/0/quorum',
      "quorum 3 can't be met: only 2 people may approve: ana, ben",
    ],
    [{ approvers: ['cleo', 'cleo'], quorum: 2 }, '/rules/0/quorum', 'only one person may approve: cleo'],
    [
      { approvers: ['owner', 'ana'], quorum: 2 },
      '/rules/0/quorum',
      'except in a session that somebody else started: only one person may approve: ana (owner)',
    ],
    [{ approvers: ['owner', 'ana'], quorum: 3 }, '/rules/0/quorum', "quorum 3 can't be met: only one"],
    [{ quorum: 4 }, '/rules/0/quorum', "quorum 4 can't be met"],
  ])('tells of %j', (terms, pointer, why) => {
    expect(told(terms)).toContainEqual(
      expect.objectContaining({ pointer, message: expect.stringContaining(why) }),
    )
  })

  it.each([
    [{}],
    [{ quorum: 2 }],
    [{ approvers: ['group:sre'], quorum: 2 }],
    [{ approvers: ['owner', 'cleo'], quorum: 2 }],
    [{ approvers: ['ana'] }],
  ])('has nothing to say of %j', (terms) => {
    expect(told(terms)).toEqual([])
  })

  it('tells of a group of a person that is probably misspelt', () => {
    const people = new Map([['ben', { groups: ['approver', 'guests'] }]])
    expect(told({}, { owner: 'ana', people })).toMatchObject([
      {
        pointer: '/people/ben/groups/0',
        message: 'no rule names the group "approver" of ben; did you mean "approvers"?',
      },
    ])
  })

  it('an owner who stands in no list is a person all the same', () => {
    const alone = { owner: 'ana', people: new Map() }
    expect(told({ approvers: ['ana'] }, alone)).toEqual([])
    expect(told({}, alone)).toEqual([])
  })
})
