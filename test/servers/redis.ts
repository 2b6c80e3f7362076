/** A real Redis on loopback, in a folder of its own. `scripts/setup.mjs` installs it where it may. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChildServer, folderOf, missing } from './child-server.ts'
import { freePort } from './free-port.ts'

const redisFolder = folderOf('redis-server', [process.env.REDIS_BIN, '/usr/bin'])

/** The program itself. */
const redisProgram = redisFolder === undefined ? undefined : join(redisFolder, 'redis-server')

export const noRedis = missing('Redis', 'REDIS_BIN', redisProgram)

export interface RedisServer {
  readonly url: string
  readonly port: number
  /** Again, after `stop` or `kill`: on the same folder and port. */
  start(): Promise<void>
  /** Politely. */
  stop(): Promise<void>
  /** With SIGKILL. */
  kill(): Promise<void>
  /** Stops it and removes its folder. */
  dispose(): Promise<void>
}

/** It keeps every command on disk before it answers, unless the settings say otherwise. */
export async function startRedis(settings: Record<string, string> = {}): Promise<RedisServer> {
  if (redisProgram === undefined)
    throw new Error('no Redis was found; install it, or name the folder of redis-server in REDIS_BIN')
  const folder = mkdtempSync(join(tmpdir(), 'banksman-redis-'))
  const port = await freePort()
  const all: Record<string, string> = {
    bind: '127.0.0.1',
    port: String(port),
    dir: folder,
    save: '',
    appendonly: 'yes',
    appendfsync: 'always',
    ...settings,
  }
  const server = createChildServer({
    program: redisProgram,
    parameters: Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]),
    ready: /Ready to accept connections/,
  })
  const dispose = async () => {
    await server.end('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  await server.start().catch(async (error) => {
    await dispose()
    throw error
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    start: server.start,
    stop: () => server.end('SIGTERM'),
    kill: () => server.end('SIGKILL'),
    dispose,
  }
}
