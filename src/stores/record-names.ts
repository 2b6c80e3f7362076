/** What a record may be called, and where a list of records goes on. Every driver asks here. */
import { BanksmanError } from '../core/errors.ts'
import { readCursor, writeCursor } from './cursor.ts'
import type { RecordChange, RecordChangeResult, StoredRecord } from './record-verbs.ts'

const MAX_KIND = 64
const MAX_KEY = 512

export function checkRecordName(kind: string, key: string): void {
  check('kind', kind, MAX_KIND)
  check('key', key, MAX_KEY)
}

/** The changes by their kind and key, and which of those are named more than once. */
export function checkRecordChanges(changes: readonly RecordChange[]): {
  names: { kind: string; key: string }[]
  twice: Set<string>
} {
  const names = new Map<string, { kind: string; key: string }>()
  const twice = new Set<string>()
  for (const { kind, key } of changes) {
    checkRecordName(kind, key)
    const name = recordName(kind, key)
    if (names.has(name)) twice.add(name)
    else names.set(name, { kind, key })
  }
  return { names: [...names.values()], twice }
}

type Lost = Extract<RecordChangeResult, { won: false }>['lost']

/** Those that are not as the changes expect, or that are named twice. None: they may be made. */
export function lostChanges(
  changes: readonly RecordChange[],
  find: (kind: string, key: string) => StoredRecord | undefined,
): Lost {
  const { names, twice } = checkRecordChanges(changes)
  const expected = new Map(changes.map(({ kind, key, version }) => [recordName(kind, key), version]))
  return names.flatMap(({ kind, key }) => {
    const name = recordName(kind, key)
    const record = find(kind, key)
    const isLost = twice.has(name) || (record?.version ?? 0) !== expected.get(name)
    return isLost ? [{ kind, key, record }] : []
  })
}

/** One text for both: no two pairs have the same. */
export function recordName(kind: string, key: string): string {
  return JSON.stringify([kind, key])
}

/** The key behind which the list goes on; undefined at its start. A cursor of another list is refused. */
export function recordsAfter(query: { kind: string; prefix?: string; cursor?: string }): string | undefined {
  const { kind, prefix = '', cursor } = query
  check('kind', kind, MAX_KIND)
  if (prefix !== '') check('prefix', prefix, MAX_KEY)
  if (cursor === undefined) return undefined
  const [ofKind, key] = readCursor(cursor, ['', ''])
  if (ofKind === kind && key !== '' && key.startsWith(prefix)) return key
  throw new BanksmanError('invalid', 'this cursor is of another list; start again without one')
}

export function recordCursor({ kind, key }: StoredRecord): string {
  return writeCursor([kind, key])
}

function check(what: string, text: string, max: number): void {
  // Characters, not bytes: what the longest takes in UTF-8 still fits an index entry of every driver.
  const isFine = typeof text === 'string' && text !== '' && text.length <= max && text.isWellFormed()
  if (isFine) return
  throw new BanksmanError(
    'invalid',
    `the ${what} of a record must be a text of 1 to ${max} characters without lone surrogates`,
  )
}
