/** Every turn of a coding session is in the journal when it is over: who said what, where, and what came of it (P10). */
import type { TurnEvent } from '../../core/conversation.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { SessionProgress } from '../../core/progress.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { SessionRecords } from './session-records.ts'
import { turnNumber, turnsAfter } from './turn-numbers.ts'

export interface TurnJournal {
  observe(event: TurnEvent): void
  /** Notes what a process that was killed has not. */
  resume(): Promise<void>
}

export interface TurnJournalParts {
  turns: Pick<Gateway['turns'], 'noteEnd'>
  records: Pick<SessionRecords, 'find' | 'change' | 'all'>
  progress(session: string, turn?: string): Promise<SessionProgress>
  report(fault: { doing: string; error: unknown }): void
}

/** Of those that ended and were not noted. */
const MAX_LEFT = 20

export function createTurnJournal({ turns, records, progress, report }: TurnJournalParts): TurnJournal {
  /** One after the other in a session: none is noted twice. */
  const lines = new Map<string, Promise<void>>()

  /** `whole`: its last words, which progress cuts. */
  async function note(session: string, id: string, whole?: string): Promise<void> {
    const record = await records.find(session)
    if (record === undefined || turnNumber(id) <= turnNumber(record.notedTurn)) return
    const { turn } = await progress(session, id)
    if (turn?.ended === undefined) return
    const { text: prompt, by, ended } = turn
    const { status, reason = '' } = ended
    const text = whole ?? ended.text
    const response = text === '' ? reason : text
    await turns.noteEnd({ session, turn: id, status, by, prompt, response, cwd: record.folder })
    await records.change(session, ({ notedTurn }) =>
      turnNumber(id) > turnNumber(notedTurn) ? { notedTurn: id } : undefined,
    )
  }

  function inLine(session: string, turn: string, whole?: string): Promise<void> {
    const done = (lines.get(session) ?? Promise.resolve())
      .then(() => note(session, turn, whole))
      .catch((error) => report({ doing: `noting a turn of session ${session}`, error }))
    lines.set(session, done)
    void done.then(() => {
      if (lines.get(session) === done) lines.delete(session)
    })
    return done
  }

  return {
    observe(event) {
      if (event.kind === 'turn_ended') void inLine(event.session, event.turn, event.text)
    },
    async resume() {
      for (const { session, record } of await records.all()) {
        try {
          const { turn: newest } = await progress(session)
          if (newest === undefined) continue
          for (const turn of turnsAfter(record.notedTurn, newest.id, MAX_LEFT)) await inLine(session, turn)
        } catch (error) {
          if (!isBanksmanError(error, 'unknown_id'))
            report({ doing: `noting turns of session ${session}`, error })
        }
      }
    },
  }
}
