/** What is to be said of a policy that can be read: warnings with their places in the file, and its own tests. */
import { homedir } from 'node:os'
import type { Directory } from '../../core/authority.ts'
import { peopleWarnings } from '../../policy/compile/people-warnings.ts'
import { checkPolicyBlock } from '../../policy/language/policy-block.ts'
import type { Policy, PolicyWarning } from '../../policy/policy.ts'
import { runPolicyTests, type TestResult } from '../../policy/run-policy-tests.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { proxyWarnings } from '../configuration/proxy-configuration.ts'

export interface CheckedPolicy {
  warnings: PlacedWarning[]
  tests: TestResult[]
}

export type PlacedWarning = PolicyWarning & { line?: number; column?: number }

/**
 * @param policy Compiled from the configuration's block.
 * @param directory Who is who. Without one, the people whom the configuration names: who holds a token is not known then.
 */
export function checkPolicy(
  configuration: Configuration,
  policy: Policy,
  directory: Directory = configuration,
): CheckedPolicy {
  const { roots, policyBlock } = configuration
  return {
    warnings: configurationWarnings(configuration, policy, directory)
      .map((warning): PlacedWarning => {
        const place = configuration.locate(warning.pointer)
        return place === undefined ? warning : { ...warning, line: place.line, column: place.column }
      })
      .toSorted(byPlace),
    tests: runPolicyTests(policy, policyBlock, { roots, home: homedir() }),
  }
}

function byPlace(one: PlacedWarning, other: PlacedWarning): number {
  return (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0)
}

function configurationWarnings(
  { policyNotes, policyBlock, proxy }: Configuration,
  policy: Policy,
  directory: Directory,
): PolicyWarning[] {
  const { rules } = checkPolicyBlock(policyBlock)
  return [...policyNotes, ...policy.warnings, ...peopleWarnings(rules, directory), ...proxyWarnings(proxy)]
}
