/** The grants as a ledger: which still let something through, and how the others ended. */
import type { WireGrant } from '../../../../src/client/index.ts'

/** `used`: all its uses are spent. */
export type GrantState = 'live' | 'revoked' | 'expired' | 'used'

export const GRANT_FILTERS = ['live', 'over', 'all'] as const
export type GrantFilter = (typeof GRANT_FILTERS)[number]

export interface GrantListRow {
  grant: WireGrant
  state: GrantState
}

/** Whether it really lets a call through, the server decides; this is what its terms say. */
export function grantStateOf({ revoked, expiresAt, usesLeft }: WireGrant, now: number): GrantState {
  if (revoked !== undefined) return 'revoked'
  if (usesLeft !== undefined && usesLeft <= 0) return 'used'
  // As the server has it: at the very moment it is over.
  if (expiresAt !== undefined && Date.parse(expiresAt) <= now) return 'expired'
  return 'live'
}

export function readGrantFilter(value: string | undefined): GrantFilter {
  return GRANT_FILTERS.find((known) => known === value) ?? 'live'
}

/** Those that still hold first; among themselves the newest first. */
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
