/** Our loop, as an engine that the configuration names: what it can say of such an agent. */
import { resolve } from 'node:path'
import { z } from 'zod'
import {
  type ModelConfiguration,
  readModelConfiguration,
} from '../../agents/models/configuration/model-configuration.ts'
import { TOOL_NAMES } from '../../agents/tools/built-in/tool-names.ts'
import type { EngineRegistration } from './engine-registration.ts'

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

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
export const agentName = z.string().regex(NAME, 'must be a name of letters, digits, _ and -')
const text = z
  .string()
  .min(1, 'must not be empty')
  .max(64 * 1024)

/** `agent:`, the default agent. */
export const agentSchema = z.strictObject({
  name: agentName.default('main'),
  instructions: text.optional(),
  model: z.unknown().optional(),
  workspace: z.string().min(1, 'must be the path of a folder').optional(),
  maxSteps: z.int().min(1, 'must be at least 1').max(1000, 'must be at most 1000').default(30),
  tools: z.array(z.enum(TOOL_NAMES)).optional(),
  fetch: z.strictObject({ allow: z.array(z.string().min(1)).default([]) }).optional(),
  agents: z.record(agentName, z.strictObject({ instructions: text })).default({}),
})

const loopSchema = agentSchema.omit({ name: true }).extend({ engine: z.literal('loop') })

export const loopRegistration: EngineRegistration = {
  kind: 'loop',
  schema: loopSchema as unknown as EngineRegistration['schema'],
  read(block, { name, folder, place }) {
    const settings = readLoopAgent({ ...(block as z.infer<typeof loopSchema>), name }, folder, place)
    return { engine: 'loop', name, workspace: settings.workspace, settings }
  },
  async open({ settings }, parts) {
    const { openLoopAgent } = await import('./open-loop-agent.ts')
    return openLoopAgent(settings as AgentConfiguration, parts)
  },
}

export function readLoopAgent(
  block: z.infer<typeof agentSchema>,
  folder: string,
  place: string,
): AgentConfiguration {
  const model = block.model === undefined ? undefined : readModelConfiguration(block.model, `${place}.model`)
  return {
    name: block.name,
    instructions: block.instructions,
    model: model?.provider === 'scripted' ? { ...model, script: resolve(folder, model.script) } : model,
    workspace: block.workspace === undefined ? undefined : resolve(folder, block.workspace),
    maxSteps: block.maxSteps,
    tools: block.tools ?? TOOL_NAMES,
    fetchAllow: block.fetch?.allow ?? [],
    subAgents: block.agents,
  }
}
