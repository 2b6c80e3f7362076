/** What the first start leaves behind: a token for the agent, in a file that only its owner can read. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Actor } from '../../core/session.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { DataFolder } from './data-folder.ts'

const AGENT = 'agent'

export async function writeAgentToken(gateway: Gateway, folder: DataFolder, self: Actor): Promise<void> {
  if (existsSync(folder.agentToken)) {
    const token = await gateway.tokens.authenticate(readFileSync(folder.agentToken, 'utf8').trim())
    if (token !== undefined) return
  }
  const { secret } = await gateway.tokens.create(
    { role: 'agent', subject: AGENT, label: 'made by the first start' },
    self,
  )
  writeFileSync(folder.agentToken, `${secret}\n`, { mode: 0o600 })
}
