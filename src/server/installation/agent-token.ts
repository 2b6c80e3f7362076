/** What the first start leaves behind: a token for the agent, in a file that only its owner can read. */
import type { Actor } from '../../core/session.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import { readIfThere } from '../host/read-file.ts'
import { putFile } from '../host/replace-file.ts'
import type { DataFolder } from './data-folder.ts'

const AGENT = 'agent'

export async function writeAgentToken(gateway: Gateway, folder: DataFolder, self: Actor): Promise<void> {
  const kept = readIfThere(folder.agentToken)?.trim()
  if (kept && (await gateway.tokens.authenticate(kept)) !== undefined) return
  const { secret } = await gateway.tokens.create(
    { role: 'agent', subject: AGENT, label: 'made by the first start' },
    self,
  )
  putFile(folder.agentToken, `${secret}\n`)
}
