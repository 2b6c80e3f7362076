/** A Postgres of the example's own: in a folder of its own, on loopback, with a password that nobody else knows. */
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { accessSync, chownSync, constants, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

const READY_WITHIN_MS = 60_000

/** The folder with `initdb` and `postgres`; undefined where there is none. */
export function findPostgres() {
  const folders = [process.env.POSTGRES_BIN, ...debianFolders(), ...(process.env.PATH ?? '').split(delimiter)]
  return folders.find((folder) => {
    if (!folder) return false
    try {
      for (const program of ['initdb', 'postgres']) accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Gives its address, and a way to end it. */
export async function startPostgres(programs) {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-example-postgres-'))
  const user = unprivileged()
  const password = randomBytes(18).toString('base64url')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  if (user !== undefined) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid)
  const data = join(folder, 'data')
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    execFileSync(
      join(programs, 'initdb'),
      [
        '-D',
        data,
        '-U',
        'banksman',
        '-A',
        'scram-sha-256',
        `--pwfile=${passwordFile}`,
        '-E',
        'UTF8',
        '--locale=C',
      ],
      { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    const port = await freePort()
    const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port }
    const child = spawn(
      join(programs, 'postgres'),
      ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...user, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    const atExit = () => child.kill('SIGKILL')
    process.once('exit', atExit)
    await untilReady(child)
    return {
      url: `postgres://banksman:${password}@127.0.0.1:${port}/postgres`,
      async stop() {
        process.off('exit', atExit)
        const ended = once(child, 'exit')
        child.kill('SIGQUIT')
        await ended
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

function untilReady(child) {
  return new Promise((resolve, reject) => {
    let said = ''
    const fail = (why) => reject(new Error(`Postgres ${why}: ${said.slice(-1000)}`))
    const timer = setTimeout(() => fail('was not ready in time'), READY_WITHIN_MS)
    child.once('exit', (code) => fail(`ended with ${code}`))
    child.once('error', (error) => fail(`could not be started (${error.message})`))
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text
      if (!said.includes('ready to accept connections')) return
      clearTimeout(timer)
      resolve()
    })
  })
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** Postgres refuses to run as root. */
function unprivileged() {
  if (process.getuid?.() !== 0) return undefined
  const id = (which, name) => Number(execFileSync('id', [which, name], { stdio: 'pipe' }))
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: id('-u', name), gid: id('-g', name) }
    } catch {
      // There is no such user.
    }
  }
  throw new Error('Postgres does not run as root, and there is neither a user postgres nor nobody')
}

function debianFolders() {
  const root = '/usr/lib/postgresql'
  try {
    const versions = readdirSync(root).sort((one, other) => Number(other) - Number(one))
    return versions.map((version) => join(root, version, 'bin'))
  } catch {
    return []
  }
}
