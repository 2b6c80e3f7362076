/**
 * What a coding session has that other sessions lack: a folder, where its owner is asked and told, what it has used, and whether it is
 * closed. Kept as records, because the log of a conversation is erased with time.
 */

import type { Origin } from '../../core/call.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json/json.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { SessionUse } from '../../core/secretary.ts'
import { readAllPages } from '../../core/support/read-pages.ts'
import type { RecordVerbs } from '../../stores/record-verbs.ts'

export interface SessionRecord {
  owner: string
  agent: string
  /** The real path, as it was at the start. */
  folder: string
  createdAt: number
  /** Where it was started: people are asked there. */
  askedAt?: Origin
  /** Where its owner last talked to it: they are told there. */
  toldAt?: Origin
  /** The first words. */
  title?: string
  lastAt: number
  closedAt?: number
  used: SessionUse
  /** The turn that is in `used.turns` already. */
  countedTurn?: string
  /** How often its owner let it go on past its limits. */
  extended: number
  /** The newest turn whose end was told, or that nobody has to be told of. */
  toldTurn?: string
  /** The newest turn whose end is in the journal. */
  notedTurn?: string
  /** The newest requests of which was told that nobody answered them in time. */
  toldExpiries?: readonly string[]
}

/** Undefined takes a member away. */
export type RecordChanges = { [Name in keyof SessionRecord]?: SessionRecord[Name] | undefined }

export interface SessionRecords {
  find(session: string): Promise<SessionRecord | undefined>
  /** Throws where there is one already. */
  create(session: string, record: SessionRecord): Promise<void>
  /** Undefined from `change`: it stays as it is. Gives the record as it is then; undefined where there is none. */
  change(
    session: string,
    change: (record: SessionRecord) => RecordChanges | undefined,
  ): Promise<SessionRecord | undefined>
  remove(session: string): Promise<void>
  all(): Promise<{ session: string; record: SessionRecord }[]>
}

const KIND = 'coding_session'
const PAGE = 200
/** A closed session that nobody has written to for so long is forgotten. Its log goes sooner. */
const CLOSED_MS = 90 * 86_400_000
/** Each race that is lost was won by somebody who changed it. */
const MAX_RACES = 100

export function createSessionRecords(records: RecordVerbs): SessionRecords {
  return {
    async find(session) {
      const found = await records.get(KIND, session)
      return found?.value as unknown as SessionRecord | undefined
    },
    async create(session, record) {
      const { won } = await records.change([{ kind: KIND, key: session, version: 0, value: toJson(record) }])
      if (!won) throw new BanksmanError('invalid', `session ${JSON.stringify(session)} exists already`)
    },
    async change(session, change) {
      for (let race = 0; race < MAX_RACES; race++) {
        const found = await records.get(KIND, session)
        if (found === undefined) return undefined
        const record = found.value as unknown as SessionRecord
        const changed = change(record)
        if (changed === undefined) return record
        const next = toJson({ ...record, ...changed })
        const { version } = found
        const expiry =
          (next as { closedAt?: number }).closedAt === undefined ? {} : { expiresInMs: CLOSED_MS }
        const { won } = await records.change([{ kind: KIND, key: session, version, value: next, ...expiry }])
        if (won) return next as unknown as SessionRecord
      }
      throw reasonedError('store_locked', reasonOf('coding.busy', { session }))
    },
    async remove(session) {
      const found = await records.get(KIND, session)
      if (found !== undefined) await records.change([{ kind: KIND, key: session, version: found.version }])
    },
    async all() {
      const items = await readAllPages((next) => records.list({ kind: KIND, limit: PAGE, ...next }))
      return items.map(({ key, value }) => ({ session: key, record: value as unknown as SessionRecord }))
    },
  }
}

function toJson(record: RecordChanges): JsonValue {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined),
  ) as unknown as JsonValue
}
