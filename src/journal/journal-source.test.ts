import { describe, expect, it } from 'vitest'
import { pagerOf, plainSteps, writeChain } from '../../test/fixtures/journals.ts'
import type { Entry } from './entry.ts'
import { type JournalSource, pageJournal } from './journal-source.ts'

async function numbersOf(source: JournalSource): Promise<string[]> {
  const read: string[] = []
  for await (const { chain, n } of source.entries()) read.push(`${chain}${n}`)
  return read
}

function opening(chain: string, ...others: string[]): Entry[] {
  const after = others.map((other) => ({ chain: other, n: 1 }))
  return writeChain(chain, [{ type: 'chain.opened', members: { after } }])
}

describe('a store’s journal as a source', () => {
  it('gives every entry once, whatever the size of the pages', async () => {
    const entries = writeChain('a', plainSteps(7))
    for (const pageSize of [1, 2, 3, 7, 8]) {
      expect(await numbersOf(pageJournal(pagerOf(entries), pageSize))).toEqual(
        entries.map(({ n }) => `a${n}`),
      )
    }
  })

  it('P10: leaves out what is written while it is read, so that all chains end at one moment', async () => {
    const entries = writeChain('a', plainSteps(6))
    const pager = pagerOf(entries)
    const chains = async () => [{ chain: 'a', last: 4 }]
    expect(await numbersOf(pageJournal({ ...pager, chains }, 3))).toEqual(['a1', 'a2', 'a3', 'a4'])
    // With entries missing, a page reaches beyond the end.
    const gaps = pagerOf(entries.toSpliced(1, 2))
    expect(await numbersOf(pageJournal({ ...gaps, chains }, 3))).toEqual(['a1', 'a4'])
  })

  it('gives a chain before those that it remembers', async () => {
    const pager = pagerOf(opening('a'), opening('b', 'a'), opening('c', 'a', 'b', 'gone'), opening('d'))
    const order = (await pageJournal(pager).chains()).map(({ chain }) => chain)
    expect(order.toSorted()).toEqual(['a', 'b', 'c', 'd'])
    expect(order.indexOf('c')).toBeLessThan(order.indexOf('b'))
    expect(order.indexOf('b')).toBeLessThan(order.indexOf('a'))
  })

  it('reads chains too that remember each other in a circle', async () => {
    const pager = pagerOf(opening('a', 'b'), opening('b', 'a'))
    expect(await numbersOf(pageJournal(pager))).toEqual(['a1', 'b1'])
  })

  it('comes to an end with a store that gives the same entries again and again', async () => {
    const entries = writeChain('a', plainSteps(2))
    const chains = async () => [{ chain: 'a', last: 9 }]
    const read = await numbersOf(pageJournal({ chains, read: async () => entries }))
    expect(read.length).toBeLessThan(20)
  })
})
