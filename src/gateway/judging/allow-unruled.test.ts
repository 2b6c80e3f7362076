import { describe, expect, it } from 'vitest'
import { compilePolicy } from '../../policy/index.ts'
import { ask } from '../fixtures/test-gateway.ts'
import { allowUnruled } from './allow-unruled.ts'

describe('allowUnruled', () => {
  it('allows what only the mode would ask about', () => {
    expect(allowUnruled('t', ask('mode: default'))).toMatchObject({
      kind: 'allow',
      rule: 'mcp: unless ruled',
    })
  })

  it('P5: leaves a deny, an allow and every rule that asks as they are', () => {
    const deny = { kind: 'deny' as const, because: 'no', rule: 'x' }
    expect(allowUnruled('t', deny)).toBe(deny)
    const asking = ask('ask: "mcp__*"')
    expect(allowUnruled('t', asking)).toBe(asking)
    const both = ask('mode: default')
    both.terms.conditions.push({ rule: 'a rule', quorum: 1 })
    expect(allowUnruled('t', both)).toBe(both)
  })

  it('P5: no rule of a policy can be mistaken for the mode', () => {
    const tool = 'mcp__t__resources/read'
    const named = (name: string) => ({ rules: [{ name, when: { tool }, then: 'ask' as const }] })
    for (const policy of [
      { ask: [tool] },
      { ask: ['mcp__*'] },
      named('reading'),
      named('the mode: default'),
    ]) {
      const verdict = compilePolicy(policy).evaluate({ tool, arguments: {} } as never)
      expect(verdict.kind).toBe('ask')
      expect(allowUnruled('t', verdict)).toBe(verdict)
    }
    // A rule with the mode's own name would be; there can't be one.
    for (const name of ['mode: default', 'mode: ', 'mode: mine'])
      expect(() => compilePolicy(named(name))).toThrow(/can't be named/)
  })
})
