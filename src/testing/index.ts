/** `banksman/testing`: contract suites, for those who write a store of their own. */

// Time that moves only when it is told to
export { createFakeClock, type FakeClock } from './fake-clock.ts'
export type { Expectation, Runner } from './runner.ts'
// The store's contract
export { describeStore, type StoreSuiteOptions, type StoreUnderTest } from './store-suite.ts'
