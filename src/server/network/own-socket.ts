/**
 * The Unix socket beside the server's port, for hooks of coding agents and the command line. It lies in a folder that only the server's
 * own user can enter, so whoever comes in by it is that user on this machine, and whoever sends a token to it sends it to us. A port
 * has neither: anybody can come, and once we are gone anybody can listen there.
 */
import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { digestOf } from '../../core/digest.ts'
import { BanksmanError } from '../../core/errors.ts'

/** What an address of a Unix socket may have in bytes, its end included: 104 on macOS, 108 on Linux. */
const MAX_PATH = 103

/** Undefined where there can be none: on Windows, and where every folder that we may use has too long a name. */
export function ownSocketPath(
  folder: string,
  { XDG_RUNTIME_DIR: runtime }: Record<string, string | undefined>,
): string | undefined {
  if (process.platform === 'win32') return undefined
  const beside = join(folder, 'run', 'banksman.sock')
  const elsewhere = runtime ? join(runtime, 'banksman', `${digestOf(folder).slice(0, 16)}.sock`) : undefined
  return [beside, elsewhere].find((path) => path !== undefined && Buffer.byteLength(path) <= MAX_PATH)
}

/** Makes its folder, and takes away what a server left behind that was killed. Throws where somebody else could be there. */
export async function prepareOwnSocket(path: string): Promise<void> {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const own = process.getuid?.()
  const { uid, mode, isFolder } = look(folder)
  if (!isFolder || uid !== own || (mode & 0o077) !== 0)
    refuse(`${folder} must be a folder that only you can enter, and no link; run: chmod 700 ${folder}`)
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isSocket() || found.uid !== own)
    refuse(`${path} is there and is no socket of yours; take it away`)
  if (await answersAt(path))
    throw new BanksmanError('address_in_use', `another program listens on ${path}; stop it`)
  rmSync(path)
}

function look(folder: string): { uid: number; mode: number; isFolder: boolean } {
  const found = lstatSync(folder)
  return { uid: found.uid, mode: found.mode, isFolder: found.isDirectory() }
}

function refuse(why: string): never {
  throw new BanksmanError('invalid_configuration', `the server's own socket: ${why}`)
}

export function answersAt(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
