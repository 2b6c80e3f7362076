/** The history of calls in memory, and their erasure. */

import type { CallHold } from '../../../core/call-hold.ts'
import { defined } from '../../../core/defined.ts'
import { isFinal, type Request } from '../../../core/request.ts'
import { readCursor } from '../../cursor.ts'
import type { CallRecord, CallVerbs, Lookup, PastCall } from '../../store.ts'
import type { Applier } from '../tables/applier.ts'
import { frozenCopy } from '../tables/frozen-copy.ts'
import { pageOf } from '../tables/page.ts'
import type { RequestTable } from '../tables/request-table.ts'
import type { MemoryJournal } from './journal.ts'

export interface MemoryCalls extends CallVerbs {
  known(session: string, callId: string): Lookup['known']
  /** Inside a write, as are those below: both are kept as they are given, frozen. */
  addAsked(request: Request): void
  addRecorded(call: CallRecord): void
  /** Inside a write: with the request's call, unless its bytes were erased. */
  keepResult(request: Request, result: string): void
}

/** Either a request or a record; `seq` is its place in the history. */
type CallRow = { seq: number; session: string; result?: string } & (
  | { request: string }
  | { call: CallRecord; hold: CallHold | undefined }
)

export function createCalls(applier: Applier, journal: MemoryJournal, book: RequestTable): MemoryCalls {
  const rows: CallRow[] = []
  const byRequest = new Map<string, CallRow>()
  const bySession = new Map<string, Map<string, CallRow>>()

  function add(callId: string, row: CallRow): void {
    rows.push(row)
    const calls = bySession.get(row.session) ?? new Map<string, CallRow>()
    // One that follows another comes at the end, not where the other was.
    calls.delete(callId)
    calls.set(callId, row)
    bySession.set(row.session, calls)
  }

  function isErasable(row: CallRow, before: number): boolean {
    if ('call' in row) return row.call.createdAt < before && row.call.bytes !== ''
    const request = book.get(row.request)!
    return request.createdAt < before && request.bytes !== '' && isFinal(request.state)
  }

  function erasable(before: number, limit: number): CallRow[] {
    const found: CallRow[] = []
    for (const row of rows) {
      if (found.length >= limit) break
      if (isErasable(row, before)) found.push(row)
    }
    return found
  }

  function erase(row: CallRow): void {
    delete row.result
    if ('call' in row) row.call = Object.freeze({ ...row.call, bytes: '', commitmentKey: '' })
    else book.put(withoutWords(book.get(row.request)!))
  }

  /** Newest first, behind the place; a session's own calls where one is named. */
  function* newest(
    session: string | undefined,
    before: number,
  ): Generator<CallRow & { call: CallRecord }, void> {
    const from = session === undefined ? rows : [...(bySession.get(session)?.values() ?? [])]
    for (let index = from.length - 1; index >= 0; index--) {
      const row = from[index]!
      if ('call' in row && row.seq < before) yield row
    }
  }

  function* behind(before: number): Generator<CallRow, void> {
    for (let index = Math.min(before, rows.length) - 1; index >= 0; index--) yield rows[index]!
  }

  function toPast(row: CallRow): PastCall {
    if ('call' in row) {
      const { commitmentKey: _, reason: __, ...call } = row.call
      return call
    }
    const request = book.get(row.request)!
    const { session, callId, tool, digest, bytes, because, policyVersion, submittedBy, createdAt } = request
    return {
      session,
      callId,
      tool,
      digest,
      bytes,
      verdict: 'ask',
      because,
      policyVersion,
      submittedBy,
      createdAt,
      request: { id: request.id, state: request.state },
    }
  }

  return {
    known(session, callId) {
      const row = bySession.get(session)?.get(callId)
      if (row === undefined) return undefined
      if ('call' in row) {
        const { digest, verdict, because, reason } = row.call
        return { digest, verdict, because, ...defined({ reason, hold: row.hold }) }
      }
      const { id, digest, because } = book.get(row.request)!
      return { digest, verdict: 'ask', because, request: id }
    },
    addAsked({ id, session, callId }) {
      const row = { seq: rows.length, session, request: id }
      byRequest.set(id, row)
      add(callId, row)
    },
    addRecorded({ hold, ...call }) {
      add(call.callId, { seq: rows.length, session: call.session, call: Object.freeze(call), hold })
    },
    keepResult({ id, bytes }, result) {
      if (bytes !== '') byRequest.get(id)!.result = result
    },
    list: (query) =>
      applier.read(() => {
        const [before] = readCursor(query.cursor, [Number.MAX_SAFE_INTEGER])
        const { items, cursor } = pageOf(newest(query.session, before), query.limit, (row) => [row.seq])
        return { items: items.map((row) => row.call), ...defined({ cursor }) }
      }),
    history: (query) =>
      applier.read(() => {
        const [before] = readCursor(query.cursor, [Number.MAX_SAFE_INTEGER])
        const { items, cursor } = pageOf(behind(before), query.limit, (row) => [row.seq])
        return { items: items.map(toPast), ...defined({ cursor }) }
      }),
    erase: (before, limit, entry) =>
      applier.write(() => {
        const found = erasable(before, limit)
        if (found.length === 0) return 0
        const told = entry(found.length)
        found.forEach(erase)
        journal.add(told)
        return found.length
      }),
    changeHold: ({ session, callId, digest, version, hold, result, entry }) =>
      applier.write(() => {
        const row = bySession.get(session)?.get(callId)
        if (row === undefined || !('call' in row) || row.call.digest !== digest) return { won: false }
        const before = row.hold
        if ((before?.version ?? 0) !== version) {
          return { won: false, ...defined({ hold: before }) }
        }
        row.hold = frozenCopy({ ...hold, version: version + 1 })
        if (result !== undefined && row.call.bytes !== '') row.result = result
        if (entry !== undefined) journal.add(entry)
        return { won: true }
      }),
    result: (session, callId) => applier.read(() => bySession.get(session)?.get(callId)?.result),
  }
}

function withoutWords(request: Request): Request {
  const { context: _context, preview: _preview, ...rest } = request
  const { edit, approved } = request.progress
  return frozenCopy({
    ...rest,
    bytes: '',
    commitmentKey: '',
    progress: {
      ...request.progress,
      // An edit keeps its own copy of the arguments.
      ...(edit === undefined ? {} : { edit: { ...edit, bytes: undefined as unknown as string } }),
      ...(approved === undefined ? {} : { approved: { digest: approved.digest } }),
    },
  })
}
