/** Composes our loop from a model, built-in and other tools, and hooks. */

import { mkdirSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { createHookChain } from '../../agents/hooks/chain/create-hook-chain.ts'
import type { HookMount } from '../../agents/hooks/hook.ts'
import type { LoopParts } from '../../agents/loop/turn-state.ts'
import { createFolderMediaStore } from '../../agents/media/folder-media-store.ts'
import type { MediaStore } from '../../agents/media/media-store.ts'
import { createMemoryMediaStore } from '../../agents/media/memory-media-store.ts'
import type { Model } from '../../agents/models/model.ts'
import { createBuiltInTools } from '../../agents/tools/built-in/built-in-tools.ts'
import { TOOL_NAMES } from '../../agents/tools/built-in/tool-names.ts'
import { createToolRegistry, fromJsonSchema } from '../../agents/tools/registry/tool-registry.ts'
import type { Tool } from '../../agents/tools/tool.ts'
import { defined } from '../../core/defined.ts'
import { hostClock, reportToStandardError } from '../host/host.ts'

export interface LoopOptions {
  gateway: LoopParts['gateway']
  model: Model
  /** The folder that its tools work in, and that files are held to. */
  workspace: string
  /** The same, where each session has its own. */
  workspaceOf?: LoopParts['workspaceOf']
  /** Tools of your own, besides the built-in ones. */
  tools?: readonly Tool[]
  /** Which of the built-in tools it has. Absent: all. */
  builtInTools?: readonly string[]
  hooks?: readonly HookMount[]
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

export interface ComposedLoop {
  parts: LoopParts
  /** Ends its hooks. */
  close(): Promise<void>
}

const MAX_DEPTH = 3
const MAX_STEPS = 30

const INSTRUCTIONS = `You are a careful assistant that works with tools. Some calls are decided by a person before they run; \
that can take a while, and the answer may be no. A refusal says why, by whom, and whether trying again makes sense: \
respect it. Never try to get around a rule or a person's no. Say what you are about to do, in a sentence, before you call a tool.`

export function composeLoop(options: LoopOptions): ComposedLoop {
  const { gateway, model, report = reportToStandardError, own = () => [] } = options
  const workspace = folderAt(options.workspace)
  const media = mediaStoreOf(options.media)
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
  const all = orClose(hooks, () =>
    tools.with(hooks.tools.map(({ hook, ...offer }) => fromJsonSchema(offer, hook))),
  )
  return {
    parts: {
      gateway,
      model,
      tools: all,
      hooks,
      media,
      workspace,
      ...defined({ workspaceOf: options.workspaceOf }),
      clock: hostClock,
      random: Math.random,
      report,
      settings: {
        instructions: options.instructions ?? INSTRUCTIONS,
        maxSteps: options.maxSteps ?? MAX_STEPS,
        ...defined({ maxTokens: options.maxTokens, temperature: options.temperature }),
        subAgents: options.agents ?? {},
        maxDepth: MAX_DEPTH,
      },
    },
    close: () => hooks.close(),
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

/** With links followed: it is part of what is approved, and of where files are held to. */
function folderAt(path: string): string {
  const folder = resolve(path)
  mkdirSync(folder, { recursive: true })
  return realpathSync(folder)
}

function mediaStoreOf(media: LoopOptions['media']): MediaStore {
  if (media === undefined) return createMemoryMediaStore()
  return typeof media === 'string' ? createFolderMediaStore(media) : media
}
