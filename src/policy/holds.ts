/**
 * Whether a condition holds for a call. `unknown` where a fact is missing or a text is known only later: it never
 * satisfies an allow, and it can't be ruled out for a deny or an ask, which then have a person asked.
 */
export type Holds = 'yes' | 'no' | 'unknown'

export function not(holds: Holds): Holds {
  return holds === 'unknown' ? 'unknown' : holds === 'yes' ? 'no' : 'yes'
}

/** All of them hold. */
export function both(a: Holds, b: Holds): Holds {
  if (a === 'no' || b === 'no') return 'no'
  return a === 'yes' && b === 'yes' ? 'yes' : 'unknown'
}

/** At least one of them holds. */
export function either(a: Holds, b: Holds): Holds {
  if (a === 'yes' || b === 'yes') return 'yes'
  return a === 'no' && b === 'no' ? 'no' : 'unknown'
}
