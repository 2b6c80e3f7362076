/**
 * An edit is a new call: it is read, judged anew, and the rules of both calls hold. Deciding and looking beforehand go
 * this one way, so that what a person is told of an edit is what becomes of it.
 */

import { type CallContent, contentOf, withArguments } from '../../core/call.ts'
import { type MayApprove, mayDecideAll } from '../../core/decisions/votes.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { toldOf } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { currentTerms, type Request, shownBytes } from '../../core/request.ts'
import type { AskTerms, AskVerdict, Facts, Verdict } from '../../core/verdict.ts'
import { createValueQuotes } from '../../display/arguments/quote-arguments.ts'
import { maskArguments } from '../../display/masks/mask.ts'
import { unmaskEdit } from '../../display/masks/unmask-edit.ts'
import { strictest } from '../../policy/judge/strictest.ts'
import type { Policy } from '../../policy/policy.ts'
import { checkArguments } from './arguments-schema.ts'
import type { Judge } from './judge.ts'
import { judgedCallOf, sourceOf } from './judged-call.ts'

/** What a schema has against an edit repeats the values that it takes, which may be any number. */
const LONGEST_QUOTED = 2000

export interface EditedCall {
  content: CallContent
  digest: string
  bytes: string
  /** Places of the tool's schema that can't be checked, and were not. */
  unchecked: string[]
}

/** What the edit comes to. Masks that were left alone keep the original; the arguments must fit the tool's schema. */
export function readEditedCall(policy: Policy, request: Request, args: JsonObject): EditedCall {
  const content = contentOf(shownBytes(request))
  const known = policy.knownTool(content)
  const meant = unmaskEdit(args, content.arguments, known)
  const quote = createValueQuotes(maskArguments(content.arguments, known))
  const unchecked = checkArguments(content.definition?.schema, meant, (words) => quote(words, LONGEST_QUOTED))
  const { digest, bytes } = withArguments(content, meant)
  return { content: { ...content, arguments: meant }, digest, bytes, unchecked }
}

/** `mode` is the session's. */
export async function judgeEdit(
  judge: Pick<Judge, 'policy' | 'gatherFacts'>,
  request: Request,
  { content }: EditedCall,
  mode: string | undefined,
): Promise<{ facts: Facts | undefined; verdict: Verdict }> {
  const edition = judgedCallOf(request, content)
  const facts = await judge.gatherFacts?.(edition, sourceOf(request))
  return { facts, verdict: judge.policy().evaluate(edition, facts, mode === undefined ? {} : { mode }) }
}

/** The terms of both calls together. Throws where this person may not edit under them. */
export function termsOfEdit(
  request: Request,
  verdict: Exclude<Verdict, { kind: 'deny' }>,
  subject: string,
  may: MayApprove,
): AskTerms {
  const original: AskVerdict = { kind: 'ask', ...toldOf(request), terms: currentTerms(request) }
  const { terms } = strictest(original, verdict) as AskVerdict
  if (!mayDecideAll(subject, terms.conditions, may)) {
    throw reasonedError('not_yours', reasonOf('problem.edit-others'), {
      rules: terms.conditions.map((condition) => condition.rule),
    })
  }
  if (!terms.allowedDecisions.includes('edit')) {
    throw reasonedError('decision_not_allowed', reasonOf('problem.edit-ruled-out'))
  }
  return terms
}
