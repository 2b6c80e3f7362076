/** `npm run test:faults`: real servers on real stores, with all that can break them. Takes about ten minutes. */
import { spawnSync } from 'node:child_process'

const [store, ...rest] = process.argv.slice(2)
if (rest.length > 0 || (store !== undefined && !['postgres', 'redis'].includes(store))) {
  console.error('test:faults takes nothing, or one store, as in: npm run test:faults -- postgres')
  process.exit(2)
}
const files = store === undefined ? ['test/faults'] : [`test/faults/${store}.test.ts`]
const { status } = spawnSync('vitest', ['run', ...files, '--reporter=verbose'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, BANKSMAN_FAULTS: 'long' },
})
process.exit(status ?? 1)
