import { describe, expect, it } from 'vitest'
import type { WireRequest } from '../../../src/client/index.ts'
import { wireRequest } from '../../../test/fixtures/wire-request.ts'
import { voteStatusOf } from './vote-status.ts'

const vote = (by: string, digest = 'd1') => ({ by, digest, at: '2026-01-01T00:00:00.000Z', via: 'http' })
const asked = (parts: Partial<WireRequest>, eligible: Record<string, string[]> = {}) => ({
  request: wireRequest(parts),
  eligible,
})
const two = [{ rule: 'r', approvers: ['group:sre'], quorum: 2 }]

describe('where the votes stand', () => {
  it('is no matter where one approval is enough', () => {
    expect(voteStatusOf(asked({}), 'ana')).toMatchObject({ isShared: false, missing: 1, missingAfter: 0 })
  })

  it('counts who has said yes to what is asked now, each once', () => {
    const votes = [vote('ben'), vote('ben'), vote('eve', 'another')]
    expect(voteStatusOf(asked({ approvers: two, votes }), 'ana')).toMatchObject({
      isShared: true,
      voters: ['ben'],
      hasVoted: false,
      missing: 1,
      missingAfter: 0,
    })
    expect(voteStatusOf(asked({ approvers: two, votes: [vote('ana')] }), 'ana')).toMatchObject({
      hasVoted: true,
      missing: 1,
      missingAfter: 1,
    })
  })

  it('counts for each rule only who may approve under it', () => {
    const approvers = [
      { rule: 'a', approvers: ['ana'], quorum: 1 },
      { rule: 'b', approvers: ['ben', 'cem'], quorum: 2 },
    ]
    const eligible = { a: ['ana'], b: ['ben', 'cem'] }
    expect(voteStatusOf(asked({ approvers }, eligible), 'ana')).toMatchObject({
      isShared: true,
      missingAfter: 2,
    })
    expect(voteStatusOf(asked({ approvers, votes: [vote('ben')] }, eligible), 'cem')).toMatchObject({
      missing: 1,
      missingAfter: 1,
    })
  })
})
