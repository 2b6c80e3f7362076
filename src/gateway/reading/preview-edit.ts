/**
 * `previewEdit`: what an edit would be and what the policy would say of it, before it is sent. Nothing is recorded, and
 * whoever could not send the edit is told here what they would be told then.
 */

import { mayApprove } from '../../core/authority.ts'
import { type CallContent, contentOf } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { currentTerms, type Request, shownBytes, shownDigest } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import type { Facts, Severity, Verdict } from '../../core/verdict.ts'
import type { MayApprove } from '../../core/votes.ts'
import type { Explanation } from '../../policy/policy.ts'
import { checkAllowed, digestMismatch, notYoursText } from '../deciding/check-decision.ts'
import { judgeEdit, readEditedCall, termsOfEdit } from '../judging/judge-edit.ts'
import { judgedCallOf } from '../judging/judged-call.ts'
import { type GatewayContext, requestRefusal } from '../requests/change-request.ts'
import type { ReadVerbs } from '../requests/read-requests.ts'
import { refuseAttempt } from '../requests/refuse-attempt.ts'
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

export function createPreviewEdit(
  hall: GatewayContext,
  { get, mayDecide }: Pick<ReadVerbs, 'get' | 'mayDecide'>,
): PreviewEditVerb {
  return async (id, input, actor) => {
    const request = await get(id, actor)
    if (!(await mayDecide(request, actor)))
      throw await refuseAttempt(hall, request, actor, 'not_yours', notYoursText(request))
    const { state } = request
    if (state !== 'pending')
      throw requestRefusal(
        'not_pending',
        `the request is ${state}; only a pending one can be edited`,
        request,
      )
    const session = await hall.store.sessions.get(request.session)
    const may: MayApprove = (subject, condition) => mayApprove(subject, condition, hall.directory(), session)
    checkAllowed(request, { decision: 'edit', ...input }, may, actor)
    if (input.digest !== shownDigest(request)) throw digestMismatch(request, input.digest)

    const edited = readEditedCall(hall, request, input.arguments)
    const { content } = edited
    // Each of the three is as much as may be done at once.
    await hall.giveWay()
    const { facts, verdict } = await judgeEdit(hall, request, edited, session?.mode)
    const mode = session?.mode === undefined ? {} : { mode: session.mode }
    await hall.giveWay()
    const explanation = hall.policy().explain(judgedCallOf(request, content), facts, mode)
    // What was not changed is taken as an approval, and is not judged before it is to run.
    const isSame = edited.digest === shownDigest(request)
    const said: Verdict = isSame
      ? { kind: 'ask', because: request.because, terms: currentTerms(request) }
      : verdict
    const terms =
      said.kind === 'deny' ? currentTerms(request) : termsOfEdit(request, said, actor.subject, may)
    // Nobody is shown another file by trying out its name: that would be reading, and nothing of it is recorded.
    const mayRead = verdict.kind !== 'deny' && changesSameFile(contentOf(shownBytes(request)), content)
    const shown = mayRead ? await withChangedFile(hall, content, facts) : facts
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
