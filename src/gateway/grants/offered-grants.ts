/** Which grants a decision on a request may leave behind, from narrow to wide, in words that can be shown and kept. */

import { contentOf } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import { sayInEnglish } from '../../core/reasons/english.ts'
import { mapTexts } from '../../core/reasons/fill-message.ts'
import type { Request } from '../../core/request.ts'
import { type AskTerms, GRANT_WIDTHS } from '../../core/verdict.ts'
import { createValueQuotes } from '../../display/arguments/quote-arguments.ts'
import { maskArguments } from '../../display/masks/mask.ts'
import { makeVisible } from '../../display/text/visible.ts'
import type { Suggestion } from '../../policy/policy.ts'
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import type { Judge } from '../judging/judge.ts'
import { judgedCallOf, sourceOf } from '../judging/judged-call.ts'

/** What is approved, and on which terms. */
export interface ApprovableCall {
  digest: string
  bytes: string
  terms: AskTerms
}

export interface OfferedGrantsPorts {
  judge: Pick<Judge, 'policy' | 'gatherFacts' | 'steering' | 'modes'>
  store: Pick<Store, 'sessions'>
  host: Pick<Host, 'giveWay'>
}

const MAX_WORDS = 400

export async function offeredGrants(
  { judge, store, host }: OfferedGrantsPorts,
  request: Request,
  { digest, bytes, terms }: ApprovableCall,
): Promise<Suggestion[]> {
  const content = contentOf(bytes)
  const call = judgedCallOf(request, content)
  const facts = await judge.gatherFacts?.(call, sourceOf(request))
  const session = await store.sessions.get(request.session)
  const policy = judge.policy()
  const member = session ?? { id: request.session }
  const context = await judge.steering.contextFor(
    member,
    judge.modes.inForce(session),
    policy.steering(call, facts),
  )
  // As much as may be done at once, and so is what went before.
  await host.giveWay()
  const suggested = policy.suggest(call, digest, facts, context)
  // The words may quote the call, and are kept longer than it is.
  const quote = createValueQuotes(maskArguments(content.arguments, policy.knownTool(content)))
  // The name of the tool is never a secret, though an argument may be the same word.
  const show = (text: string) => (text === call.tool ? makeVisible(text).text : quote(text, MAX_WORDS))
  // The policy may have changed since the request was opened; the terms that people were shown still hold.
  const widest = GRANT_WIDTHS.indexOf(terms.widestGrant ?? 'tool')
  return suggested
    .filter(({ width }) => GRANT_WIDTHS.indexOf(width) <= widest)
    .map((suggestion) => withShownTexts(suggestion, show))
}

function withShownTexts(suggestion: Suggestion, show: (text: string) => string): Suggestion {
  const { match, reason } = suggestion
  const shown = reason === undefined ? undefined : mapTexts(reason, show)
  const words = shown === undefined ? show(suggestion.words) : sayInEnglish(shown)
  const said = { words, ...defined({ reason: shown }) }
  return { ...suggestion, ...said, match: match.kind === 'exact' ? match : { ...match, ...said } }
}
