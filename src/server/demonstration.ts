/**
 * The demonstration beside a server. Its workspace is the same for the same data folder, since the paths in its calls
 * are part of what was asked: after a restart it finds its own requests again.
 */
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runDemonstration } from '../agents/demonstration/agent.ts'
import { digestOf } from '../core/digest.ts'
import { BanksmanError } from '../core/errors.ts'
import type { Server } from './start-server.ts'

export { DEMONSTRATION_POLICY } from '../agents/demonstration/agent.ts'

export interface Demonstration {
  readonly workspace: string
  /** Resolves when it is over, or was stopped. */
  readonly done: Promise<void>
  stop(): void
}

export function startDemonstration(server: Server, say: (line: string) => void): Demonstration {
  const workspace = join(tmpdir(), `banksman-demonstration-${digestOf(server.folder.path).slice(0, 12)}`)
  claimFolder(workspace)
  const controller = new AbortController()
  const done = runDemonstration({ gateway: server.gateway, workspace, say, signal: controller.signal })
  return { workspace, done, stop: () => controller.abort() }
}

/** The name can be guessed, so somebody else may have put a link or a folder of theirs there. */
function claimFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const found = lstatSync(path)
  const isOurs = process.getuid === undefined || found.uid === process.getuid()
  if (found.isDirectory() && isOurs) return
  throw new BanksmanError(
    'invalid_configuration',
    `the demonstration works in ${path}, which is not a folder of yours; remove it, or set TMPDIR to a folder of your own`,
  )
}
