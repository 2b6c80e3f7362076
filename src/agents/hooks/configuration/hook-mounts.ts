/**
 * Makes the mounts that a configuration asks for. A process that can't be started does not take the others down: in its
 * place stands a hook that fails at all it would have been asked about, so that nothing goes past a gate that is not there.
 */
import { BanksmanError } from '../../../core/errors.ts'
import { pointerStep } from '../../../core/json/pointer-step.ts'
import { messageOf, quote } from '../chain/hook-failure.ts'
import type { Hook, HookMount } from '../hook.ts'
import { matchesKind } from '../process/wire/event-kinds.ts'
import type { HookConfiguration, ProcessHookConfiguration } from './hook-configuration.ts'
import type { InterceptStage } from './hook-configuration-schema.ts'

export interface MountParts {
  /** Hooks of the embedding program, which a configuration can turn on by name. They are trusted: they are the program. */
  builtins: Readonly<Record<string, (config: unknown) => Hook>>
  startProcess(configuration: ProcessHookConfiguration): Hook | Promise<Hook>
}

export async function createHookMounts(
  configuration: HookConfiguration,
  parts: MountParts,
): Promise<HookMount[]> {
  const builtins = configuration.builtins.map(({ name, priority, config, timeouts }): HookMount => {
    return {
      name,
      kind: 'in_process',
      priority,
      trusted: true,
      timeouts,
      hook: makeBuiltin(name, config, parts),
    }
  })
  const processes = configuration.processes.map(async (process): Promise<HookMount> => {
    const { name, priority, trusted, onFailure, tools, timeouts, observe } = process
    const hook = await startOrStandIn(process, parts)
    return {
      name,
      kind: 'process',
      priority,
      trusted,
      onFailure,
      tools,
      timeouts,
      observes: matchesKind(observe),
      hook,
    }
  })
  return [...builtins, ...(await Promise.all(processes))]
}

function makeBuiltin(name: string, config: unknown, { builtins }: MountParts): Hook {
  const pointer = `/hooks/builtins${pointerStep(name)}`
  const make = Object.hasOwn(builtins, name) ? builtins[name] : undefined
  if (make === undefined) {
    const known = Object.keys(builtins).sort().join(', ') || 'none in this program'
    throw new BanksmanError(
      'invalid_configuration',
      `hooks.builtins.${name} is no built-in hook; there are: ${known}. A program of its own goes under hooks.processes`,
      { pointer },
    )
  }
  try {
    return make(config)
  } catch (error) {
    throw new BanksmanError(
      'invalid_configuration',
      `hooks.builtins.${name}.config was refused by hook ${quote(name)}: ${messageOf(error)}`,
      { pointer: `${pointer}/config` },
      { cause: error },
    )
  }
}

async function startOrStandIn(
  process: ProcessHookConfiguration,
  { startProcess }: MountParts,
): Promise<Hook> {
  try {
    return onlyWhatWasAskedFor(await startProcess(process), process)
  } catch (error) {
    const fail = failing(`it could not be started: ${messageOf(error)}`)
    return Object.fromEntries(process.intercept.map((stage) => [STAGES[stage], fail]))
  }
}

/** No stage more, and none less: one that is asked for and missing fails. */
function onlyWhatWasAskedFor(hook: Hook, { intercept, observe }: ProcessHookConfiguration): Hook {
  const stages = intercept.map((stage) => {
    const name = STAGES[stage]
    return [name, hook[name]?.bind(hook) ?? failing(`it does not answer to ${stage}`)]
  })
  return {
    ...Object.fromEntries(stages),
    ...(observe.length > 0 && hook.observe ? { observe: hook.observe.bind(hook) } : {}),
    ...(hook.close ? { close: hook.close.bind(hook) } : {}),
  }
}

function failing(why: string): () => Promise<never> {
  return () => Promise.reject(new Error(why))
}

const STAGES = {
  before_llm: 'beforeModel',
  after_llm: 'afterModel',
  before_tool: 'beforeTool',
  after_tool: 'afterTool',
  approve_tool: 'approveTool',
} as const satisfies Record<InterceptStage, keyof Hook>
