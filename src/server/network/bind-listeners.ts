/**
 * The ports of the server: its own, a socket for its own user, and that of the proxy in front of it. Everybody who comes in by the proxy's counts as
 * remote, whatever they send and wherever the proxy runs.
 */
import { chmodSync, lstatSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { BanksmanError } from '../../core/errors.ts'
import { type BoundHttpServer, bindHttpServer } from '../../http/connection/start-http-server.ts'
import { describeListener, type ProxyListener } from '../configuration/proxy-configuration.ts'
import { hostsOf } from './own-addresses.ts'
import { answersAt, prepareOwnSocket } from './own-socket.ts'

export interface Listeners {
  url: string
  /** Every name by which this machine calls us, on either port. */
  hosts: string[]
  /** The Unix socket that only the server's own user can reach. Absent where there is none. */
  socket: string | undefined
  /** Begins to answer. The ports are known before the app, since the app must know by which names it is called. */
  serve(app: Parameters<BoundHttpServer['serve']>[0]): { close(): Promise<void> }
  close(): Promise<void>
}

export async function bindListeners({
  host,
  port,
  proxy,
  socket,
  say,
}: {
  host: string
  port: number
  proxy: ProxyListener | undefined
  /** Where the socket for the own user is to be. */
  socket: string | undefined
  say: (line: string) => void
}): Promise<Listeners> {
  const own = await bindHttpServer({ host, port })
  const servers = [own]
  const hosts = hostsOf(host, own.address.port)
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()))
  }
  let bound: BoundHttpServer | undefined
  try {
    if (socket !== undefined) {
      bound = await bindOwnSocket(socket, say)
      if (bound !== undefined) servers.push(bound)
    }
    if (proxy !== undefined) {
      if ('path' in proxy) await freeSocket(proxy.path)
      const forProxy = await bindHttpServer({ ...proxy, isProxy: true })
      servers.push(forProxy)
      if ('path' in proxy) {
        // Anybody may connect: they need a credential. Who could put another socket here was looked at.
        chmodSync(proxy.path, 0o666)
        hosts.push('localhost')
      } else hosts.push(...hostsOf(proxy.host, forProxy.address.port))
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    url: own.address.url,
    hosts,
    socket: bound === undefined ? undefined : socket,
    serve(app) {
      for (const server of servers) server.serve(app)
      return { close }
    },
    close,
  }
}

/**
 * Not every file system has sockets, or folders for one user alone. Without the socket the server works all the same, and hooks that
 * need it refuse.
 */
async function bindOwnSocket(
  path: string,
  say: (line: string) => void,
): Promise<BoundHttpServer | undefined> {
  try {
    await prepareOwnSocket(path)
    const bound = await bindHttpServer({ path, isOwnSocket: true })
    chmodSync(path, 0o600)
    return bound
  } catch (error) {
    say(`There is no socket for hooks at ${path}: ${(error as Error).message}`)
    return undefined
  }
}

const WRITE_OF_OTHERS = 0o022

/** A socket that a server left behind when it was killed is taken away; anything else is left alone, and refused. */
async function freeSocket(path: string): Promise<void> {
  const folder = dirname(path)
  const refuse = (why: string): never => {
    throw new BanksmanError('invalid_configuration', `proxy.listen: ${why}`)
  }
  const { mode, uid } = (() => {
    try {
      return statSync(folder)
    } catch {
      return refuse(`there is no folder ${folder}; make it, for the server's user alone to write`)
    }
  })()
  const isOthers = process.getuid !== undefined && uid !== process.getuid() && uid !== 0
  if (isOthers || (mode & WRITE_OF_OTHERS) !== 0) {
    refuse(
      `others can write to ${folder}, and could put a socket of theirs there, which would be sent people's credentials; run: chmod go-w ${folder}`,
    )
  }
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isSocket()) refuse(`${path} is there and is no socket; name another`)
  if (await answersAt(path)) {
    throw new BanksmanError(
      'address_in_use',
      `${describeListener({ path })} is in use, perhaps by another Banksman; name another under proxy.listen`,
    )
  }
  rmSync(path)
}
