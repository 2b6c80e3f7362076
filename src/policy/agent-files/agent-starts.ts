/**
 * Finds the starts of coding agents in a call. An agent that was started from a call works outside of what that call was
 * judged for, so a person decides on each start; and one that leaves hooks or settings out would not come back here.
 */

import type { ShellCommand, ShellReading, ShellWord } from '../shell/reading.ts'
import { runsFrom } from '../shell/wrappers/runner-table.ts'
import type { BypassOption, CodingAgentTable } from './agent-table.ts'
import { CODING_AGENTS } from './agent-tables.ts'

export interface AgentStart {
  readonly agent: CodingAgentTable
  /** The command of the line that it is in. */
  readonly command: ShellCommand
  /** The option or variable by which hooks or settings are left out. */
  readonly bypass: string | undefined
}

const byProgram = new Map<string, CodingAgentTable>()
const byPackage = new Map<string, CodingAgentTable>()
for (const agent of CODING_AGENTS) {
  for (const name of agent.programs) byProgram.set(name, agent)
  for (const name of agent.packages) byPackage.set(name, agent)
}

/** Without one of these in it, a line starts none. */
export const MAY_START_AGENT = new RegExp(
  [...byProgram.keys(), ...byPackage.keys()].map((name) => name.replace(/[.\\/]/g, '\\$&')).join('|'),
  'i',
)

/** `settings`: the names of variables that the call sets besides those in its line. */
export function agentStartsIn(
  line: string,
  reading: ShellReading,
  settings: readonly string[],
): AgentStart[] {
  return reading.commands.flatMap((command) => {
    const started = startedBy(command, line) ?? perhapsStartedBy(command, line)
    if (started === undefined || onlyTells(started.words)) return []
    const { agent, words } = started
    const bypass = bypassIn(agent, words) ?? variableIn(agent, line, reading, settings)
    return [{ agent, command, bypass }]
  })
}

interface Started {
  readonly agent: CodingAgentTable
  readonly words: readonly ShellWord[]
}

function startedBy(command: ShellCommand, line: string): Started | undefined {
  const { program, words } = command
  if (program === undefined) return undefined
  const agent = byProgram.get(nameOf(program)) ?? byInstalledPath(program, line)
  if (agent !== undefined) return isOther(agent, words) ? undefined : { agent, words }
  const from = /^(?:node|nodejs|deno|tsx|bunx|pnpx|uvx)$/.test(program) ? 0 : runsFrom(program, words)
  if (from === undefined) return undefined
  for (let at = from; at < words.length; at++) {
    const found = agentNamedBy(words[at]!)
    if (found !== undefined && !isOther(found, words.slice(at + 1)))
      return { agent: found, words: words.slice(at + 1) }
  }
  return undefined
}

/**
 * A program that is known only when the line runs, in a line that names an agent: `$(which codex)`, `c=codex; $c`. It is taken for that one.
 */
