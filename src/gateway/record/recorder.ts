/**
 * Writes down the calls that nobody was asked about. They share a journal entry and the next group commit, and nobody waits
 * for it; while it can't be written, every further verdict is refused (P5, P10): a call that leaves no trace must not run.
 */

import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import { toldOf } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { CallRecord, Lookup, RecordResult, SessionDraft, Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import type { JudgedRecord } from './call-entry.ts'
import type { JournalWriter } from './journal-writer.ts'

export interface Recorder {
  /** Throws while the record can't be written. */
  check(): void
  record(judged: JudgedRecord): void
  /** A call that is on its way to the store. Throws `not_yours` where its session is on its way as someone else's. */
  pending(session: string, callId: string, subject: string): Lookup['known']
  /** Resolves when everything is written; rejects when that can't be done. */
  flush(): Promise<void>
}

export interface RecorderPorts {
  store: Pick<Store, 'now' | 'recordAll' | 'journal'>
  journal: JournalWriter
  host: Pick<Host, 'clock' | 'closed' | 'report'>
}

const RETRY_MS = 1000
/** Nobody waits, so a few milliseconds of calls go together. */
const LINGER_MS = 5
/** As many as fit in an entry that is still pleasant to read; a busy loop fills it in a few milliseconds. */
const MAX_TOGETHER = 128

export function createRecorder({ store, journal, host }: RecorderPorts): Recorder {
  const underway = new Map<string, JudgedRecord>()
  const owners = createOwners()
  const writes = new Set<Promise<void>>()
  let batch: JudgedRecord[] = []
  let lingering: { cancel(): void } | undefined
  let failed: JudgedRecord[][] = []
  let fault: unknown
  let retrying = false

  function writeBatch(isAwaited = false): void {
    lingering?.cancel()
    lingering = undefined
    if (batch.length === 0) return
    const together = batch
    batch = []
    write(together, isAwaited)
  }

  function write(together: JudgedRecord[], isAwaited: boolean): void {
    const entry = journal.draftTexts('calls.judged', store.now(), {
      calls: `[${together.map(({ text }) => text).join(',')}]`,
    })
    const done = store.recordAll({ calls: together, entry, ...(isAwaited ? { isAwaited } : {}) }).then(
      (results) => {
        for (const [index, judged] of together.entries()) {
          underway.delete(keyOf(judged.call.session, judged.call.callId))
          owners.release(judged.session)
          const result = results[index]!
          judged.result = result
          if (result.kind !== 'recorded') noteConflict(judged.call, result)
        }
      },
      (error) => {
        if (fault === undefined) host.report({ doing: 'writing down calls', error })
        fault = error
        failed.push(together)
        retryLater()
      },
    )
    writes.add(done)
    done.finally(() => writes.delete(done))
  }

  function retryLater(): void {
    if (retrying || host.closed()) return
    retrying = true
    host.clock.after(RETRY_MS, () => {
      retrying = false
      void retry()
    })
  }

  async function retry(): Promise<void> {
    const again = failed
    failed = []
    for (const together of again) write(together, true)
    await Promise.all(writes)
    if (failed.length === 0) fault = undefined
    await journal.catchUp().catch((error) => host.report({ doing: 'catching up with the journal', error }))
  }

  /**
   * Another process used the id in the same moment, or ended the session: the store keeps no row of the call. What it was is
   * in the entry that the batch wrote all the same; this one says that it stands alone.
   */
  function noteConflict(
    { session, callId, tool, verdict, submittedBy }: CallRecord,
    result: RecordResult,
  ): void {
    const found = result.kind === 'refused' ? result.code : result.kind
    const entry = journal.entry('call.conflict', { session, callId, tool, verdict, by: submittedBy, found })
    const done = store.journal
      .append(entry)
      .catch((error) => host.report({ doing: 'writing down a conflict', error }))
    writes.add(done)
    done.finally(() => writes.delete(done))
  }

  function check(): void {
    if (fault === undefined) return
    const reason = reasonOf('problem.not-recorded', { why: (fault as Error).message })
    throw reasonedError('store_unavailable', reason, {}, { cause: fault })
  }

  return {
    check,
    record(judged) {
      // Looked at once more, as time has passed since the call came in: what can't be written down may not be let through.
      if (host.closed()) throw new BanksmanError('closed', 'the gateway is closed')
      check()
      owners.hold(judged.session)
      underway.set(keyOf(judged.call.session, judged.call.callId), judged)
      batch.push(judged)
      if (batch.length >= MAX_TOGETHER) writeBatch()
      else lingering ??= host.clock.after(LINGER_MS, () => writeBatch())
    },
    pending(session, callId, subject) {
      const owner = owners.of(session)
      if (owner !== undefined && owner !== subject) {
        throw reasonedError('not_yours', reasonOf('session.not-yours', { session }))
      }
      const found = underway.get(keyOf(session, callId))?.call
      if (found === undefined) return undefined
      const { digest, verdict, hold } = found
      return { digest, verdict, ...toldOf(found), ...defined({ hold }) }
    },
    async flush() {
      writeBatch(true)
      await Promise.all(writes)
      if (failed.length > 0) await retry()
      // What was found out on the way may have had to be written down too.
      await Promise.all(writes)
      if (fault !== undefined) throw fault
    },
  }
}

/** Whose the sessions are that are on their way to the store, and with how many calls. */
function createOwners() {
  const held = new Map<string, { owner: string; calls: number }>()
  return {
    of: (session: string) => held.get(session)?.owner,
    hold({ id, owner }: SessionDraft) {
      const found = held.get(id)
      if (found === undefined) held.set(id, { owner, calls: 1 })
      else found.calls++
    },
    release({ id }: SessionDraft) {
      const found = held.get(id)
      if (found !== undefined && --found.calls === 0) held.delete(id)
    },
  }
}

/** A session id has no space in it. */
function keyOf(session: string, callId: string): string {
  return `${session} ${callId}`
}
