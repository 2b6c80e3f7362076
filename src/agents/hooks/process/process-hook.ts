/**
 * A hook that is a program of its own, spoken to by JSON-RPC over its stdin and stdout. To the chain it is a hook like any
 * other: whatever goes wrong with it is thrown, in words that say what, and the chain decides what comes of it.
 *
 * It is consulted at the stages that `intercept` lists and at no others.
 */
import type { Hook, HookContext } from '../hook.ts'
import { createBoundedLog } from './bounded-log.ts'
import { hookEnvironment } from './hook-environment.ts'
import type { HookProgram } from './hook-process.ts'
import { type HookStatus, keepRunning, TIMING, type Timing } from './keep-running.ts'
import { contextToWire, STAGES, type Stage } from './wire/context.ts'
import { eventToWire } from './wire/event.ts'
import { type Generation, generationOf, matchesKind } from './wire/event-kinds.ts'
import { modelRequestToWire } from './wire/model-request.ts'
import { modelResponseToWire } from './wire/model-response.ts'
import {
  readApproval,
  readModelRequestDecision,
  readModelResponseDecision,
  readResultDecision,
  readToolDecision,
} from './wire/read-decisions.ts'
import { toolCallToWire } from './wire/tool-call.ts'
import { toolResultToWire } from './wire/tool-result.ts'

export interface ProcessHookOptions {
  name: string
  /** The program and its arguments. There is no shell. */
  command: readonly string[]
  /** The working folder; absent: the host's. */
  dir?: string
  /** Beside the few variables that are passed on. */
  env?: Readonly<Record<string, string>>
  /** Kinds of events, as `matchesKind` takes them. Absent or empty: none. */
  observe?: readonly string[]
  intercept?: readonly Stage[]
  /** It answers for tools of its own, so it is consulted before tools even if `intercept` does not say so. */
  providesTools?: boolean
  /** Absent: told by how `observe` names the events. */
  generation?: Generation
  /** Gets what it writes to stderr, what is no reply on its stdout, and why it is down. */
  log?: (line: string) => void
  timing?: Partial<Timing>
  /** Where the few variables come from; absent: this process. */
  hostEnvironment?: Readonly<Record<string, string | undefined>>
}

export interface ProcessHook extends Hook {
  readonly name: string
  status(): HookStatus
  /** Closes stdin, waits two seconds, then ends the process with all that it has started. */
  close(): Promise<void>
}

/** Starts at once and waits for nothing. Throws for options that can't work. */
export function createProcessHook(options: ProcessHookOptions): ProcessHook {
  const { name, command, env = {}, observe = [], log = () => {} } = options
  const stages = stagesOf(options)
  const modes = modesOf(options, stages)
  const isObserved = matchesKind(observe)
  const generation = generationOf(observe, options.generation)
  const running = keepRunning(
    {
      command,
      dir: options.dir === '' ? undefined : options.dir,
      environment: hookEnvironment(env, options.hostEnvironment ?? process.env),
      log: logOf(log),
    },
    { name, version: 1, modes },
    { ...TIMING, ...options.timing },
  )

  async function consult<Decision>(
    stage: Stage,
    body: object,
    about: HookContext,
    read: (reply: unknown) => Decision,
  ): Promise<Decision> {
    const reached = running.reach(about.signal)
    const rpc = 'call' in reached ? reached : await reached
    const params = { ...contextToWire(about, stage), ...body }
    return read(await rpc.call(`hook.${stage}`, params, about.signal))
  }

  const hook: ProcessHook = {
    name,
    status: running.status,
    close: running.close,
  }
  if (observe.length > 0) {
    hook.observe = (event, about) => {
      const notification = isObserved(event) ? eventToWire(event, generation, about) : undefined
      if (notification === undefined) return
      const reached = running.reach(undefined)
      const tell = (rpc: Awaited<typeof reached>) => {
        if (!rpc.notify(notification.method, notification.params)) throw new Error('it does not read')
      }
      return 'call' in reached ? tell(reached) : reached.then(tell)
    }
  }
  if (stages.has('before_llm')) {
    hook.beforeModel = (request, about) =>
      consult('before_llm', modelRequestToWire(request), about, (reply) =>
        readModelRequestDecision(reply, request),
      )
  }
  if (stages.has('after_llm')) {
    hook.afterModel = (response, about) =>
      consult('after_llm', modelResponseToWire(response), about, (reply) =>
        readModelResponseDecision(reply, response),
      )
  }
  if (stages.has('before_tool')) {
    hook.beforeTool = (call, about) =>
      consult('before_tool', toolCallToWire(call), about, (reply) => readToolDecision(reply, call))
  }
  if (stages.has('after_tool')) {
    hook.afterTool = (result, about) => {
      const duration = Math.round(result.durationMs * 1e6)
      const body = { ...toolCallToWire(result), result: toolResultToWire(result), duration }
      return consult('after_tool', body, about, (reply) => readResultDecision(reply, result))
    }
  }
  if (stages.has('approve_tool')) {
    hook.approveTool = (call, about) => consult('approve_tool', toolCallToWire(call), about, readApproval)
  }
  return hook
}

/** Each source has a measure of its own: noise on one does not drown what the others say. */
function logOf(log: (line: string) => void): HookProgram['log'] {
  const logs = {
    stdout: createBoundedLog((line) => log(`stdout: ${line}`)),
    stderr: createBoundedLog((line) => log(`stderr: ${line}`)),
    process: createBoundedLog(log),
  }
  return (from, line) => logs[from](line)
}

/** What it is consulted at. Throws for options that can't work. */
function stagesOf(options: ProcessHookOptions): ReadonlySet<Stage> {
  const { command, observe = [], intercept = [], providesTools } = options
  const what = `hook ${JSON.stringify(options.name)}`
  if (command.length === 0 || command[0] === '')
    throw new Error(`${what} must have a command: ["program", "argument", …]`)
  if (command.some((word) => word.includes('\0'))) throw new Error(`${what} has a NUL in its command`)
  for (const stage of intercept) {
    if (!STAGES.includes(stage)) {
      throw new Error(
        `${what} can't intercept ${JSON.stringify(stage)}; it can intercept ${STAGES.join(', ')}`,
      )
    }
  }
  const stages = new Set(intercept)
  if (providesTools === true) stages.add('before_tool')
  if (observe.length === 0 && stages.size === 0)
    throw new Error(`${what} neither observes nor intercepts anything: name kinds or stages`)
  return stages
}

/** What it is told of itself when it is greeted. */
function modesOf({ observe = [] }: ProcessHookOptions, stages: ReadonlySet<Stage>): string[] {
  const modes: string[] = []
  if (observe.length > 0) modes.push('observe')
  if (stages.has('before_llm') || stages.has('after_llm')) modes.push('llm')
  if (stages.has('before_tool') || stages.has('after_tool')) modes.push('tool')
  if (stages.has('approve_tool')) modes.push('approve')
  return modes
}
