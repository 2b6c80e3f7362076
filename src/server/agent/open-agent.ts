/**
 * `openAgent`: an agent inside a Node program, on a gateway that is open. It composes a model, tools and hooks into our loop;
 * the server does the same from its configuration.
 */

import { mkdirSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { createHookChain } from '../../agents/hooks/chain/create-hook-chain.ts'
import type { HookMount } from '../../agents/hooks/hook.ts'
import { createAgent } from '../../agents/loop/create-agent.ts'
import { createFolderMediaStore } from '../../agents/media/folder-media-store.ts'
import type { MediaStore } from '../../agents/media/media-store.ts'
import { createMemoryMediaStore } from '../../agents/media/memory-media-store.ts'
import type { Model } from '../../agents/models/model.ts'
import type { Agent } from '../../agents/sessions/session-host.ts'
import { createBuiltInTools } from '../../agents/tools/built-in/built-in-tools.ts'
import { TOOL_NAMES } from '../../agents/tools/built-in/tool-names.ts'
import { createToolRegistry, fromJsonSchema } from '../../agents/tools/registry/tool-registry.ts'
import type { Tool } from '../../agents/tools/tool.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import { hostClock } from '../host/host.ts'
import { processIdentity } from '../host/process-identity.ts'
import { checkRuntime } from '../host/runtime.ts'

export interface OpenAgentOptions {
  gateway: Gateway
  model: Model
  /** The folder that its tools work in, and that files are held to. */
  workspace: string
  /** Tools of your own, besides the built-in ones. */
  tools?: readonly Tool[]
  /** Which of the built-in tools it has. Absent: all. */
  builtInTools?: readonly string[]
  hooks?: readonly HookMount[]
  name?: string
  /** What the model is told first. */
  instructions?: string
  /** How often the model is asked in one turn. */
  maxSteps?: number
  maxTokens?: number
  temperature?: number
  /** Agents that it can start by name. */
  agents?: Record<string, { instructions: string }>
  /** Private hosts and networks that `fetch_url` may go to all the same. */
  fetchAllow?: readonly string[]
  /** Addresses of this very server, as host:port, which no tool may reach. */
  own?: () => readonly string[]
  /** Files and folders that no tool may touch, inside the workspace or not. */
  keepOut?: readonly string[]
  /** Where pictures and files are kept. Absent: in memory. */
  media?: string | MediaStore
  /** Told of faults that nobody waits for. Default: a line on standard error. */
  report?: (fault: { doing: string; error: unknown }) => void
}

const MAX_DEPTH = 3
const MAX_STEPS = 30

const INSTRUCTIONS = `You are a careful assistant that works with tools. Some calls are decided by a person before they run; \
that can take a while, and the answer may be no. A refusal says why, by whom, and whether trying again makes sense: \
respect it. Never try to get around a rule or a person's no. Say what you are about to do, in a sentence, before you call a tool.`

/**
 * Close the agent before the gateway. Turns that were under way go on after `resume`, and so do those of other processes on
 * the same store when these end.
 */
export function openAgent(options: OpenAgentOptions): Agent {
  const { gateway, model, report = reportToStandardError, own = () => [] } = options
  checkRuntime()
  checkOptions(options)
  const workspace = folderAt(options.workspace)
  const media = shelfOf(options.media)
  const builtIn = createBuiltInTools({
    own,
    keepOut: () => options.keepOut ?? [],
    fetch: { allow: [...(options.fetchAllow ?? [])] },
  })
  const chosen = builtIn.filter(({ name }) => (options.builtInTools ?? TOOL_NAMES).includes(name))
  const tools = createToolRegistry([...chosen, ...(options.tools ?? [])])
  const hooks = createHookChain(options.hooks ?? [], {
    clock: hostClock,
    media,
    taken: (name) => tools.find(name) !== undefined,
    report: ({ hook, stage, reason, effect }) =>
      report({ doing: `consulting hook ${hook} at ${stage} (${effect.replace('_', ' ')})`, error: reason }),
  })
  const place = processIdentity()
  const agent = orClose(hooks, () =>
    createAgent({
      gateway,
      model,
      tools: tools.with(hooks.tools.map(({ hook, ...offer }) => fromJsonSchema(offer, hook))),
      hooks,
      media,
      workspace,
      clock: hostClock,
      random: Math.random,
      report,
      ...defined({ place }),
      settings: {
        name: options.name ?? 'main',
        instructions: options.instructions ?? INSTRUCTIONS,
        maxSteps: options.maxSteps ?? MAX_STEPS,
        ...defined({ maxTokens: options.maxTokens, temperature: options.temperature }),
        subAgents: options.agents ?? {},
        maxDepth: MAX_DEPTH,
      },
    }),
  )
  return {
    ...agent,
    async close() {
      await agent.close()
      await hooks.close()
    },
  }
}

/** Hooks may be processes, which must not be left behind. */
function orClose<T>(hooks: { close(): Promise<void> }, work: () => T): T {
  try {
    return work()
  } catch (error) {
    void hooks.close()
    throw error
  }
}

function checkOptions(options: OpenAgentOptions): void {
  const example = "openAgent({ gateway, model, workspace: './work' })"
  for (const name of ['gateway', 'model', 'workspace'] as const) {
    if (options?.[name] === undefined)
      throw new BanksmanError('invalid_configuration', `openAgent needs ${name}, as in ${example}`)
  }
  const unknown = (options.builtInTools ?? []).find(
    (name) => !(TOOL_NAMES as readonly string[]).includes(name),
  )
  if (unknown !== undefined) {
    const known = TOOL_NAMES.join(', ')
    throw new BanksmanError(
      'invalid_configuration',
      `there is no built-in tool ${JSON.stringify(unknown)}; there are ${known}`,
    )
  }
}

/** With links followed: it is part of what is approved, and of where files are held to. */
function folderAt(path: string): string {
  const folder = resolve(path)
  mkdirSync(folder, { recursive: true })
  return realpathSync(folder)
}

function shelfOf(media: OpenAgentOptions['media']): MediaStore {
  if (media === undefined) return createMemoryMediaStore()
  return typeof media === 'string' ? createFolderMediaStore(media) : media
}

function reportToStandardError({ doing, error }: { doing: string; error: unknown }): void {
  console.error(`banksman: ${doing}: ${error instanceof Error ? error.message : String(error)}`)
}
