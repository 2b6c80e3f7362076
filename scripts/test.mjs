/**
 * `npm test`: one step after another, on the Node that the dependencies brought, until one fails. The last lines
 * name the tests that failed, count those that were skipped, and say how many steps passed and failed: who sees
 * only the end of a long output must still learn what to look at.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const BIN = join(ROOT, 'node_modules', '.bin')

const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `The tests run on Node 24 or newer; this is ${process.version}. Run them with "npm test", which brings its own.`,
  )
  process.exit(1)
}

const REPORTS = mkdtempSync(join(tmpdir(), 'banksman-test-report-'))
const REPORT = join(REPORTS, 'tests.json')

/** Suites with packages of their own. Where they aren't run, the last lines say so. */
const APART = [
  { name: 'frameworks at the edges', command: ['npm', 'run', '--silent', 'test:edges'], inCI: true },
  { name: 'coding agents', command: ['npm', 'run', '--silent', 'test:agents'], inCI: false },
  { name: 'torture of approvals', command: ['npm', 'run', '--silent', 'torture'], inCI: false },
]

const STEPS = [
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  { name: 'types of the inbox', command: ['tsc', '-p', 'inbox/tsconfig.json'] },
  { name: 'lint and format', command: ['biome', 'check'] },
  { name: 'unused code and dependencies', command: ['knip'] },
  { name: 'build of the package', command: ['node', 'scripts/build-package.ts'] },
  { name: 'build of the inbox', command: ['npm', 'run', '--silent', 'build', '-w', 'inbox'] },
  { name: 'shape of the package', command: ['publint', '--strict'] },
  {
    name: 'tests',
    command: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`],
  },
  ...APART.filter(isRunHere),
]

// The steps before have built the package: suites that test it packed need not build it again.
const env = { ...process.env, BANKSMAN_BUILT: '1', PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}` }
const done = []
for (const { name, command } of STEPS) {
  console.log(`\n━━ ${name}: ${command.join(' ')}`)
  const startedAt = performance.now()
  const [program, ...parameters] = command
  const result = spawnSync(program, parameters, {
    cwd: ROOT,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (result.error !== undefined) console.error(`${program} could not be started: ${result.error.message}`)
  const passed = result.status === 0
  done.push({ name, passed, seconds: (performance.now() - startedAt) / 1000 })
  if (!passed) break
}

// Only now: an older Node, which is sent away above, can't read it.
const { failedTests, skippedTests } = await import('./test-report.ts')
const report = readReport()
const failures = failedTests(report, ROOT)
const skipped = [
  ...APART.filter((suite) => !isRunHere(suite)).map(
    ({ name, command }) => `  all  ${name}: ${command.filter((word) => word !== '--silent').join(' ')}`,
  ),
  ...skippedTests(report, ROOT),
]
if (skipped.length > 0) console.log(`\n━━ skipped\n${skipped.join('\n')}`)
// Behind those that were skipped: what is cut off an output is its beginning.
if (failures.length > 0) console.log(`\n━━ failed\n${failures.join('\n')}`)
rmSync(REPORTS, { recursive: true, force: true })

console.log('\n━━ summary')
for (const { name, passed, seconds } of done) {
  console.log(`${passed ? 'passed' : 'FAILED'}  ${`${seconds.toFixed(1)} s`.padStart(8)}  ${name}`)
}
for (const { name } of STEPS.slice(done.length)) console.log(`not run            ${name}`)
const failed = done.filter(({ passed }) => !passed).length
console.log(`${done.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function isRunHere({ inCI }) {
  return inCI && process.env.CI === 'true'
}

/** Nothing when the tests were not reached, or ended before they could report; their own output says why. */
function readReport() {
  try {
    return JSON.parse(readFileSync(REPORT, 'utf8'))
  } catch {
    return { testResults: [] }
  }
}
