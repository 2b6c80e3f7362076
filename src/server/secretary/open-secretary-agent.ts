/** The secretary that people talk to: our loop with its six tools and no others. Undefined where nothing names a model for it. */
import {
  modelFromConfiguration,
  modelFromEnvironment,
} from '../../agents/models/configuration/choose-model.ts'
import type { Model } from '../../agents/models/model.ts'
import { SECRETARY_INSTRUCTIONS } from '../../agents/secretary/tools/instructions.ts'
import { createSecretaryTools } from '../../agents/secretary/tools/secretary-tools.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { Secretary } from '../../core/secretary.ts'
import type { OpenedAgent, ServerAgentParts } from '../agent/engine-registration.ts'
import { openWith, readScriptFile } from '../agent/open-loop-agent.ts'
import type { SecretaryConfiguration } from '../configuration/secretary-configuration.ts'
import { hostClock } from '../host/host.ts'

export async function openSecretaryAgent(
  { agent }: Pick<SecretaryConfiguration, 'agent'>,
  parts: ServerAgentParts,
  secretary: () => Secretary,
): Promise<OpenedAgent | undefined> {
  const { environment } = parts
  const readScript = (path: string) => readScriptFile(path, 'secretary.agent.model.script')
  const chosen =
    agent.model === undefined
      ? modelFromEnvironment(environment, { clock: hostClock })
      : modelFromConfiguration(agent.model, environment, { readScript, clock: hostClock })
  if (chosen === undefined) return undefined
  // Nobody has asked for this one: where it can't answer, people talk to their sessions.
  if (agent.model === undefined && !(await canAnswer(chosen.model, parts.say))) return undefined
  const { instructions } = agent
  const told =
    instructions === undefined ? SECRETARY_INSTRUCTIONS : `${SECRETARY_INSTRUCTIONS}\n\n${instructions}`
  const tools = createSecretaryTools(secretary)
  return openWith(chosen, { ...agent, instructions: told, tools: [] }, parts, { tools })
}

/** Says what is missing where it can't. */
export async function canAnswer(
  model: Pick<Model, 'prepare'>,
  say: (line: string) => void,
): Promise<boolean> {
  try {
    await model.prepare?.()
    return true
  } catch (error) {
    if (!isBanksmanError(error, 'missing_dependency')) throw error
    say(
      `the secretary understands only commands, and what else people write goes to their session: ${error.message}, and start again`,
    )
    return false
  }
}
