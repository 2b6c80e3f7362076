/**
 * `judge`: what would happen to a call now, for frameworks that ask before they run. It opens no request, takes no claim and uses
 * up no grant. Agents could map a policy with it, so the server limits it for each token, they are told the kind and the reason
 * and not the rules, and the journal says how often it was asked.
 */
import { prepareCall, type ToolCall } from '../../core/call.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { Request } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import type { Timer } from '../../core/time/clock.ts'
import type { Judgement } from '../../guard/contract.ts'
import type { KnownCall, Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import { predecessorOf } from '../lifecycle/successors.ts'
import type { JournalWriter } from '../record/journal-writer.ts'
import type { Recorder } from '../record/recorder.ts'
import { callConflict } from '../requests/call-refusals.ts'
import { type CurrentVerdictPorts, currentVerdict } from './current-verdict.ts'
import { toNotRun } from './guard-result.ts'

export type JudgeVerb = (call: ToolCall<object>, actor: Actor) => Promise<Judgement>

export interface Forecasts {
  judge: JudgeVerb
  /** Writes the counts down. */
  flush(): Promise<void>
}

/** Counts are written together: a forecast alone is not worth a commit. */
const COUNT_EVERY_MS = 60_000

export interface ForecastPorts extends CurrentVerdictPorts {
  store: Pick<Store, 'get' | 'journal' | 'lookup'>
  journal: JournalWriter
  recorder: Pick<Recorder, 'pending'>
  host: Pick<Host, 'clock' | 'closed' | 'report'>
}

export function createForecasts(ports: ForecastPorts): Forecasts {
  const { store, journal, judge, recorder, host } = ports
  const counts = new Map<string, number>()
  let timer: Timer | undefined

  function count({ subject }: Actor): void {
    counts.set(subject, (counts.get(subject) ?? 0) + 1)
    timer ??= host.clock.after(COUNT_EVERY_MS, () => {
      flush().catch((error) => host.report({ doing: 'counting forecasts', error }))
    })
  }

  async function flush(): Promise<void> {
    timer?.cancel()
    timer = undefined
    for (const [by, times] of [...counts]) {
      counts.delete(by)
      await store.journal.append(journal.entry('calls.forecast', { by, times }))
    }
  }

  return {
    flush,
    async judge(input, actor) {
      if (host.closed()) throw new BanksmanError('closed', 'the gateway is closed')
      const given = prepareCall(input)
      const facts = await judge.gatherFacts?.(given, { remote: actor.remote === true })
      const underway = recorder.pending(given.session, given.callId, actor.subject)
      const found = await store.lookup(given.session, given.callId, given.tool)
      const call = judge.steering.withParent(found.session, given)
      judge.checkSession(found.session, actor, call)
      count(actor)
      const known = found.known ?? underway
      if (known !== undefined) {
        if (known.digest !== call.digest) throw callConflict(call, known.digest)
        const request = known.request === undefined ? undefined : await store.get(known.request)
        const isFree = known.hold?.state === 'reviewed' || known.hold?.state === 'released'
        if (predecessorOf(request) === undefined && !isFree) return forecastKnown(known, request)
      }
      const { session, granted } = found
      const { kind, because } = await currentVerdict(ports, { call, actor, session, granted, facts })
      return { kind, because }
    },
  }
}

/** A call that is on record: what a guard of it would come to. */
function forecastKnown({ verdict, because }: KnownCall, request: Request | undefined): Judgement {
  if (request === undefined) {
    if (verdict === 'deny') return { kind: verdict, because }
    return { kind: 'deny', because: 'a call with this id was let through before and may have run' }
  }
  if (request.state === 'pending') return { kind: 'ask', because: request.because }
  if (request.state === 'approved')
    return { kind: 'allow', because: `${request.progress.decision?.by} approved it` }
  const told = toNotRun(request)
  return {
    kind: 'deny',
    because: told.kind === 'refused' ? told.because : `${told.by} answered instead of the tool`,
  }
}
