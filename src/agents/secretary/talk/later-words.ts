/**
 * What the secretary has to say after it has answered: kept in the store, told by the channel, at least once, also after a restart. A
 * chat that is slow or away holds nothing up.
 */
import type { JsonValue } from '../../../core/json/json.ts'
import { readAllPages } from '../../../core/support/read-pages.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { ChannelNotice, NoticeWords } from '../../../people/channel.ts'
import type { RecordVerbs } from '../../../stores/record-verbs.ts'

/** Where to, and what. */
export interface LaterNotice {
  channel: string
  conversation: string
  owner: string
  words: NoticeWords
}

export interface LaterWords {
  /** Resolves when it is kept. `key`: the same again is the same notice. */
  say(key: string, notice: LaterNotice): Promise<void>
  resume(): Promise<void>
  close(): void
}

export interface LaterWordsParts {
  records: RecordVerbs
  notify(channel: string, notice: ChannelNotice): Promise<'told' | 'gone'>
  clock: Pick<Clock, 'after'>
  report(fault: { doing: string; error: unknown }): void
}

const KIND = 'talk_notice'
const KEPT_MS = 3 * 86_400_000
const RETRY_MS = 5_000
const MAX_RETRY_MS = 600_000

export function createLaterWords({ records, notify, clock, report }: LaterWordsParts): LaterWords {
  let isClosed = false

  async function tell(key: string, notice: LaterNotice, attempt: number): Promise<void> {
    if (isClosed) return
    const { channel, words, ...to } = notice
    try {
      const kept = await records.get(KIND, key)
      // Another process has told it, or it is too old to be of use.
      if (kept === undefined) return
      await notify(channel, { ...to, words: () => words })
      await records.change([{ kind: KIND, key, version: kept.version }])
    } catch (error) {
      if (attempt === 1) report({ doing: `telling somebody in ${channel}`, error })
      const { retryAfterMs } = error as { retryAfterMs?: unknown }
      const waitMs = typeof retryAfterMs === 'number' ? retryAfterMs : RETRY_MS * 2 ** Math.min(attempt, 7)
      clock.after(Math.min(waitMs, MAX_RETRY_MS), () => void tell(key, notice, attempt + 1))
    }
  }

  return {
    async say(key, notice) {
      const value = notice as unknown as JsonValue
      const { won } = await records.change([{ kind: KIND, key, version: 0, value, expiresInMs: KEPT_MS }])
      if (won) void tell(key, notice, 1)
    },
    async resume() {
      const kept = await readAllPages((next) => records.list({ kind: KIND, ...next }))
      for (const { key, value } of kept) void tell(key, value as unknown as LaterNotice, 1)
    },
    close() {
      isClosed = true
    },
  }
}
