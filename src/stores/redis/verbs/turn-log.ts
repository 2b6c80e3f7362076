/** The agent's turns in Redis. */

import { parseJson } from '../../../core/json/parse-json.ts'
import { readCursor } from '../../cursor.ts'
import type { TurnVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import type { RedisReply } from '../database/link.ts'
import { counted, entryParameters, sessionParameters } from '../database/parameters.ts'
import { APPEND_TURN } from '../scripts/sessions/append-turn.ts'
import { ERASE_TURNS } from '../scripts/sessions/erase-turns.ts'
import { FIND_ERASABLE_TURNS } from '../scripts/sessions/find-erasable-turns.ts'
import { eraseInSteps } from './erase-in-steps.ts'
import { readPage } from './pages.ts'
import { toSession } from './sessions.ts'

export function createTurnLog(database: Database): TurnVerbs {
  const { key } = database
  return {
    append: ({ session, at, turn, unfinished, entry }) =>
      database.verb('appending a turn', async () => {
        const { told } = await database.write({
          script: APPEND_TURN,
          parameters: [
            ...entryParameters(entry),
            ...sessionParameters(session),
            String(at),
            JSON.stringify(turn),
            unfinished ? '1' : '0',
          ],
          entries: [entry],
        })
        return told[0] as 'appended' | 'lost' | 'not_yours' | 'session_ended'
      }),
    read: (session, after, limit) =>
      database.verb('reading turns', async () => {
        const length = Number(await database.command('HLEN', key('turns', session)))
        const places: string[] = []
        for (let at = Math.max(0, after); at < Math.min(length, after + limit); at++) places.push(String(at))
        if (places.length === 0) return []
        const bodies = (await database.command('HMGET', key('turns', session), ...places)) as RedisReply[]
        return bodies.map((body) => parseJson(String(body)))
      }),
    lastAt: (session) =>
      database.verb('reading when a turn was written', async () => {
        const at = await database.command('HGET', key('session', session), 'turnAt')
        return at === null ? undefined : Number(at)
      }),
    unfinished: (query) =>
      database.verb('listing unfinished sessions', () => {
        const [after] = readCursor<[string]>(query.cursor, [''])
        return readPage(database, {
          set: key('unfinished'),
          after: query.cursor === undefined ? undefined : after,
          direction: 'up',
          limit: query.limit,
          skip: 0,
          hashes: key('session'),
          toItem: (id, fields) => toSession(id, fields)!,
          cursorOf: (session) => [session.id],
        })
      }),
    erase: (before, limit, entry) =>
      database.verb('erasing turns', () =>
        eraseInSteps({
          limit,
          async look(after, most) {
            const [last, found] = await database.read(FIND_ERASABLE_TURNS, [
              after,
              String(before),
              String(most),
            ])
            return { last: String(last), found: found as string[] }
          },
          async erase(found) {
            const written = entry(found.length)
            const parameters = [...entryParameters(written), ...counted(found)]
            return (await database.write({ script: ERASE_TURNS, parameters, entries: [written] })).changed
          },
        }),
      ),
  }
}
