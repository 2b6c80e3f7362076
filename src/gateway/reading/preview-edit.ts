/**
 * `previewEdit`: what an edit would be and what the policy would say of it, before it is sent. Nothing is recorded, and
 * whoever could not send the edit is told here what they would be told then.
 */

import { type CallContent, contentOf } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { toldOf } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { currentTerms, type Request, shownBytes, shownDigest } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import type { Facts, Severity, Verdict } from '../../core/verdict.ts'
import type { Explanation } from '../../policy/policy.ts'
import type { Store } from '../../stores/store.ts'
import { checkAllowed, digestMismatch, notYoursReason } from '../deciding/check-decision.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import type { Host } from '../host.ts'
import type { Judge } from '../judging/judge.ts'
import { judgeEdit, readEditedCall, termsOfEdit } from '../judging/judge-edit.ts'
import { judgedCallOf } from '../judging/judged-call.ts'
import type { Authority } from '../requests/authority.ts'
import type { ReadVerbs } from '../requests/read-requests.ts'
import { requestRefusal } from '../requests/request-refusals.ts'
import { changesSameFile, withChangedFile } from './changed-file.ts'

export interface EditPreview {
  /** What would run. */
  content: CallContent
  /** With the text of the file that it changes, where that is the file which the pending call names. */
  facts?: Facts
  /** A deny: the edit would be refused. Anything else: it would be taken. */
  verdict: Verdict
  explanation: Explanation
  /** Of the rules of both calls together, as it would be recorded. Where it would be refused, the request's own. */
  severity: Severity
  /** Rules that ask about the edited call and did not about the original. */
  newRules: string[]
  /** Places of the tool's schema that can't be checked, and were not, as JSON pointers. */
  unchecked: string[]
}

/** For who may decide. */
export type PreviewEditVerb = (
  id: string,
  input: { digest: string; arguments: JsonObject },
  actor: Actor,
) => Promise<EditPreview>

export interface PreviewEditPorts {
  readText: GatewayParts['readText']
  reads: Pick<ReadVerbs, 'get' | 'mayDecide'>
  authority: Authority
  judge: Pick<Judge, 'policy' | 'gatherFacts' | 'modes'>
  store: Pick<Store, 'sessions'>
  host: Pick<Host, 'giveWay'>
}

export function createPreviewEdit({
  reads,
  authority,
  judge,
  store,
  host,
  readText,
}: PreviewEditPorts): PreviewEditVerb {
  return async (id, input, actor) => {
    const request = await reads.get(id, actor)
    if (!(await reads.mayDecide(request, actor)))
      throw await authority.refuse(request, actor, 'not_yours', notYoursReason(request))
    const { state } = request
    if (state !== 'pending') {
      const reason = reasonOf('request.not-editable', { state: reasonOf(`state.${state}`) })
      throw requestRefusal('not_pending', reason, request)
    }
    const session = await store.sessions.get(request.session)
    const may = authority.may(session)
    checkAllowed(request, { decision: 'edit', ...input }, may, actor)
    if (input.digest !== shownDigest(request)) throw digestMismatch(request, input.digest)

    const edited = readEditedCall(judge.policy(), request, input.arguments)
    const { content } = edited
    // Each of the three is as much as may be done at once.
    await host.giveWay()
    const mode = judge.modes.inForce(session)
    const { facts, verdict } = await judgeEdit(judge, request, edited, mode)
    await host.giveWay()
    const explanation = judge.policy().explain(judgedCallOf(request, content), facts, defined({ mode }))
    // What was not changed is taken as an approval, and is not judged before it is to run.
    const isSame = edited.digest === shownDigest(request)
    const said: Verdict = isSame ? { kind: 'ask', ...toldOf(request), terms: currentTerms(request) } : verdict
    const terms =
      said.kind === 'deny' ? currentTerms(request) : termsOfEdit(request, said, actor.subject, may)
    // Nobody is shown another file by trying out its name: that would be reading, and nothing of it is recorded.
    const mayRead = verdict.kind !== 'deny' && changesSameFile(contentOf(shownBytes(request)), content)
    const shown = mayRead ? await withChangedFile(readText, content, facts) : facts
    return {
      content,
      ...defined({ facts: shown }),
      verdict: said,
      explanation,
      severity: terms.severity,
      newRules: newRulesOf(request, said),
      unchecked: edited.unchecked,
    }
  }
}

function newRulesOf(request: Request, verdict: Verdict): string[] {
  if (verdict.kind !== 'ask') return []
  const known = currentTerms(request).conditions.map(({ rule }) => rule)
  return verdict.terms.conditions.map(({ rule }) => rule).filter((rule) => !known.includes(rule))
}
