/** Others are served before a large call is made ready to be shown. */
import type { Request } from '../core/request.ts'

/** Below this a request is shown in less than a millisecond. */
const LARGE = 16 * 1024

export async function giveWayBefore({ bytes }: Pick<Request, 'bytes'>): Promise<void> {
  if (bytes.length > LARGE) await giveWay()
}

let lastTurn: Promise<void> = Promise.resolve()

/** Each that gives way has a turn of the event loop of its own: two that are done in one would hold it for as long as both. */
export function giveWay(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)))
  return lastTurn
}
