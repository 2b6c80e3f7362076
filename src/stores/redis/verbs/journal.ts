/** The journal in Redis: a stream a chain, and one in which the entries of all chains stand in the order of their commits. */
import { defined } from '../../../core/defined.ts'
import type { Entry, EntryType } from '../../../journal/entry.ts'
import type { Feed, JournalVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import type { RedisReply } from '../database/link.ts'
import { entryParameters } from '../database/parameters.ts'
import { toFieldMap } from '../database/server-facts.ts'
import { APPEND_ENTRY } from '../scripts/journal/append-entry.ts'
import { READ_FEED } from '../scripts/journal/read-feed.ts'

/** So many entries of a feed are looked up by one script; the rest by the next. */
const FEED_AT_ONCE = 500

export function createJournal(database: Database): JournalVerbs {
  const { key } = database

  async function feed(after: string | undefined, limit: number): Promise<Feed> {
    const from = after === undefined ? { epoch: undefined, n: 0 } : readPosition(after)
    if (from === undefined) return INCOMPLETE
    const events: Feed['events'] = []
    for (let at = from.n; events.length < limit; at = from.n + events.length) {
      const most = Math.min(FEED_AT_ONCE, limit - events.length)
      const [epoch, last, found] = await database.read(READ_FEED, [String(at), String(most)])
      // What another server had after this place is not what this one has.
      if (from.epoch !== undefined && from.epoch !== epoch) return INCOMPLETE
      if (at > Number(last)) return INCOMPLETE
      for (const [n, chain, number, fields] of found as RedisReply[][]) {
        if (Number(n) !== from.n + events.length + 1) return INCOMPLETE
        const entry = toEntry(String(chain), Number(number), fields!)
        events.push({ cursor: `${epoch}-${n}`, entry })
      }
      if ((found as RedisReply[]).length < most) break
    }
    return { events, complete: true }
  }

  return {
    append: (entry) =>
      database.verb('writing an entry', async () => {
        const parameters = ['1', ...entryParameters(entry)]
        await database.write({ script: APPEND_ENTRY, parameters, entries: [entry] })
      }),
    chains: () =>
      database.verb('listing chains', async () => {
        const found = toFieldMap(await database.command('HGETALL', key('chains')))
        return [...found]
          .map(([chain, last]) => ({ chain, last: Number(last) }))
          .sort((one, other) => (one.chain < other.chain ? -1 : 1))
      }),
    read: (chain, after, limit) =>
      database.verb('reading the journal', async () => {
        if (limit <= 0) return []
        const start = `${Math.max(0, after) + 1}-0`
        const reply = await database.command(
          'XRANGE',
          key('journal', chain),
          start,
          '+',
          'COUNT',
          String(limit),
        )
        return (reply as RedisReply[][]).map(([id, fields]) =>
          toEntry(chain, Number.parseInt(String(id), 10), fields!),
        )
      }),
    feed: (after, limit) => database.verb('reading the feed', () => feed(after, limit)),
    cursor: () =>
      database.verb('reading the newest cursor', async () => {
        const [epoch, last] = (await database.command('HMGET', key('meta'), 'epoch', 'feed')) as RedisReply[]
        return `${epoch ?? 0}-${last ?? 0}`
      }),
  }
}

const INCOMPLETE: Feed = { events: [], complete: false }

/** Epoch and number. Only what `cursor` or `feed` wrote is a position. */
function readPosition(cursor: string): { epoch: string; n: number } | undefined {
  const [, epoch, n] = /^([1-9][0-9]{0,15})-(0|[1-9][0-9]{0,15})$/.exec(cursor) ?? []
  return epoch === undefined || n === undefined ? undefined : { epoch, n: Number(n) }
}

function toEntry(chain: string, n: number, reply: RedisReply): Entry {
  const fields = toFieldMap(reply)
  const [request, version] = [fields.get('request'), fields.get('version')]
  return {
    chain,
    n,
    type: fields.get('type') as EntryType,
    ...defined({ request }),
    ...(version === undefined ? {} : { version: Number(version) }),
    body: fields.get('body') ?? '',
  }
}
