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
    for (const rule of [
      { ask: ['mcp__t__resources/read'] },
      { ask: [{ tool: 'mcp__t__resources/read', name: 'mode: default' }] },
    ]) {
      let policy: ReturnType<typeof compilePolicy>
      try {
        policy = compilePolicy(rule)
      } catch {
        continue
      }
      const verdict = policy.evaluate({ tool: 'mcp__t__resources/read', arguments: {} } as never)
      expect(allowUnruled('t', verdict).kind).toBe('ask')
    }
  })
})
