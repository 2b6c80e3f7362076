import { defineConfig } from 'vitest/config'

// Two cores is what the smallest supported machine has. Suites that start browsers or servers, or that time
// out under contention, are projects of their own so that `npm test` can run them one after another.
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'inbox/src/**/*.test.ts'],
    // Only what hangs takes that long. A machine that is busy with something else is no failure.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
})
