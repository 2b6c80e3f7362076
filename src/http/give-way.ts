/** Others are served before a large call is made ready to be shown. */
import type { Request } from '../core/request.ts'
import { createGiveWay } from '../gateway/give-way.ts'

/** Below this a request is shown in less than a millisecond. */
const LARGE = 16 * 1024

export async function giveWayBefore({ bytes }: Pick<Request, 'bytes'>): Promise<void> {
  if (bytes.length > LARGE) await giveWay()
}

export const giveWay: () => Promise<void> = createGiveWay(
  () => new Promise((resolve) => setImmediate(resolve)),
)
