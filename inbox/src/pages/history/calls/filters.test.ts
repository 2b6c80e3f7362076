import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countFilters,
  type HistoryFilters,
  readFilters,
  STATE_FILTERS,
  toHistoryQuery,
  VERDICT_FILTERS,
  writeFilters,
} from './filters.ts'

const day = fc
  .date({ min: new Date('2000-01-02T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const text = fc
  .string({ minLength: 1 })
  .map((value) => value.trim())
  .filter((value) => value !== '')

const anyFilters: fc.Arbitrary<HistoryFilters> = fc.record(
  {
    verdict: fc.constantFrom(...VERDICT_FILTERS),
    state: fc.constantFrom(...STATE_FILTERS),
    tool: text,
    session: text,
    by: text,
    rule: text,
    text,
    since: day,
    until: day,
  },
  { requiredKeys: [] },
)

describe('filters', () => {
  it('are the same after a way through the address', () => {
    fc.assert(
      fc.property(anyFilters, (filters) => {
        const address = new URLSearchParams(writeFilters(filters)).toString()
        expect(readFilters(Object.fromEntries(new URLSearchParams(address)))).toEqual(filters)
        expect(countFilters(readFilters(writeFilters(filters)))).toBe(Object.keys(filters).length)
      }),
    )
  })

  it('pass over what is no filter', () => {
    expect(
      readFilters({
        verdict: 'maybe',
        state: 'constructor',
        tool: '  ',
        since: '2026-02-31',
        until: 'today',
        tab: 'journal',
      }),
    ).toEqual({})
    expect(readFilters(undefined)).toEqual({})
    expect(readFilters(Object.create({ tool: 'Bash' }))).toEqual({})
  })

  it('mean days by the reader’s own midnight, the last one whole', () => {
    const { since, until } = toHistoryQuery({ since: '2026-03-01', until: '2026-03-01', tool: 'Bash' })
    expect(new Date(since!).getTime()).toBe(new Date(2026, 2, 1).getTime())
    expect(new Date(until!).getTime()).toBe(new Date(2026, 2, 2).getTime() - 1)
    expect(toHistoryQuery({ tool: 'Bash' })).toEqual({ tool: 'Bash' })
  })
})
