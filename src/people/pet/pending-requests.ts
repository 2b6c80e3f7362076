/**
 * What waits in conversations of this channel, read for those who have just connected. All who come while it is being read
 * share the next reading, so that a thousand clients that come back at once do not read everything a thousand times.
 */
import { defined } from '../../core/defined.ts'
import type { Request } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import type { ChannelContext } from '../door.ts'

/** A reading that began after the call. Each caller picks what is theirs out of it. */
export type ReadPendingRequests = (desk: ChannelContext, actor: Actor) => Promise<Request[]>

export function createReadPendingRequests(channel: string): ReadPendingRequests {
  let underway: Promise<Request[]> | undefined
  let next: Promise<Request[]> | undefined

  const pendingHere: ReadPendingRequests = (desk, actor) => {
    if (underway === undefined) {
      underway = readAll(desk, actor, channel).finally(() => {
        underway = undefined
      })
      return underway
    }
    // The one under way may have passed the place where something has appeared since.
    next ??= underway
      .catch(() => [])
      .then(() => {
        next = undefined
        return pendingHere(desk, actor)
      })
    return next
  }
  return pendingHere
}

async function readAll(desk: ChannelContext, actor: Actor, channel: string): Promise<Request[]> {
  const found: Request[] = []
  let cursor: string | undefined
  do {
    const page = await desk.list({ state: 'pending', ...defined({ cursor }) }, actor)
    for (const request of page.items) if (request.origin?.channel === channel) found.push(request)
    cursor = page.cursor
  } while (cursor !== undefined)
  return found
}
