/** Tokens in Redis. They live in the namespace, because their entries must be committed with them. */
import { parseJson } from '../../../core/json/parse-json.ts'
import type { Token, TokenVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import type { RedisReply } from '../database/link.ts'
import { entryParameters, tokenParameters } from '../database/parameters.ts'
import { toFieldMap } from '../database/server-facts.ts'
import { CREATE_TOKEN } from '../scripts/people/create-token.ts'
import { EXCHANGE_TOKEN } from '../scripts/people/exchange-token.ts'
import { REVOKE_TOKEN } from '../scripts/people/revoke-token.ts'
import { readPage } from './pages.ts'

const PAGE = 200

export function createTokens(database: Database): TokenVerbs {
  const { key } = database

  async function list(): Promise<Token[]> {
    const found: Token[] = []
    for (let after: string | undefined; ; after = found.at(-1)?.id) {
      const { items } = await readPage<Token>(database, {
        set: key('tokens'),
        after,
        direction: 'up',
        limit: PAGE,
        skip: 0,
        hashes: key('token'),
        toItem: (_, fields) => toToken(fields)!,
        cursorOf: ({ id }) => [id],
      })
      found.push(...items)
      if (items.length < PAGE) return found
    }
  }

  return {
    create: (token, entry) =>
      database.verb('creating a token', async () => {
        const parameters = [...entryParameters(entry), ...tokenParameters(token)]
        await database.write({ script: CREATE_TOKEN, parameters, entries: [entry] })
      }),
    find: (secretHash) =>
      database.verb('looking for a token', async () => {
        const id = await database.command('HGET', key('secrets'), secretHash)
        return id === null ? undefined : toToken(await database.command('HGETALL', key('token', String(id))))
      }),
    list: () => database.verb('listing tokens', list),
    revoke: (id, entry) =>
      database.verb('revoking a token', async () => {
        const parameters = [...entryParameters(entry), id]
        return (await database.write({ script: REVOKE_TOKEN, parameters, entries: [entry] })).changed
      }),
    exchange: (codeId, token, entry) =>
      database.verb('exchanging a login code', async () => {
        const parameters = [...entryParameters(entry), codeId, ...tokenParameters(token)]
        return (await database.write({ script: EXCHANGE_TOKEN, parameters, entries: [entry] })).changed
      }),
  }
}

function toToken(reply: RedisReply): Token | undefined {
  const fields = toFieldMap(reply)
  const body = fields.get('body')
  if (body === undefined) return undefined
  const token = parseJson<Token>(body)
  const revokedAt = fields.get('revokedAt')
  return revokedAt === undefined ? token : { ...token, revokedAt: Number(revokedAt) }
}
