/**
 * The engine's contract (`agents/sessions/engine.ts`) as tests: one process and several, with calls, messages, stops, kills, take-over
 * and a lost lease. Hand in the `describe`, `it` and `expect` of your runner, a function that makes an engine whose model follows a
 * script, and one that opens gateways on one store.
 */
import { createEngineSuite, type EngineUnderTest } from './engine/engine-test.ts'
import { describeNodes } from './engine/nodes.ts'
import { describeTurns } from './engine/turns.ts'
import type { Runner } from './runner.ts'

export function describeEngine(runner: Runner, name: string, under: EngineUnderTest): void {
  runner.describe(`the engine's contract: ${name}`, () => {
    const suite = createEngineSuite(runner, under)
    describeTurns(suite)
    describeNodes(suite)
  })
}

export type {
  EngineAnswer,
  EngineNode,
  EngineScript,
  EngineStore,
  EngineUnderTest,
} from './engine/engine-test.ts'
