/** What `banksman.yaml` says of the agent and of the chats in which people talk to it. */
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import {
  type HookConfiguration,
  readHookConfiguration,
} from '../../agents/hooks/configuration/hook-configuration.ts'
import {
  type ModelConfiguration,
  readModelConfiguration,
} from '../../agents/models/configuration/model-configuration.ts'
import { TOOL_NAMES } from '../../agents/tools/built-in/tool-names.ts'
import { DURATION, parseDuration } from '../../core/time/duration.ts'

export interface AgentConfiguration {
  name: string
  instructions: string | undefined
  /** Absent: as the environment says. */
  model: ModelConfiguration | undefined
  /** The folder that its tools work in. Absent: the first of the roots. */
  workspace: string | undefined
  maxSteps: number
  /** Which of the built-in tools it has. */
  tools: readonly string[]
  /** Private hosts and networks that `fetch_url` may go to all the same. */
  fetchAllow: string[]
  subAgents: Record<string, { instructions: string }>
}

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
  agent: AgentConfiguration
  hooks: HookConfiguration
  pet: PetConfiguration | undefined
  reactPlus: ReactPlusConfiguration | undefined
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
const name = z.string().regex(NAME, 'must be a name of letters, digits, _ and -')
const text = z
  .string()
  .min(1, 'must not be empty')
  .max(64 * 1024)
const duration = z
  .string()
  .regex(DURATION, 'must be a number with a unit: ms, s, m, h or d, as in 60s')
  .transform(parseDuration)

export const agentSchema = z.strictObject({
  name: name.default('main'),
  instructions: text.optional(),
  model: z.unknown().optional(),
  workspace: z.string().min(1, 'must be the path of a folder').optional(),
  maxSteps: z.int().min(1, 'must be at least 1').max(1000, 'must be at most 1000').default(30),
  tools: z.array(z.enum(TOOL_NAMES)).optional(),
  fetch: z.strictObject({ allow: z.array(z.string().min(1)).default([]) }).optional(),
  agents: z.record(name, z.strictObject({ instructions: text })).default({}),
})

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
  pet: Object.keys(petSchema.shape),
  reactPlus: Object.keys(reactPlusSchema.shape),
}

export interface ConversationBlocks {
  agent?: z.infer<typeof agentSchema> | undefined
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
  const agent = blocks.agent ?? agentSchema.parse({})
  const { pet, reactPlus } = blocks
  const model = agent.model === undefined ? undefined : readModelConfiguration(agent.model)
  return {
    agent: {
      name: agent.name,
      instructions: agent.instructions,
      model: model?.provider === 'scripted' ? { ...model, script: resolve(folder, model.script) } : model,
      workspace: agent.workspace === undefined ? undefined : resolve(folder, agent.workspace),
      maxSteps: agent.maxSteps,
      tools: agent.tools ?? TOOL_NAMES,
      fetchAllow: agent.fetch?.allow ?? [],
      subAgents: agent.agents,
    },
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
