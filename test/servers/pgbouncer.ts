/** A real pgbouncer on loopback, before a Postgres of the tests. `scripts/setup.mjs` installs it where it may. */

import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defined } from '../../src/core/defined.ts'
import { createChildServer, folderOf, missing } from './child-server.ts'
import { freePort } from './free-port.ts'
import { type PostgresServer, unprivileged } from './postgres.ts'

const program = folderOf('pgbouncer', [process.env.PGBOUNCER_BIN, '/usr/sbin', '/usr/bin'])

export const noPgbouncer = missing('pgbouncer', 'PGBOUNCER_BIN', program)

export interface Pgbouncer {
  /** The same user and database as the server's own address. */
  readonly url: string
  /** Again, after `stop`: on the same port. */
  start(): Promise<void>
  /** At once: all connections end. */
  stop(): Promise<void>
  dispose(): Promise<void>
}

/** `poolSize`: how many connections to the server it shares out. */
export async function startPgbouncer(
  server: PostgresServer,
  { mode, poolSize = 4 }: { mode: 'session' | 'transaction' | 'statement'; poolSize?: number },
): Promise<Pgbouncer> {
  if (program === undefined)
    throw new Error('no pgbouncer was found; install it, or name its folder in PGBOUNCER_BIN')
  const folder = mkdtempSync(join(tmpdir(), 'banksman-pgbouncer-'))
  const user = unprivileged()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const port = await freePort()
  const users = join(folder, 'users.txt')
  writeFileSync(users, '"banksman" ""\n', { mode: 0o644 })
  const file = join(folder, 'pgbouncer.ini')
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    pool_mode: mode,
    default_pool_size: poolSize,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  writeFileSync(
    file,
    `[databases]\npostgres = host=127.0.0.1 port=${server.port}\n\n[pgbouncer]\n${lines.join('\n')}\n`,
    { mode: 0o644 },
  )
  const child = createChildServer({
    program: join(program, 'pgbouncer'),
    parameters: [file],
    ...defined({ user }),
    ready: /process up/,
  })
  const dispose = async () => {
    await child.end('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  await child.start().catch(async (error) => {
    await dispose()
    throw error
  })
  return {
    url: `postgres://banksman@127.0.0.1:${port}/postgres`,
    start: child.start,
    stop: () => child.end('SIGKILL'),
    dispose,
  }
}
