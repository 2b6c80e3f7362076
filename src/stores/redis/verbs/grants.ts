/** Grants in Redis. What counts uses and ends has a field of its own; the rest is kept as it was given. */

import type { Grant } from '../../../core/grants/grant.ts'
import { parseJson } from '../../../core/json/parse-json.ts'
import { readCursor } from '../../cursor.ts'
import type { GrantVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import type { RedisReply } from '../database/link.ts'
import { counted, entryParameters } from '../database/parameters.ts'
import { toFieldMap } from '../database/server-facts.ts'
import { FIND_GRANTS } from '../scripts/grants/find-grants.ts'
import { REVOKE_GRANT } from '../scripts/grants/revoke-grant.ts'
import { readPage } from './pages.ts'

export function createGrants(database: Database): GrantVerbs {
  const { key } = database
  return {
    find: ({ tool, sessions }) =>
      database.verb('looking for grants', async () => {
        const found = (await database.read(FIND_GRANTS, [tool, ...counted(sessions)])) as RedisReply[][]
        return found.map(([id, fields]) => toGrant(String(id), fields)!)
      }),
    list: (query) =>
      database.verb('listing grants', () => {
        const [after] = readCursor<[string]>(query.cursor, [''])
        return readPage(database, {
          set: key('grants'),
          after: query.cursor === undefined ? undefined : after,
          direction: 'up',
          limit: query.limit,
          skip: 0,
          hashes: key('grant'),
          toItem: (id, fields) => toGrant(id, fields)!,
          cursorOf: (grant) => [grant.id],
        })
      }),
    get: (id) =>
      database.verb('reading a grant', async () =>
        toGrant(id, await database.command('HGETALL', key('grant', id))),
      ),
    revoke: (id, by, entry) =>
      database.verb('revoking a grant', async () => {
        const parameters = [...entryParameters(entry), id, by]
        return (await database.write({ script: REVOKE_GRANT, parameters, entries: [entry] })).changed
      }),
  }
}

/** Undefined where there is no such hash. */
function toGrant(id: string, reply: RedisReply | undefined): Grant | undefined {
  const fields = toFieldMap(reply)
  const tool = fields.get('tool')
  if (tool === undefined) return undefined
  const grant: Grant = {
    ...parseJson<Grant>(fields.get('rest') ?? '{}'),
    id,
    tool,
    uses: Number(fields.get('uses')),
  }
  const [session, expiresAt, usesLeft, revokedAt] = ['session', 'expiresAt', 'usesLeft', 'revokedAt'].map(
    (name) => fields.get(name),
  )
  if (session !== undefined) grant.session = session
  if (expiresAt !== undefined) grant.expiresAt = Number(expiresAt)
  if (usesLeft !== undefined) grant.usesLeft = Number(usesLeft)
  if (revokedAt !== undefined) grant.revoked = { at: Number(revokedAt), by: fields.get('revokedBy') ?? '' }
  return grant
}
