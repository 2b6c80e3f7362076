/**
 * What remains when several people voted for an approval to be remembered: only what all of them said. Each says
 * how long, how often, where and how wide, and of each the narrowest holds.
 */

import type { Vote } from '../decision.ts'
import { defined } from '../defined.ts'
import { GRANT_WIDTHS, type GrantScope, type GrantWidth } from '../verdict.ts'

export interface NarrowestGrant {
  scope: Exclude<GrantScope, 'once'>
  /** The id of a suggestion. */
  suggestion: string
  expiresInMs?: number
  uses?: number
  includeSubSessions: boolean
}

/** Exactly this call: what every approval is for, however it is remembered. */
export const EXACTLY_THIS_CALL = 'call'

/** Undefined where nothing is left behind: one who says nothing, or `once`, is enough for that. */
export function narrowestGrant(
  votes: readonly Pick<Vote, 'scope' | 'grant'>[],
  widthOf: (suggestion: string) => GrantWidth | undefined,
): NarrowestGrant | undefined {
  const scopes = new Set(votes.map((vote) => vote.scope ?? 'once'))
  if (scopes.size === 0 || scopes.has('once')) return undefined
  const terms = votes.map((vote) => vote.grant ?? {})
  const expiresInMs = fewest(terms.map((each) => each.expiresInMs))
  const uses = fewest(terms.map((each) => each.uses))
  return {
    scope: scopes.has('session') ? 'session' : 'always',
    suggestion: narrowest(new Set(terms.map((each) => each.suggestion ?? EXACTLY_THIS_CALL)), widthOf),
    ...defined({ expiresInMs, uses }),
    includeSubSessions: terms.every((each) => each.includeSubSessions === true),
  }
}

function fewest(bounds: readonly (number | undefined)[]): number | undefined {
  const named = bounds.filter((bound) => bound !== undefined)
  return named.length === 0 ? undefined : Math.min(...named)
}

/** Two that are equally wide need have nothing in common but the call itself, nor one that is no longer offered. */
function narrowest(
  suggestions: ReadonlySet<string>,
  widthOf: (suggestion: string) => GrantWidth | undefined,
): string {
  const widths = [...suggestions].map((suggestion) => ({
    suggestion,
    width: GRANT_WIDTHS.indexOf(widthOf(suggestion) ?? 'call'),
  }))
  const least = Math.min(...widths.map(({ width }) => width))
  const found = widths.filter(({ width }) => width === least)
  return found.length === 1 && least > 0 ? found[0]!.suggestion : EXACTLY_THIS_CALL
}
