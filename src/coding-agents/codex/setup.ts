/**
 * Codex gets its hooks in `hooks.json` beside its configuration, which count in every project. It can't send events itself, so the script
 * asks and says no by its exit code. What it doesn't know it takes for a yes, and a hook that it wasn't told to trust it leaves out.
 */
import type { JsonObject } from '../../core/json/json.ts'
import { agentFilePlaces } from '../../policy/agent-files/agent-file-places.ts'
import type { AgentFile } from '../../policy/agent-files/agent-table.ts'
import { CODEX as TABLE } from '../../policy/agent-files/agents/codex.ts'
import {
  type AgentDisk,
  type AgentPlace,
  type AgentSetup,
  aboveAndAt,
  filesAt,
  type GateMode,
  type HookWiring,
  type ReadIfThere,
  withoutSlash,
} from '../setup/agent-setup.ts'
import { afterCommand, beforeCommand, isOurCommand } from '../setup/hook-command.ts'
import { type HookGroup, hookGroupsFile, readableHooks } from '../setup/hook-groups.ts'
import { isTable, readTomlText, type TomlTable, tomlValueAt } from '../setup/toml-text.ts'
import { wholeFile } from '../setup/whole-file.ts'
import { hookTrustFile } from './hook-trust.ts'
import { codex } from './index.ts'
import { CODEX } from './read-event.ts'
import { codexRulesText } from './rules.ts'

const GATES: Readonly<Record<GateMode, string>> = {
  everything: 'PreToolUse',
  own_rules_first: 'PermissionRequest',
}

/** Events that tell how a call or a turn ended, with the seconds that Codex gives them: more it takes back, and warns. */
const AFTER = { PostToolUse: 10, Stop: 10, Interrupt: 3, SessionEnd: 3 } as const

export const codexSetup: AgentSetup = {
  name: CODEX,
  title: codex.title,
  programs: ['codex'],
  installedIn: ['.local/bin', '.npm-global/bin'],
  modes: { everything: '0.166.0', own_rules_first: '0.166.0' },
  folder: codexHome,
  movedBy: 'CODEX_HOME',
  files: (place, wiring) => [
    hookGroupsFile({
      path: hooksFile(place),
      wanted: groupsFor(wiring),
      isOurs: (entry) => isOurs(entry, wiring),
    }),
    wholeFile(`${codexHome(place)}/rules/banksman.rules`, codexRulesText()),
  ],
  trust: (place, trusted) =>
    hookTrustFile(configurationFile(place), trusted, ({ entry }) => isOurs(entry, trusted.wiring)),
  // Those of plugins are on the list that Codex itself gives.
  otherHooks: (place, wiring, project, disk) =>
    filesWithHooks(place, project, disk).flatMap(({ path, level }) => {
      // Whatever a project brings runs without us, at any event.
      const counts = (event: string) => event === 'PreToolUse' || level === 'project'
      if (!path.endsWith('.json'))
        return hooksInToml(path, disk.read)
          .filter(counts)
          .map((event) => `[[hooks.${event}]] in ${path}`)
      return readableHooks(disk.read(path) ?? '{}')
        .filter(({ event, entry }) => counts(event) && !isOurs(entry, wiring))
        .map(({ entry }) => (typeof entry.command === 'string' ? entry.command : 'a hook without a command'))
    }),
  withOtherHooks:
    'if several hooks change a call, Codex runs it as the one that finishes last has it: what a person approved may then run changed',
  switchedOff: (place, project, disk) =>
    filesWithHooks(place, project, disk).flatMap(({ path }) => {
      const because = path.endsWith('.toml') ? offBecause(path, disk.read) : undefined
      return because === undefined ? [] : [{ path, because }]
    }),
  transcripts: (place) => ({ folder: `${codexHome(place)}/sessions`, ending: '.jsonl', depth: 3 }),
  probe: (session) => ({ hook_event_name: 'SessionEnd', session_id: session, reason: 'other' }),
  limits: [
    'What Codex types into a program that it left running passes no hook. So starting a shell, a console of a language or a database, an editor or a terminal on another machine is denied, and so is a program that waits for what is typed. A program that nobody has heard of, or one of yours that runs what it is given, is not recognized.',
    'What the policy allows runs with the arguments that Codex has by then: another hook of yours may have changed them. If several hooks change a call, the one that finishes last wins, even over what a person approved; `banksman connect` says when you have such hooks.',
    'Searches of the web that the model provider makes, and commands that you type yourself behind `!`, run without Banksman.',
    '`hooks = false` under `[features]`, in your configuration or in that of a project that you trust, and options such as `--disable hooks` switch hooks off. No call can write these files or start Codex like that, but you can. A few things stay forbidden then by rules/banksman.rules, where they are written plainly.',
  ],
  limitsOfOwnRules: ['With --my-rules-first nothing is checked in `codex exec`, which never asks.'],
}

