/** What a server is started on: its data folder, locked; its configuration; its store. */
import { defined } from '../../core/defined.ts'
import type { ChannelRegistration } from '../channels/channel-registration.ts'
import type { Closers } from '../closers.ts'
import {
  type ConfigurationSource,
  createConfigurationSource,
  describeStatus,
} from '../configuration/configuration-source.ts'
import { trustFolder } from '../configuration/trust.ts'
import { userName } from '../host/user-name.ts'
import { type DataFolder, lockDataFolder, openDataFolder } from './data-folder.ts'
import { openServerStore, type ServerStore } from './open-server-store.ts'

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
}

export async function openInstallation(
  options: InstallationOptions,
  closing: Closers,
): Promise<ServerInstallation> {
  const { configuration: file, environment, say } = options
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
  return { folder, configuration, trustFolder: trusted, stored: closing.add(stored) }
}
