/**
 * What waits in conversations of this channel, read for those who have just connected. All who come while it is being read
 * share the next reading, so that a thousand clients that come back at once do not read everything a thousand times.
 */
import { defined } from '../../core/defined.ts'
import type { Request } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import type { Deciding } from '../driver.ts'

/** A reading that began after the call. Each caller picks what is theirs out of it. */
export type ReadPendingRequests = (deciding: Pick<Deciding, 'list'>, actor: Actor) => Promise<Request[]>

export function createReadPendingRequests(channel: string): ReadPendingRequests {
  let underway: Promise<Request[]> | undefined
  let next: Promise<Request[]> | undefined

  const pendingHere: ReadPendingRequests = (deciding, actor) => {
    if (underway === undefined) {
      underway = readAll(deciding, actor, channel).finally(() => {
        underway = undefined
      })
      return underway
    }
    // The one under way may have passed the place where something has appeared since.
    next ??= underway
      .catch(() => [])
      .then(() => {
        next = undefined
        return pendingHere(deciding, actor)
      })
    return next
  }
  return pendingHere
}

async function readAll(deciding: Pick<Deciding, 'list'>, actor: Actor, channel: string): Promise<Request[]> {
  const found: Request[] = []
  let cursor: string | undefined
  do {
    const page = await deciding.list({ state: 'pending', ...defined({ cursor }) }, actor)
    for (const request of page.items) if (request.origin?.channel === channel) found.push(request)
    cursor = page.cursor
  } while (cursor !== undefined)
  return found
}
