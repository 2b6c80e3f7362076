/**
 * A channel as the server knows it before it is there: its key in `banksman.yaml`, what may be written under it, and how its
 * driver is made. Everything that depends on which channels there are follows from the list of registrations.
 */
import type { z } from 'zod'
import type { Directory } from '../../core/authority.ts'
import type { ChatService } from '../../people/chats/contract.ts'
import type { ChatOptions } from '../../people/chats/create-chat.ts'
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
  /** Of a chat: the service alone, to look at it or to set it up. Throws `invalid_configuration` where a secret is missing. */
  readonly chat?: ConfiguredChat
}

export interface ConfiguredChat {
  readonly locale: ChatOptions['locale']
  /** Groups that the configuration names. */
  readonly chats: readonly string[]
  /** The service calls us, at a door of the server. Otherwise we call it. */
  readonly isCalled: boolean
  open(host: ChatServiceHost): Promise<ChatService>
}

/** What a chat service is made of. */
export interface ChatServiceHost extends Pick<ChannelHost, 'environment'> {
  now(): number
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
  chat?(options: Options): ConfiguredChat
}

/** The one place where a channel's options have a type. */
export function defineChannel<Schema extends z.ZodObject, Options>(
  definition: ChannelDefinition<Schema, Options>,
): ChannelRegistration {
  const { read, create, chat, ...rest } = definition
  return {
    ...rest,
    read(block, place) {
      const options = read(block as z.output<Schema> | undefined, place)
      if (options === undefined) return undefined
      return {
        key: rest.key,
        options,
        create: (host) => create(options, host),
        ...(chat === undefined ? {} : { chat: chat(options) }),
      }
    },
  }
}

interface ChatChannelOptions {
  chat: ChatOptions
  webhook?: unknown
}

interface ChatDefinition<Schema extends z.ZodObject, Options extends ChatChannelOptions>
  extends Omit<ChannelDefinition<Schema, Options>, 'create' | 'chat'> {
  open(options: Options, host: ChatServiceHost): Promise<ChatService>
}

/** A chat service: its driver is the same for all. */
export function defineChat<Schema extends z.ZodObject, Options extends ChatChannelOptions>(
  definition: ChatDefinition<Schema, Options>,
): ChannelRegistration {
  const { open, ...rest } = definition
  return defineChannel<Schema, Options>({
    ...rest,
    async create(options, host) {
      const { createChat } = await import('../../people/chats/create-chat.ts')
      const service = await open(options, { environment: host.environment, now: () => host.store.now() })
      return createChat({ ...host, service, options: options.chat })
    },
    chat: (options) => ({
      locale: options.chat.locale,
      chats: [...(options.chat.chat === undefined ? [] : [options.chat.chat]), ...options.chat.chats],
      isCalled: Boolean(options.webhook),
      open: (host) => open(options, host),
    }),
  })
}
