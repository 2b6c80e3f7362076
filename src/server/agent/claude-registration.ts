/** Claude Code, as an engine that the configuration names: what it can say of such an agent. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { shortDuration } from '../channels/duration-schema.ts'
import type { EngineRegistration } from './engine-registration.ts'

export interface ClaudeAgentConfiguration {
  name: string
  /** Absent: the first of the roots. */
  workspace: string | undefined
  model: string | undefined
  maxTurns: number
  idleMs: number | undefined
  instructions: string | undefined
  settings: 'none' | 'project'
}

const claudeSchema = z.strictObject({
  engine: z.literal('claude'),
  workspace: z.string().min(1, 'must be the path of a folder').optional(),
  model: z.string({ error: "must be the name of a model of Claude's" }).min(1).max(200).optional(),
  maxTurns: z.int().min(1, 'must be at least 1').max(1000, 'must be at most 1000').default(100),
  idle: shortDuration.optional(),
  instructions: z
    .string()
    .min(1, 'must not be empty')
    .max(64 * 1024)
    .optional(),
  settings: z.enum(['none', 'project'], { error: 'must be none or project' }).default('none'),
})

export const claudeRegistration: EngineRegistration = {
  kind: 'claude',
  schema: claudeSchema as unknown as EngineRegistration['schema'],
  read(block, { name, folder }) {
    const { workspace, idle: idleMs, engine, ...rest } = block as z.infer<typeof claudeSchema>
    const settings: ClaudeAgentConfiguration = {
      name,
      model: rest.model,
      maxTurns: rest.maxTurns,
      instructions: rest.instructions,
      settings: rest.settings,
      idleMs,
      workspace: workspace === undefined ? undefined : resolve(folder, workspace),
    }
    return { engine, name, workspace: settings.workspace, settings }
  },
  async open({ settings }, parts) {
    const { openClaudeAgent } = await import('./open-claude-agent.ts')
    return openClaudeAgent(settings as ClaudeAgentConfiguration, parts)
  },
}
