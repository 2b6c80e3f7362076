/**
 * Notices on their way to chats, a queue a session: a chat that is slow or away stops nothing else. A notice is tried for about an hour;
 * after that it is left for the next start of the server.
 */
import type { Origin } from '../../../core/call.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { SayNotice } from './notice-words.ts'

/** Writes to a chat. Throws where it is to be tried again; `gone`: it can't be written there. */
export type NotifyChannel = (
  channel: string,
  notice: { conversation: string; owner: string; words: SayNotice },
) => Promise<'told' | 'gone'>

export interface NoticeQueue {
  /** Resolves with true when it was told or nobody can be told there; with false where it was given up. */
  send(session: string, notice: OutboundNotice): Promise<boolean>
  /** Ends what waits to be tried again. */
  close(): void
}

export interface OutboundNotice {
  to: Origin | undefined
  owner: string
  words: SayNotice
}

export interface NoticeQueueParts {
  notify: NotifyChannel
  clock: Pick<Clock, 'after'>
  report(fault: { doing: string; error: unknown }): void
}

const FIRST_RETRY_MS = 1000
const MAX_RETRY_MS = 5 * 60_000
const MAX_TRIES = 20
/** A service that never answers must not keep what comes after it. */
const MAX_TRY_MS = 60_000

export function createNoticeQueue({ notify, clock, report }: NoticeQueueParts): NoticeQueue {
  const lines = new Map<string, Promise<unknown>>()
  const { promise: closing, resolve: close } = Promise.withResolvers<void>()
  let isClosed = false

  function pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = clock.after(delayMs, resolve)
      void closing.then(() => {
        timer.cancel()
        resolve()
      })
    })
  }

  async function tryOnce(notice: OutboundNotice): Promise<void> {
    const { to, owner, words } = notice
    if (to?.conversation === undefined) return
    let timer: { cancel(): void } | undefined
    const tooLong = new Promise<never>((_, reject) => {
      timer = clock.after(MAX_TRY_MS, () => reject(new Error('the chat did not answer in time')))
    })
    const { channel, conversation } = to
    await Promise.race([notify(channel, { conversation, owner, words }), tooLong, closing]).finally(() =>
      timer?.cancel(),
    )
    if (isClosed) throw new Error('the server closes')
  }

  async function tell(session: string, notice: OutboundNotice): Promise<boolean> {
    for (let tries = 1; !isClosed; ) {
      try {
        await tryOnce(notice)
        return true
      } catch (error) {
        if (isClosed) break
        const wanted = retryAfter(error)
        // Nothing is wrong: a chat that takes no more just now, or somebody's quiet hours, which last longer than an hour.
        if (wanted !== undefined) {
          await pause(wanted)
          continue
        }
        report({ doing: `telling a chat of session ${session}`, error })
        if (tries >= MAX_TRIES) break
        await pause(Math.min(FIRST_RETRY_MS * 2 ** (tries - 1), MAX_RETRY_MS))
        tries++
      }
    }
    return false
  }

  return {
    send(session, notice) {
      const sent = (lines.get(session) ?? Promise.resolve()).then(() => tell(session, notice))
      lines.set(session, sent)
      void sent.then(() => {
        if (lines.get(session) === sent) lines.delete(session)
      })
      return sent
    },
    close() {
      isClosed = true
      close()
    },
  }
}

/** What a channel says of when to try again, where nothing is wrong. */
function retryAfter(error: unknown): number | undefined {
  const { retryAfterMs } = error as { retryAfterMs?: unknown }
  return typeof retryAfterMs === 'number' && retryAfterMs >= 0
    ? Math.min(retryAfterMs, MAX_RETRY_MS)
    : undefined
}
