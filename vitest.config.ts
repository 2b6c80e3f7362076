import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'

/** What starts programs or databases, or changes the process that it runs in, has a worker of its own. */
const ALONE = [
  'src/stores/{postgres,redis}/**/*.test.ts',
  'src/agents/hooks/process/**/*.test.ts',
  'src/agents/models/providers/provider-wire.test.ts',
  'src/agents/sessions/{engine,several-agents,turns/open-engines}.test.ts',
  'src/agents/tools/built-in/{processes/exec,files/workspace}.test.ts',
  'src/cli/main.test.ts',
  'src/cli/commands/**/*.test.ts',
  'src/cli/chat-setup/**/*.test.ts',
  'src/cli/chat/{plain-chat,run-chat}.test.ts',
  'src/cli/watch/{edit-arguments,watch-requests}.test.ts',
  'src/http/doors/door-routes.test.ts',
  'src/server/{cluster,host/process-identity,facts/workspace-files,network/own-socket,connect/codex-hooks}.test.ts',
  'test/{adapters,crash,e2e,faults,guard,mcp,old-data,package,python,simulation}/**/*.test.ts',
  'test/docs/{examples,hooks-guide,next-steps,python-guide}.test.ts',
  'test/properties/stores-agree.test.ts',
  'test/scripts/setup.test.ts',
]

/** Tests with installations of their own: `npm run test:edges`, `npm run test:agents`, `npm run torture`. */
const APART = ['test/edges/**', 'test/agents/**', 'test/torture/**']

/** Node reads our TypeScript by itself, as it does in the programs that tests start: nothing is transformed, and less is loaded. */
const NATIVE = { viteModuleRunner: false, nodeLoader: false }

// Programs that tests start find the sources compiled; most of them live no longer than it takes to compile those.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/banksman-tests')

// Two cores is what the smallest supported machine has. Half of the time tests wait for programs and browsers that they started,
// so there are two workers more than that: 514 s in place of 584 with three.
export default defineConfig({
  test: {
    // Only what hangs takes that long. A machine that is busy with something else is no failure.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    maxWorkers: 4,
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          exclude: [...configDefaults.exclude, ...APART],
          experimental: NATIVE,
        },
      },
      {
        extends: true,
        test: {
          // Their files take turns in the same workers: to load the sources anew for each of them takes longer than most
          // of the tests themselves.
          name: 'together',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ALONE, ...APART],
          isolate: false,
          experimental: NATIVE,
        },
      },
      {
        extends: true,
        // Node reads no JSX.
        test: { name: 'inbox', include: ['inbox/src/**/*.test.ts'], isolate: false },
      },
    ],
  },
})
