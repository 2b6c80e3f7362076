/** The engine that works in the folders of coding sessions, as the configuration says. */
import {
  type ChosenModel,
  modelFromConfiguration,
  modelFromEnvironment,
} from '../../agents/models/configuration/choose-model.ts'
import { CODER } from '../../agents/secretary/agent-names.ts'
import type { SessionPlace } from '../../agents/secretary/folders.ts'
import type { EngineSession } from '../../agents/sessions/engine.ts'
import { TOOL_NAMES } from '../../agents/tools/built-in/tool-names.ts'
import { BanksmanError } from '../../core/errors.ts'
import { refusalText } from '../../guard/model-texts.ts'
import type { OpenedAgent, ServerAgentParts } from '../agent/engine-registration.ts'
import type { AgentConfiguration } from '../agent/loop-registration.ts'
import { openClaudeWith } from '../agent/open-claude-agent.ts'
import { openWith, readScriptFile } from '../agent/open-loop-agent.ts'
import type { CoderConfiguration, SecretaryConfiguration } from '../configuration/secretary-configuration.ts'
import { hostClock } from '../host/host.ts'

export interface CodingEngineParts extends ServerAgentParts {
  settings: SecretaryConfiguration
  /** Where a session works. Throws where it may not work there. */
  placeOf(session: Pick<EngineSession, 'id'>): Promise<SessionPlace>
  /** A folder that there is, where no session is meant. */
  workspace: string
}

export async function openCodingEngine(parts: CodingEngineParts): Promise<OpenedAgent> {
  const { coder } = parts.settings
  return coder.engine === 'loop'
    ? openLoopCoder(chooseModel(coder, parts), coder, parts)
    : openClaudeCoder(coder, parts)
}

function chooseModel({ model }: CoderConfiguration, { environment }: CodingEngineParts): ChosenModel {
  const place = 'secretary.model'
  const readScript = (path: string) => readScriptFile(path, `${place}.script`)
  const chosen =
    model === undefined
      ? modelFromEnvironment(environment, { clock: hostClock })
      : modelFromConfiguration(model as Exclude<typeof model, string>, environment, {
          readScript,
          clock: hostClock,
        })
  if (chosen === undefined)
    throw new BanksmanError('invalid_configuration', `${place}: name a model; the environment names none`, {
      place,
    })
  return chosen
}

export function openLoopCoder(
  chosen: ChosenModel,
  { model, maxTurns, instructions }: CoderConfiguration,
  parts: CodingEngineParts,
): Promise<OpenedAgent> {
  const { workspace } = parts
  const settings: AgentConfiguration = {
    name: CODER,
    instructions,
    model: typeof model === 'string' ? undefined : model,
    workspace,
    maxSteps: maxTurns,
    tools: TOOL_NAMES,
    fetchAllow: [],
    subAgents: {},
  }
  return openWith(chosen, settings, parts, {
    workspaceOf: async (session) => (await parts.placeOf(session)).folder,
  })
}

export function openClaudeCoder(
  { model, maxTurns, instructions }: CoderConfiguration,
  parts: CodingEngineParts,
): Promise<OpenedAgent> {
  const { workspace, settings, placeOf } = parts
  return openClaudeWith(
    {
      name: CODER,
      workspace,
      maxTurns,
      model: typeof model === 'string' ? model : undefined,
      instructions,
      idleMs: settings.idleMs,
      // A person's no is told in the words of the secretary; what else is known of it would only be in their way.
      refusal: (tool, refused) =>
        refused.state === 'rejected' ? refused.because : refusalText(tool, refused),
      async placeOf(session) {
        const { folder, settings: wanted = 'none' } = await placeOf(session)
        return { folder, settings: wanted }
      },
    },
    parts,
  )
}
