/**
 * `intercept`: a hook has the word on a call, and people are not asked: it says no, or gives the result in the tool's place.
 * The policy's no still holds, and it is all on the record, with the hook's name (P10).
 */

import type { PreparedCall, ToolCall } from '../../core/call.ts'
import { told } from '../../core/reasons/english.ts'
import { isSameReason, type Reason, toldOf } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { Actor } from '../../core/session.ts'
import type { AllowVerdict, DenyVerdict } from '../../core/verdict.ts'
import type { KnownCall, Store } from '../../stores/store.ts'
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
  /** A whole sentence, which says whose word it is. */
  reason?: Reason
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
    if (known.verdict === 'deny' || isSameWord(known, word))
      return { kind: known.verdict as 'allow' | 'deny', ...toldOf(known) }
    return { kind: 'deny', ...(known.verdict === 'ask' ? toldOf(known) : told(reasonOf('deny.repeated'))) }
  }
  const policy = judge.policy()
  const mode = await judge.modeOf(found.session, call, actor)
  const verdict = policy.evaluate(call, facts, mode === undefined ? {} : { mode })
  const word = verdict.kind === 'deny' ? verdict : worded(interception)
  recorder.record(toJudgedRecord(ports, { call, actor, policyVersion: policy.version }, word))
  host.observe({ kind: 'verdict', verdict: word.kind })
  return word
}

/** Whether the hook said the same before. What an earlier version wrote can't be compared, and counts as another word. */
function isSameWord({ verdict, reason }: KnownCall, word: AllowVerdict | DenyVerdict): boolean {
  return verdict === word.kind && reason !== undefined && isSameReason(reason, word.reason)
}

function worded({ kind, by, because: words = '', reason: whole }: Interception): AllowVerdict | DenyVerdict {
  if (kind === 'deny' && whole !== undefined) return { kind, ...told(whole), rule: by }
  if (kind === 'respond') {
    const reason =
      words === '' ? reasonOf('allow.hook', { by }) : reasonOf('allow.hook-because', { by, words })
    return { kind: 'allow', ...told(reason), rule: by }
  }
  // One that failed has said nothing, and its reason names it already.
  if (words.startsWith(by)) return { kind, ...told(reasonOf('written', { words })), rule: by }
  const reason = words === '' ? reasonOf('deny.hook', { by }) : reasonOf('deny.hook-because', { by, words })
  return { kind, ...told(reason), rule: by }
}
