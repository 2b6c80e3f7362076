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
/** More than are looked at after a restart. */
const MAX_EXPIRIES = 50

export function createSessionNotices(parts: SessionNoticesParts): SessionNotices {
  const { records, progress, expiredIn, report } = parts
  const queue = createNoticeQueue(parts)
  /** Who interrupted the turn that runs in a session. */
  const stoppers = new Map<string, { turn: string; by: string }>()
  /** Sessions with an end that could not be told: it is told after the next start, with what follows it. */
  const givenUp = new Set<string>()

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
    if (!isTold) givenUp.add(session)
    if (!givenUp.has(session))
      await records.change(session, ({ toldTurn }) =>
        isLater(turn, toldTurn) ? { toldTurn: turn } : undefined,
      )
  }

  async function tellExpiry(session: string, request: string): Promise<void> {
    const record = await records.find(session)
    if (record === undefined || isExpiryTold(record, request)) return
    const isTold =
      record.closedAt !== undefined ||
      (await queue.send(session, { ...placeOf(record), words: noticeOfExpiry }))
    if (isTold) await noteExpiries(session, [request])
  }

  async function noteExpiries(session: string, requests: readonly string[]): Promise<void> {
    await records.change(session, ({ toldExpiries = [] }) => ({
      toldExpiries: [...new Set([...toldExpiries, ...requests])].slice(-MAX_EXPIRIES),
    }))
  }

  /** The newest ones of what has ended and was not told. */
  async function tellLeft(session: string, record: SessionRecord): Promise<void> {
    const { toldTurn } = record
    const [late, ...others] = (await expiredIn(session)).filter(({ id }) => !isExpiryTold(record, id))
    if (late !== undefined) {
      // One notice stands for all of them.
      if (others.length > 0)
        await noteExpiries(
          session,
          others.map(({ id }) => id),
        )
      inBackground(`telling of session ${session}`, tellExpiry(session, late.id))
    }
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

/** Two requests need not expire in the order in which they were made. */
function isExpiryTold({ toldExpiries = [] }: SessionRecord, request: string): boolean {
  return toldExpiries.includes(request)
}

function isLater(turn: string, told: string | undefined): boolean {
  return turnNumber(turn) > turnNumber(told)
}
