/**
 * The credential of whoever owns the data folder. They can write the database, so they need no token to be given one:
 * the command line makes a login code in the shared database, exchanges it with the running server for a key, and
 * keeps that key beside the database, readable for its owner alone. Every step is in the journal.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, isClientError, login } from '../client/index.ts'
import { createIds } from '../core/ids.ts'
import type { Actor, Role } from '../core/session.ts'
import { createGateway, type Gateway } from '../gateway/gateway.ts'
import { createChainWriter } from '../journal/index.ts'
import { compilePolicy } from '../policy/index.ts'
import { startCheckpoints } from './checkpoints.ts'
import type { DataFolder, ServerFile } from './data-folder.ts'
import { createHostRandom, hostClock } from './host.ts'
import { openLocalStore } from './local-store.ts'
import { userName } from './open-gateway.ts'

export interface LoginCode {
  code: string
  expiresAt: number | undefined
}

/** A key for the running server, as its owner. */
export async function openLocalCredential(folder: DataFolder, server: ServerFile): Promise<string> {
  const kept = readKept(folder)
  if (kept !== undefined && (await isAccepted(server.url, kept))) return kept
  const owner = ownerOf(server)
  const { code } = await createLoginCode(folder, { subject: owner, role: 'admin', by: owner })
  const { key } = await login({ url: server.url, code })
  const file = keyFile(folder)
  writeFileSync(`${file}.new`, `${key}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return key
}

/** The single-use code of a login link, written into the database directly. */
export async function createLoginCode(
  folder: DataFolder,
  { subject, role, by }: { subject: string; role: Exclude<Role, 'agent'>; by: string },
): Promise<LoginCode> {
  return withLocalGateway(folder, by, async (gateway, self) => {
    const { secret, token } = await gateway.tokens.createLogin({ subject, role }, self)
    return { code: secret, expiresAt: token.expiresAt }
  })
}

export function ownerOf(server: ServerFile): string {
  return server.owner ?? userName()
}

function keyFile(folder: DataFolder): string {
  return join(folder.path, 'cli-key')
}

function readKept(folder: DataFolder): string | undefined {
  try {
    return readFileSync(keyFile(folder), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

async function isAccepted(url: string, token: string): Promise<boolean> {
  try {
    return (await createClient({ url, token }).me()).role === 'admin'
  } catch (error) {
    if (isClientError(error, 'unauthenticated')) return false
    throw error
  }
}

/** A gateway of its own on the shared database, with a journal chain of its own that is signed like the server's. */
async function withLocalGateway<T>(
  folder: DataFolder,
  owner: string,
  work: (gateway: Gateway, self: Actor) => Promise<T>,
): Promise<T> {
  const store = openLocalStore(folder)
  try {
    const random = createHostRandom()
    const chain = createChainWriter(createIds(hostClock, random)('chn'))
    const self: Actor = { subject: owner, role: 'admin', via: 'cli' }
    const report = ({ doing, error }: { doing: string; error: unknown }) => {
      process.emitWarning(`${doing}: ${error instanceof Error ? error.message : String(error)}`)
    }
    const policy = compilePolicy({ mode: 'dontAsk' })
    const directory = { owner, people: new Map() }
    const parts = { store, clock: hostClock, random, chain, channels: [], report }
    const gateway = await createGateway({ ...parts, policy: () => policy, directory: () => directory }, self)
    const checkpoints = startCheckpoints({
      chain,
      keyFile: folder.signingKey,
      files: () => [folder.checkpoints],
      now: store.now,
      report,
    })
    try {
      return await work(gateway, self)
    } finally {
      await gateway.close()
      checkpoints.stop()
    }
  } finally {
    await store.close()
  }
}
