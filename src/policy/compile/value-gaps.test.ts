import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePolicy, type PolicyBlock } from '../index.ts'
import type { ArgumentCondition, RuleBlock } from '../language/language.ts'

const gaps = (block: PolicyBlock) =>
  compilePolicy(block).warnings.filter(({ message }) => message.includes('has a gap at'))

const production: RuleBlock = {
  name: 'production',
  when: { tool: 'deploy', arguments: { '/environment': { equals: 'Production' } } },
  then: 'deny',
}
const about = (condition: ArgumentCondition, then: RuleBlock['then'] = 'deny'): PolicyBlock => ({
  allow: then === 'allow' ? [] : ['deploy'],
  rules: [{ name: 'r', when: { tool: 'deploy', arguments: { '/environment': condition } }, then }],
})

describe('values that get by a rule', () => {
  it('P5: another case of a denied value, and a call that leaves it out, are told with what becomes of them', () => {
    expect(gaps({ mode: 'bypass', rules: [production] })).toMatchObject([
      {
        pointer: '/rules/0/when/arguments/~1environment',
        message:
          'rule "production" has a gap at /environment: a call with "production", "PRODUCTION", or without it, is allowed. Name the harmless values instead, as in { not: { oneOf: […] } }: that also matches every other spelling, and calls without it',
      },
    ])
    expect(gaps({ rules: [production] })[0]?.message).toContain('is not denied')
    expect(gaps({ mode: 'dontAsk', rules: [production] })).toEqual([])
  })

  it('a call that asks other people than the rule names is a gap; one that asks the same is none', () => {
    const asking = { ...production, then: 'ask' as const }
    expect(gaps({ rules: [asking] })).toEqual([])
    expect(gaps({ rules: [{ ...asking, approvers: ['ana'] }] })[0]?.message).toContain(
      "doesn't need these approvers",
    )
    expect(gaps({ rules: [{ ...asking, quorum: 2 }] })).toHaveLength(1)
    const others = {
      name: 'others',
      when: { tool: 'deploy', arguments: { '/environment': { not: { equals: 'Production' } } } },
      then: 'ask' as const,
    }
    expect(
      gaps({
        rules: [
          { ...asking, quorum: 2 },
          { ...others, quorum: 2 },
        ],
      }),
    ).toEqual([])
  })

  it.each<[ArgumentCondition, RuleBlock['then']?]>([
    [{ equals: 'Production' }],
    [{ oneOf: ['prod', 'production'] }],
    [{ glob: 'prod*' }],
    [{ regex: '^(prod|production)$' }],
    [{ all: [{ equals: 'production' }] }],
    [{ any: [{ equals: 'production' }, { exists: false }] }],
    [{ any: [{ oneOf: ['production', 'Production', 'PRODUCTION'] }] }],
    [{ gt: 1000 }],
    [{ equals: false }],
    [{ not: { equals: 'production' } }, 'allow'],
  ])('finds the gap of %j', (condition, then) => {
    expect(gaps(about(condition, then))).toHaveLength(1)
  })

  it.each<[ArgumentCondition, RuleBlock['then']?]>([
    [{ not: { oneOf: ['staging', 'preview'] } }],
    [{ any: [{ regex: '(?i)^production$' }, { exists: false }, { equals: null }] }],
    [{ equals: true }],
    [{ oneOf: ['staging'] }, 'allow'],
    [{ exists: true }],
  ])('says nothing of %j', (condition, then) => {
    expect(gaps(about(condition, then))).toEqual([])
  })

  it('looks into all, any and not, and makes up what else the rule wants', () => {
    const rules: RuleBlock[] = [
      {
        name: 'r',
        when: {
          all: [{ tool: 'db_*' }, { session: 'ops-*' }, { agent: 'runner', subAgent: true }],
          any: [{ arguments: { '/query/kind': { equals: 'drop' }, '/sure': { equals: true } } }],
        },
        then: 'deny',
      },
    ]
    expect(gaps({ mode: 'bypass', rules })).toMatchObject([
      { pointer: '/rules/0/when/any/0/arguments/~1query~1kind', message: expect.stringContaining('"DROP"') },
    ])
  })

  it('property: what it says nothing of does not get by: every spelling of a denied value is denied or has been told', () => {
    const word = fc.stringMatching(/^[a-zA-Z]{1,6}$/)
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        (values, isHarmless) => {
          const condition: ArgumentCondition = isHarmless ? { not: { oneOf: values } } : { oneOf: values }
          const block = about(condition)
          const policy = compilePolicy(block)
          const verdict = (args: object) =>
            policy.evaluate({ tool: 'deploy', arguments: args as Record<string, string> }).kind
          const named = values.flatMap((value) => [value.toLowerCase(), value.toUpperCase()])
          const tried = isHarmless ? named.filter((value) => !values.includes(value)) : named
          const escaped = [...tried.map((environment) => ({ environment })), {}].some(
            (args) => verdict(args) !== 'deny',
          )
          expect(gaps(block).length > 0).toBe(escaped)
        },
      ),
      { numRuns: 100 },
    )
  })
})