/** Where `CODEX_HOME` has moved it to, and else in the home folder. */
export function codexHome({ home, environment }: AgentPlace): string {
  return withoutSlash(environment.CODEX_HOME || `${home}/.codex`)
}

/** The events that ours are listed for. */
export function codexEvents(mode: GateMode): string[] {
  return [GATES[mode], ...Object.keys(AFTER)]
}

const hooksFile = (place: AgentPlace) => `${codexHome(place)}/hooks.json`
const configurationFile = (place: AgentPlace) => `${codexHome(place)}/config.toml`

function groupsFor(wiring: HookWiring): HookGroup[] {
  const entry = (command: string, timeout: number): JsonObject => ({ type: 'command', command, timeout })
  const before = entry(beforeCommand(wiring), codex.hookTimeoutMs / 1000)
  return [
    { event: GATES[wiring.mode], group: { matcher: '.*', hooks: [before] } },
    ...Object.entries(AFTER).map(([event, timeout]) => ({
      event,
      group: {
        ...(event === 'PostToolUse' ? { matcher: '.*' } : {}),
        hooks: [entry(afterCommand(wiring), timeout)],
      },
    })),
  ]
}

function isOurs({ command }: JsonObject, wiring: HookWiring): boolean {
  return isOurCommand(command, wiring)
}

/**
 * Each once, those of the user first: in a home folder, the project's are the same ones. Codex looks into every folder up to the top of
 * the project, and where that is it may be told.
 */
function filesWithHooks(
  { home, environment }: AgentPlace,
  project: string,
  disk: AgentDisk,
): { path: string; level: AgentFile['level'] }[] {
  const seen = new Set<string>()
  return agentFilePlaces(TABLE, { home, environment, projects: aboveAndAt(project) })
    .filter(({ holds }) => holds.includes('hooks'))
    .flatMap(({ path, level }) => filesAt(path, disk).map((one) => ({ path: one, level })))
    .filter(({ path }) => /\/(?:hooks\.json|[^/]+\.toml)$/.test(path) && !seen.has(path) && seen.add(path))
}

function hooksInToml(path: string, read: ReadIfThere): string[] {
  try {
    const hooks = tomlValueAt(readToml(path, read), ['hooks'])
    return isTable(hooks) ? Object.keys(hooks).filter((event) => Array.isArray(hooks[event])) : []
  } catch {
    return []
  }
}

const HOOK_FEATURES = ['hooks', 'codex_hooks']

function offBecause(path: string, read: ReadIfThere): string | undefined {
  let settings: TomlTable | undefined
  try {
    settings = readToml(path, read)
  } catch (error) {
    return (error as Error).message
  }
  if (settings === undefined) return undefined
  if (settings.allow_managed_hooks_only === true) return 'allow_managed_hooks_only = true'
  const profiles = isTable(settings.profiles) ? Object.keys(settings.profiles) : []
  for (const at of [[], ...profiles.map((name) => ['profiles', name])]) {
    const name = HOOK_FEATURES.find((one) => tomlValueAt(settings, [...at, 'features', one]) === false)
    if (name !== undefined) return `${name} = false under [${[...at, 'features'].join('.')}]`
  }
  return undefined
}

function readToml(path: string, read: ReadIfThere): TomlTable | undefined {
  const text = read(path)
  return text === undefined ? undefined : readTomlText(text)
}
