import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that systems give to outgoing connections: a server that is stopped and started again must find
 * its port free, and one of those may by then be the near end of somebody's connection.
 */
const FROM = 10_000
const BELOW = 32_000
const TRIES = 100

/** A port on loopback that nobody listens on, for a server that has to be told one before it starts. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < TRIES; tried++) {
    const port = randomInt(FROM, BELOW)
    if (await isFree(port)) return port
  }
  throw new Error(`no port was free among ${TRIES} between ${FROM} and ${BELOW}`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
