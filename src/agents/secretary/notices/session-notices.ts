/**
 * Tells owners of sessions what they have to know: that a turn has ended, and that nobody answered in time. The record of a session has
 * what was told last. It is written after the telling, so what was not told when the server ended is told when it is back (P7).
 */
import type { TurnEvent } from '../../../core/conversation.ts'
import { isBanksmanError } from '../../../core/errors.ts'
import type { SessionProgress } from '../../../core/progress.ts'
import type { Request } from '../../../core/request.ts'
import type { SessionRecord, SessionRecords } from '../session-records.ts'
import { turnNumber, turnsAfter } from '../turn-numbers.ts'
import { createNoticeQueue, type NoticeQueueParts } from './notice-queue.ts'
import { noticeOfEnd, noticeOfExpiry } from './notice-words.ts'

export interface SessionNotices {
  /** Told of everything that happens in sessions at this process. */
  observe(event: TurnEvent): void
  expired(session: string, request: string): void
  /** Tells what was not told before this process started. */
  resume(): Promise<void>
  close(): void
}

export interface SessionNoticesParts extends NoticeQueueParts {
  records: Pick<SessionRecords, 'find' | 'change' | 'all'>
  /** How far a turn is; the newest, where none is named. */
  progress(session: string, turn?: string): Promise<SessionProgress>
  /** Requests of the session, the newest first, that nobody answered in time. */
  expiredIn(session: string): Promise<Pick<Request, 'id'>[]>
}

/** Of those that ended while nobody could be told. */
const MAX_LEFT = 5

export function createSessionNotices(parts: SessionNoticesParts): SessionNotices {
  const { records, progress, expiredIn, report } = parts
  const queue = createNoticeQueue(parts)
  /** Who interrupted the turn that runs in a session. */
  const stoppers = new Map<string, { turn: string; by: string }>()

  function inBackground(doing: string, work: Promise<unknown>): void {
    work.catch((error) => report({ doing, error }))
  }

  async function tellEnd(session: string, turn: string, by?: string): Promise<void> {
    const record = await records.find(session)
    if (record === undefined) return
    const { turn: ended } = await progress(session, turn)
    const stoppedBy = by === record.owner ? undefined : by
    // What was closed is told to nobody: whoever closed it knows.
    const words =
      ended === undefined || record.closedAt !== undefined
        ? undefined
        : noticeOfEnd(ended, { folder: record.folder, stoppedBy })
    const isTold = words === undefined || (await queue.send(session, { ...placeOf(record), words }))
    if (isTold)
      await records.change(session, ({ toldTurn }) =>
        isLater(turn, toldTurn) ? { toldTurn: turn } : undefined,
      )
  }

  async function tellExpiry(session: string, request: string): Promise<void> {
    const record = await records.find(session)
    if (record === undefined || !isNewer(request, record.toldExpiry)) return
    const isTold =
      record.closedAt !== undefined ||
      (await queue.send(session, { ...placeOf(record), words: noticeOfExpiry }))
    if (isTold)
      await records.change(session, ({ toldExpiry }) =>
        isNewer(request, toldExpiry) ? { toldExpiry: request } : undefined,
      )
  }

  /** The newest ones of what has ended and was not told. */
  async function tellLeft(session: string, { toldTurn, toldExpiry }: SessionRecord): Promise<void> {
    const [late] = (await expiredIn(session)).filter(({ id }) => isNewer(id, toldExpiry))
    if (late !== undefined) inBackground(`telling of session ${session}`, tellExpiry(session, late.id))
    const { turn: newest } = await progress(session)
    if (newest === undefined) return
    for (const id of turnsAfter(toldTurn, newest.id, MAX_LEFT)) {
      const { turn } = await progress(session, id)
      if (turn?.ended !== undefined) inBackground(`telling of session ${session}`, tellEnd(session, turn.id))
    }
  }

  return {
    observe(event) {
      const { session, turn } = event
      if (event.kind === 'interrupted') stoppers.set(session, { turn, by: event.by })
      if (event.kind !== 'turn_ended') return
      const stopper = stoppers.get(session)
      stoppers.delete(session)
      const by = stopper?.turn === turn ? stopper.by : event.endedBy?.by
      inBackground(`telling of session ${session}`, tellEnd(session, turn, by))
    },
    expired: (session, request) =>
      inBackground(`telling of session ${session}`, tellExpiry(session, request)),
    async resume() {
      for (const { session, record } of await records.all()) {
        if (record.closedAt !== undefined || record.toldAt === undefined) continue
        await tellLeft(session, record).catch((error) => {
          // A session that was erased with its log has nothing to tell.
          if (!isBanksmanError(error, 'unknown_id')) report({ doing: `telling of session ${session}`, error })
        })
      }
    },
    close: queue.close,
  }
}

function placeOf({ toldAt, owner }: SessionRecord) {
  return { to: toldAt, owner }
}

/** Ids of requests are in the order of time. */
function isNewer(request: string, told: string | undefined): boolean {
  return told === undefined || request > told
}

function isLater(turn: string, told: string | undefined): boolean {
  return turnNumber(turn) > turnNumber(told)
}
