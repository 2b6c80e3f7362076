import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { APPROVAL_DECISIONS } from '../../core/decision.ts'
import { told } from '../../core/reasons/english.ts'
import type { AskVerdict, Verdict } from '../../core/verdict.ts'
import { strictest, strictness } from './strictest.ts'

const condition = fc.record(
  {
    rule: fc.constantFrom('a', 'b', 'c'),
    quorum: fc.integer({ min: 1, max: 2 }),
    approvers: fc.array(fc.constantFrom('ana', 'ben'), { maxLength: 2 }),
  },
  { requiredKeys: ['rule', 'quorum'] },
)
const terms = fc.record(
  {
    conditions: fc.array(condition, { minLength: 1, maxLength: 3 }),
    allowedDecisions: fc.subarray([...APPROVAL_DECISIONS]),
    scopes: fc.subarray(['once', 'session', 'always'] as const),
    severity: fc.constantFrom('low', 'normal', 'high', 'critical'),
    expiresInMs: fc.integer({ min: 1, max: 1000 }),
    chats: fc.uniqueArray(fc.constantFrom('telegram:1', 'telegram:2'), { minLength: 1 }),
  },
  { requiredKeys: ['conditions', 'allowedDecisions', 'scopes', 'severity'] },
)
const verdict = fc.oneof(
  fc.constant({ kind: 'allow', because: 'x' }),
  fc.constant({ kind: 'deny', because: 'y' }),
  fc.record({ kind: fc.constant('ask'), because: fc.constantFrom('p', 'q'), terms }),
) as fc.Arbitrary<Verdict>

describe('strictest', () => {
  it('property: P5: is never laxer than any of them', () => {
    fc.assert(
      fc.property(fc.array(verdict, { minLength: 1, maxLength: 4 }), (all) => {
        const [first, ...others] = all
        const result = strictest(first as Verdict, ...others)
        expect(strictness(result)).toBe(Math.max(...all.map(strictness)))
      }),
    )
  })

  it('property: when several ask, all of them hold', () => {
    fc.assert(
      fc.property(terms, terms, (a, b) => {
        const result = strictest(ask(a), ask(b)) as AskVerdict
        const held = result.terms
        expect(new Set(held.chats)).toEqual(new Set([...(a.chats ?? []), ...(b.chats ?? [])]))
        expect(held.conditions).toEqual(expect.arrayContaining([...a.conditions, ...b.conditions]))
        for (const one of held.conditions) expect([...a.conditions, ...b.conditions]).toContainEqual(one)
        for (const decision of APPROVAL_DECISIONS) {
          expect(held.allowedDecisions.includes(decision)).toBe(
            a.allowedDecisions.includes(decision) && b.allowedDecisions.includes(decision),
          )
        }
        for (const scope of ['once', 'session', 'always'] as const) {
          expect(held.scopes.includes(scope)).toBe(a.scopes.includes(scope) && b.scopes.includes(scope))
        }
        const order = ['low', 'normal', 'high', 'critical']
        expect(order.indexOf(held.severity)).toBe(
          Math.max(order.indexOf(a.severity), order.indexOf(b.severity)),
        )
        const limits = [a.expiresInMs, b.expiresInMs].filter((limit) => limit !== undefined)
        expect(held.expiresInMs).toBe(limits.length === 0 ? undefined : Math.min(...limits))
      }),
    )
  })

  it('names a rule that both have once, and gives both reasons', () => {
    const one = {
      conditions: [{ rule: 'a', quorum: 1 }],
      allowedDecisions: [],
      scopes: [],
      severity: 'low',
    } as const
    const result = strictest(ask(one as never, 'first'), ask(one as never, 'second')) as AskVerdict
    expect(result.terms.conditions).toEqual([{ rule: 'a', quorum: 1 }])
    expect(result.because).toBe('first; second')
    const why = (because: string) => ({
      ...ask(one as never),
      ...told({ code: 'written', values: { words: because } }),
    })
    expect(strictest(why('same'), why('same'))).toMatchObject(why('same'))
    expect(strictest(why('first.'), why('second.')).because).toBe('first. second.')
  })
})

function ask(given: AskVerdict['terms'], because = 'x'): AskVerdict {
  return { kind: 'ask', because, terms: given }
}
