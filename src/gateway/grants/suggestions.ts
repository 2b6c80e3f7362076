/** `suggestions`: which grants a decision may leave behind, and what each would have let through so far. */

import { defined } from '../../core/defined.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { currentTerms, type Request, shownBytes, shownDigest } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import type { Suggestion } from '../../policy/policy.ts'
import type { Store } from '../../stores/store.ts'
import type { Authority } from '../requests/authority.ts'
import type { ReadVerbs } from '../requests/read-requests.ts'
import { requestRefusal } from '../requests/request-refusals.ts'
import { type CountMatchesPorts, countMatches, type Matched } from './count-matches.ts'
import { type OfferedGrantsPorts, offeredGrants } from './offered-grants.ts'

export interface WeighedSuggestion extends Pick<Suggestion, 'id' | 'width' | 'words' | 'reason'> {
  matched: Matched
}

/** For who may decide the request. Empty where it takes no grant. */
export type SuggestionsVerb = (id: string, actor: Actor) => Promise<WeighedSuggestion[]>

export interface SuggestionsPorts extends OfferedGrantsPorts, CountMatchesPorts {
  judge: OfferedGrantsPorts['judge']
  store: Pick<Store, 'calls' | 'now' | 'sessions'>
  authority: Authority
  reads: Pick<ReadVerbs, 'get' | 'mayDecide'>
}

export function createSuggestions(ports: SuggestionsPorts): SuggestionsVerb {
  const { get, mayDecide } = ports.reads
  return async (id, actor) => {
    const request = await get(id, actor)
    if (!(await mayDecide(request, actor))) {
      const why = reasonOf('problem.others-grant')
      throw await ports.authority.refuse(request, actor, 'not_yours', why)
    }
    const { state } = request
    if (state !== 'pending') {
      const reason = reasonOf('request.leaves-no-grant', { state: reasonOf(`state.${state}`) })
      throw requestRefusal('not_pending', reason, request)
    }
    const offered = takesGrants(request) ? await offeredGrants(ports, request, shownOf(request)) : []
    const matched =
      offered.length === 0
        ? []
        : await countMatches(
            ports,
            request,
            offered.map(({ match }) => match),
          )
    return offered.map(({ id: name, width, words, reason }, index) => ({
      id: name,
      width,
      words,
      ...defined({ reason }),
      matched: matched[index]!,
    }))
  }
}

/** A question is answered, and the answer is for now. */
function takesGrants(request: Request): boolean {
  return request.kind === 'approval' && currentTerms(request).scopes.some((scope) => scope !== 'once')
}

function shownOf(request: Request) {
  return { digest: shownDigest(request), bytes: shownBytes(request), terms: currentTerms(request) }
}
