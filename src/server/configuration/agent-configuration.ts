/** What `banksman.yaml` says of the agent and of the chats in which people talk to it. */
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import {
  type HookConfiguration,
  readHookConfiguration,
} from '../../agents/hooks/configuration/hook-configuration.ts'
import { BanksmanError } from '../../core/errors.ts'
import { DURATION, parseDuration } from '../../core/time/duration.ts'
import type { ConfiguredAgent } from '../agent/engine-registration.ts'
import { ENGINES, engineAgentSchema, readAgent } from '../agent/engines.ts'
import { type AgentConfiguration, agentName, agentSchema, readLoopAgent } from '../agent/loop-registration.ts'

export interface PetConfiguration {
  answerFrom: 'connection' | 'person'
  deadlineMs: number | undefined
}

export interface ReactPlusConfiguration {
  /** Whether logging in leaves a cookie that opens this chat to pages that can't send a header. */
  cookie: boolean
  /** A folder whose files are served at `/react-plus/`. */
  pages: string | undefined
  deadlineMs: number | undefined
}

export interface ConversationConfiguration {
  /** The default agent. */
  agent: AgentConfiguration
  agents: ConfiguredAgent[]
  hooks: HookConfiguration
  pet: PetConfiguration | undefined
  reactPlus: ReactPlusConfiguration | undefined
}

const duration = z
  .string()
  .regex(DURATION, 'must be a number with a unit: ms, s, m, h or d, as in 60s')
  .transform(parseDuration)

/** Agents besides the default one, by name. */
export const agentsSchema = z.record(agentName, engineAgentSchema)

export const petSchema = z.strictObject({
  enabled: z.boolean().default(true),
  answerFrom: z.enum(['connection', 'person']).default('connection'),
  deadline: duration.optional(),
})

export const reactPlusSchema = z.strictObject({
  enabled: z.boolean().default(true),
  cookie: z.boolean().default(false),
  pages: z.string().min(1, 'must be the path of a folder').optional(),
  deadline: duration.optional(),
})

/** The keys of each part, for an error that names them. */
export const CONVERSATION_KEYS: Readonly<Record<string, readonly string[]>> = {
  agent: Object.keys(agentSchema.shape),
  agents: [...new Set(ENGINES.flatMap(({ schema }) => Object.keys(schema.shape)))],
  pet: Object.keys(petSchema.shape),
  reactPlus: Object.keys(reactPlusSchema.shape),
}

export interface ConversationBlocks {
  agent?: z.infer<typeof agentSchema> | undefined
  agents?: z.infer<typeof agentsSchema> | undefined
  hooks?: unknown
  pet?: z.infer<typeof petSchema> | undefined
  reactPlus?: z.infer<typeof reactPlusSchema> | undefined
}

/** Paths are meant from the file's own folder. */
export function readConversationConfiguration(
  blocks: ConversationBlocks,
  file: string,
): ConversationConfiguration {
  const folder = dirname(resolve(file))
  const { pet, reactPlus } = blocks
  const agent = readLoopAgent(blocks.agent ?? agentSchema.parse({}), folder, 'agent')
  const agents = Object.entries(blocks.agents ?? {}).map(([name, block]) => {
    const place = `agents.${name}`
    if (name === agent.name)
      throw new BanksmanError('invalid_configuration', `${place}: that is the name of the default agent`, {
        place,
      })
    return readAgent(block, { name, folder, place })
  })
  return {
    agent,
    agents,
    hooks: withFolders(readHookConfiguration(blocks.hooks), folder),
    pet: pet?.enabled === true ? { answerFrom: pet.answerFrom, deadlineMs: pet.deadline } : undefined,
    reactPlus:
      reactPlus?.enabled === true
        ? {
            cookie: reactPlus.cookie,
            pages: reactPlus.pages === undefined ? undefined : resolve(folder, reactPlus.pages),
            deadlineMs: reactPlus.deadline,
          }
        : undefined,
  }
}

function withFolders(hooks: HookConfiguration, folder: string): HookConfiguration {
  return {
    ...hooks,
    processes: hooks.processes.map((process) => ({ ...process, dir: resolve(folder, process.dir ?? '.') })),
  }
}
