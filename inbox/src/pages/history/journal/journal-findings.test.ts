import { describe, expect, it } from 'vitest'
import type { WireJournalReport } from '../../../../../src/client/index.ts'
import { journalFindingsOf } from './journal-findings.ts'

const chain = (parts: object) => ({
  chain: 'c',
  entries: 10,
  head: { n: 10, hash: '' },
  provenUpTo: 0,
  vouchedUpTo: 0,
  problems: [],
  omitted: 0,
  ...parts,
})
const report = (parts: Partial<WireJournalReport>): WireJournalReport => ({
  ok: true,
  entries: 10,
  requests: 2,
  chains: [chain({})],
  problems: [],
  omitted: 0,
  ...parts,
})

describe('what a verification found', () => {
  it('P10: says up to where it is proof, up to where it agrees with itself, and what nothing speaks for', () => {
    const { finding, chains } = journalFindingsOf(
      report({ chains: [chain({ provenUpTo: 4, vouchedUpTo: 9 })] }),
    )
    expect(finding).toBe('proven')
    expect(chains[0]!.stretches).toEqual([
      { kind: 'proven', from: 1, to: 4 },
      { kind: 'vouched', from: 5, to: 9 },
      { kind: 'alone', from: 10, to: 10 },
    ])
  })

  it('P10: without a checkpoint it is no proof, however well it agrees with itself', () => {
    expect(journalFindingsOf(report({ chains: [chain({ vouchedUpTo: 10 })] })).finding).toBe('unproven')
  })

  it('P10: a report that says ok and lists a problem, or says nothing, is not taken for a yes', () => {
    const problem = { kind: 'gap', message: 'entry 3 is missing', from: 3, to: 3 }
    expect(journalFindingsOf(report({ problems: [problem] }))).toMatchObject({ finding: 'broken', wrong: 1 })
    expect(journalFindingsOf(report({ chains: [chain({ problems: [problem] })] })).finding).toBe('broken')
    expect(journalFindingsOf(report({ omitted: 3 }))).toMatchObject({ finding: 'broken', wrong: 3 })
    expect(journalFindingsOf(report({ ok: false })).finding).toBe('broken')
    expect(journalFindingsOf({} as WireJournalReport).finding).toBe('broken')
  })

  it('P10: what can not be read of a chain proves nothing', () => {
    const odd = chain({ provenUpTo: '9', vouchedUpTo: Number.NaN, head: null })
    const { finding, chains } = journalFindingsOf(report({ chains: [odd] }))
    expect(finding).toBe('unproven')
    expect(chains[0]!.stretches).toEqual([{ kind: 'alone', from: 1, to: 10 }])
  })

  it('an empty journal is neither proven nor broken', () => {
    expect(journalFindingsOf(report({ entries: 0, chains: [] })).finding).toBe('empty')
  })
})
