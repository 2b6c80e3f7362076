/** The history of calls in Redis, and their erasure after the retention time. */

import type { CallHold } from '../../../core/call-hold.ts'
import { parseJson } from '../../../core/json/parse-json.ts'
import { isFinal, type Progress, type RequestState, STATES } from '../../../core/request.ts'
import { pageLimit, readCursor, writeCursor } from '../../cursor.ts'
import type { CallRecord, CallVerbs, HoldResult, PastCall } from '../../store.ts'
import type { Database } from '../database/database.ts'
import type { RedisReply } from '../database/link.ts'
import { counted, entriesParameters, entryParameters, optional } from '../database/parameters.ts'
import { toFieldMap } from '../database/server-facts.ts'
import { CHANGE_HOLD } from '../scripts/calls/change-hold.ts'
import { ERASE_CALLS } from '../scripts/calls/erase-calls.ts'
import { FIND_ERASABLE_CALLS } from '../scripts/calls/find-erasable-calls.ts'
import { FIND_RESULT } from '../scripts/calls/find-result.ts'
import { HISTORY } from '../scripts/calls/history.ts'
import { sortable } from '../scripts/pieces/keys.ts'
import { eraseInSteps } from './erase-in-steps.ts'
import { readPage } from './pages.ts'
import { toRequest } from './request-fields.ts'

const FINAL = STATES.filter(isFinal)

export function createCalls(database: Database): CallVerbs {
  const { key } = database
  return {
    list: (query) =>
      database.verb('listing calls', async () => {
        const [before] = readCursor<[number]>(query.cursor, [0])
        const { session } = query
        const page = await readPage(database, {
          set: session === undefined ? key('judged') : key('judgedIn', session),
          after: query.cursor === undefined ? undefined : sortable(before),
          direction: 'down',
          limit: query.limit,
          skip: 0,
          hashes: key('call'),
          toItem: (seq, fields) => ({ seq, call: toCall(fields) }),
          cursorOf: ({ seq }) => [Number(seq)],
        })
        return { ...page, items: page.items.map(({ call }) => call) }
      }),
    history: (query) =>
      database.verb('reading the history of calls', async () => {
        const limit = pageLimit(query.limit)
        const [before] = readCursor<[number]>(query.cursor, [Number.MAX_SAFE_INTEGER])
        const found = (await database.read(HISTORY, [String(before), String(limit + 1)])) as RedisReply[][]
        const items = found.slice(0, limit).map(([, call, request]) => toPast(call!, request))
        const last = found[limit - 1]?.[0]
        return found.length > limit ? { items, cursor: writeCursor([Number(last)]) } : { items }
      }),
    changeHold: ({ session, callId, digest, version, hold, result, entry }) =>
      database.verb('changing who has a call', async (): Promise<HoldResult> => {
        const entries = entry === undefined ? [] : [entry]
        const next = version + 1
        const { changed, told } = await database.write({
          script: CHANGE_HOLD,
          parameters: [
            session,
            callId,
            digest,
            String(version),
            String(next),
            JSON.stringify({ ...hold, version: next }),
            optional(result),
            ...entriesParameters(entries),
          ],
          entries,
        })
        if (changed) return { won: true }
        const [found] = told
        return {
          won: false,
          ...(found === undefined ? {} : { hold: parseJson<CallHold>(String(found)) }),
        }
      }),
    result: (session, callId) =>
      database.verb('reading a result', async () => {
        const [result] = await database.read(FIND_RESULT, [session, callId])
        return result === undefined ? undefined : String(result)
      }),
    erase: (before, limit, entry) =>
      database.verb('erasing calls', () =>
        eraseInSteps({
          limit,
          async look(after, most) {
            const parameters = [after, String(before), String(most), ...counted(FINAL)]
            const [last, found] = await database.read(FIND_ERASABLE_CALLS, parameters)
            return { last: String(last), found: found as RedisReply[][] }
          },
          async erase(found) {
            const written = entry(found.length)
            const parameters = [
              ...entryParameters(written),
              String(found.length),
              ...found.flatMap(erasureParameters),
            ]
            return (
              await database.write({ script: ERASE_CALLS, parameters, entries: [written], requests: 'any' })
            ).changed
          },
        }),
      ),
  }
}

function erasureParameters([member, request, fields]: RedisReply[]): string[] {
  if (request === undefined) return [String(member), optional(undefined)]
  const [version, rest, progress] = fields as string[]
  return [String(member), optional(String(request)), version!, withoutWords(rest!), withoutBytes(progress!)]
}

function withoutWords(rest: string): string {
  const { context: _context, preview: _preview, ...kept } = parseJson<Record<string, unknown>>(rest)
  return JSON.stringify(kept)
}

/** An edit keeps its own copy of the arguments. */
function withoutBytes(text: string): string {
  const progress = parseJson<Progress>(text)
  for (const copy of [progress.edit, progress.approved] as { bytes?: string | undefined }[])
    delete copy?.bytes
  return JSON.stringify(progress)
}

function toCall(reply: RedisReply): CallRecord {
  const fields = toFieldMap(reply)
  const text = (name: string) => fields.get(name) ?? ''
  return {
    ...parseJson<CallRecord>(text('rest')),
    digest: text('digest'),
    verdict: text('verdict') as 'allow' | 'deny',
    because: text('because'),
    bytes: text('bytes'),
    commitmentKey: text('key'),
  }
}

function toPast(call: RedisReply, asked: RedisReply | undefined): PastCall {
  if (asked === undefined) {
    const { commitmentKey: _, reason: __, ...past } = toCall(call)
    return past
  }
  const id = String((call as RedisReply[])[1])
  const request = toRequest(id, asked)!
  const { session, callId, tool, digest, bytes, because, policyVersion, submittedBy, createdAt } = request
  const state: RequestState = request.state
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
    request: { id, state },
  }
}
