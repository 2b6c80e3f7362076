/**
 * Where a coding agent is on this machine, and which version it has. Nothing is taken from the project that somebody happens to stand in:
 * a repository may bring programs of any name, and `npx` puts those in its `node_modules` in front of all others.
 */
import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import type { AgentPlace, AgentSetup } from '../../coding-agents/setup/agent-setup.ts'

export interface InstalledAgent {
  program: string
  /** Empty where it didn't say. */
  version: string
}

const VERSION_WITHIN_MS = 20_000

/** Undefined: it is not installed where we look. */
export async function findAgent(
  { programs, installedIn }: AgentSetup,
  { home, environment }: AgentPlace,
  named?: string,
): Promise<InstalledAgent | undefined> {
  const folders = [...foldersIn(environment.PATH), ...installedIn.map((folder) => join(home, folder))]
  const program =
    named === undefined
      ? programs.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
      : resolve(named)
  return program === undefined ? undefined : { program, version: await versionOf(program, environment) }
}

/** One that `findAgent` passes over, since packages of a project put programs of any name there. */
export function findLeftAside(
  { programs }: AgentSetup,
  { PATH = '' }: AgentPlace['environment'],
): string | undefined {
  const folders = PATH.split(delimiter).filter((folder) => isAbsolute(folder) && isOfPackages(folder))
  return programs.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
}

export function findProgram(name: string, { PATH }: AgentPlace['environment']): string | undefined {
  return foldersIn(PATH)
    .map((folder) => join(folder, name))
    .find(isProgram)
}

/** Those that mean the same wherever one stands, and that no package of a project is put into. */
function foldersIn(path = ''): string[] {
  return path.split(delimiter).filter((folder) => isAbsolute(folder) && !isOfPackages(folder))
}

function isOfPackages(folder: string): boolean {
  return /[\\/]node_modules[\\/]/.test(`${folder}/`)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function versionOf(program: string, environment: AgentPlace['environment']): Promise<string> {
  return new Promise((resolve) => {
    // Some programs read files of the folder that they are started in.
    const place = { cwd: '/', env: { ...environment } }
    const options = { ...place, timeout: VERSION_WITHIN_MS, encoding: 'utf8' } as const
    const child = execFile(program, ['--version'], options, (_, stdout) => {
      resolve(/\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? '')
    })
    child.stdin?.end()
  })
}
