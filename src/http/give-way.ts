/** A page of large requests is made one by one, so that others are served between two of them. */
import type { Request } from '../core/request.ts'

/** Below this a request is shown in less than a millisecond. */
const LARGE = 16 * 1024

export async function giveWayBefore({ bytes }: Pick<Request, 'bytes'>): Promise<void> {
  if (bytes.length > LARGE) await new Promise<void>((resolve) => setImmediate(resolve))
}
