/**
 * How Banksman is put in front of one coding agent: which of its files get what, and how ours is found in them again. Pure: texts in,
 * texts out. Reading, showing, asking and writing are `server/connect/`.
 *
 * What MUST hold
 * - `add` keeps all that is in the file, and whatever it can't read it refuses: then nothing is written.
 * - `remove` takes away what is ours and nothing else, by what it says and not by where it stands. Others may have come before and
 *   behind it meanwhile. It is quiet where ours is gone already.
 * - `find` tells what the agent would make of the text: an entry that somebody has changed is not ours any longer, and says so.
 *
 * What MUST NOT happen
 * - No token gets into a file of a project: others read those.
 */
import type { JsonObject } from '../../core/json/json.ts'

/** `everything`: each call is judged here. `own_rules_first`: only what the agent's own rules would ask its user about. */
export const GATE_MODES = ['everything', 'own_rules_first'] as const
export type GateMode = (typeof GATE_MODES)[number]

/** Where the agent keeps its files on this machine. */
export interface AgentPlace {
  home: string
  environment: Readonly<Record<string, string | undefined>>
}

/** How its hooks reach the server. */
export interface HookWiring {
  mode: GateMode
  /** The script that asks the server; absolute. */
  script: string
  /** Words of a program that does the same, for settings that people keep by hand. */
  command?: readonly string[]
  /** The file with the token, which only this user can read. */
  tokenFile: string
  server: HookServer
  /** Of the agent: newer ones have more events. */
  version?: string
  /** For agents that send events themselves. Absent: they run the script. */
  http?: { url: string; token: string }
}

export type HookServer = { kind: 'socket'; path: string } | { kind: 'url'; url: string }

/** What `find` says of ours. `missing`: none of it is there. `changed`: some is, but not as we wrote it. */
export type SetupState = 'there' | 'missing' | 'changed'

export interface SetupFile {
  path: string
  /** `whole`: nobody else writes it. */
  kind: 'whole' | 'shared'
  add(text: string | undefined): string
  /** `before`: what the file said before us; what was empty then stays empty. Undefined: nothing is left, and there was no file. */
  remove(text: string, before: string | undefined): string | undefined
  find(text: string | undefined): SetupState
}

export interface AgentSetup {
  /** As the agent is called in addresses, tokens and commands. */
  readonly name: string
  readonly title: string
  /** The programs that start it, the usual one first. */
  readonly programs: readonly string[]
  /** Where it is put besides the folders in PATH, from the home folder. */
  readonly installedIn: readonly string[]
  /** How it can be gated, each from which version on: below that its hooks can't be relied on for it. */
  readonly modes: { everything: string; own_rules_first?: string }
  /** Whether this version sends events itself, and blocks the call when that fails. */
  sendsEvents?(version: string): boolean
  /** Why events that it sends itself don't get straight to this address, such as a proxy. Undefined: they do. */
  goesAround?(place: AgentPlace, url: string, read: ReadIfThere): string | undefined
  /** The folder with its settings, which is elsewhere when the variable says so. */
  folder(place: AgentPlace): string
  readonly movedBy: string
  /** All of them in that folder. */
  files(place: AgentPlace, wiring: HookWiring): SetupFile[]
  /** Where the agent wants to be told that it may trust its hooks: the file for that, once it has listed them. */
  trust?(place: AgentPlace, trusted: TrustedHooks): SetupFile
  /** Hooks of others that see or change a call beside ours, as people would recognize them. */
  otherHooks(place: AgentPlace, wiring: HookWiring, project: string, disk: AgentDisk): string[]
  /** What becomes of a call that another hook changes too. */
  readonly withOtherHooks?: string
  /** Files of this project or user by which the hooks are off, or don't get to us, with what in them says so. */
  switchedOff(
    place: AgentPlace,
    project: string,
    disk: AgentDisk,
    wiring?: Pick<HookWiring, 'http'>,
  ): { path: string; because: string }[]
  /** Where it writes its conversations down, also those that no hook was run in: files with this ending, that many folders deep. */
  transcripts?(place: AgentPlace): { folder: string; ending: string; depth: number }
  /** An event that decides nothing, for a session that nobody has. */
  probe(session: string): JsonObject
  /** What no hook sees, in sentences for whoever connects it. */
  readonly limits: readonly string[]
  /** The same for whoever connects it with --my-rules-first. */
  readonly limitsOfOwnRules?: readonly string[]
}

/** What a file says now, and what it will say. Undefined: there is none. */
export interface ChangedFile {
  path: string
  now: string | undefined
  after: string | undefined
}

export interface TrustedHooks {
  wiring: HookWiring
  /** Ours as the agent lists them, or did when they were trusted. */
  ours: readonly ListedHook[]
  /** Those of a connection that this one takes the place of. */
  earlier?: readonly ListedHook[]
  /** What happens to the files with hooks at the same time: an agent may know hooks by their numbers. */
  changes?: readonly ChangedFile[]
}

/** A hook of ours as the agent itself lists it. */
export interface ListedHook {
  key: string
  hash: string
  isTrusted: boolean
}

export function limitsOf(
  { limits, limitsOfOwnRules = [] }: Pick<AgentSetup, 'limits' | 'limitsOfOwnRules'>,
  mode: GateMode,
): readonly string[] {
  return mode === 'own_rules_first' ? [...limits, ...limitsOfOwnRules] : limits
}

/** Undefined: there is no such file. */
export type ReadIfThere = (path: string) => string | undefined

/** What others have put there. */
export interface AgentDisk {
  read: ReadIfThere
  /** The paths of all files in a folder and in those below it. None where there is no such folder. */
  list(folder: string): string[]
}

/** The file, or all files of a folder, which has a slash at its end. */
export function filesAt(path: string, { list }: AgentDisk): string[] {
  return path.endsWith('/') ? list(path.slice(0, -1)) : [path]
}

/** A folder and all above it, up to the top of the disk. */
export function aboveAndAt(folder: string): string[] {
  const steps = folder.split('/').filter((step) => step !== '')
  return steps.map((_, at) => `/${steps.slice(0, steps.length - at).join('/')}`)
}

/** Whether the version is at least the other one. What is no version is below all. */
export function isAtLeast(version: string, least: string): boolean {
  const [found, wanted] = [version, least].map((text) =>
    /(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number),
  )
  if (found === undefined || wanted === undefined) return false
  const at = found.findIndex((part, index) => part !== wanted[index])
  return at === -1 || found[at]! > wanted[at]!
}

/** A folder as people write it, with or without a slash at its end. */
export function withoutSlash(folder: string): string {
  return folder.replace(/(?<=.)\/+$/, '')
}
