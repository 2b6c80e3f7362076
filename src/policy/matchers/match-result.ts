/**
 * Whether a condition holds for a call. `unknown` where a fact is missing or a text is known only later: it never
 * satisfies an allow, and it can't be ruled out for a deny or an ask, which then have a person asked.
 */
export type MatchResult = 'yes' | 'no' | 'unknown'

export function notMatching(holds: MatchResult): MatchResult {
  return holds === 'unknown' ? 'unknown' : holds === 'yes' ? 'no' : 'yes'
}

/** All of them hold. */
export function bothMatch(a: MatchResult, b: MatchResult): MatchResult {
  if (a === 'no' || b === 'no') return 'no'
  return a === 'yes' && b === 'yes' ? 'yes' : 'unknown'
}

/** At least one of them holds. */
export function eitherMatches(a: MatchResult, b: MatchResult): MatchResult {
  if (a === 'yes' || b === 'yes') return 'yes'
  return a === 'no' && b === 'no' ? 'no' : 'unknown'
}
