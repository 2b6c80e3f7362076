/** What `banksman.yaml` says of the agents. */
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import {
  type HookConfiguration,
  readHookConfiguration,
} from '../../agents/hooks/configuration/hook-configuration.ts'
import { CODER, SECRETARY } from '../../agents/secretary/agent-names.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { ConfiguredAgent } from '../agent/engine-registration.ts'
import { ENGINES, engineAgentSchema, readAgent } from '../agent/engines.ts'
import { type AgentConfiguration, agentName, agentSchema, readLoopAgent } from '../agent/loop-registration.ts'
import {
  readSecretaryConfiguration,
  type SecretaryConfiguration,
  type secretarySchema,
} from './secretary-configuration.ts'

export interface ConversationConfiguration {
  /** The default agent. */
  agent: AgentConfiguration
  agents: ConfiguredAgent[]
  hooks: HookConfiguration
  /** Coding sessions. Absent: there are none. */
  secretary: SecretaryConfiguration | undefined
}

/** Agents besides the default one, by name. */
export const agentsSchema = z.record(agentName, engineAgentSchema)

/** The keys of each part, for an error that names them. */
export const CONVERSATION_KEYS: Readonly<Record<string, readonly string[]>> = {
  agent: Object.keys(agentSchema.shape),
  agents: [...new Set(ENGINES.flatMap(({ schema }) => Object.keys(schema.shape)))],
}

export interface ConversationBlocks {
  agent?: z.infer<typeof agentSchema> | undefined
  agents?: z.infer<typeof agentsSchema> | undefined
  hooks?: unknown
  secretary?: z.infer<typeof secretarySchema> | undefined
}

/** Paths are meant from the file's own folder. */
export function readConversationConfiguration(
  blocks: ConversationBlocks,
  file: string,
): ConversationConfiguration {
  const folder = dirname(resolve(file))
  const agent = readLoopAgent(blocks.agent ?? agentSchema.parse({}), folder, 'agent')
  const agents = Object.entries(blocks.agents ?? {}).map(([name, block]) => {
    const place = `agents.${name}`
    if (name === agent.name)
      throw new BanksmanError('invalid_configuration', `${place}: that is the name of the default agent`, {
        place,
      })
    return readAgent(block, { name, folder, place })
  })
  if (blocks.secretary !== undefined) refuseTaken([agent.name, ...agents.map(({ name }) => name)])
  return {
    agent,
    agents,
    hooks: withFolders(readHookConfiguration(blocks.hooks), folder),
    secretary: blocks.secretary && readSecretaryConfiguration(blocks.secretary, folder),
  }
}

/** All agents are in one host, and a session is kept with the name of its agent. */
function refuseTaken(names: readonly string[]): void {
  const taken = names.find((name) => name === CODER || name === SECRETARY)
  if (taken === undefined) return
  throw new BanksmanError(
    'invalid_configuration',
    `agents.${taken}: with secretary: in the file that name is the secretary's; give the agent another`,
    { place: `agents.${taken}` },
  )
}

function withFolders(hooks: HookConfiguration, folder: string): HookConfiguration {
  return {
    ...hooks,
    processes: hooks.processes.map((process) => ({ ...process, dir: resolve(folder, process.dir ?? '.') })),
  }
}
