/**
 * A channel as the server knows it before it is there: its key in `banksman.yaml`, what may be written under it, and how its
 * driver is made. Everything that depends on which channels there are follows from the list of registrations.
 */
import type { z } from 'zod'
import type { Directory } from '../../core/authority.ts'
import type { ChannelDriver } from '../../people/driver.ts'
import type { Store } from '../../stores/store.ts'
import type { DataFolder } from '../installation/data-folder.ts'

export interface ChannelRegistration {
  readonly key: string
  /** What may be written under the key. Absent: the channel is always there, and has no key in the configuration. */
  readonly schema?: z.ZodObject
  /** The service whose accounts people have, where `people:` may name them. */
  readonly service?: AccountService
  /** Undefined where the channel is not switched on. Throws `invalid_configuration`. */
  read(block: unknown, place: ConfigurationPlace): ConfiguredChannel | undefined
}

/** Accounts are written under the service's name: `people: { ana: { feishu: ou_… } }`. */
export interface AccountService {
  name: string
  /** What an account's id looks like. Names that people choose, and addresses, MUST NOT fit it. */
  pattern: RegExp
  /** For the error: as in … */
  example: string
}

export interface ConfigurationPlace {
  /** The folder of the configuration file, from which relative paths are meant. */
  folder: string
}

export interface ConfiguredChannel {
  readonly key: string
  /** Plain data, to see whether it has changed since the server was started. */
  readonly options: unknown
  create(host: ChannelHost): Promise<ChannelDriver>
}

/** What a driver may be made of. */
export interface ChannelHost {
  store: Pick<Store, 'now' | 'records' | 'leases' | 'settings' | 'sessions' | 'tokens'>
  folder: Pick<DataFolder, 'pushKey'>
  /** Secrets are named in the configuration and read from here. */
  environment: Record<string, string | undefined>
  directory: () => Directory
  /** This node's id, the same after a restart: what it held as a lease is its own again at once. */
  node: string
  /** Where people open the inbox. */
  inboxUrl: () => string | undefined
  report: (fault: { doing: string; error: unknown }) => void
}

interface ChannelDefinition<Schema extends z.ZodObject, Options> {
  key: string
  schema?: Schema
  service?: AccountService
  /** Undefined where the channel is not switched on. The block is absent where nobody has written the key. */
  read(block: z.output<Schema> | undefined, place: ConfigurationPlace): Options | undefined
  /** The driver's code is imported here, so that reading a configuration loads none of it. */
  create(options: Options, host: ChannelHost): Promise<ChannelDriver>
}

/** The one place where a channel's options have a type. */
export function defineChannel<Schema extends z.ZodObject, Options>(
  definition: ChannelDefinition<Schema, Options>,
): ChannelRegistration {
  const { read, create, ...rest } = definition
  return {
    ...rest,
    read(block, place) {
      const options = read(block as z.output<Schema> | undefined, place)
      if (options === undefined) return undefined
      return { key: rest.key, options, create: (host) => create(options, host) }
    },
  }
}
