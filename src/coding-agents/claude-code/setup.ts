/**
 * Claude Code gets its hooks in the settings of the user, which count in every project. From 2.1.295 on it can send events itself and
 * block the call when that fails; before, it makes the call, so the script asks and says no by its exit code.
 */
import type { JsonObject } from '../../core/json/json.ts'
import { agentFilePlaces } from '../../policy/agent-files/agent-file-places.ts'
import { CLAUDE_CODE as TABLE } from '../../policy/agent-files/agents/claude-code.ts'
import {
  type AgentDisk,
  type AgentPlace,
  type AgentSetup,
  filesAt,
  type GateMode,
  type HookWiring,
  isAtLeast,
  withoutSlash,
} from '../setup/agent-setup.ts'
import { afterCommand, beforeCommand, isOurCommand } from '../setup/hook-command.ts'
import { type FoundHook, type HookGroup, hookGroupsFile, readableHooks } from '../setup/hook-groups.ts'
import { divertedBy, proxiedBy, type Variables, variablesOf } from './hook-ways.ts'
import { claudeCode } from './index.ts'
import { pluginHooks } from './plugin-hooks.ts'
import { CLAUDE_CODE } from './read-event.ts'
import { projectFiles, readByClaudeCode, settingsIn } from './settings-files.ts'

const BLOCKS_FROM = '2.1.295'
const AFTER_S = 10
const HOOK_ADDRESS = `/v1/hooks/${CLAUDE_CODE}`

const GATES: Readonly<Record<GateMode, string>> = {
  everything: 'PreToolUse',
  own_rules_first: 'PermissionRequest',
}

/** Events that tell how a call or a turn ended, which older versions know too. Those without a tool have no matcher. */
const AFTER = ['PostToolUse', 'Stop', 'SessionEnd']
const AFTER_SINCE = ['PostToolUseFailure', 'PermissionDenied']
const OF_TOOLS = /Tool|Permission/

export const claudeCodeSetup: AgentSetup = {
  name: CLAUDE_CODE,
  title: claudeCode.title,
  programs: ['claude'],
  installedIn: ['.local/bin', '.claude/local'],
  // With `-p`, 2.1.197 refuses what its own rules would ask about, and runs no hook for it.
  modes: { everything: '2.1.197', own_rules_first: '2.1.295' },
  sendsEvents: (version) => isAtLeast(version, BLOCKS_FROM),
  goesAround(place, url, read) {
    const settings = settingsIn(settingsFile(place), read) ?? {}
    return proxiedBy({ ...place.environment, ...variablesOf(settings) }, url)
  },
  folder: configFolder,
  movedBy: 'CLAUDE_CONFIG_DIR',
  files: (place, wiring) => [
    readByClaudeCode(
      hookGroupsFile({
        path: settingsFile(place),
        wanted: groupsFor(wiring),
        isOurs: (entry) => isOurs(entry, wiring),
      }),
    ),
  ],
  otherHooks(place, wiring, project, disk) {
    const own = [settingsFile(place), ...managedFiles(place, disk)].flatMap((path) => foundIn(path, disk))
    const plugged = pluginHooks(configFolder(place), disk)
    // Whatever a project brings runs without us, at any event.
    const brought = projectFiles(project, disk.read).flatMap((path) => foundIn(path, disk))
    return [...[...own, ...plugged].filter(({ event }) => event === 'PreToolUse'), ...brought]
      .filter(({ entry }) => !isOurs(entry, wiring))
      .map(({ entry }) => addressOf(entry) || 'a hook without a command')
  },
  withOtherHooks:
    'if several hooks change a call, Claude Code runs it as the one that finishes last has it: what a person approved may then run changed',
  switchedOff(place, project, disk, wiring) {
    const { read } = disk
    const managed = managedFiles(place, disk)
    const files = [settingsFile(place), ...projectFiles(project, read), ...managed]
    const url = wiring?.http?.url
    const found: { path: string; because: string }[] = []
    let variables: Variables = place.environment
    const isDiverted = divertedBy(variables, url)
    if (isDiverted !== undefined) found.push({ path: 'the environment', because: isDiverted })
    for (const path of files) {
      const settings = settingsIn(path, read)
      if (settings === undefined) continue
      const off = offBecause(settings, managed.includes(path))
      if (off !== undefined) found.push({ path, because: off })
      const before = divertedBy(variables, url)
      variables = { ...variables, ...variablesOf(settings) }
      const diverted = divertedBy(variables, url)
      if (diverted !== undefined && diverted !== before) found.push({ path, because: diverted })
    }
    return found
  },
  transcripts: (place) => ({ folder: `${configFolder(place)}/projects`, ending: '.jsonl', depth: 1 }),
  probe: (session) => ({ hook_event_name: 'SessionEnd', session_id: session, reason: 'other' }),
  limits: [
    'What the policy allows runs with the arguments that Claude Code has by then: another hook may have changed them. If several hooks change a call, the one that finishes last wins, even over what a person approved: that is on record afterwards. `banksman connect` says when there are such hooks, also those of the project that you are in.',
    'Commands that you type yourself behind `!`, your status line and your other hooks run without Banksman.',
    'A skill or a command file can hold commands and hooks that run as soon as it is used: whoever approves `Skill` approves those too.',
    'The settings of a project can bring hooks of their own, and can divert ours through a proxy or another program. Run `banksman connect` in a folder that you have just cloned: it names what it finds.',
    '`disableAllHooks` in a settings file, `--bare`, `--safe-mode` and `--settings` switch hooks off. No call can write these files or start Claude Code like that, but you can.',
  ],
}

