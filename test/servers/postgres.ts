/** A real Postgres on loopback, in a folder of its own. `scripts/setup.mjs` installs it where it may. */

import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defined } from '../../src/core/defined.ts'
import { createChildServer, folderOf, missing } from './child-server.ts'
import { freePort } from './free-port.ts'

/** Where `initdb` and `postgres` are. Debian keeps them out of PATH. */
const postgresFolder = folderOf('initdb', [process.env.POSTGRES_BIN, ...debianFolders()])

export const noPostgres = missing('Postgres', 'POSTGRES_BIN', postgresFolder)

export interface PostgresServer {
  /** As a superuser of the database `postgres`. */
  readonly url: string
  readonly port: number
  /** Again, after `stop`: on the same folder and port. */
  start(): Promise<void>
  /** `immediate` leaves everything as a crash would. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  /** Stops it and removes its folder. */
  dispose(): Promise<void>
}

export async function startPostgres(settings: Record<string, string> = {}): Promise<PostgresServer> {
  if (postgresFolder === undefined)
    throw new Error('no Postgres was found; install it, or name the folder of initdb in POSTGRES_BIN')
  const folder = mkdtempSync(join(tmpdir(), 'banksman-postgres-'))
  const user = unprivileged()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const port = await freePort()
  try {
    execFileSync(
      join(postgresFolder, 'initdb'),
      ['-D', data, '-U', 'banksman', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
      { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    )
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  const all: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
    max_connections: '60',
    ...settings,
  }
  const server = createChildServer({
    program: join(postgresFolder, 'postgres'),
    parameters: ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    ...defined({ user }),
    ready: /database system is ready to accept connections/,
  })
  const stop = (mode: 'fast' | 'immediate' = 'fast') => server.end(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
  const dispose = async () => {
    await stop('immediate')
    rmSync(folder, { recursive: true, force: true })
  }
  await server.start().catch(async (error) => {
    await dispose()
    throw error
  })
  return { url: `postgres://banksman@127.0.0.1:${port}/postgres`, port, start: server.start, stop, dispose }
}

/** Postgres refuses to run as root: then as the user that its package made, or as nobody. */
export function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (which: string) => Number(execFileSync('id', [which, name], { stdio: 'pipe' }).toString())
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // There is no such user.
    }
  }
  throw new Error('Postgres does not run as root, and there is neither a user postgres nor nobody')
}

function debianFolders(): string[] {
  const root = '/usr/lib/postgresql'
  try {
    const versions = readdirSync(root).sort((one, other) => Number(other) - Number(one))
    return versions.map((version) => join(root, version, 'bin'))
  } catch {
    return []
  }
}
