import { describe, expect, it } from 'vitest'
import type { HistoryQuery, WireHistory } from '../../../../../src/client/index.ts'
import { exportHistory, MOST_EXPORTED } from './export-history.ts'

const { signal } = new AbortController()

describe('taking the history out', () => {
  it('follows the pages to the end, one call a line', async () => {
    const taken = await exportHistory(endless(450), {}, { signal, told: () => {} })
    expect(taken).toMatchObject({ count: 450, isCut: false })
    expect(taken.lines.every((line) => line.endsWith('\n') && JSON.parse(line).kind === 'settled')).toBe(true)
  })

  it('ends at its bound and says that there is more', async () => {
    const told: number[] = []
    const taken = await exportHistory(
      endless(Number.POSITIVE_INFINITY),
      {},
      { signal, told: (n) => told.push(n) },
    )
    expect(taken).toMatchObject({ count: MOST_EXPORTED, isCut: true })
    expect(told.at(-1)).toBe(MOST_EXPORTED)
  })

  it('ends where pages come and nothing matches', async () => {
    const client = { history: async (): Promise<WireHistory> => ({ items: [], cursor: 'on', looked: 1000 }) }
    expect(await exportHistory(client, {}, { signal, told: () => {} })).toMatchObject({
      count: 0,
      isCut: true,
    })
  })
})

function endless(total: number) {
  return {
    async history({ cursor = '0', limit = 50 }: HistoryQuery = {}): Promise<WireHistory> {
      const from = Number(cursor)
      const count = Math.min(limit, total - from)
      const items = Array.from({ length: count }, () => ({ kind: 'settled' }) as WireHistory['items'][number])
      return { items, looked: count, ...(from + count < total ? { cursor: String(from + count) } : {}) }
    },
  }
}
