/**
 * Events that were handled, by the service's own ids: each is handled once, though services send some of them again. An event
 * is noted after it was handled. If we die in between it is handled again, which is safe: the same answer of the same person to
 * the same request is recorded once. What means nothing here isn't noted: a flood of it costs no commit.
 */
import type { RecordVerbs } from '../../stores/record-verbs.ts'

export interface HandledEvents {
  /** Does the work unless it was done. Two at once are one. `work` says whether it is to be noted. */
  once(event: string, work: () => Promise<boolean>): Promise<void>
}

const KIND = 'chat_event'
/** Longer than any service tries to deliver. */
const KEPT_MS = 3 * 86_400_000

export function createHandledEvents(
  service: string,
  records: Pick<RecordVerbs, 'get' | 'change'>,
): HandledEvents {
  const underWay = new Map<string, Promise<void>>()
  return {
    once(event, work) {
      const key = JSON.stringify([service, event])
      const same = underWay.get(key)
      if (same !== undefined) return same
      const mine = handle(key, work).finally(() => underWay.delete(key))
      underWay.set(key, mine)
      return mine
    },
  }

  async function handle(key: string, work: () => Promise<boolean>): Promise<void> {
    if ((await records.get(KIND, key)) !== undefined || !(await work())) return
    // Who loses has handled it too.
    await records.change([{ kind: KIND, key, version: 0, value: {}, expiresInMs: KEPT_MS }])
  }
}
