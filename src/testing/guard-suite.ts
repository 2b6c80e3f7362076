/**
 * The guard's contract (`guard/contract.ts`) as tests. The gateway passes them in its own process, and the client over HTTP. Hand in
 * the `describe`, `it` and `expect` of your runner and a function that opens a guard with a policy that allows `read_*`, denies
 * `*_delete` and asks about the rest.
 */

import { createGuardSuite, type GuardUnderTest } from './guard/guard-test.ts'
import { describeGuarding } from './guard/guarding.ts'
import { describeHolding } from './guard/holding.ts'
import { describeJoining } from './guard/joining.ts'
import { describeJudging } from './guard/judging.ts'
import { describeRemembering } from './guard/remembering.ts'
import { describeSuccessors } from './guard/successors.ts'
import type { Runner } from './runner.ts'

export function describeGuard(runner: Runner, name: string, open: () => Promise<GuardUnderTest>): void {
  runner.describe(`the guard's contract: ${name}`, () => {
    const suite = createGuardSuite(runner, open)
    describeJudging(suite)
    describeGuarding(suite)
    describeHolding(suite)
    describeRemembering(suite)
    describeSuccessors(suite)
    describeJoining(suite)
  })
}

export type { GuardUnderTest } from './guard/guard-test.ts'
