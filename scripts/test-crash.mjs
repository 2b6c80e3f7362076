// `npm run test:crash -- 200`: the crash tests, as many rounds as asked, and 100,000 conflicting answers a store.
import { spawnSync } from 'node:child_process'

const rounds = process.argv[2] ?? '50'
if (!/^[1-9]\d{0,5}$/.test(rounds)) {
  console.error(
    `test:crash takes a number of rounds, as in: npm run test:crash -- 200 (found ${JSON.stringify(rounds)})`,
  )
  process.exit(2)
}
const { status } = spawnSync('vitest', ['run', 'test/crash'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { BANKSMAN_CONFLICTS: '100000', ...process.env, BANKSMAN_CRASH_ROUNDS: rounds },
})
process.exit(status ?? 1)
