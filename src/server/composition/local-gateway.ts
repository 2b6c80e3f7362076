/**
 * A gateway on the store of a data folder, beside a running server, for the owner who can write there anyway. It
 * has a journal chain of its own, which is signed like the server's.
 */
import { createIds } from '../../core/ids.ts'
import type { Actor, Role } from '../../core/session.ts'
import { KEY_FOR_MS } from '../../gateway/access/tokens.ts'
import { createGateway, type Gateway } from '../../gateway/gateway.ts'
import { createChainWriter } from '../../journal/index.ts'
import { compilePolicy } from '../../policy/index.ts'
import type { Environment } from '../configuration/store-configuration.ts'
import { createHostRandom, hostClock } from '../host/host.ts'
import { userName } from '../host/user-name.ts'
import type { DataFolder, ServerFile } from '../installation/data-folder.ts'
import { openLocalStore } from '../installation/open-local-store.ts'
import { startCheckpoints } from '../journal/checkpoints.ts'
import { directoryOf } from './directory.ts'

/** Who has a valid token or a link to log in with, agents left out: they are known, whatever the configuration says. */
export async function tokenHolders(folder: DataFolder, environment: Environment): Promise<string[]> {
  const store = await openLocalStore(folder, environment)
  try {
    const now = store.now()
    const tokens = await store.tokens.list()
    const { people } = directoryOf({ owner: '', people: new Map() }, tokens, now)
    const invited = tokens.filter(({ use, revokedAt, expiresAt = now }) => {
      return use === 'login' && revokedAt === undefined && expiresAt > now
    })
    return [...people.keys(), ...invited.map(({ subject }) => subject)]
  } finally {
    await store.close()
  }
}

export interface LoginCode {
  code: string
  expiresAt: number | undefined
}

/** The single-use code of a login link, written into the store directly. */
export async function createLoginCode(
  folder: DataFolder,
  environment: Environment,
  { subject, role, by }: { subject: string; role: Exclude<Role, 'agent'>; by: string },
): Promise<LoginCode> {
  return withLocalGateway(folder, environment, by, async (gateway, self) => {
    const { secret, token } = await gateway.tokens.createLogin({ subject, role }, self)
    return { code: secret, expiresAt: token.expiresAt }
  })
}

/** The key of the command line, written into the store directly: it needs no link, and none of what a browser is left. */
export async function createLocalKey(
  folder: DataFolder,
  environment: Environment,
  owner: string,
): Promise<string> {
  return withLocalGateway(folder, environment, owner, async (gateway, self) => {
    const input = { subject: owner, role: 'admin', label: 'command line', expiresInMs: KEY_FOR_MS } as const
    return (await gateway.tokens.create(input, self)).secret
  })
}

export function ownerOf(server: ServerFile): string {
  return server.owner ?? userName()
}

async function withLocalGateway<T>(
  folder: DataFolder,
  environment: Environment,
  owner: string,
  work: (gateway: Gateway, self: Actor) => Promise<T>,
): Promise<T> {
  const store = await openLocalStore(folder, environment)
  try {
    const random = createHostRandom()
    const chain = createChainWriter(createIds(hostClock, random)('chn'))
    const self: Actor = { subject: owner, role: 'admin', via: 'cli' }
    // Nothing comes in through this gateway; if it did, it would be denied.
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

function report({ doing, error }: { doing: string; error: unknown }): void {
  process.emitWarning(`${doing}: ${error instanceof Error ? error.message : String(error)}`)
}
