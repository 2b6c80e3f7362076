/**
 * Gets a fresh clone ready. It runs before `npm start` and `npm test`, so it is plain JavaScript without
 * dependencies, for a machine that has only Node 20 and npm; what comes after it runs on the Node that it
 * installed.
 *
 *     node scripts/setup.mjs          the dependencies
 *     node scripts/setup.mjs start    and the package and the pages, built
 *     node scripts/setup.mjs test     and the programs that the tests use
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NODE_MAJOR = 24
const STAMP = join(ROOT, 'node_modules', '.banksman-setup')
const PINNED_NODE = join(ROOT, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')

/** What the tests use from the machine where it is there. As root on Debian it is installed. */
const PROGRAMS = [
  {
    name: 'Chromium',
    variable: 'CHROMIUM_PATH',
    commands: ['chromium-headless-shell', 'chromium', 'google-chrome', 'chromium-browser'],
    debianPackages: ['chromium-headless-shell', 'chromium'],
    without: 'the tests in a browser are skipped',
  },
  {
    name: 'Postgres',
    variable: 'POSTGRES_BIN',
    isFolder: true,
    commands: ['initdb'],
    // Debian keeps the programs of the server out of PATH, one folder a version.
    folders: () => foldersBelow('/usr/lib/postgresql').map((version) => join(version, 'bin')),
    debianPackages: ['postgresql'],
    without: 'the tests of the store on Postgres are skipped',
  },
  {
    name: 'pgbouncer',
    variable: 'PGBOUNCER_BIN',
    isFolder: true,
    commands: ['pgbouncer'],
    folders: () => ['/usr/sbin'],
    debianPackages: ['pgbouncer'],
    without: 'the tests of the store behind a pooler are skipped',
  },
  {
    name: 'Redis',
    variable: 'REDIS_BIN',
    isFolder: true,
    commands: ['redis-server'],
    debianPackages: ['redis-server'],
    without: 'the tests of the store on Redis are skipped',
  },
]

/** A build that prints more than this has gone wrong in a way that its end tells. */
const MAX_BUILD_OUTPUT_BYTES = 64 * 1024 * 1024

/** What is served to browsers. */
const PAGES = [
  { name: 'the inbox', folder: 'inbox' },
  { name: 'the chat page', folder: 'examples/vue-chat' },
]

const purpose = process.argv[2]
installDependencies()
if (purpose === 'start') {
  buildPackage()
  buildPages()
}
if (purpose === 'test') for (const program of PROGRAMS) findProgram(program)

/** Installs what the lock file says, unless that was done for this very lock file before. */
function installDependencies() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex')
  const installed = existsSync(STAMP) ? readFileSync(STAMP, 'utf8').trim() : undefined
  if (installed === wanted && pinnedVersion() !== undefined) return
  say(
    installed === undefined
      ? 'installing the dependencies…'
      : 'the lock file has changed: installing the dependencies…',
  )
  const result = npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], ['ignore', 'ignore', 'inherit'])
  if (result.status !== 0) {
    fail(
      `npm ci failed (${reason(result)}). What it printed above says why; then run the same command again.`,
    )
  }
  const version = pinnedVersion()
  if (version === undefined || Number(version.slice(1).split('.')[0]) !== NODE_MAJOR) {
    fail(
      `Node ${NODE_MAJOR} should be in node_modules/.bin after the installation, but ${version ?? 'none that runs'} is. ` +
        'The package "node" brings it with an install script: see whether npm is told to ignore scripts (npm config get ignore-scripts).',
    )
  }
  writeFileSync(STAMP, `${wanted}\n`)
  say(`ready. What follows runs on Node ${version}.`)
}

/** So that hooks and programs beside a clone can import it by its name. */
function buildPackage() {
  if (newest(join(ROOT, 'dist')) >= newest(join(ROOT, 'src'))) return
  say('building the package…')
  build('the package', ['run', 'build:package', '--silent'])
}

