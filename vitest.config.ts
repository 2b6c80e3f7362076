import { defineConfig } from 'vitest/config'

// Two cores is what the smallest supported machine has. Suites that start browsers or servers, or that time
// out under contention, are projects of their own so that `npm test` can run them one after another.
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'inbox/src/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
