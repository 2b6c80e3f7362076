/**
 * Claude Code gets its hooks in the settings of the user, which count in every project. From 2.1.295 on it can send events itself and
 * block the call when that fails; before, it makes the call, so the script asks and says no by its exit code.
 */
import type { JsonObject } from '../../core/json/json.ts'
import {
  type AgentPlace,
  type AgentSetup,
  type GateMode,
  type HookWiring,
  isAtLeast,
  type ReadIfThere,
} from '../setup/agent-setup.ts'
import { afterCommand, beforeCommand, isOurCommand } from '../setup/hook-command.ts'
import { type HookGroup, hookGroupsFile, hooksIn, isObject } from '../setup/hook-groups.ts'
import { readJsonText } from '../setup/json-text.ts'
import { claudeCode } from './index.ts'
import { CLAUDE_CODE } from './read-event.ts'

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
  versions: { oldest: '2.1.197', tried: '2.1.325' },
  modes: ['everything', 'own_rules_first'],
  sendsEvents: (version) => isAtLeast(version, BLOCKS_FROM),
  files: (place, wiring) => [
    hookGroupsFile({
      path: settingsFile(place),
      wanted: groupsFor(wiring),
      isOurs: (entry) => isOurs(entry, wiring),
    }),
  ],
  otherHooks(place, wiring, read) {
    const text = read(settingsFile(place))
    return (text === undefined ? [] : hooksIn(text))
      .filter(({ event, entry }) => event === 'PreToolUse' && !isOurs(entry, wiring))
      .map(({ entry }) => addressOf(entry) || 'a hook without a command')
  },
  switchedOff(place, project, read) {
    const files = [
      settingsFile(place),
      `${project}/.claude/settings.json`,
      `${project}/.claude/settings.local.json`,
      '/etc/claude-code/managed-settings.json',
    ]
    return files.flatMap((path) => {
      const said = offBecause(path, read)
      return said === undefined ? [] : [{ path, because: said }]
    })
  },
  probe: (session) => ({ hook_event_name: 'SessionEnd', session_id: session, reason: 'other' }),
  limits: [
    'What the policy allows runs with the arguments that Claude Code has by then: another hook of yours may have changed them. What a person approved runs exactly as approved.',
    'Commands that you type yourself behind `!`, your status line and your other hooks run without Banksman.',
    '`disableAllHooks` in a settings file, `--bare`, `--safe-mode` and `--settings` switch hooks off. No call can write these files or start Claude Code like that, but you can.',
  ],
}

/** Where `CLAUDE_CONFIG_DIR` has moved it to, and else in the home folder. */
function settingsFile({ home, environment }: AgentPlace): string {
  return `${environment.CLAUDE_CONFIG_DIR || `${home}/.claude`}/settings.json`
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
    ...[...AFTER, ...(wiring.http === undefined ? [] : AFTER_SINCE)].map((event) => ({
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

function offBecause(path: string, read: ReadIfThere): string | undefined {
  const text = read(path)
  if (text === undefined) return undefined
  const settings = readJsonText(text)
  if (!isObject(settings)) return undefined
  if (settings.disableAllHooks === true) return '"disableAllHooks": true'
  if (path.startsWith('/etc/') && settings.allowManagedHooksOnly === true)
    return '"allowManagedHooksOnly": true'
  return undefined
}
