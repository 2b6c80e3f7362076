/** Where a coding agent is on this machine, and which version it has. */
import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
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
  const folders = [
    ...(environment.PATH ?? '').split(delimiter).filter((folder) => folder !== ''),
    ...installedIn.map((folder) => join(home, folder)),
  ]
  const program =
    named ?? programs.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
  return program === undefined ? undefined : { program, version: await versionOf(program, environment) }
}

export function findProgram(name: string, { PATH = '' }: AgentPlace['environment']): string | undefined {
  // Only where an absolute path comes of it: the script is run in any folder.
  const folders = PATH.split(delimiter).filter((folder) => folder.startsWith('/'))
  return folders.map((folder) => join(folder, name)).find(isProgram)
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
    const options = { timeout: VERSION_WITHIN_MS, env: { ...environment }, encoding: 'utf8' } as const
    const child = execFile(program, ['--version'], options, (_, stdout) => {
      resolve(/\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? '')
    })
    child.stdin?.end()
  })
}
