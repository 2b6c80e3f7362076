/** `secretary:` in the configuration: coding sessions that work in the background. */
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import {
  type ModelConfiguration,
  readModelConfiguration,
} from '../../agents/models/configuration/model-configuration.ts'
import { SECRETARY } from '../../agents/secretary/agent-names.ts'
import type { AllowedFolder } from '../../agents/secretary/folders.ts'
import type { SecretarySettings } from '../../agents/secretary/secretary-settings.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import { parseDuration } from '../../core/time/duration.ts'
import { type AgentConfiguration, agentSchema, readLoopAgent } from '../agent/loop-registration.ts'
import { shortDuration } from '../channels/duration-schema.ts'

export interface SecretaryConfiguration extends SecretarySettings {
  coder: CoderConfiguration
  /** Absent: the roots. */
  folders: AllowedFolder[] | undefined
  /** What a command in a chat begins with. */
  prefix: string
  /** A session is put to sleep after so long without a turn. */
  idleMs: number
  /** The secretary itself. */
  agent: AgentConfiguration
}

/** What works in the folders. */
export interface CoderConfiguration {
  engine: 'claude' | 'loop'
  /** For `claude`, the name of a model. Absent: as the engine or the environment says. */
  model: string | ModelConfiguration | undefined
  /** How often the model is asked in one turn. */
  maxTurns: number
  instructions: string | undefined
}

const text = z
  .string()
  .min(1, 'must not be empty')
  .max(64 * 1024)
const path = z.string().min(1, 'must be the path of a folder')
const folder = z.union([path, z.strictObject({ path, settings: z.literal('project').optional() })], {
  error: 'must be the path of a folder, or { path, settings: project }',
})
const timeout = z.union([z.literal('none'), shortDuration], {
  error: 'must be none, or a number with a unit: ms, s, m, h or d, as in 120s',
})

const budget = z.strictObject({
  turns: z.int().min(1, 'must be at least 1').optional(),
  time: shortDuration.optional(),
  cost: z.number().positive('must be more than 0, in US dollars').optional(),
})
const agent = agentSchema.pick({ model: true, instructions: true, maxSteps: true })

export const secretarySchema = z.strictObject({
  engine: z.enum(['claude', 'loop'], { error: 'must be claude or loop' }).default('claude'),
  model: z.unknown().optional(),
  maxTurns: z.int().min(1, 'must be at least 1').max(1000, 'must be at most 1000').default(100),
  instructions: text.optional(),
  folders: z.array(folder).min(1, 'must name a folder').optional(),
  language: z.enum(['en', 'zh'], { error: 'must be en or zh' }).default('en'),
  approvalTimeout: timeout.default(120_000),
  prefix: z
    .string()
    .regex(/^[!-/:-@[-`{-~]{1,4}$/, 'must be one to four signs, as in //')
    .default('//'),
  sessionsPerPerson: z.int().min(1, 'must be at least 1').max(1000, 'must be at most 1000').default(20),
  idle: shortDuration.default(parseDuration('30m')),
  budget: budget.default({}),
  agent: agent.optional(),
})

/** The keys that may stand below a path of the file, which begins with `secretary`. */
export function secretaryKeys([, member]: readonly PropertyKey[]): readonly string[] {
  if (member === 'folders') return ['path', 'settings']
  const schema = member === 'budget' ? budget : member === 'agent' ? agent : secretarySchema
  return Object.keys(schema.shape)
}

export function readSecretaryConfiguration(
  block: z.infer<typeof secretarySchema>,
  folder: string,
): SecretaryConfiguration {
  const { engine, maxTurns, instructions, language, approvalTimeout, budget, agent } = block
  const { turns, time, cost } = budget
  return {
    coder: { engine, maxTurns, instructions, model: readCoderModel(block, folder) },
    folders: block.folders?.map((each) => {
      const named: { path: string; settings?: 'project' | undefined } =
        typeof each === 'string' ? { path: each } : each
      const isBelowHome = named.path === '~' || named.path.startsWith('~/')
      const at = resolve(folder, isBelowHome ? `${homedir()}${named.path.slice(1)}` : named.path)
      return { path: at, ...defined({ settings: named.settings }) }
    }),
    language,
    ...(approvalTimeout === 'none' ? {} : { approvalTimeoutMs: approvalTimeout }),
    prefix: block.prefix,
    sessionsPerPerson: block.sessionsPerPerson,
    idleMs: block.idle,
    budget: defined({ turns, workedMs: time, costUsd: cost }),
    agent: readLoopAgent(agentSchema.parse({ ...agent, name: SECRETARY }), folder, 'secretary.agent'),
  }
}

function readCoderModel(
  { engine, model }: z.infer<typeof secretarySchema>,
  folder: string,
): CoderConfiguration['model'] {
  if (model === undefined) return undefined
  const place = 'secretary.model'
  if (engine === 'claude') {
    if (typeof model === 'string' && model !== '') return model
    throw new BanksmanError('invalid_configuration', `${place}: must be the name of a model of Claude's`, {
      place,
    })
  }
  const read = readModelConfiguration(model, place)
  return read.provider === 'scripted' ? { ...read, script: resolve(folder, read.script) } : read
}
