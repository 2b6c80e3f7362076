/** What a server is started on: its data folder, locked; its configuration; its store. */
import { rmSync } from 'node:fs'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { ChannelRegistration } from '../channels/channel-registration.ts'
import type { Closers } from '../closers.ts'
import {
  type ConfigurationSource,
  createConfigurationSource,
  describeStatus,
} from '../configuration/configuration-source.ts'
import { trustFolder } from '../configuration/trust.ts'
import { userName } from '../host/user-name.ts'
import { type DataFolder, dataFolderAt, lockDataFolder, openDataFolder } from './data-folder.ts'
import { checkKnownFolder, rememberFolder } from './known-folder.ts'
import { openServerStore, type ServerStore } from './open-server-store.ts'
import { findShorterChains, type ShorterChain } from './store-mark.ts'

export interface InstallationOptions {
  /** The data folder. */
  data: string
  /** The configuration file. It need not exist. */
  configuration: string
  environment: Record<string, string | undefined>
  /** Where the store is, with variables in the place of secrets. Absent: as the environment or the configuration says. */
  store?: string
  /** The folder from which a relative file that names the store is meant. */
  cwd?: string
  /** The channels that may be configured. The default is all that there are. */
  channels?: readonly ChannelRegistration[]
  /** Goes on with a store that is older than what this node knows: all that it allows ends. */
  acceptOlderStore?: boolean
  /** Takes over a data folder that this user has not used before: all that its store allows ends. */
  adoptData?: boolean
  report: (fault: { doing: string; error: unknown }) => void
  /** Told what the person who runs the server wants to know. */
  say: (line: string) => void
}

export interface ServerInstallation {
  folder: DataFolder
  configuration: ConfigurationSource
  /** Where it is written down which texts of configuration files people trust. */
  trustFolder: string
  stored: ServerStore
  /** What the store lacks, where it is older and a person has accepted it. */
  older: readonly ShorterChain[]
  /** The data folder was not this user's until now. */
  isAdopted: boolean
}

export async function openInstallation(
  options: InstallationOptions,
  closing: Closers,
): Promise<ServerInstallation> {
  const { configuration: file, environment, say } = options
  checkKnownFolder(dataFolderAt(options.data), environment, options.adoptData)
  const folder = openDataFolder(options.data)
  const lock = lockDataFolder(folder)
  closing.add({ close: lock.release })
  const trusted = trustFolder(environment)
  const configuration = createConfigurationSource({
    file,
    trustFolder: trusted,
    defaultOwner: userName(),
    ...defined({ channels: options.channels }),
  })
  const status = configuration.status()
  // Said before anything that could fail because of a text that is no longer in the file.
  if (status.kind === 'untrusted' || status.kind === 'gone') say(describeStatus(status, file))
  const cwd = options.cwd ?? process.cwd()
  const stored = await openServerStore(
    { named: options.store, environment, configuration, file, folder, cwd },
    options,
  )
  closing.add(stored)
  const older = await checkAge(folder, stored, options)
  const isAdopted = options.adoptData === true
  // Known only once everything in it has been revoked; and the server it came from may still have its name.
  if (isAdopted) rmSync(folder.nodeFile, { force: true })
  else rememberFolder(folder, environment)
  return { folder, configuration, trustFolder: trusted, stored, older, isAdopted }
}

async function checkAge(
  folder: DataFolder,
  stored: ServerStore,
  { acceptOlderStore, say }: InstallationOptions,
): Promise<ShorterChain[]> {
  const older = stored.mayLose ? [] : await findShorterChains(folder, stored)
  if (older.length === 0) {
    if (acceptOlderStore)
      say('the store is not older than what this server knows; --accept-older-store did nothing')
    return older
  }
  if (acceptOlderStore) return older
  const { chain, known, found } = older[0]!
  throw new BanksmanError(
    'store_older',
    `the store ${stored.at} is older than what this server has acknowledged: chain ${chain} had ${known} entries and has ${found}. Calls that ran since then would run again, and revoked tokens would be valid. If you have restored a backup on purpose, start with --accept-older-store: pending requests and unclaimed approvals end, running calls become unknown, and all tokens, grants and account links are revoked. Otherwise put the newest store back`,
    { store: stored.at, chains: older },
  )
}
