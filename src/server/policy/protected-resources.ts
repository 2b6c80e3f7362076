/**
 * What belongs to Banksman itself on this machine (P11), each path as it was given and as it is with links followed:
 * what the facts say of a call has links followed too.
 */
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { ConnectedFile } from '../../policy/agent-files/agent-table.ts'
import type { OwnHouse } from '../../policy/built-in-denies/compile-built-in-denies.ts'
import { realPath } from '../facts/real-path.ts'

export interface ProtectedResourceParts {
  /** May be read, not written: the configuration. */
  files: readonly string[]
  /** With what SQLite keeps beside them. */
  databases: readonly string[]
  folders: readonly string[]
  addresses: readonly string[]
  /** Where coding agents have their settings is said in it. */
  environment?: Readonly<Record<string, string | undefined>>
  /** Those that `connect` has written to. */
  connected: readonly ConnectedFile[]
}

export function protectedResourcesAt({
  files,
  databases,
  folders,
  addresses,
  environment = process.env,
  connected,
}: ProtectedResourceParts): OwnHouse {
  return {
    files: files.flatMap(bothWays),
    untouchable: databases.flatMap((path) => ['', '-wal', '-shm'].flatMap((end) => bothWays(path + end))),
    folders: folders.flatMap(bothWays),
    addresses,
    program: 'banksman',
    agents: { homes: bothWays(environment.HOME || homedir()), environment, connected },
  }
}

function bothWays(path: string): string[] {
  const given = resolve(path)
  return [...new Set([given, realPath(given)])]
}
