import { describe, expect, it } from 'vitest'
import type { Request } from '../../core/request.ts'
import { ana } from '../../gateway/fixtures/test-gateway.ts'
import type { Deciding } from '../driver.ts'
import { createReadPendingRequests } from './pending-requests.ts'

/** Lists that are handed out by the test, one page at a time. */
function slowLists() {
  const asked: {
    cursor: string | undefined
    give(page: { items: Request[]; cursor?: string }): void
    fail(): void
  }[] = []
  const deciding = {
    list: ({ cursor }: { cursor?: string }) =>
      new Promise((resolve, reject) =>
        asked.push({ cursor, give: resolve, fail: () => reject(new Error('no list')) }),
      ),
  } as unknown as Deciding
  return { deciding, asked }
}

const request = (id: string, channel = 'pet') => ({ id, origin: { channel } }) as Request
const turns = () => new Promise((resolve) => setImmediate(resolve))

describe('what waits', () => {
  it('is read page by page, of this channel only', async () => {
    const { deciding, asked } = slowLists()
    const reading = createReadPendingRequests('pet')(deciding, ana)
    asked[0]!.give({ items: [request('a'), request('b', 'feishu')], cursor: 'next' })
    await turns()
    expect(asked[1]?.cursor).toBe('next')
    asked[1]!.give({ items: [request('c'), { id: 'd' } as Request] })
    expect((await reading).map(({ id }) => id)).toEqual(['a', 'c'])
  })

  it('P1: is read anew for who came while it was being read, and once for all of them', async () => {
    const { deciding, asked } = slowLists()
    const pendingHere = createReadPendingRequests('pet')
    const first = pendingHere(deciding, ana)
    const later = Array.from({ length: 1000 }, () => pendingHere(deciding, ana))
    expect(asked).toHaveLength(1)
    asked[0]!.give({ items: [] })
    expect(await first).toEqual([])
    await turns()
    expect(asked).toHaveLength(2)
    asked[1]!.give({ items: [request('a')] })
    for (const found of await Promise.all(later)) expect(found).toHaveLength(1)
  })

  it('P5: a reading that fails fails for those who asked for it, and for nobody after them', async () => {
    const { deciding, asked } = slowLists()
    const pendingHere = createReadPendingRequests('pet')
    const first = pendingHere(deciding, ana)
    const second = pendingHere(deciding, ana)
    asked[0]!.fail()
    await expect(first).rejects.toThrow('no list')
    await turns()
    asked[1]!.give({ items: [request('a')] })
    expect(await second).toHaveLength(1)
  })
})
