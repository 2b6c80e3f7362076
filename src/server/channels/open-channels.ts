/**
 * Everywhere people are asked by this server: the inbox, the chats that the configuration opens, and Web Push. The gateway
 * is given the channels; what a channel serves itself is opened with the gateway and the agents.
 */
import { defined } from '../../core/defined.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { HttpParts } from '../../http/http-parts.ts'
import type { Channel } from '../../people/channel.ts'
import { createInboxChannel } from '../../people/inbox/channel.ts'
import type { ServerAgents } from '../agent/open-server-agents.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { configuredChats, createChatChannels, type DemonstrationPreset } from './chat-channels.ts'
import { openPush, type PushOptions } from './open-push.ts'

export interface ChannelsParts extends Omit<PushOptions, 'configuration'> {
  configuration: Configuration
  /** The configuration file. */
  file: string
  demonstration: DemonstrationPreset | undefined
}

export interface Channels {
  /** For the gateway. */
  readonly all: readonly Channel[]
  /** What the channels add to the HTTP app. */
  open(
    gateway: Gateway,
    agents: ServerAgents,
  ): Pick<HttpParts, 'doors' | 'cookie' | 'pages' | 'conversations' | 'media' | 'push'>
  /** Stops what is on its way to people. To be done before the gateway is closed, which would wait for it. */
  close(): Promise<void>
}

export function openChannels(parts: ChannelsParts): Channels {
  const { configuration, file, demonstration, report } = parts
  const chats = createChatChannels(
    configuredChats(configuration, { configuration: file, ...defined({ demonstration }) }),
    report,
  )
  const push = openPush({ ...parts, configuration: configuration.push })
  return {
    all: [createInboxChannel(), ...chats.channels, ...push.channels],
    open: (gateway, agents) => ({ ...chats.open(gateway, agents.main), ...defined({ push: push.desk }) }),
    async close() {
      for (const channel of push.channels) await channel.close?.()
    },
  }
}
