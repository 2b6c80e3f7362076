/**
 * What is known of one coding agent: where it takes hooks, plugins, trust, rules and MCP entries from, and how it is
 * started. Whoever may write one of these files can take an agent out of Banksman's hands, so no call may (P11).
 *
 * Instructions (`CLAUDE.md`, `AGENTS.md`, skills, prompts) are not in it: they tell the model something, and whatever it
 * does then is asked about as before.
 */

/** `local`: of one person in one project, not committed. `managed`: of whoever runs the machine, above all others. */
export type AgentFileLevel = 'user' | 'project' | 'local' | 'managed'

export const AGENT_FILE_USES = ['hooks', 'plugins', 'trust', 'rules', 'mcp'] as const

/** What the agent takes from a file. `trust`: which folders and hooks it trusts; `rules`: what it runs without asking. */
export type AgentFileUse = (typeof AGENT_FILE_USES)[number]

export interface AgentFile {
  /**
   * `~/…` in a home folder, absolute for the machine, otherwise from the top of a project. A slash at the end: the folder
   * and all that is in it. Windows paths are written with slashes.
   */
  readonly path: string
  readonly level: AgentFileLevel
  /** The most dangerous use first: it is the one that people are told. */
  readonly holds: readonly AgentFileUse[]
}

/** A folder that is elsewhere when an environment variable says so. */
export interface MovedFolder {
  readonly variable: string
  /** The folder whose place it takes, as in the paths of the files; a variable may also name a single file. */
  readonly from: string
}

export interface CodingAgentTable {
  /** As it is written in commands: `claude-code`. */
  readonly id: string
  /** As people call it. */
  readonly name: string
  readonly files: readonly AgentFile[]
  readonly moved: readonly MovedFolder[]
  /** How it is started. */
  readonly programs: readonly string[]
  /** Sub-commands by which it is another program of the same name. */
  readonly others?: RegExp
  /** The packages that start it through `npx`, `uvx` and the like, without a version. */
  readonly packages: readonly string[]
  /** Options that leave hooks or settings out, or take others: a start with one of them is denied. */
  readonly bypass: readonly BypassOption[]
  /** Variables that do the same; those of `moved` count too. */
  readonly bypassVariables: readonly string[]
  /** Its model can type into a program that it left running, and no hook sees that. */
  readonly typesUnseen?: true
}

export interface BypassOption {
  /** `--settings`, `-c`. */
  readonly option: string
  /** Only with a value like this one, beside the option or behind `=`. Absent: with any, and without one. */
  readonly value?: RegExp
}

/** Where agents' files are on this machine, besides the usual places. */
export interface AgentPlaces {
  /** Home folders, as they were given and with links followed; absolute. */
  readonly homes: readonly string[]
  /** Of the environment: where variables have moved folders to. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Files that `connect` has written to: the variables that moved them may be set for the agent only. */
  readonly connected?: readonly ConnectedFile[]
}

export interface ConnectedFile {
  /** The id of its table, where it has one. */
  readonly agent: string
  /** Absolute. */
  readonly path: string
  /** `user`: the folder that it is in has the agent's other settings too. */
  readonly level: 'user' | 'project'
  readonly holds: AgentFileUse
}

export function file(path: string, level: AgentFileLevel, ...holds: AgentFileUse[]): AgentFile {
  return { path, level, holds }
}

export function options(names: string): BypassOption[] {
  return names.split(' ').map((option) => ({ option }))
}
