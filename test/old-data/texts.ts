/** What a store holds, as text that can be read, compared and put back: no database is kept among the sources. */
import { DatabaseSync } from 'node:sqlite'
import type { Raw } from '../../src/stores/redis/fixtures/redis-test.ts'

/** Statements that make the same database again. */
export function dumpSqlite(path: string): string {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const all = (sql: string) => database.prepare(sql).all() as Record<string, unknown>[]
    const pragmas = ['user_version', 'application_id'].map(
      (name) => `PRAGMA ${name} = ${all(`PRAGMA ${name}`)[0]![name]}`,
    )
    const objects = all(
      "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
    )
    const tables = objects.filter(({ type }) => type === 'table')
    const rows = [...tables.map(({ name }) => String(name)), ...sequenceOf(all)].flatMap((table) => {
      const columns = all(`PRAGMA table_info("${table}")`).map(({ name }) => `"${name}"`)
      const values = columns.map((column) => `quote(${column})`).join(` || ', ' || `)
      return all(`SELECT ${values} AS row FROM "${table}" ORDER BY ${columns[0]}, 1`).map(
        ({ row }) => `INSERT INTO "${table}" (${columns.join(', ')}) VALUES (${row})`,
      )
    })
    const others = objects.filter(({ type }) => type !== 'table')
    return (
      [...tables.map(({ sql }) => sql), ...rows, ...others.map(({ sql }) => sql), ...pragmas].join(';\n') +
      ';\n'
    )
  } finally {
    database.close()
  }
}

/** The table in which SQLite keeps the highest number of each table that never uses one twice. */
function sequenceOf(all: (sql: string) => Record<string, unknown>[]): string[] {
  return all("SELECT name FROM sqlite_schema WHERE name = 'sqlite_sequence'").map(({ name }) => String(name))
}

/** Commands that make the same keys again, in a namespace of any prefix. */
export async function dumpRedis(raw: Raw): Promise<string[][]> {
  const keys = ((await raw.send('KEYS', '*')) as string[]).sort()
  const commands: string[][] = []
  for (const key of keys) {
    const type = String(await raw.send('TYPE', key))
    commands.push(...(await commandsFor(raw, type, key)))
    const at = String(await raw.send('PEXPIRETIME', key))
    if (at !== '-1') commands.push(['PEXPIREAT', key, at])
  }
  return commands
}

async function commandsFor(raw: Raw, type: string, key: string): Promise<string[][]> {
  const texts = async (...command: string[]) => ((await raw.send(...command)) as unknown[]).map(String)
  switch (type) {
    case 'string':
      return [['SET', key, String(await raw.send('GET', key))]]
    case 'hash':
      return [['HSET', key, ...(await texts('HGETALL', key))]]
    case 'set':
      return [['SADD', key, ...(await texts('SMEMBERS', key)).sort()]]
    case 'list':
      return [['RPUSH', key, ...(await texts('LRANGE', key, '0', '-1'))]]
    case 'zset': {
      const members = await texts('ZRANGE', key, '0', '-1', 'WITHSCORES')
      const pairs = members.flatMap((member, at) => (at % 2 === 0 ? [members[at + 1]!, member] : []))
      return [['ZADD', key, ...pairs]]
    }
    case 'stream': {
      const entries = (await raw.send('XRANGE', key, '-', '+')) as [string, string[]][]
      return entries.map(([id, fields]) => ['XADD', key, id, ...fields.map(String)])
    }
    default:
      throw new Error(`${key} is a ${type}, which is not known here`)
  }
}
