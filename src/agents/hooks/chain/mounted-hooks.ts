/**
 * The mounts, checked and in their order. What was mounted is fixed here: a hook that changes itself later, or an object
 * that was handed in and is changed, changes nothing of who is consulted and who is trusted.
 */
import { BanksmanError } from '../../../core/errors.ts'
import { DEFAULT_TIMEOUTS, type Hook, type HookMount, type HookTimeouts, type HookTool } from '../hook.ts'
import { quote } from './hook-failure.ts'

export interface MountedHook {
  readonly name: string
  readonly stages: Hook
  readonly trusted: boolean
  /** `onFailure: continue`. */
  readonly passedOver: boolean
  readonly observes: HookMount['observes']
  readonly tools: readonly HookTool[]
  readonly timeouts: HookTimeouts
}

/** In-process before process, then the lowest priority, then by name. */
export function mountHooks(mounts: readonly HookMount[]): MountedHook[] {
  const names = new Set<string>()
  const ordered = mounts.map((mount) => {
    const { name, kind, priority = 0, onFailure = 'deny' } = mount
    if (typeof name !== 'string' || name === '') invalid('a hook must have a name')
    if (names.has(name)) invalid(`there are two hooks with the name ${quote(name)}; each needs its own`)
    names.add(name)
    if (kind !== 'in_process' && kind !== 'process')
      invalid(`hook ${quote(name)}: its kind must be in_process or process`)
    if (!Number.isFinite(priority)) invalid(`hook ${quote(name)}: its priority must be a number`)
    if (onFailure !== 'deny' && onFailure !== 'continue')
      invalid(`hook ${quote(name)}: onFailure must be deny or continue`)
    return { name, place: kind === 'process' ? 1 : 0, priority, mounted: mountHook(mount) }
  })
  ordered.sort((one, other) => {
    return (
      one.place - other.place ||
      one.priority - other.priority ||
      (one.name < other.name ? -1 : one.name > other.name ? 1 : 0)
    )
  })
  return ordered.map(({ mounted }) => mounted)
}

function mountHook(mount: HookMount): MountedHook {
  const { name, hook, observes, tools = [], timeouts = {} } = mount
  const trusted = mount.trusted === true
  if (tools.length > 0 && !trusted)
    invalid(
      `hook ${quote(name)} provides tools, which only a trusted hook may; set trusted: true if it should`,
    )
  const stages = bindStages(name, hook)
  if (tools.length > 0 && stages.beforeTool === undefined)
    invalid(`hook ${quote(name)} provides tools and has no beforeTool to answer for them`)
  return {
    name,
    stages,
    trusted,
    passedOver: mount.onFailure === 'continue',
    observes,
    tools: structuredClone(tools),
    timeouts: {
      observeMs: limitOf(timeouts.observeMs, DEFAULT_TIMEOUTS.observeMs),
      interceptMs: limitOf(timeouts.interceptMs, DEFAULT_TIMEOUTS.interceptMs),
      approveMs: limitOf(timeouts.approveMs, DEFAULT_TIMEOUTS.approveMs),
    },
  }
}

const STAGES = [
  'beforeModel',
  'afterModel',
  'beforeTool',
  'afterTool',
  'approveTool',
  'observe',
  'close',
] as const satisfies (keyof Hook)[]

function bindStages(name: string, hook: Hook): Hook {
  if (typeof hook !== 'object' || hook === null) invalid(`hook ${quote(name)} must be an object`)
  const bound: Record<string, unknown> = {}
  for (const stage of STAGES) {
    const asked: unknown = hook[stage]
    if (asked === undefined) continue
    if (typeof asked !== 'function') invalid(`hook ${quote(name)}: ${stage} must be a function`)
    bound[stage] = asked.bind(hook)
  }
  return bound as Hook
}

/** What is no limit keeps the usual one: without a limit a hook that hangs would hang everything. */
function limitOf(given: number | undefined, usual: number): number {
  return given !== undefined && given > 0 ? Math.min(given, MAX_LIMIT_MS) : usual
}

/** Past this, timers fire at once. */
const MAX_LIMIT_MS = 0x7fffffff

function invalid(message: string): never {
  throw new BanksmanError('invalid_configuration', message)
}