/** Builds what is served to browsers where its sources are newer than what was built from them. */
function buildPages() {
  // They are made on the typed client and on what makes text visible, which are part of the package's own sources.
  const shared = ['client', 'core', 'display'].map((room) => newest(join(ROOT, 'src', room)))
  for (const { name, folder } of PAGES) {
    const place = join(ROOT, folder)
    if (!existsSync(join(place, 'package.json'))) continue
    if (newest(join(place, 'dist')) >= Math.max(newest(place), ...shared)) continue
    say(`building ${name}…`)
    build(name, ['run', 'build', '--workspace', folder, '--silent'])
  }
}

/** What a bundler prints is for whoever mends a build that failed: nobody else is shown it. */
function build(what, parameters) {
  const result = npm(parameters, ['ignore', 'pipe', 'pipe'])
  if (result.status === 0) return
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`)
  fail(`${what} could not be built (${reason(result)}). What is printed above says why.`)
}

/** The newest change below a folder; 0 when there is nothing. */
function newest(folder) {
  if (!existsSync(folder)) return 0
  let found = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist') continue
    const path = join(folder, entry.name)
    found = Math.max(found, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs)
  }
  return found
}

function findProgram(program) {
  if (locate(program) !== undefined) return
  const isDebian = process.platform === 'linux' && existsSync('/etc/debian_version')
  if (isDebian && process.getuid?.() === 0) {
    aptGet('update', '-qq')
    // Not every Debian has the first of them.
    for (const name of program.debianPackages) {
      say(`${program.name} is not on this machine; installing Debian's package "${name}" with apt-get…`)
      aptGet('install', '-y', '-qq', '--no-install-recommends', name)
      const found = locate(program)
      if (found !== undefined) {
        say(`${program.name} is installed: ${found}`)
        return
      }
    }
  }
  const how = `Install it, or set ${program.variable} to ${program.isFolder ? `the folder of ${program.commands[0]}` : 'where it is'}.`
  if (process.env.CI === 'true')
    fail(`${program.name} was not found, and with CI=true nothing may be skipped. ${how}`)
  warn(`${program.name} WAS NOT FOUND: ${program.without}. ${how}`)
}

function aptGet(...parameters) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const result = spawnSync('apt-get', parameters, { stdio: ['ignore', 'ignore', 'inherit'], env })
  if (result.status !== 0) say(`apt-get ${parameters[0]} failed (${reason(result)}).`)
}

function locate({ variable, commands, isFolder, folders: others }) {
  const given = process.env[variable]
  if (given !== undefined && given !== '') {
    const program = isFolder ? join(given, commands[0]) : given
    if (isExecutable(program)) return program
    fail(`${variable} is ${given}, and ${program} is not a program that can be run.`)
  }
  const inPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const folders = [...inPath, '/usr/bin', ...(others?.() ?? [])]
  return commands.flatMap((command) => folders.map((folder) => join(folder, command))).find(isExecutable)
}

function foldersBelow(folder) {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** The version of the Node that the dependencies brought, as `v24.1.0`; undefined when none runs. */
function pinnedVersion() {
  const result = spawnSync(PINNED_NODE, ['--version'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  return result.status === 0 ? result.stdout.trim() : undefined
}

/** The npm that started us, on the Node that it runs on: our own may be the one that `npm ci` removes. */
function npm(parameters, stdio = 'inherit') {
  const program = process.env.npm_execpath
  const options = { cwd: ROOT, stdio, maxBuffer: MAX_BUILD_OUTPUT_BYTES }
  if (program !== undefined && /\.[cm]?js$/.test(program)) {
    return spawnSync(process.env.npm_node_execpath ?? process.execPath, [program, ...parameters], options)
  }
  return spawnSync('npm', parameters, { ...options, shell: process.platform === 'win32' })
}

function reason({ status, signal, error }) {
  return error?.message ?? (signal ? `ended by ${signal}` : `exit code ${status}`)
}

function say(text) {
  console.log(`banksman setup: ${text}`)
}

function warn(text) {
  const line = '!'.repeat(78)
  console.error(`\n${line}\nbanksman setup: ${text}\n${line}\n`)
}

function fail(text) {
  console.error(`banksman setup: ${text}`)
  process.exit(1)
}
