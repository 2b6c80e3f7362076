/** What the first start leaves behind: a token for the agent, in a file that only its owner can read. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Actor } from '../../core/session.ts'
import type { Gateway } from '../../gateway/gateway.ts'
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

/**
 * The directory is made of tokens too: it is brought up to date before whoever made one hears of it, and when somebody
 * comes whom it does not know: their token was made on another node a moment ago.
 */
export function refreshDirectoryOnTokenChange(
  gateway: Gateway,
  { refresh, knows }: { refresh: () => Promise<void>; knows: (subject: string) => boolean },
): Gateway {
  const { tokens } = gateway
  return {
    ...gateway,
    tokens: {
      ...tokens,
      async authenticate(secret) {
        const token = await tokens.authenticate(secret)
        if (token !== undefined && token.role !== 'agent' && !knows(token.subject)) await refresh()
        return token
      },
      async create(input, actor) {
        const credential = await tokens.create(input, actor)
        await refresh()
        return credential
      },
      async login(code) {
        const credential = await tokens.login(code)
        await refresh()
        return credential
      },
      async revoke(id, actor) {
        await tokens.revoke(id, actor)
        await refresh()
      },
    },
  }
}
