/** `banksman/testing`: contract suites and stand-ins, for those who write a store, or an agent, of their own. */

// What every adapter for an agent framework must do
export {
  type AdapterDriver,
  type AgentRun,
  describeAdapter,
  type Scenario,
  type ScriptedCall,
  type ScriptedTool,
  type Told,
  type Turn,
} from './adapter-suite.ts'
// Time that moves only when it is told to
export { createFakeClock, type FakeClock } from './fake-clock.ts'
// The guard's contract
export { describeGuard, type GuardUnderTest } from './guard-suite.ts'
// A server of a model that follows a script
export type { Misbehaviour, WireHabits } from './model-server/misbehaviour.ts'
export {
  type ModelServer,
  type ModelServerOptions,
  type RecordedRequest,
  startModelServer,
} from './model-server/model-server.ts'
export type { Expectation, Runner } from './runner.ts'
// The store's contract
export { describeStore, type StoreSuiteOptions, type StoreUnderTest } from './store-suite.ts'
