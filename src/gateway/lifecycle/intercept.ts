/**
 * `intercept`: a hook has the word on a call, and people are not asked: it says no, or gives the result in the tool's place.
 * The policy's no still holds, and it is all on the record, with the hook's name (P10).
 */
import type { PreparedCall, ToolCall } from '../../core/call.ts'
import type { Actor } from '../../core/session.ts'
import type { AllowVerdict, DenyVerdict } from '../../core/verdict.ts'
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import type { Judge } from '../judging/judge.ts'
import { type CallEntryPorts, toJudgedRecord } from '../record/call-entry.ts'
import type { Recorder } from '../record/recorder.ts'
import { callConflict } from '../requests/call-refusals.ts'

export type InterceptVerb = (
  call: ToolCall,
  interception: Interception,
  actor: Actor,
) => Promise<AllowVerdict | DenyVerdict>

export interface Interception {
  kind: 'deny' | 'respond'
  /** Whose word it is, as in `hook "cache"`. */
  by: string
  because?: string
}

export interface InterceptPorts extends CallEntryPorts {
  store: Pick<Store, 'lookup' | 'now'>
  judge: Judge
  recorder: Recorder
  host: Pick<Host, 'observe' | 'random'>
}

/** The call must be in its turn: see `review`. */
export async function interceptCall(
  ports: InterceptPorts,
  call: PreparedCall,
  interception: Interception,
  actor: Actor,
): Promise<AllowVerdict | DenyVerdict> {
  const { store, judge, recorder, host } = ports
  const facts = await judge.gatherFacts?.(call, { remote: actor.remote === true })
  const underway = recorder.pending(call.session, call.callId, actor.subject)
  const found = await store.lookup(call.session, call.callId, call.tool)
  judge.checkSession(found.session, actor, call)
  const known = found.known ?? underway
  if (known !== undefined) {
    if (known.digest !== call.digest) throw callConflict(call, known.digest)
    // The first word on a call is the last: one that people were asked about, or that may have run, is not settled by a hook.
    const word = worded(interception)
    if (known.verdict === 'deny' || (known.verdict === word.kind && known.because === word.because))
      return { kind: known.verdict, because: known.because }
    const because =
      known.verdict === 'ask' ? known.because : 'a call with this id was let through before and may have run'
    return { kind: 'deny', because }
  }
  const policy = judge.policy()
  const mode = await judge.modeOf(found.session, call, actor)
  const verdict = policy.evaluate(call, facts, mode === undefined ? {} : { mode })
  const word = verdict.kind === 'deny' ? verdict : worded(interception)
  recorder.record(toJudgedRecord(ports, { call, actor, policyVersion: policy.version }, word))
  host.observe({ kind: 'verdict', verdict: word.kind })
  return word
}

function worded({ kind, by, because }: Interception): AllowVerdict | DenyVerdict {
  const why = because === undefined || because === '' ? '' : `: ${because}`
  // One that failed has said nothing, and its reason names it already.
  if (kind === 'deny' && because?.startsWith(by)) return { kind: 'deny', because, rule: by }
  if (kind === 'deny') return { kind: 'deny', because: `${by} said no${why}`, rule: by }
  return { kind: 'allow', because: `${by} gave the result in its place; nothing ran${why}`, rule: by }
}
