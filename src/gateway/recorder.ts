/**
 * Writes down the calls that nobody was asked about. They share the next group commit and nobody waits for it;
 * while it can't be written, every further verdict is refused (P5, P10): a call that leaves no trace must not run.
 */
import { BanksmanError } from '../core/errors.ts'
import type { Lookup, Recording, RecordResult } from '../stores/store.ts'
import { catchUpChain, type Hall } from './hall.ts'

export interface Recorder {
  /** Throws while the record can't be written. */
  check(): void
  record(recording: Recording): void
  /** Writes down the use of a grant, and waits for it. */
  consume(recording: Recording): Promise<RecordResult>
  /** A call that is on its way to the store. */
  pending(session: string, callId: string): Lookup['known']
  /** Resolves when everything is written; rejects when that can't be done. */
  flush(): Promise<void>
}

const RETRY_MS = 1000

export function createRecorder(hall: Hall): Recorder {
  const underway = new Map<string, Recording>()
  const writes = new Set<Promise<void>>()
  let failed: Recording[] = []
  let fault: unknown
  let retrying = false

  function write(recording: Recording): void {
    const done = hall.store.record(recording).then(
      (result) => {
        underway.delete(keyOf(recording))
        if (result.kind !== 'recorded') noteConflict(recording, result)
      },
      (error) => {
        if (fault === undefined) hall.report({ doing: 'writing down a call', error })
        fault = error
        failed.push(recording)
        retryLater()
      },
    )
    writes.add(done)
    done.finally(() => writes.delete(done))
  }

  function retryLater(): void {
    if (retrying || hall.closed()) return
    retrying = true
    hall.clock.after(RETRY_MS, () => {
      retrying = false
      void retry()
    })
  }

  async function retry(): Promise<void> {
    const again = failed
    failed = []
    for (const recording of again) write(recording)
    await Promise.all(writes)
    if (failed.length === 0) fault = undefined
    await catchUpChain(hall).catch((error) => hall.report({ doing: 'catching up with the journal', error }))
  }

  /** Another process used the id in the same moment. Both calls are on the record, this one as a conflict. */
  function noteConflict(recording: Recording, result: RecordResult): void {
    const { session, callId, digest, tool } = recording.call
    const entry = hall.entry('call.conflict', { session, callId, digest, tool, found: result.kind })
    hall.store.journal
      .append(entry)
      .catch((error) => hall.report({ doing: 'writing down a conflict', error }))
  }

  return {
    check() {
      if (fault === undefined) return
      throw new BanksmanError(
        'store_unavailable',
        `calls can't be written down at the moment, so none is let through: ${(fault as Error).message}`,
        {},
        { cause: fault },
      )
    },
    record(recording) {
      underway.set(keyOf(recording), recording)
      write(recording)
    },
    consume: (recording) => hall.store.record(recording),
    pending(session, callId) {
      const found = underway.get(JSON.stringify([session, callId]))?.call
      return found && { digest: found.digest, verdict: found.verdict, because: found.because }
    },
    async flush() {
      await Promise.all(writes)
      if (failed.length === 0) return
      await retry()
      if (fault !== undefined) throw fault
    },
  }
}

function keyOf(recording: Recording): string {
  return JSON.stringify([recording.call.session, recording.call.callId])
}
