/** P10, after every test: what the journal holds is what was handed in and told its number, and nothing else. */
import { defined } from '../../core/defined.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { Entry } from '../../journal/entry.ts'
import type { Store } from '../../stores/store.ts'
import type { Runner } from '../runner.ts'
import type { TestEntry } from './store-test.ts'

export async function audit(
  expect: Runner['expect'],
  store: Store,
  entries: readonly TestEntry[],
): Promise<void> {
  let chains: { chain: string; last: number }[]
  try {
    chains = await store.journal.chains()
  } catch (error) {
    if (isBanksmanError(error, 'closed')) return
    throw error
  }
  const told = entries.filter((entry) => entry.numbers.length > 0)
  for (const entry of told) expect(entry.numbers.length).toBe(1)
  expect(chains.reduce((sum, { last }) => sum + last, 0)).toBe(told.length)
  for (const { chain, last } of chains) {
    const found = await readChain(store, chain)
    expect(found.map((entry) => entry.n)).toEqual(Array.from({ length: last }, (_, index) => index + 1))
    const expected = told
      .filter((entry) => entry.chain === chain)
      .sort((a, b) => a.numbers[0]! - b.numbers[0]!)
    expect(found).toEqual(expected.map(asRead))
  }
}

async function readChain(store: Store, chain: string): Promise<Entry[]> {
  const all: Entry[] = []
  for (;;) {
    const page = await store.journal.read(chain, all.length, 500)
    if (page.length === 0) return all
    all.push(...page)
  }
}

function asRead({ chain, type, request, version, body, numbers }: TestEntry): Entry {
  return { chain, n: numbers[0]!, type, ...defined({ request, version }), body }
}
