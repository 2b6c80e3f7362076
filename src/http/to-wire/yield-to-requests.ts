/** Others are served before a large call is made ready to be shown. */
import type { Request } from '../../core/request.ts'
import { createEventLoopYield } from '../../gateway/record/yield-between-calls.ts'

/** Below this a request is shown in less than a millisecond. */
const LARGE = 16 * 1024

export async function yieldBeforeLargeCall({ bytes }: Pick<Request, 'bytes'>): Promise<void> {
  if (bytes.length > LARGE) await yieldToRequests()
}

export const yieldToRequests: () => Promise<void> = createEventLoopYield(
  () => new Promise((resolve) => setImmediate(resolve)),
)
