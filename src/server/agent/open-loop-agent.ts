/** An agent of this server with our loop: its model, its tools and its hooks, as the configuration and the environment say. */

import { createHookMounts } from '../../agents/hooks/configuration/hook-mounts.ts'
import { createProcessHook } from '../../agents/hooks/process/process-hook.ts'
import { createLoopEngine } from '../../agents/loop/create-loop-engine.ts'
import {
  type ChosenModel,
  modelFromConfiguration,
  modelFromEnvironment,
} from '../../agents/models/configuration/choose-model.ts'
import { readScript } from '../../agents/models/scripted/script.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import { hostClock } from '../host/host.ts'
import { readIfThere } from '../host/read-file.ts'
import { readYaml } from '../host/read-yaml.ts'
import { composeLoop, type LoopOptions } from './compose-loop.ts'
import type { AgentPreset, OpenedAgent, ServerAgentParts } from './engine-registration.ts'
import type { AgentConfiguration } from './loop-registration.ts'

export async function openLoopAgent(
  settings: AgentConfiguration,
  parts: ServerAgentParts,
): Promise<OpenedAgent> {
  const chosen = chooseModel(settings, parts)
  if (chosen !== undefined) return openWith(chosen, settings, parts)
  const place = `agents.${settings.name}.model`
  throw new BanksmanError('invalid_configuration', `${place}: name a model; the environment names none`, {
    place,
  })
}

/** The default agent; undefined where nothing names a model. */
export async function openDefaultAgent(
  parts: ServerAgentParts,
  demonstration: AgentPreset | undefined,
): Promise<OpenedAgent | undefined> {
  const settings = parts.configuration.talk.agent
  const chosen = chooseModel(settings, parts) ?? demonstrationModel(demonstration)
  return chosen === undefined ? undefined : openWith(chosen, settings, parts, demonstration)
}

export async function openWith(
  chosen: ChosenModel,
  settings: AgentConfiguration,
  parts: ServerAgentParts,
  preset: Partial<AgentPreset> & Pick<LoopOptions, 'workspaceOf'> = {},
): Promise<OpenedAgent> {
  const { gateway, configuration, media, own, keepOut, report, say } = parts
  await tellWhatIsMissing(chosen, settings.name, say)
  const workspace = settings.workspace ?? preset.workspace ?? configuration.roots[0] ?? process.cwd()
  const { model } = settings
  const mounts = await createHookMounts(configuration.talk.hooks, {
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
  const loop = composeLoop({
    gateway,
    model: chosen.model,
    workspace,
    ...defined({ workspaceOf: preset.workspaceOf }),
    tools: preset.tools ?? [],
    builtInTools: settings.tools,
    hooks: mounts,
    ...defined({ instructions: settings.instructions }),
    maxSteps: settings.maxSteps,
    ...defined({ maxTokens: model?.maxTokens, temperature: model?.temperature }),
    agents: settings.subAgents,
    fetchAllow: settings.fetchAllow,
    own,
    keepOut,
    media,
    report,
  })
  return {
    engine: createLoopEngine(loop.parts),
    because: chosen.because,
    workspace,
    close: loop.close,
  }
}

/** The server starts without it all the same: people answer for other agents too. */
async function tellWhatIsMissing(
  { model }: ChosenModel,
  name: string,
  say: (line: string) => void,
): Promise<void> {
  try {
    await model.prepare?.()
  } catch (error) {
    if (!isBanksmanError(error, 'missing_dependency')) throw error
    say(`the agent ${name} can't answer yet: ${error.message}, and start again`)
  }
}

function chooseModel(
  { model, name }: AgentConfiguration,
  { environment, configuration }: ServerAgentParts,
): ChosenModel | undefined {
  if (model === undefined) return modelFromEnvironment(environment, { clock: hostClock })
  const place = name === configuration.talk.agent.name ? 'agent' : `agents.${name}`
  const readScript = (path: string) => readScriptFile(path, `${place}.model.script`)
  return modelFromConfiguration(model, environment, { readScript, clock: hostClock })
}

function demonstrationModel(demonstration: AgentPreset | undefined): ChosenModel | undefined {
  if (demonstration === undefined) return undefined
  const { model } = demonstration
  return { model, because: `${model.name}, which follows a script and needs no key` }
}

export function readScriptFile(path: string, place: string): unknown {
  try {
    const text = readIfThere(path)
    if (text === undefined) throw new Error('there is no such file')
    const document = readYaml(text)
    if (document.errors[0] !== undefined) throw document.errors[0]
    return readScript(document.toJS())
  } catch (error) {
    throw new BanksmanError(
      'invalid_configuration',
      `${place}: ${path} can't be used: ${error instanceof Error ? error.message : String(error)}`,
      { place },
      { cause: error },
    )
  }
}
