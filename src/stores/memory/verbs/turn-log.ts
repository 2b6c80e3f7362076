/** The agent's turns in memory. */
import type { JsonValue } from '../../../core/json/json.ts'
import type { Session } from '../../../core/session.ts'
import { readCursor } from '../../cursor.ts'
import type { TurnVerbs } from '../../store.ts'
import type { Applier } from '../tables/applier.ts'
import { frozenCopy } from '../tables/frozen-copy.ts'
import { pageOf } from '../tables/page.ts'
import type { MemoryJournal } from './journal.ts'
import type { MemorySessions } from './sessions.ts'

interface MemoryTurnLogParts {
  applier: Applier
  now: () => number
  journal: MemoryJournal
  sessions: MemorySessions
}

interface KeptTurn {
  turn: JsonValue
  at: number
}

export function createTurnLog({ applier, now, journal, sessions }: MemoryTurnLogParts): TurnVerbs {
  const logs = new Map<string, KeptTurn[]>()
  const unfinished = new Set<string>()

  function* goingOn(after: string): Generator<Session, void> {
    for (const id of [...unfinished].sort()) if (id > after) yield sessions.find(id)!
  }

  function* erasable(before: number): Generator<KeptTurn, void> {
    for (const [session, log] of logs) {
      if (unfinished.has(session)) continue
      for (const kept of log) if (kept.at < before && kept.turn !== null) yield kept
    }
  }

  return {
    append: ({ session, at, turn, unfinished: goesOn, entry }) =>
      applier.write(() => {
        const admission = sessions.admit(session)
        if (admission === 'not_yours') return admission
        if (admission === 'session_ended' && (goesOn || sessions.find(session.id) === undefined))
          return admission
        const log = logs.get(session.id) ?? []
        if (log.length !== at) return 'lost'
        if (admission === 'new') {
          sessions.create(session, now())
          journal.add(entry)
        }
        log.push({ turn: frozenCopy(turn), at: now() })
        logs.set(session.id, log)
        if (goesOn) unfinished.add(session.id)
        else unfinished.delete(session.id)
        return 'appended'
      }),
    read: (session, after, limit) =>
      applier.read(() => (logs.get(session) ?? []).slice(after, after + limit).map(({ turn }) => turn)),
    lastAt: (session) => applier.read(() => logs.get(session)?.at(-1)?.at),
    unfinished: (query) =>
      applier.read(() => {
        const [last] = readCursor(query.cursor, [''])
        return pageOf(goingOn(last), query.limit, (session) => [session.id])
      }),
    erase: (before, limit, entry) =>
      applier.write(() => {
        const found = [...erasable(before)].slice(0, limit)
        if (found.length === 0) return 0
        const told = entry(found.length)
        for (const kept of found) kept.turn = null
        journal.add(told)
        return found.length
      }),
  }
}
