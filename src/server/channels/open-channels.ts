/**
 * Everywhere people are asked by this server: the channels that are configured. The gateway is given the channels. Their drivers
 * are connected once the gateway is there, with an agent or without.
 */
import { randomUUID } from 'node:crypto'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { HttpParts } from '../../http/http-parts.ts'
import { createStaticFiles } from '../../http/static-files.ts'
import type { Channel, ChannelNotice } from '../../people/channel.ts'
import type { ChannelDriver, ChannelPorts, ConnectedChannel } from '../../people/driver.ts'
import type { ServerAgents } from '../agent/open-server-agents.ts'
import { hostClock } from '../host/host.ts'
import { createChannelPorts } from './channel-ports.ts'
import type { ChannelHost, ConfiguredChannel } from './channel-registration.ts'

export interface Channels {
  /** For the gateway. */
  readonly all: readonly Channel[]
  /** Writes a notice to a chat, by the name of its channel. */
  notify(channel: string, notice: ChannelNotice): Promise<'told' | 'gone'>
  /** Connects the drivers, once, and gives what they add to the HTTP app. */
  open(
    gateway: Gateway,
    agents: Pick<ServerAgents, 'main'> & Partial<Pick<ServerAgents, 'talk'>>,
  ): Pick<HttpParts, 'doors' | 'cookie' | 'pages' | 'conversations' | 'media' | 'push' | 'chats'>
  /** Stops what is on its way to people. To be done before the gateway is closed, which would wait for it. */
  close(): Promise<void>
}

export async function openChannels(
  configured: readonly ConfiguredChannel[],
  host: ChannelHost,
): Promise<Channels> {
  const drivers = await Promise.all(configured.map(({ create }) => create(host)))
  let connected: ConnectedChannel[] = []
  return {
    all: drivers.map(({ channel }) => channel),
    async notify(name, notice) {
      const found = drivers.find(({ channel }) => channel.name === name)
      // What has no chat is found in the inbox.
      return (await found?.channel.notify?.(notice)) ?? 'gone'
    },
    open(gateway, { main, talk }) {
      const ports = createChannelPorts({
        gateway,
        conversations: main?.agent,
        secretary: talk,
        clock: hostClock,
        randomId: randomUUID,
        report: host.report,
      })
      connected = drivers.map((driver) => connectDriver(driver, ports))
      const cookiePath = onlyOne('cookiePath', connected)
      const pages = onlyOne('pages', connected)
      return {
        doors: connected.flatMap(({ doors = [] }) => doors),
        chats: connected.flatMap(({ chat }) => chat ?? []),
        ...defined({
          cookie: cookiePath === undefined ? undefined : { path: cookiePath },
          pages: pages && { prefix: pages.prefix, files: createStaticFiles(pages.folder) },
          push: onlyOne('push', connected),
          conversations: main?.agent,
          media: main?.media,
        }),
      }
    },
    async close() {
      for (const { close } of connected.splice(0)) await close?.()
    },
  }
}

/** Who comes in by a door is held to what can be approved in the door's channel (P9), so it must be the driver's own. */
function connectDriver(driver: ChannelDriver, ports: ChannelPorts): ConnectedChannel {
  const { channel } = driver
  const one = driver.connect(ports)
  const other = one.doors?.find((door) => door.channel !== channel.name)
  if (other === undefined) return one
  throw new BanksmanError(
    'invalid_configuration',
    `channel ${channel.name} has a door of channel ${other.channel}; a door is of its driver's channel`,
  )
}

function onlyOne<Name extends keyof ConnectedChannel>(
  name: Name,
  connected: readonly ConnectedChannel[],
): ConnectedChannel[Name] | undefined {
  const found = connected.map((one) => one[name]).filter((value) => value !== undefined)
  if (found.length > 1) throw new BanksmanError('invalid_configuration', `two channels have ${name}`)
  return found[0]
}
