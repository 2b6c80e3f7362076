/**
 * The agent beside a server: its model, its tools, its hooks and its media, as the configuration and the environment say.
 * Without a model there is no agent, and the server serves the agents of others.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { createHookMounts } from '../../agents/hooks/configuration/hook-mounts.ts'
import { createProcessHook } from '../../agents/hooks/process/process-hook.ts'
import { createFolderMediaStore, type FolderMediaStore } from '../../agents/media/folder-media-store.ts'
import {
  type ChosenModel,
  modelFromConfiguration,
  modelFromEnvironment,
} from '../../agents/models/configuration/choose-model.ts'
import { type ModelScript, readScript } from '../../agents/models/scripted/script.ts'
import { createScriptedModel } from '../../agents/models/scripted/scripted-model.ts'
import type { Agent } from '../../agents/sessions/session-host.ts'
import type { Tool } from '../../agents/tools/tool.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { hostClock } from '../host/host.ts'
import { openAgent } from './open-agent.ts'

export interface ServerAgentParts {
  gateway: Gateway
  configuration: Configuration
  /** Where media are kept. */
  folder: string
  /** What belongs to Banksman itself on this machine. */
  keepOut: readonly string[]
  environment: Record<string, string | undefined>
  /** The addresses of this server, which no tool may reach. */
  own: () => readonly string[]
  /** What the agent is where nothing else says. */
  demonstration?: AgentPreset
  report: (fault: { doing: string; error: unknown }) => void
  say: (line: string) => void
}

export interface AgentPreset {
  script: ModelScript
  tools: Tool[]
  workspace: string
}

export interface ServerAgent {
  agent: Agent
  media: FolderMediaStore
  /** Which model answers, and why that one. */
  because: string
  workspace: string
}

export async function openServerAgent(parts: ServerAgentParts): Promise<ServerAgent | undefined> {
  const { gateway, configuration, demonstration, own, report, say } = parts
  const { agent: settings, hooks } = configuration.talk
  const chosen = chooseModel(parts)
  if (chosen === undefined) return undefined
  await tellWhatIsMissing(chosen, say)
  const workspace = settings.workspace ?? demonstration?.workspace ?? configuration.roots[0] ?? process.cwd()
  const media = createFolderMediaStore(join(parts.folder, 'media'))
  const { model } = settings
  const mounts = await createHookMounts(hooks, {
    builtins: {},
    startProcess: ({ name, command, dir, env, observe, intercept, tools, generation }) =>
      createProcessHook({
        name,
        command,
        env,
        observe,
        intercept,
        providesTools: tools.length > 0,
        ...defined({ dir, generation }),
        log: (line) => say(`hook ${name}: ${line}`),
      }),
  })
  const agent = openAgent({
    gateway,
    model: chosen.model,
    workspace,
    tools: demonstration?.tools ?? [],
    builtInTools: settings.tools,
    hooks: mounts,
    name: settings.name,
    ...defined({ instructions: settings.instructions }),
    maxSteps: settings.maxSteps,
    ...(model?.maxTokens === undefined ? {} : { maxTokens: model.maxTokens }),
    ...(model?.temperature === undefined ? {} : { temperature: model.temperature }),
    agents: settings.subAgents,
    fetchAllow: settings.fetchAllow,
    own,
    keepOut: parts.keepOut,
    media,
    report,
  })
  return { agent, media, because: chosen.because, workspace }
}

/** The server starts without it all the same: people answer for other agents too. */
async function tellWhatIsMissing({ model }: ChosenModel, say: (line: string) => void): Promise<void> {
  try {
    await model.prepare?.()
  } catch (error) {
    if (!isBanksmanError(error, 'missing_dependency')) throw error
    say(`the agent can't answer yet: ${error.message}, and start again`)
  }
}

function chooseModel({
  configuration,
  environment,
  demonstration,
}: ServerAgentParts): ChosenModel | undefined {
  const { model } = configuration.talk.agent
  if (model !== undefined) {
    return modelFromConfiguration(model, environment, { readScript: readScriptFile, clock: hostClock })
  }
  const found = modelFromEnvironment(environment, { clock: hostClock })
  if (found !== undefined || demonstration === undefined) return found
  const scripted = createScriptedModel(demonstration.script, { after: hostClock.after })
  return { model: scripted, because: `${scripted.name}, which follows a script and needs no key` }
}

function readScriptFile(path: string): unknown {
  try {
    return readScript(parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new BanksmanError(
      'invalid_configuration',
      `agent.model.script: ${path} can't be used: ${error instanceof Error ? error.message : String(error)}`,
      { place: 'agent.model.script' },
      { cause: error },
    )
  }
}
