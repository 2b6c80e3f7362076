/** The policies that the page on the policy shows are in order, and their own tests pass. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { compilePolicy } from '../../src/policy/index.ts'
import { runPolicyTests } from '../../src/policy/run-policy-tests.ts'
import { ROOT } from '../architecture/source-files.ts'

const page = readFileSync(join(ROOT, 'docs/reference/policy.md'), 'utf8')
const examples = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text)

describe('docs/reference/policy.md', () => {
  it.each(examples)('its example passes its own tests: %#', (text) => {
    const { policy: block, tools } = parse(text) as { policy: { tests?: unknown[] }; tools?: unknown }
    const places = { roots: ['/space'], home: '/home/ana' }
    const results = runPolicyTests(compilePolicy(block, { ...places, tools }), block, places)
    expect(results.length).toBeGreaterThan(0)
    expect(results.filter(({ passed }) => !passed)).toEqual([])
  })

  it('shows "ask before any network access" as one rule', () => {
    const shown = examples.map(
      (text) => parse(text) as { policy: { rules?: { when: unknown; then: string }[] } },
    )
    const rules = shown.flatMap(({ policy }) => policy.rules ?? [])
    expect(rules).toContainEqual({ name: 'network', when: { kind: 'network' }, then: 'ask' })
  })
})
