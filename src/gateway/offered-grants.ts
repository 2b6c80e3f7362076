/** Which grants a decision on a request may leave behind, from narrow to wide, in words that can be shown and kept. */
import { contentOf } from '../core/call.ts'
import type { JsonObject } from '../core/json.ts'
import type { Request } from '../core/request.ts'
import { type AskTerms, GRANT_WIDTHS } from '../core/verdict.ts'
import { makeVisibleWithin, maskArguments } from '../display/index.ts'
import { valueAt } from '../display/pointer.ts'
import type { Suggestion } from '../policy/policy.ts'
import type { Hall } from './hall.ts'
import { judgedCallOf, sourceOf } from './judged-call.ts'

/** What is approved, and on which terms. */
export interface Approvable {
  digest: string
  bytes: string
  terms: AskTerms
}

const MAX_WORDS = 400

export async function offeredGrants(
  hall: Hall,
  request: Request,
  { digest, bytes, terms }: Approvable,
): Promise<Suggestion[]> {
  const content = contentOf(bytes)
  const call = judgedCallOf(request, content)
  const facts = await hall.gatherFacts?.(call, sourceOf(request))
  const mode = (await hall.store.sessions.get(request.session))?.mode
  const suggested = hall.policy().suggest(call, digest, facts, mode === undefined ? {} : { mode })
  // The policy may have changed since the request was opened; the terms that people were shown still hold.
  const widest = GRANT_WIDTHS.indexOf(terms.widestGrant ?? 'tool')
  return suggested
    .filter(({ width }) => GRANT_WIDTHS.indexOf(width) <= widest)
    .map((suggestion) => withWords(suggestion, showable(suggestion.words, content.arguments)))
}

function withWords(suggestion: Suggestion, words: string): Suggestion {
  const { match } = suggestion
  return { ...suggestion, words, match: match.kind === 'exact' ? match : { ...match, words } }
}

/** The words may quote the call, and are kept longer than it is: hidden characters are written out, secrets masked (P9). */
function showable(words: string, args: JsonObject): string {
  const secrets = maskArguments(args).masks.map(({ pointer, text }) => ({
    secret: String(valueAt(args, pointer)),
    mask: text,
  }))
  return withoutSecrets(words, secrets)
}

function withoutSecrets(
  words: string,
  [first, ...others]: readonly { secret: string; mask: string }[],
): string {
  if (first === undefined) return makeVisibleWithin(words, MAX_WORDS).value.text
  return words
    .split(first.secret)
    .map((part) => withoutSecrets(part, others))
    .join(first.mask)
}
