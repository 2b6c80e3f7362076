/**
 * Which hook answers for which tool: the tools of the configuration, for ever and everywhere; and those that a hook has
 * added to a request, for the session in which it did.
 *
 * What was added is remembered for the sessions that were last used, so that memory is bounded. A tool that was
 * forgotten has no hook, and its calls are denied until the hook offers it again, which is at the next model call.
 */
import { BanksmanError } from '../../../core/errors.ts'
import type { HookTool } from '../hook.ts'
import { quote } from './hook-failure.ts'
import type { MountedHook } from './mounted-hooks.ts'

export type OwnedTool = HookTool & { hook: string }

export interface ToolOwners {
  readonly configured: readonly OwnedTool[]
  /** The hook that answers for the tool in this session. */
  of(session: string, tool: string): string | undefined
  isConfigured(tool: string): boolean
  remember(session: string, added: readonly OwnedTool[]): void
}

const MAX_SESSIONS = 4096
/** More than any model can choose from. */
export const MAX_ADDED_TOOLS = 128

export function createToolOwners(hooks: readonly MountedHook[]): ToolOwners {
  const configured = new Map<string, OwnedTool>()
  for (const { name: hook, tools } of hooks) {
    for (const tool of tools) {
      const other = configured.get(tool.name)
      if (other !== undefined)
        throw new BanksmanError(
          'invalid_configuration',
          `the tool ${quote(tool.name)} is provided by hook ${quote(other.hook)} already; hook ${quote(hook)} needs another name for its own`,
        )
      configured.set(tool.name, { ...tool, hook })
    }
  }
  const sessions = new Map<string, Map<string, string>>()
  return {
    configured: [...configured.values()],
    of: (session, tool) => configured.get(tool)?.hook ?? sessions.get(session)?.get(tool),
    isConfigured: (tool) => configured.has(tool),
    remember(session, added) {
      const known = sessions.get(session)
      if (added.length === 0 && known === undefined) return
      const tools = known ?? new Map<string, string>()
      for (const { name, hook } of added) {
        tools.delete(name)
        tools.set(name, hook)
      }
      dropOldest(tools, MAX_ADDED_TOOLS)
      sessions.delete(session)
      sessions.set(session, tools)
      dropOldest(sessions, MAX_SESSIONS)
    },
  }
}

function dropOldest(map: Map<string, unknown>, limit: number): void {
  for (const key of map.keys()) {
    if (map.size <= limit) return
    map.delete(key)
  }
}
