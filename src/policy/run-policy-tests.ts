/** Runs the `tests:` of a policy: calls with the verdict that they must get. Paths are judged as if there were no links. */

import { defined } from '../core/defined.ts'
import type { PolicyTest } from './language/language.ts'
import { checkPolicyBlock } from './language/policy-block.ts'
import type { Policy } from './policy.ts'
import { lexicalFacts } from './subject/lexical-facts.ts'

export interface TestResult {
  /** Where the test stands in the block. */
  pointer: string
  passed: boolean
  tool: string
  expected: { verdict: string; rule?: string }
  found: { verdict: string; rule?: string; because: string }
}

export function runPolicyTests(
  policy: Policy,
  block: unknown,
  places: { roots: readonly string[]; home?: string | undefined },
): TestResult[] {
  const [root] = places.roots
  return checkPolicyBlock(block).tests.map((test, index) => {
    const cwd = test.call.cwd ?? root
    const call = { arguments: {}, ...test.call, ...defined({ cwd }) }
    const at = test.at === undefined ? undefined : Date.parse(test.at)
    const facts = lexicalFacts(policy, call, { home: places.home, at })
    const verdict = policy.evaluate(call, facts, test.mode === undefined ? {} : { mode: test.mode })
    const rules =
      verdict.kind === 'ask' ? verdict.terms.conditions.map(({ rule }) => rule) : [verdict.rule ?? '']
    return {
      pointer: `/tests/${index}`,
      passed: verdict.kind === test.verdict && (test.rule === undefined || rules.includes(test.rule)),
      tool: test.call.tool,
      expected: expectedOf(test),
      found: {
        verdict: verdict.kind,
        because: verdict.because,
        ...defined({ rule: verdict.rule }),
      },
    }
  })
}

function expectedOf(test: PolicyTest): TestResult['expected'] {
  return { verdict: test.verdict, ...defined({ rule: test.rule }) }
}
