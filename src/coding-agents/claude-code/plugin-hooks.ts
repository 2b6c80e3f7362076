/**
 * The hooks that plugins of Claude Code bring: `hooks/hooks.json`, or what their manifest says in place of it. Plugins are installed in a
 * cache below its folder, or wherever the list of installed ones says. Whether one is switched off isn't asked: it may be on tomorrow.
 */
import type { JsonValue } from '../../core/json/json.ts'
import type { AgentDisk } from '../setup/agent-setup.ts'
import { type FoundHook, isObject, readableHooks } from '../setup/hook-groups.ts'
import { settingsIn } from './settings-files.ts'

export function pluginHooks(folder: string, disk: AgentDisk): FoundHook[] {
  const plugins = `${folder}/plugins`
  // What is offered, but not installed.
  const offered = `${plugins}/marketplaces/`
  const installed = installPaths(settingsIn(`${plugins}/installed_plugins.json`, disk.read))
  const paths = [
    ...disk.list(plugins).filter((path) => !path.startsWith(offered)),
    ...installed.filter((root) => !isIn(root, plugins) || isIn(root, offered)).flatMap(disk.list),
  ]
  return [...new Set(paths)].flatMap((path) => {
    if (path.endsWith('/hooks/hooks.json')) return readableHooks(disk.read(path) ?? '{}')
    return path.endsWith('/.claude-plugin/plugin.json') ? manifestHooks(path, disk) : []
  })
}

function manifestHooks(path: string, { read }: AgentDisk): FoundHook[] {
  const root = path.slice(0, -'/.claude-plugin/plugin.json'.length)
  const hooks = settingsIn(path, read)?.hooks
  return [hooks].flat().flatMap((one: JsonValue | undefined) => {
    if (typeof one === 'string') return readableHooks(read(`${root}/${one.replace(/^\.\//, '')}`) ?? '{}')
    return isObject(one) ? readableHooks(JSON.stringify({ hooks: one.hooks ?? one })) : []
  })
}

/** All of them, in whatever form the list is. */
function installPaths(value: JsonValue | undefined): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'installPath' && typeof member === 'string' ? [member] : installPaths(member),
  )
}

function isIn(path: string, folder: string): boolean {
  return `${path}/`.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}
