/** The grants as a ledger: which still let something through, and how the others ended. */
import type { WireGrant } from '../../../../src/client/index.ts'
import { type GrantState, grantStateOf } from '../../../../src/display/words/grant-states.ts'

export const GRANT_FILTERS = ['live', 'over', 'all'] as const
export type GrantFilter = (typeof GRANT_FILTERS)[number]

export interface GrantListRow {
  grant: WireGrant
  state: GrantState
}

export function readGrantFilter(value: string | undefined): GrantFilter {
  return GRANT_FILTERS.find((known) => known === value) ?? 'live'
}

/** The active ones first; among themselves the newest first. */
export function grantListOf(grants: readonly WireGrant[], shown: GrantFilter, now: number): GrantListRow[] {
  return grants
    .map((grant) => ({ grant, state: grantStateOf(grant, now) }))
    .filter(({ state }) => shown === 'all' || (state === 'live') === (shown === 'live'))
    .sort(
      (one, other) =>
        Number(other.state === 'live') - Number(one.state === 'live') ||
        Date.parse(other.grant.createdAt) - Date.parse(one.grant.createdAt),
    )
}
