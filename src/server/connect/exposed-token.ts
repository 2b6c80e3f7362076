/** An agent that sends events itself has its token in its own settings. Those keep the mode that their user gave them. */
import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { AgentPlace, AgentSetup } from '../../coding-agents/setup/agent-setup.ts'
import { type ConnectionRecord, wiringOf } from './connection-record.ts'
import { setupFiles } from './disconnect-agent.ts'
import { readOthers } from './read-others.ts'

export interface ExposedToken {
  message: string
  advice: string
}

/** The files with the token that others on this machine can read. */
export function exposedTokens(
  setup: AgentSetup,
  place: AgentPlace,
  record: ConnectionRecord,
): ExposedToken[] {
  const { http } = wiringOf(record, place.environment, setup)
  if (http === undefined || http.token === '' || process.platform === 'win32') return []
  return setupFiles(setup, place, record)
    .filter(({ path }) => readOthers(path)?.includes(http.token) === true && canOthersRead(path))
    .map(({ path }) => ({
      message: `others on this machine can read ${path}, and with it the token of this hook`,
      advice: `run: chmod go= ${path}`,
    }))
}

function canOthersRead(link: string): boolean {
  const path = realpathSync(link)
  if ((statSync(path).mode & 0o044) === 0) return false
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o011) === 0) return false
    if (folder === dirname(folder)) return true
  }
}
