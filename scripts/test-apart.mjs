/**
 * `npm run test:edges` and `npm run test:agents`: tests with packages that nothing else needs. They have a lock of their own
 * in test/<name>, outside the workspaces, and test our package as it's published: packed, and installed there.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const [name, ...rest] = process.argv.slice(2)
const FOLDER = join(ROOT, 'test', name ?? '')
if (name === undefined || !existsSync(join(FOLDER, 'package-lock.json'))) {
  console.error('usage: node scripts/test-apart.mjs edges|agents [parameters of vitest]')
  process.exit(2)
}
const env = {
  ...process.env,
  PATH: `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`,
}

// `npm test` has built both already.
if (process.env.BANKSMAN_BUILT !== '1') run(ROOT, 'npm', 'run', '--silent', 'build')
installLocked()
installPacked()
run(FOLDER, 'tsc', '-p', 'tsconfig.json')
run(FOLDER, 'vitest', 'run', ...rest)

function installLocked() {
  const lock = createHash('sha256')
    .update(readFileSync(join(FOLDER, 'package-lock.json')))
    .digest('hex')
  const stamp = join(FOLDER, 'node_modules', '.banksman-setup')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  console.log(`banksman: installing what test/${name} needs…`)
  run(FOLDER, 'npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error')
  writeFileSync(stamp, lock)
}

/** Not saved: it's another one after every change. */
function installPacked() {
  const packed = run(ROOT, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', FOLDER)
  const tarball = join(FOLDER, JSON.parse(packed)[0].filename)
  try {
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline', '--legacy-peer-deps']
    run(FOLDER, 'npm', 'install', '--no-save', '--no-package-lock', ...quiet, tarball)
  } finally {
    rmSync(tarball, { force: true })
  }
}

/** Ends with the first that fails. */
function run(cwd, program, ...parameters) {
  const isRead = parameters.includes('--json')
  const { status, stdout, error } = spawnSync(program, parameters, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', isRead ? 'pipe' : 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (error !== undefined) console.error(`${program} could not be started: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
  return stdout
}
