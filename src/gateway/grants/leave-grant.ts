/**
 * The grant that an approval leaves behind. It is made from what the voters said, of which the narrowest holds, and
 * from what the policy offers for exactly the bytes that they approved. It is bound to the rules that asked.
 */

import { contentOf, definitionDigest } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import type { BanksmanError } from '../../core/errors.ts'
import type { Grant } from '../../core/grants/grant.ts'
import { EXACTLY_THIS_CALL, narrowestGrant } from '../../core/grants/narrowest-grant.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { currentTerms, type Request } from '../../core/request.ts'
import type { RequestEvent } from '../../core/transitions.ts'
import type { GrantScope } from '../../core/verdict.ts'
import { conditionKey } from '../../core/verdict.ts'
import type { Suggestion } from '../../policy/policy.ts'
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import { type ApprovableCall, type OfferedGrantsPorts, offeredGrants } from './offered-grants.ts'

export interface LeaveGrantPorts extends OfferedGrantsPorts {
  store: Pick<Store, 'now' | 'sessions'>
  host: Pick<Host, 'giveWay' | 'newId'>
}

/** Throws where the last vote asks for a grant that is not offered. A vote below the quorum leaves none behind. */
export async function leaveGrant(
  ports: LeaveGrantPorts,
  request: Request,
  event: RequestEvent,
): Promise<Grant | undefined> {
  if (request.state !== 'pending' || (event.kind !== 'vote' && event.kind !== 'decide')) return undefined
  const votes = event.kind === 'vote' ? [event.vote] : (event.votes ?? [])
  const own = votes.at(-1)
  if (own === undefined) return undefined
  const approvable: ApprovableCall = {
    digest: own.digest,
    bytes: (event.edit ?? request.progress.edit)?.bytes ?? request.bytes,
    terms: event.edit?.terms ?? currentTerms(request),
  }
  const { scopes } = approvable.terms
  if (own.scope !== undefined && !scopes.includes(own.scope)) throw scopeNotAllowed(own.scope, scopes)

  const isWide = votes.some((vote) => isOther(vote.grant?.suggestion))
  const offered = isWide ? await offeredGrants(ports, request, approvable) : []
  const wanted = own.grant?.suggestion
  if (isOther(wanted) && !offered.some(({ id }) => id === wanted)) {
    const allowed = [...new Set([EXACTLY_THIS_CALL, ...offered.map((suggestion) => suggestion.id)])]
    const reason = reasonOf('problem.suggestion', { found: wanted, allowed })
    throw reasonedError('scope_not_allowed', reason, { allowed })
  }
  return event.kind === 'vote'
    ? undefined
    : grantOf(ports, request, { ...approvable, offered, votes, by: own.by })
}

/** As it is told in the journal: with its words, but without the arguments that it goes by (P10). */
export function describeGrant(grant: Grant): JsonObject {
  const { id, session, includeSubSessions, rules, match, expiresAt, usesLeft } = grant
  return {
    id,
    rules,
    match: match.kind === 'exact' ? 'exactly this call' : match.words,
    ...(match.kind === 'exact' || match.reason === undefined
      ? {}
      : { reason: { ...match.reason } as JsonObject }),
    ...defined({ session, includeSubSessions, expiresAt, uses: usesLeft }),
  }
}

interface GivenApproval extends ApprovableCall {
  offered: readonly Suggestion[]
  votes: Parameters<typeof narrowestGrant>[0]
  /** Whose vote was the last one. */
  by: string
}

function grantOf(ports: LeaveGrantPorts, request: Request, given: GivenApproval): Grant | undefined {
  const find = (suggestion: string) => given.offered.find(({ id }) => id === suggestion)
  const left = narrowestGrant(given.votes, (suggestion) => find(suggestion)?.width)
  if (left === undefined) return undefined
  const now = ports.store.now()
  const { digest, bytes, terms } = given
  return {
    id: ports.host.newId('grt'),
    ...(left.scope === 'session' ? { session: request.session } : {}),
    ...(left.scope === 'session' && left.includeSubSessions ? { includeSubSessions: true } : {}),
    tool: request.tool,
    definitionDigest: definitionDigest(contentOf(bytes).definition),
    rules: terms.conditions.map(conditionKey),
    match: find(left.suggestion)?.match ?? { kind: 'exact', digest },
    createdAt: now,
    createdBy: given.by,
    requestId: request.id,
    ...(left.expiresInMs === undefined ? {} : { expiresAt: now + left.expiresInMs }),
    ...defined({ usesLeft: left.uses }),
    uses: 0,
  }
}

function isOther(suggestion: string | undefined): suggestion is string {
  return suggestion !== undefined && suggestion !== EXACTLY_THIS_CALL
}

export function scopeNotAllowed(scope: GrantScope, allowed: readonly GrantScope[]): BanksmanError {
  const said = (one: GrantScope) => reasonOf(`scope.${one}`)
  const reason = reasonOf('problem.scope', { scope: said(scope), allowed: allowed.map(said) })
  return reasonedError('scope_not_allowed', reason, { allowed })
}
