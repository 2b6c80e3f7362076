/** What is to be said of a policy that can be read: warnings with their places in the file, and its own tests. */
import { homedir } from 'node:os'
import type { Policy, PolicyWarning } from '../../policy/policy.ts'
import { runPolicyTests, type TestResult } from '../../policy/run-policy-tests.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { proxyWarnings } from '../configuration/proxy-configuration.ts'

export interface CheckedPolicy {
  warnings: PlacedWarning[]
  tests: TestResult[]
}

export type PlacedWarning = PolicyWarning & { line?: number; column?: number }

/** @param policy Compiled from the configuration's block. */
export function checkPolicy(configuration: Configuration, policy: Policy): CheckedPolicy {
  const { roots, policyBlock, policyNotes, proxy } = configuration
  return {
    warnings: [...policyNotes, ...policy.warnings, ...proxyWarnings(proxy)].map((warning) => {
      const place = configuration.locate(warning.pointer)
      return place === undefined ? warning : { ...warning, line: place.line, column: place.column }
    }),
    tests: runPolicyTests(policy, policyBlock, { roots, home: homedir() }),
  }
}
