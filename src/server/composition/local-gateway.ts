/**
 * A gateway on the store of a data folder, beside a running server, for the owner who can write there anyway. It
 * has a journal chain of its own, which is signed like the server's.
 */
import type { Actor, PersonRole } from '../../core/session.ts'
import { KEY_FOR_MS } from '../../gateway/access/tokens.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import { compilePolicy } from '../../policy/compile-policy.ts'
import { createClosers } from '../closers.ts'
import type { Environment } from '../configuration/store-configuration.ts'
import { userName } from '../host/user-name.ts'
import type { DataFolder, ServerFile } from '../installation/data-folder.ts'
import { checkKnownFolder } from '../installation/known-folder.ts'
import { openLocalStore } from '../installation/open-local-store.ts'
import { startCheckpoints } from '../journal/checkpoints.ts'
import { composeGateway, newChain } from './compose-gateway.ts'
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
  { subject, role, by }: { subject: string; role: PersonRole; by: string },
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
  const closing = createClosers()
  try {
    checkKnownFolder(folder, environment)
    const store = closing.add(await openLocalStore(folder, environment))
    const chain = newChain()
    const { signingKey: keyFile, checkpoints } = folder
    closing.add(startCheckpoints({ chain, keyFile, files: () => [checkpoints], now: store.now, report }))
    // No call comes in through this gateway; if one did, it would be denied.
    const policy = compilePolicy({ mode: 'dontAsk' })
    const directory = { owner, people: new Map() }
    const self: Actor = { subject: owner, role: 'admin', via: 'cli' }
    const gateway = closing.add(
      await composeGateway({
        store,
        chain,
        policy: { current: () => policy },
        directory: { current: () => directory },
        channels: [],
        self,
        report,
      }),
    )
    return await work(gateway, self)
  } finally {
    await closing.close()
  }
}

function report({ doing, error }: { doing: string; error: unknown }): void {
  process.emitWarning(`${doing}: ${error instanceof Error ? error.message : String(error)}`)
}
