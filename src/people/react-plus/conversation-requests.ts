/**
 * Whether a request came up in a conversation: in its own session, or in one that an agent of it has started. What a call
 * says of its origin is not enough: any agent can say so of its own calls (P11). The turns' log says who started what.
 */
import { defined } from '../../core/defined.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { Request } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import type { ChannelPorts } from '../driver.ts'
import { CHANNEL } from './channel.ts'

/** Deeper than agents are let start agents. */
const MAX_DEPTH = 32
/** A hundred thousand that wait, a page at a time: what others ask must not hide what this chat asks. */
const MAX_PAGES = 500

export async function isInConversation(
  ports: ChannelPorts,
  { session: of }: Pick<Request, 'session'>,
  session: string,
  actor: Actor,
): Promise<boolean> {
  let at = of
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (at === session) return true
    const parent = await parentOf(ports, at, actor)
    if (parent === undefined) return false
    at = parent
  }
  return false
}

/** All that waits in a conversation, the oldest first. */
export async function pendingInConversation(
  ports: ChannelPorts,
  session: string,
  actor: Actor,
): Promise<Request[]> {
  const found: Request[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { state: 'pending' as const, ...defined({ cursor }) }
    const { items, cursor: next } = await ports.deciding.list(query, actor)
    for (const request of items) {
      const { channel, conversation } = request.origin ?? {}
      if (channel !== CHANNEL || conversation !== session) continue
      if (await isInConversation(ports, request, session, actor)) found.push(request)
    }
    cursor = next
    if (cursor === undefined) break
  }
  return found.sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))
}

async function parentOf(ports: ChannelPorts, session: string, actor: Actor): Promise<string | undefined> {
  if (ports.conversing === undefined) return undefined
  try {
    const { entries } = await ports.conversing.entries(session, { limit: 1 }, actor)
    const [first] = entries
    return first?.kind === 'begun' ? first.task?.parentSession : undefined
  } catch (error) {
    // Unknown, or someone else's: it leads nowhere. A store that can't be read is told.
    if (isBanksmanError(error) && !error.code.startsWith('store_')) return undefined
    throw error
  }
}
