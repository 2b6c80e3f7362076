/** Installs the packages of a suite that has a lock of its own in test/<name>, and our package as it's published: packed. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const env = {
  ...process.env,
  PATH: `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`,
}

/** Builds, where `npm test` hasn't done so already. */
export function buildPackage() {
  if (process.env.BANKSMAN_BUILT !== '1') run(ROOT, 'npm', 'run', '--silent', 'build')
}

/** The folder of a suite. Undefined where it has no lock. */
export function folderOf(name) {
  const folder = join(ROOT, 'test', name ?? '')
  return name !== undefined && existsSync(join(folder, 'package-lock.json')) ? folder : undefined
}

export function installLocked(folder) {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  const stamp = join(folder, 'node_modules', '.banksman-setup')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  console.log(`banksman: installing what ${folder.slice(ROOT.length + 1)} needs…`)
  run(folder, 'npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error')
  writeFileSync(stamp, lock)
}

/** Not saved: it's another one after every change. */
export function installPacked(folder) {
  withTarball(folder, (tarball) => {
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline', '--legacy-peer-deps']
    run(folder, 'npm', 'install', '--no-save', '--no-package-lock', ...quiet, tarball)
  })
}

/** What is packed, without its dependencies, which are found in the root. npm would look for newer versions of what the lock holds. */
export function unpackPacked(folder) {
  withTarball(folder, (tarball) => {
    const target = join(folder, 'node_modules', 'banksman')
    rmSync(target, { recursive: true, force: true })
    mkdirSync(target, { recursive: true })
    run(folder, 'tar', '-xzf', tarball, '-C', target, '--strip-components=1')
  })
}

function withTarball(folder, use) {
  const packed = run(ROOT, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder)
  const tarball = join(folder, JSON.parse(packed)[0].filename)
  try {
    use(tarball)
  } finally {
    rmSync(tarball, { force: true })
  }
}

/** Ends with the first that fails. */
export function run(cwd, program, ...parameters) {
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
