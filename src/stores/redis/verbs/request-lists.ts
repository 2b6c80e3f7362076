/** Reads requests from Redis: one, a page of a state, and what is due. Each costs the same however many there are. */
import type { Request } from '../../../core/request.ts'
import { readCursor } from '../../cursor.ts'
import { listAnyState, type StateQuery } from '../../list-any-state.ts'
import type { Page, Store } from '../../store.ts'
import type { Database } from '../database/database.ts'
import type { RedisReply } from '../database/link.ts'
import { sortable } from '../scripts/pieces/keys.ts'
import { LIST_DUE } from '../scripts/requests/list-due.ts'
import { readPage } from './pages.ts'
import { toRequest } from './request-fields.ts'

export interface RequestLists extends Pick<Store, 'list' | 'count' | 'due' | 'nextDeadline'> {
  /** Inside a verb. */
  find(id: string): Promise<Request | undefined>
}

export function createRequestLists(database: Database): RequestLists {
  const { key } = database

  function list(query: StateQuery): Promise<Page<Request>> {
    const [sortAt, id] = readCursor<[number, string]>(query.cursor, [0, ''])
    const { state, session, submittedBy } = query
    return readPage(database, {
      set:
        session !== undefined
          ? key('inSession', `${state}:${session}`)
          : submittedBy !== undefined
            ? key('ofSubject', `${state}:${submittedBy}`)
            : key('inState', state),
      after: query.cursor === undefined ? undefined : `${sortable(sortAt)}${id}`,
      direction: 'up',
      limit: query.limit,
      skip: 16,
      hashes: key('request'),
      // A session is short, and nearly always one subject's own.
      ...(session === undefined || submittedBy === undefined
        ? {}
        : { only: { field: 'subject', value: submittedBy } }),
      toItem: (found, fields) => toRequest(found, fields)!,
      cursorOf: (request) => [request.deadline ?? request.createdAt, request.id],
    })
  }

  return {
    find: async (id) => toRequest(id, await database.command('HGETALL', key('request', id))),
    list: listAnyState((query) => database.verb('listing requests', () => list(query))),
    count: (state) =>
      database.verb('counting requests', async () =>
        Number(await database.command('ZCARD', key('inState', state))),
      ),
    due: (limit) =>
      database.verb('looking for what is due', async () => {
        const found = (await database.read(LIST_DUE, [String(Math.max(0, limit))])) as RedisReply[][]
        return found.map(([id, fields]) => toRequest(String(id), fields)!)
      }),
    nextDeadline: () =>
      database.verb('looking for the next deadline', async () => {
        const [first] = (await database.command('ZRANGE', key('due'), '0', '0')) as string[]
        return first === undefined ? undefined : Number(first.slice(0, 16))
      }),
  }
}
