/** Sessions in Redis. */
import type { Role, Session } from '../../../core/session.ts'
import { readCursor } from '../../cursor.ts'
import type { SessionVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import type { RedisReply } from '../database/link.ts'
import { entryParameters } from '../database/parameters.ts'
import { toFieldMap } from '../database/server-facts.ts'
import { sortable } from '../scripts/pieces/keys.ts'
import { SET_MODE } from '../scripts/sessions/set-mode.ts'
import { readPage } from './pages.ts'

export function createSessions(database: Database): SessionVerbs {
  const { key } = database

  async function find(id: string): Promise<Session | undefined> {
    return toSession(id, await database.command('HGETALL', key('session', id)))
  }

  /** A level at a time. Sessions may name each other in a circle, so each is looked at once. */
  async function family(id: string): Promise<Session[]> {
    const seen = new Set([id])
    const found: Session[] = []
    for (let level = [id]; level.length > 0; ) {
      const looked = await Promise.all(
        level.map(async (each) => ({
          session: await find(each),
          children: (await database.command('SMEMBERS', key('children', each))) as string[],
        })),
      )
      level = []
      for (const { session, children } of looked) {
        if (session !== undefined) found.push(session)
        for (const child of children) {
          if (seen.has(child)) continue
          seen.add(child)
          level.push(child)
        }
      }
    }
    return found
  }

  return {
    get: (id) => database.verb('reading a session', () => find(id)),
    getAll: (ids) =>
      database.verb('reading sessions', async () =>
        (await Promise.all([...new Set(ids)].map(find))).filter((session) => session !== undefined),
      ),
    list: (query) =>
      database.verb('listing sessions', () => {
        const [at, id] = readCursor<[number, string]>(query.cursor, [0, ''])
        const { owner } = query
        return readPage(database, {
          set: owner === undefined ? key('sessions') : key('sessionsOf', owner),
          after: query.cursor === undefined ? undefined : `${sortable(at)}${id}`,
          direction: 'down',
          limit: query.limit,
          skip: 16,
          hashes: key('session'),
          toItem: (found, fields) => toSession(found, fields)!,
          cursorOf: (session) => [session.createdAt, session.id],
        })
      }),
    family: (id) => database.verb('reading a family of sessions', () => family(id)),
    setMode: (id, mode, entry) =>
      database.verb('setting a mode', async () => {
        const parameters = [...entryParameters(entry), id, mode]
        return (await database.write({ script: SET_MODE, parameters, entries: [entry] })).changed
      }),
  }
}

/** Undefined where there is no such hash. */
export function toSession(id: string, reply: RedisReply | undefined): Session | undefined {
  const fields = toFieldMap(reply)
  const owner = fields.get('owner')
  if (owner === undefined) return undefined
  const session: Session = {
    id,
    owner,
    ownerRole: fields.get('role') as Role,
    createdAt: Number(fields.get('createdAt')),
  }
  const [parent, mode, endedAt, reason] = ['parent', 'mode', 'endedAt', 'endedReason'].map((name) =>
    fields.get(name),
  )
  if (parent !== undefined) session.parent = parent
  if (mode !== undefined) session.mode = mode
  if (endedAt !== undefined) {
    session.ended = { at: Number(endedAt), by: fields.get('endedBy') ?? '' }
    if (reason !== undefined) session.ended.reason = reason
  }
  return session
}