function perhapsStartedBy({ program, words }: ShellCommand, line: string): Started | undefined {
  if (program !== undefined) return undefined
  const names = line.replace(/["'\\]/g, '').split(/[\s;&|()`=$<>{}]+/)
  const agent = names.map((name) => plainly(nameOf(name))).find((one) => one !== undefined)
  return agent && { agent, words }
}

/** Where the program itself lies under the number of its version: `~/.local/share/claude/versions/2.1.325`. */
function byInstalledPath(program: string, line: string): CodingAgentTable | undefined {
  if (!/^\d[\d.]*$/.test(program)) return undefined
  const folders = line.replace(/["'\\]/g, '').matchAll(/\/([\w-]+)\/versions\//g)
  return [...folders]
    .map(([, name = '']) => byProgram.get(name.toLowerCase()))
    .find((agent) => agent !== undefined)
}

/** Of a word that may be a program, a package or a script: `codex`, `@openai/codex@latest`, `…/node_modules/@openai/codex/x.js`. */
function agentNamedBy({ value, text }: ShellWord): CodingAgentTable | undefined {
  const word = (value ?? text).toLowerCase().replace(/^--?[\w-]+=/, '')
  const inside = /.*node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//.exec(word)?.[1]
  const name = inside ?? word.replace(/^npm:/, '').replace(/(?<=.)@[^/]*$/, '')
  const known = byPackage.get(name)
  if (known !== undefined) return known
  if (/\s/.test(word)) {
    const names = word.split(/[\s;&|()'"`]+/).map(nameOf)
    return names.map((one) => byPackage.get(one) ?? plainly(one)).find((agent) => agent !== undefined)
  }
  return plainly(nameOf(name))
}

/** A name that other programs have too counts only where it is what runs for certain. */
function plainly(name: string): CodingAgentTable | undefined {
  const agent = byProgram.get(name)
  return agent?.others === undefined ? agent : undefined
}

function nameOf(program: string): string {
  const name = program.toLowerCase().split(/[\\/]/).at(-1) ?? ''
  return name.replace(/\.(?:exe|cmd|ps1|bat|[cm]?js)$/, '')
}

/** By its sub-command it is another program of the same name. */
function isOther({ others }: CodingAgentTable, words: readonly ShellWord[]): boolean {
  const first = words.find(({ value }) => value === undefined || !value.startsWith('-'))
  return others?.test(first?.value ?? '') === true
}

/** It says its version, or how it is used. */
function onlyTells(words: readonly ShellWord[]): boolean {
  return words.length === 1 && /^(?:--version|-v|-V|--help|-h)$/.test(words[0]?.value ?? '')
}

function bypassIn({ bypass }: CodingAgentTable, words: readonly ShellWord[]): string | undefined {
  for (const [at, { value, text }] of words.entries()) {
    const word = value ?? text
    if (!word.startsWith('-')) continue
    const found = bypass.find((one) => isBypass(one, word, words[at + 1]?.value))
    if (found !== undefined) return found.option
  }
  return undefined
}

function isBypass({ option, value }: BypassOption, word: string, next: string | undefined): boolean {
  const glued = option.startsWith('--')
    ? word.toLowerCase().startsWith(`${option}=`)
      ? word.slice(option.length + 1)
      : undefined
    : word.startsWith(option) && word.length > option.length
      ? word.slice(option.length).replace(/^=/, '')
      : undefined
  const isIt = option.startsWith('--') ? word.toLowerCase() === option : word === option
  if (value === undefined) return isIt || (option.startsWith('--') && glued !== undefined)
  // A value that is not known may be any.
  return (isIt && (next === undefined || value.test(next))) || (glued !== undefined && value.test(glued))
}

/** They say where every program looks for its settings. */
const EVERYWHERE = ['HOME', 'USERPROFILE', 'XDG_CONFIG_HOME', 'APPDATA'] as const

function variableIn(
  { moved, bypassVariables }: CodingAgentTable,
  line: string,
  { commands }: ShellReading,
  settings: readonly string[],
): string | undefined {
  const names = [...moved.map(({ variable }) => variable), ...bypassVariables, ...EVERYWHERE]
  const bare = line.replace(/["'\\]/g, '')
  const isSet = (name: string) =>
    new RegExp(
      `(?:^|[^\\w$])(?:${name}\\+?=|(?:unset|-u|--unset=?|declare|export|read|-n)\\s+(?:-\\w+\\s+)*${name}\\b)`,
    ).test(bare)
  const found = names.find((name) => isSet(name) || settings.includes(name))
  if (found !== undefined) return found
  const empties = commands.find(
    ({ program, words }) =>
      program === 'env' &&
      words.some(({ value = '' }) => /^(?:-[a-zA-Z]*i|-|--i\w*-environment)$/.test(value)),
  )
  if (empties !== undefined) return 'env -i'
  return /(?:^|[^\w$])BANKSMAN_\w+=/.exec(bare)?.[0].replace(/^\W|=$/g, '')
}
