/** The channels that a server opens: those of its configuration, or all chats in the demonstration. */
import { existsSync } from 'node:fs'
import type { AgentPreset } from '../agent/engine-registration.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { ConfiguredChannel } from './channel-registration.ts'
import { CHANNELS, readChannels } from './registrations.ts'

export interface DemonstrationPreset extends AgentPreset {
  /** Pages that are served beside it. */
  pages?: string
}

export function configuredChannels(
  configuration: Configuration,
  { demonstration, configuration: file }: { demonstration?: DemonstrationPreset; configuration: string },
): readonly ConfiguredChannel[] {
  if (demonstration === undefined || existsSync(file)) return configuration.channels
  const chats = {
    pet: { enabled: true, answerFrom: 'connection' },
    reactPlus: { enabled: true, cookie: true, pages: demonstration.pages },
  }
  return readChannels(chats, file, CHANNELS)
}
