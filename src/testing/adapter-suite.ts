/**
 * What every adapter for an agent framework must do, as tests, with the real framework behind a driver. Hand in the `describe`, `it`
 * and `expect` of your runner, the driver, and a function that opens a guard with a policy that allows `read_*`, denies `*_delete`
 * and asks about the rest.
 */
import { type AdapterDriver, createAdapterSuite } from './adapter/adapter-test.ts'
import { describeArguing } from './adapter/arguing.ts'
import { describeDeciding } from './adapter/deciding.ts'
import { describeIdentifying } from './adapter/identifying.ts'
import { describePausing } from './adapter/pausing.ts'
import { describeWaiting } from './adapter/waiting.ts'
import type { GuardUnderTest } from './guard/guard-test.ts'
import type { Runner } from './runner.ts'

export function describeAdapter(
  runner: Runner,
  name: string,
  driver: AdapterDriver,
  open: () => Promise<GuardUnderTest>,
): void {
  runner.describe(`an adapter: ${name}`, () => {
    const suite = createAdapterSuite(runner, driver, open)
    describeDeciding(suite)
    describeArguing(suite)
    describePausing(suite)
    describeIdentifying(suite)
    describeWaiting(suite)
  })
}

export type {
  Ability,
  AdapterDriver,
  AgentRun,
  Scenario,
  ScriptedCall,
  ScriptedTool,
  Told,
  Turn,
} from './adapter/adapter-test.ts'
