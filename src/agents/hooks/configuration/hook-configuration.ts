/**
 * Reads the value under `hooks:` in `banksman.yaml`: the shape that programs for the original protocol are configured with,
 * and what we add to it. What is not understood in full is refused as a whole, with its place: a gate that was skipped for
 * a misspelt key would let everything through.
 *
 * For the same reason a hook that is listed is on unless it says `enabled: false`.
 */
import type { z } from 'zod'
import { BanksmanError } from '../../../core/errors.ts'
import { pointerStep } from '../../../core/json/pointer-step.ts'
import { messageOf, quote } from '../chain/hook-failure.ts'
import { DEFAULT_TIMEOUTS, type HookTimeouts, type HookTool } from '../hook.ts'
import { matchesKind } from '../process/wire/event-kinds.ts'
import {
  HOOKS_SCHEMA,
  INTERCEPT_STAGES,
  type InterceptStage,
  type PROCESS_SCHEMA,
} from './hook-configuration-schema.ts'

/** Only what is enabled, by name. */
export interface HookConfiguration {
  builtins: BuiltinHookConfiguration[]
  processes: ProcessHookConfiguration[]
}

export interface BuiltinHookConfiguration {
  name: string
  priority: number
  /** For the one who makes the hook to check. */
  config: unknown
  timeouts: HookTimeouts
}

export interface ProcessHookConfiguration {
  name: string
  priority: number
  command: string[]
  /** As it is written; absent where it is empty. */
  dir?: string
  env: Record<string, string>
  /** Kinds of events; empty: none. */
  observe: string[]
  /** What it is asked about, and nothing else. */
  intercept: InterceptStage[]
  trusted: boolean
  onFailure: 'deny' | 'continue'
  tools: HookTool[]
  generation?: 'a' | 'b'
  timeouts: HookTimeouts
}

export function readHookConfiguration(value: unknown): HookConfiguration {
  const given = value ?? {}
  checkNames(given)
  const read = HOOKS_SCHEMA.safeParse(given)
  if (!read.success) refuse(read.error.issues[0]!)
  const { enabled, defaults, builtins, processes } = read.data
  const usual = timeoutsOf(DEFAULT_TIMEOUTS, {
    observer: defaults?.observer_timeout_ms,
    interceptor: defaults?.interceptor_timeout_ms,
    approval: defaults?.approval_timeout_ms,
  })
  const configuration: HookConfiguration = {
    builtins: byName(builtins).map(([name, { priority, config }]) => ({
      name,
      priority: priority ?? 0,
      config,
      timeouts: usual,
    })),
    processes: byName(processes).map(([name, entry]) => processOf(name, entry, usual)),
  }
  checkTogether(configuration)
  return enabled === false ? { builtins: [], processes: [] } : configuration
}

function processOf(
  name: string,
  entry: z.infer<typeof PROCESS_SCHEMA>,
  usual: HookTimeouts,
): ProcessHookConfiguration {
  const place = ['processes', name]
  const { command, dir, generation, timeouts } = entry
  const observe = entry.observe ?? []
  const intercept = INTERCEPT_STAGES.filter((stage) => entry.intercept?.includes(stage))
  const tools = (entry.tools ?? []).map((one) => ({
    name: one.name,
    description: one.description,
    schema: one.parameters ?? { type: 'object', properties: {} },
  }))
  if (command?.[0] === undefined || command[0].trim() === '')
    invalid([...place, 'command'], 'must name a program and its arguments, as in [python3, hook.py]')
  if (observe.length === 0 && intercept.length === 0)
    invalid(place, 'is told of nothing and asked about nothing; give it observe, intercept or both')
  for (const [index, kind] of observe.entries()) checkKind([...place, 'observe', index], kind)
  if (tools.length > 0 && entry.trusted !== true)
    invalid([...place, 'tools'], 'only a trusted hook may provide tools; set trusted: true if it should')
  if (tools.length > 0 && !intercept.includes('before_tool'))
    invalid([...place, 'tools'], 'a hook answers for its tools at before_tool; add that to intercept')
  return {
    name,
    priority: entry.priority ?? 0,
    command,
    ...(dir ? { dir } : {}),
    env: entry.env ?? {},
    observe,
    intercept,
    trusted: entry.trusted === true,
    onFailure: entry.onFailure ?? 'deny',
    tools,
    ...(generation ? { generation } : {}),
    timeouts: timeoutsOf(usual, {
      observer: timeouts?.observer_ms,
      interceptor: timeouts?.interceptor_ms,
      approval: timeouts?.approval_ms,
    }),
  }
}

/** Zero and less keep what is usual, as in the original. */
function timeoutsOf(
  usual: HookTimeouts,
  given: Record<'observer' | 'interceptor' | 'approval', number | null | undefined>,
): HookTimeouts {
  const limit = (ms: number | null | undefined, otherwise: number) => (ms && ms > 0 ? ms : otherwise)
  return {
    observeMs: limit(given.observer, usual.observeMs),
    interceptMs: limit(given.interceptor, usual.interceptMs),
    approveMs: limit(given.approval, usual.approveMs),
  }
}

function byName<Entry extends { enabled?: boolean | null | undefined }>(
  entries: Record<string, Entry> | null | undefined,
): [string, Entry][] {
  return Object.entries(entries ?? {})
    .filter(([, { enabled }]) => enabled !== false)
    .sort(([one], [other]) => (one < other ? -1 : 1))
}

function checkKind(place: PropertyKey[], kind: string): void {
  try {
    matchesKind([kind])
  } catch (error) {
    invalid(place, `is not understood: ${messageOf(error)}`)
  }
}

/** What each entry alone can't know. */
function checkTogether({ builtins, processes }: HookConfiguration): void {
  const owners = new Map<string, string>()
  for (const { name, tools } of processes) {
    if (builtins.some((builtin) => builtin.name === name))
      invalid(['processes', name], 'has the name of a built-in hook; each needs its own')
    for (const [index, { name: tool }] of tools.entries()) {
      const owner = owners.get(tool)
      if (owner !== undefined)
        invalid(
          ['processes', name, 'tools', index, 'name'],
          `is taken: hook ${quote(owner)} provides a tool of that name`,
        )
      owners.set(tool, name)
    }
  }
}

/** Before the schema, which would pass over a hook that has the name of JavaScript's own `__proto__`. */
function checkNames(value: object): void {
  for (const group of ['builtins', 'processes']) {
    const entries: unknown = (value as Record<string, unknown>)[group]
    if (typeof entries !== 'object' || entries === null) continue
    for (const name of Object.keys(entries)) {
      if (name === '__proto__' || !/^[^\p{C}]{1,128}$/u.test(name) || name.trim() === '')
        invalid([group, name], 'is no name for a hook: 1 to 128 printable characters')
    }
  }
}

function refuse(issue: z.core.$ZodIssue): never {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  return invalid(unknown === undefined ? issue.path : [...issue.path, unknown], issue.message)
}

/** The place is meant from the top of the file. */
function invalid(path: readonly PropertyKey[], message: string): never {
  const steps = ['hooks', ...path.map(String)]
  throw new BanksmanError('invalid_configuration', `${steps.join('.')} ${message}`, {
    pointer: steps.map(pointerStep).join(''),
  })
}
