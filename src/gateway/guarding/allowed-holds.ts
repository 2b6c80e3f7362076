/**
 * Holds of calls that nobody was asked about: taken under a key, reported and given back like a claim, but without a lease,
 * because no person waits for their end.
 */

import {
  type CallHold,
  type HoldStep,
  releaseHold,
  releaseRun,
  reportHold,
  takeHold,
} from '../../core/call-hold.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Outcome } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import type { EntryType } from '../../journal/entry.ts'
import type { HoldResult, KnownCall, Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import type { JournalWriter } from '../record/journal-writer.ts'
import { sessionEndedRefusal } from '../requests/call-refusals.ts'

export interface CallAddress {
  session: string
  callId: string
}

export interface AllowedHolds {
  /** Takes a call that was reviewed or given back. Rejects with `already_claimed` where another has it, or it may have run. */
  take(place: CallAddress, key: string, actor: Actor): Promise<void>
  report(
    place: CallAddress,
    key: string,
    outcome: Outcome,
    result: string | undefined,
    actor: Actor,
  ): Promise<void>
  release(place: CallAddress, key: string, cause: string, actor: Actor): Promise<void>
  /** For a call that this process has run at once, and whose tool paused itself. */
  releaseRun(place: CallAddress, key: string, cause: string, actor: Actor): Promise<void>
}

/** A hold that raced with others is read again; this often, and then it is given up as a fault. */
const MAX_RACES = 100

export interface AllowedHoldsPorts {
  store: Pick<Store, 'calls' | 'lookup' | 'now' | 'sessions'>
  journal: JournalWriter
  /** Resolves when all calls that were let through are on disk. */
  recorded(): Promise<void>
  host: Pick<Host, 'report'>
}

export function createAllowedHolds({ store, journal, recorded, host }: AllowedHoldsPorts): AllowedHolds {
  /** False where it was so already. */
  async function change(
    place: CallAddress,
    actor: Actor,
    step: (hold: CallHold | undefined) => HoldStep,
    entry: { type: EntryType; members: JsonObject },
    result?: string,
  ): Promise<boolean> {
    // A call may be on its way to the store still.
    await recorded()
    let { hold, digest } = await find(place, actor)
    for (let race = 0; race < MAX_RACES; race++) {
      const next = step(hold)
      if (next.kind === 'repeat') return false
      if (next.kind === 'refuse') throw reasonedError(next.code, next.reason, holdDetails(hold))
      const changed: HoldResult = await store.calls.changeHold({
        ...place,
        digest,
        version: hold?.version ?? 0,
        hold: next.hold,
        ...defined({ result }),
        entry: journal.entry(entry.type, { ...place, by: actor.subject, ...entry.members }),
      })
      if (changed.won) return true
      hold = changed.hold
    }
    throw new BanksmanError('internal', `the hold of ${place.callId} changed ${MAX_RACES} times meanwhile`)
  }

  /** Whose session it is not does not learn that it exists (P6). */
  async function find({ session, callId }: CallAddress, actor: Actor): Promise<KnownCall> {
    const found = await store.lookup(session, callId, '')
    const known = found.session?.owner === actor.subject ? found.known : undefined
    if (known === undefined || known.verdict !== 'allow') {
      throw new BanksmanError(
        'unknown_id',
        `there is no allowed call ${JSON.stringify(callId)} in session ${JSON.stringify(session)}`,
      )
    }
    return known
  }

  const releasing =
    (step: typeof releaseHold): AllowedHolds['release'] =>
    async (place, key, cause, actor) => {
      await change(place, actor, (hold) => step(hold, { key, cause, by: actor.subject, at: store.now() }), {
        type: 'call.released',
        members: { reason: cause },
      })
    }
  const release = releasing(releaseHold)

  return {
    async take(place, key, actor) {
      const isNew = await change(
        place,
        actor,
        (hold) => takeHold(hold, { key, by: actor.subject, at: store.now() }),
        {
          type: 'call.taken',
          members: {},
        },
      )
      // A person may have ended the session since the call was reviewed: then nothing more begins in it (P5).
      const session = await store.sessions.get(place.session)
      if (session?.ended === undefined) return
      if (isNew)
        await release(place, key, 'the session was ended', actor).catch((error) =>
          host.report({ doing: `giving back ${place.callId}`, error }),
        )
      throw sessionEndedRefusal(place.session, session.ended)
    },
    async report(place, key, outcome, result, actor) {
      await change(
        place,
        actor,
        (hold) => reportHold(hold, key, outcome),
        { type: 'call.reported', members: { outcome: outcome.kind } },
        result,
      )
    },
    release,
    releaseRun: releasing(releaseRun),
  }
}

function holdDetails(hold: CallHold | undefined): JsonObject {
  return hold === undefined ? {} : { state: hold.state }
}