/** Where `CLAUDE_CONFIG_DIR` has moved it to, and else in the home folder. */
function configFolder({ home, environment }: AgentPlace): string {
  return withoutSlash(environment.CLAUDE_CONFIG_DIR || `${home}/.claude`)
}

function settingsFile(place: AgentPlace): string {
  return `${configFolder(place)}/settings.json`
}

function groupsFor(wiring: HookWiring): HookGroup[] {
  const gate = GATES[wiring.mode]
  const before = entryFor(wiring, 'before', {
    timeout: claudeCode.hookTimeoutMs / 1000,
    onFailure: 'block',
  })
  const after = entryFor(wiring, 'after', { timeout: AFTER_S })
  return [
    { event: gate, group: { matcher: '*', hooks: [before] } },
    ...[...AFTER, ...(isAtLeast(wiring.version ?? '', BLOCKS_FROM) ? AFTER_SINCE : [])].map((event) => ({
      event,
      group: { ...(OF_TOOLS.test(event) ? { matcher: '*' } : {}), hooks: [after] },
    })),
  ]
}

function entryFor(wiring: HookWiring, phase: 'before' | 'after', settings: JsonObject): JsonObject {
  const { http } = wiring
  if (http === undefined) {
    const command = phase === 'before' ? beforeCommand(wiring) : afterCommand(wiring)
    return { type: 'command', command, ...settings }
  }
  return {
    type: 'http',
    url: `${http.url.replace(/\/+$/, '')}${HOOK_ADDRESS}`,
    headers: { Authorization: `Bearer ${http.token}` },
    ...settings,
  }
}

function isOurs({ url, command }: JsonObject, wiring: HookWiring): boolean {
  return (typeof url === 'string' && url.includes(HOOK_ADDRESS)) || isOurCommand(command, wiring)
}

function addressOf({ url, command }: JsonObject): string {
  return typeof url === 'string' ? url : typeof command === 'string' ? command : ''
}

/** Those of whoever runs the machine, as the table has them. A preference list of macOS is no JSON and isn't read. */
function managedFiles({ home, environment }: AgentPlace, disk: AgentDisk): string[] {
  return agentFilePlaces(TABLE, { home, environment, projects: [] })
    .filter(({ level, holds }) => level === 'managed' && holds.includes('hooks'))
    .flatMap(({ path }) => filesAt(path, disk))
    .filter((path) => path.endsWith('.json'))
}

function offBecause(settings: JsonObject, isManaged: boolean): string | undefined {
  if (settings.disableAllHooks === true) return '"disableAllHooks": true'
  if (isManaged && settings.allowManagedHooksOnly === true) return '"allowManagedHooksOnly": true'
  return undefined
}

function foundIn(path: string, { read }: AgentDisk): FoundHook[] {
  const text = read(path)
  return text === undefined ? [] : readableHooks(text)
}
