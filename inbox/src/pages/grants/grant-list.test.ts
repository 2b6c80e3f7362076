import { describe, expect, it } from 'vitest'
import type { WireGrant } from '../../../../src/client/index.ts'
import { grantStateOf } from '../../../../src/display/words/grant-states.ts'
import { grantListOf, readGrantFilter } from './grant-list.ts'

const NOW = Date.parse('2026-01-05T12:00:00Z')

describe('the ledger of grants', () => {
  it('tells how each ended; at its last moment it is over', () => {
    expect(grantStateOf(grant({}), NOW)).toBe('live')
    expect(grantStateOf(grant({ expiresAt: '2026-01-05T12:00:00.001Z', usesLeft: 1 }), NOW)).toBe('live')
    expect(grantStateOf(grant({ expiresAt: '2026-01-05T12:00:00.000Z' }), NOW)).toBe('expired')
    expect(grantStateOf(grant({ usesLeft: 0 }), NOW)).toBe('used')
    expect(grantStateOf(grant({ revoked: { at: '', by: 'ana' }, usesLeft: 0 }), NOW)).toBe('revoked')
  })

  it('lists those that still hold first, the newest first', () => {
    const grants = [
      grant({ id: 'old', createdAt: '2026-01-01T00:00:00Z' }),
      grant({ id: 'over', createdAt: '2026-01-04T00:00:00Z', usesLeft: 0 }),
      grant({ id: 'new', createdAt: '2026-01-03T00:00:00Z' }),
    ]
    const idsOf = (shown: 'live' | 'over' | 'all') =>
      grantListOf(grants, shown, NOW).map((line) => line.grant.id)
    expect(idsOf('all')).toEqual(['new', 'old', 'over'])
    expect(idsOf('live')).toEqual(['new', 'old'])
    expect(idsOf('over')).toEqual(['over'])
  })

  it('shows what still holds unless something else is wanted', () => {
    expect(readGrantFilter(undefined)).toBe('live')
    expect(readGrantFilter('everything')).toBe('live')
    expect(readGrantFilter('over')).toBe('over')
  })
})

function grant(parts: Partial<WireGrant>): WireGrant {
  return {
    id: 'grant_1',
    tool: 'Bash',
    rules: ['shell'],
    scope: 'always',
    words: 'all',
    createdAt: '2026-01-01T00:00:00Z',
    createdBy: 'ana',
    requestId: 'req_1',
    uses: 0,
    ...parts,
  }
}
