import { describe, expect, it } from 'vitest'
import type { WireRequest } from '../../client/index.ts'
import { defined } from '../../core/defined.ts'
import { recordedDecision } from '../connection/decide-request.ts'
import { makeRequest } from '../fixtures/requests.ts'
import { requestLine, requestText } from './request-text.ts'

const AT = '2026-01-01T00:01:00.000Z'
const vote = (by: string, reason?: string) => ({
  ...{ by, at: AT, via: 'inbox', digest: 'digest of r' },
  ...defined({ reason }),
})
const decision = (kind: 'approve' | 'reject', by: string) => ({
  ...{ kind, by, at: AT, via: 'cli', digest: 'digest of r' },
})
const options = (locale: 'en' | 'zh' = 'en') => ({
  ...{ locale, columns: undefined, now: Date.parse(AT) },
  paint: (_: string, text: string) => text,
})
const texts = (parts: Partial<WireRequest>, locale: 'en' | 'zh' = 'en') => {
  const request = makeRequest('r', parts)
  return { whole: requestText(request, options(locale)), line: requestLine(request, options(locale)) }
}

describe('every vote of a quorum in a terminal', () => {
  it('stands with an approval', () => {
    const { whole, line } = texts({
      state: 'approved',
      votes: [vote('ana', 'looks right'), vote('ben')],
      decision: decision('approve', 'ben'),
    })
    expect(whole).toContain('Decision: ana and ben approved (cli)')
    expect(whole).toContain(`Approved by:\n  ana, ${AT} (inbox, reason: looks right)\n  ben, ${AT} (inbox)`)
    expect(line).toContain('(ana and ben approved)')
  })

  it('stands with a rejection', () => {
    const { whole, line } = texts({
      state: 'rejected',
      votes: [vote('ana')],
      decision: decision('reject', 'ben'),
    })
    expect(whole).toContain('Decision: ben rejected (cli)')
    expect(whole).toContain(`Had been approved by:\n  ana, ${AT} (inbox)`)
    expect(line).toContain('(ben rejected; Had been approved by ana)')
  })

  it('stands with what is still pending', () => {
    const { whole, line } = texts({ votes: [vote('ana'), vote('eve')] })
    expect(whole).toContain(`Approved so far by:\n  ana, ${AT} (inbox)\n  eve, ${AT} (inbox)`)
    expect(line).toContain('(Approved so far by ana and eve)')
  })

  it('speaks Chinese', () => {
    const { whole } = texts(
      { state: 'done', votes: [vote('ana'), vote('ben')], decision: decision('approve', 'ben') },
      'zh',
    )
    expect(whole).toContain('ana 和 ben')
  })

  it('one approval is told once', () => {
    const { whole } = texts({ state: 'done', votes: [vote('ben')], decision: decision('approve', 'ben') })
    expect(whole).toContain('Decision: ben approved (cli)')
    expect(whole).not.toContain('Approved by')
  })

  it('P2: is told to who comes too late', () => {
    const recorded = { decision: decision('approve', 'ben'), votes: [vote('ana'), vote('ben')] }
    expect(recordedDecision(recorded)).toBe('ana and ben have already decided (approved)')
    expect(recordedDecision({ decision: decision('approve', 'ben') })).toBe(
      'ben has already decided (approved)',
    )
  })
})
