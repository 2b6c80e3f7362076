/** A part of the store's contract: see `store.ts`. */
import type { JsonValue } from '../core/json/json.ts'
import type { Session } from '../core/session.ts'
import type { EntryDraft } from '../journal/entry.ts'
import type { Page, SessionDraft } from './store.ts'

/** What an agent of ours keeps of its conversations: an append-only log in each session. */
export interface TurnVerbs {
  /**
   * Appends to the session's log, and makes the session where it is new, with the entry. `at` is the expected length: of
   * any number of writers at one place one wins, and a session belongs to its owner. A session that has ended takes only
   * what says that the turn is over.
   */
  append(appending: TurnAppending): Promise<'appended' | 'lost' | 'not_yours' | 'session_ended'>
  /** Those that follow the first `after` entries, in order. */
  read(session: string, after: number, limit: number): Promise<JsonValue[]>
  /** When the newest entry was written, erased or not; undefined where there is none. */
  lastAt(session: string): Promise<number | undefined>
  /** Sessions whose newest entry said that the turn goes on, by id. */
  unfinished(query: { limit?: number; cursor?: string }): Promise<Page<Session>>
  /**
   * Puts `null` in the place of entries that were written before the moment, at most `limit` of them, and says how many.
   * A session that is unfinished keeps all of its own. With none it writes no journal entry.
   */
  erase(before: number, limit: number, entry: (count: number) => EntryDraft): Promise<number>
}

export interface TurnAppending {
  session: SessionDraft
  at: number
  turn: JsonValue
  /** Whether the turn goes on after this. */
  unfinished: boolean
  /** Written only when the session is new. */
  entry: EntryDraft
}
