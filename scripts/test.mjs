/**
 * `npm test`: one step after another, on the Node that the dependencies brought, until one fails. The last line
 * says how many steps passed and failed.
 */
import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const BIN = join(ROOT, 'node_modules', '.bin')

const STEPS = [
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  { name: 'types of the inbox', command: ['tsc', '-p', 'inbox/tsconfig.json'] },
  { name: 'lint and format', command: ['biome', 'check'] },
  { name: 'unused code and dependencies', command: ['knip'] },
  { name: 'build of the package', command: ['tsc', '-p', 'tsconfig.build.json'] },
  { name: 'build of the inbox', command: ['npm', 'run', '--silent', 'build', '-w', 'inbox'] },
  { name: 'shape of the package', command: ['publint', '--strict'] },
  { name: 'tests', command: ['vitest', 'run'] },
]

const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `The tests run on Node 24 or newer; this is ${process.version}. Run them with "npm test", which brings its own.`,
  )
  process.exit(1)
}

const env = { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}` }
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

console.log('\n━━ summary')
for (const { name, passed, seconds } of done) {
  console.log(`${passed ? 'passed' : 'FAILED'}  ${`${seconds.toFixed(1)} s`.padStart(8)}  ${name}`)
}
for (const { name } of STEPS.slice(done.length)) console.log(`not run            ${name}`)
const failed = done.filter(({ passed }) => !passed).length
console.log(`${done.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
