/**
 * Where people talk to the agent: the chats that the configuration opens, as channels for the gateway and as doors for the
 * HTTP server. The channels must be there before the gateway is, and what they work with only after it.
 */

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { HttpParts } from '../../http/http-parts.ts'
import { createStaticFiles } from '../../http/static-files.ts'
import type { Channel } from '../../people/channel.ts'
import type { ChannelContext } from '../../people/door.ts'
import { createPet } from '../../people/pet/create-pet.ts'
import { createReactPlusChannel } from '../../people/react-plus/channel.ts'
import { createReactPlusDoors } from '../../people/react-plus/doors.ts'
import type { AgentPreset } from '../agent/engine-registration.ts'
import type { ServerAgent } from '../agent/open-server-agents.ts'
import type { ConversationConfiguration } from '../configuration/agent-configuration.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { hostClock } from '../host/host.ts'

export interface DemonstrationPreset extends AgentPreset {
  /** Pages that are served beside it. */
  pages?: string
}

type Chats = Pick<ConversationConfiguration, 'pet' | 'reactPlus'>

/** In the demonstration all chats are open, where nothing is configured. */
export function configuredChats(
  configuration: Configuration,
  { demonstration, configuration: file }: { demonstration?: DemonstrationPreset; configuration: string },
): Chats {
  if (demonstration === undefined || existsSync(file)) return configuration.talk
  return {
    pet: { answerFrom: 'connection', deadlineMs: undefined },
    reactPlus: { cookie: true, pages: demonstration.pages, deadlineMs: undefined },
  }
}

export interface ChatChannels {
  channels: Channel[]
  open(
    gateway: Gateway,
    opened: ServerAgent | undefined,
  ): Pick<HttpParts, 'doors' | 'cookie' | 'pages' | 'conversations' | 'media'>
}

export function createChatChannels(
  { pet, reactPlus }: Chats,
  report: ChannelContext['report'],
): ChatChannels {
  let desk: ChannelContext | undefined
  const theDesk = () => {
    if (desk === undefined) throw new BanksmanError('closed', 'the server is still starting')
    return desk
  }
  const pets =
    pet === undefined
      ? undefined
      : createPet(theDesk, {
          answerFrom: pet.answerFrom,
          ...defined({ deadlineMs: pet.deadlineMs }),
        })
  const channels = [
    ...(pets === undefined ? [] : [pets.channel]),
    ...(reactPlus === undefined
      ? []
      : [
          createReactPlusChannel(
            reactPlus.deadlineMs === undefined ? {} : { deadlineMs: reactPlus.deadlineMs },
          ),
        ]),
  ]
  return {
    channels,
    open(gateway, opened) {
      if (opened === undefined) return {}
      desk = {
        conversations: opened.agent,
        decide: gateway.decide,
        get: gateway.get,
        knownTool: gateway.knownTool,
        list: gateway.list,
        arrive: gateway.arrive,
        watch: gateway.watch,
        report,
        now: hostClock.now,
        after: hostClock.after,
        randomId: randomUUID,
      }
      return {
        conversations: opened.agent,
        media: opened.media,
        doors: [...(pets?.doors ?? []), ...(reactPlus === undefined ? [] : createReactPlusDoors(desk))],
        ...(reactPlus?.cookie === true ? { cookie: { path: '/api/agent/chat' } } : {}),
        ...(reactPlus?.pages === undefined
          ? {}
          : { pages: { prefix: '/react-plus/', files: createStaticFiles(reactPlus.pages) } }),
      }
    },
  }
}
