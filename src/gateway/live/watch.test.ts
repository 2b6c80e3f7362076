import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSeededRandom } from '../../../test/simulation/world/random.ts'
import { BanksmanError } from '../../core/errors.ts'
import {
  createGatewayNodes,
  createHandledStore,
  type GatewayNodes,
  type HandledStore,
} from '../fixtures/gateway-nodes.ts'
import type { TestGateway } from '../fixtures/test-gateway.ts'
import type { WatchEvent, WatchOptions } from './watch.ts'

let nodes: GatewayNodes
let setup: TestGateway
let handled: HandledStore
let written = 0

beforeEach(() => {
  nodes = createGatewayNodes()
  handled = createHandledStore()
  written = 0
})
afterEach(() => nodes.close())

const openHandled = async () => {
  setup = await nodes.open({ wrap: handled.wrap })
}

/** Something that is on the record: `count` entries, each with a number of its own. */
async function write(count: number, at: TestGateway = setup, size = 0): Promise<void> {
  const draft = () => ({
    chain: `written-by-${at === setup ? 'one' : 'other'}`,
    type: 'policy.applied' as const,
    body: `${++written} ${'x'.repeat(size)}`,
    committed() {},
  })
  await Promise.all(Array.from({ length: count }, () => at.store.journal.append(draft())))
}

function numbersOf(events: readonly WatchEvent[]): number[] {
  return events.flatMap((event) =>
    event.kind === 'change' && event.entry.chain.startsWith('written')
      ? [Number.parseInt(event.entry.body, 10)]
      : [],
  )
}

/** Reads until it has seen so many of what was written here, pausing before each as it is told. */
async function read(
  at: TestGateway,
  count: number,
  options: WatchOptions = {},
  pause: () => Promise<void> = async () => {},
): Promise<WatchEvent[]> {
  const events: WatchEvent[] = []
  let seen = 0
  for await (const event of at.gateway.watch(options)) {
    events.push(event)
    seen += numbersOf([event]).length
    if (seen >= count) break
    await pause()
  }
  return events
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('watching', () => {
  it('P7: a hundred readers are told all, in order and once, for the price of one', async () => {
    await openHandled()
    const readers = Array.from({ length: 100 }, () => read(setup, 50))
    await setup.clock.advance(0)
    handled.feeds = 0
    for (let round = 0; round < 10; round++) {
      await write(5)
      await setup.clock.advance(0)
    }
    for (const events of await Promise.all(readers)) expect(numbersOf(events)).toEqual(range(1, 50))
    // For each of ten changes one read that finds it, and at most one that finds no more.
    expect(handled.feeds).toBeLessThanOrEqual(20)
  })

  it('P7: whoever falls out of the tail is told all the same, and finds back into it', async () => {
    await openHandled()
    await write(1)
    const start = await setup.store.journal.cursor()
    let stopped = true
    const slow = read(setup, 7000, { after: start }, async () => {
      while (stopped) await turn()
    })
    const quick = read(setup, 7000, { after: start })
    await setup.clock.advance(0)
    for (let round = 0; round < 60; round++) {
      await write(100)
      await turn()
    }
    stopped = false
    for (let round = 0; round < 10; round++) {
      await write(100)
      await turn()
    }
    expect(numbersOf(await quick)).toEqual(range(2, 7001))
    expect(numbersOf(await slow)).toEqual(range(2, 7001))
  })

  it('P7: large events are not kept, and are told all the same', async () => {
    await openHandled()
    const readers = [1, 2, 3].map(() => read(setup, 30))
    await setup.clock.advance(0)
    for (let round = 0; round < 10; round++) await write(3, setup, 1_500_000)
    for (const events of await Promise.all(readers)) expect(numbersOf(events)).toEqual(range(1, 30))
  })

  it('P7: goes on on another node where it was left on this one', async () => {
    setup = await nodes.open()
    const other = await nodes.open()
    const here = read(setup, 10)
    const there = read(other, 10)
    await setup.clock.advance(0)
    await write(10)
    await write(10, other)
    const seen = await here
    expect(numbersOf(seen)).toEqual(range(1, 10))
    expect(numbersOf(await there)).toEqual(range(1, 10))
    const after = seen.at(-1)!.cursor
    expect(numbersOf(await read(other, 10, { after }))).toEqual(range(11, 20))
    // With somebody else who keeps the tail there, and from the middle of what is in it.
    const keeping = read(other, 25)
    await other.clock.advance(0)
    const again = read(other, 20, { after })
    await write(15)
    await write(10, other)
    expect(numbersOf(await again)).toEqual(range(11, 30))
    expect(numbersOf(await keeping)).toEqual(range(21, 45))
  })

  it('says `reset` for a cursor that is not one of ours, and goes on from there', async () => {
    await openHandled()
    await write(3)
    for (const after of ['from-now', '99999999']) {
      const already = written
      const reading = read(setup, 2, { after })
      await setup.clock.advance(0)
      await write(2)
      const events = await reading
      expect(events[0]?.kind).toBe('reset')
      expect(events.filter(({ kind }) => kind === 'reset')).toHaveLength(1)
      expect(numbersOf(events)).toEqual([already + 1, already + 2])
    }
  })

  it('P7: whoever watches through a failure of the store is told what came meanwhile', async () => {
    await openHandled()
    const readers = [1, 2].map(() => read(setup, 9))
    await setup.clock.advance(0)
    await write(3)
    await setup.clock.advance(0)
    handled.failing = new BanksmanError('store_unavailable', 'down')
    await write(3)
    await setup.clock.advance(3500)
    expect(setup.faults.filter(({ doing }) => doing === 'following the journal')).toHaveLength(1)
    handled.failing = undefined
    await setup.clock.advance(1000)
    await write(3)
    for (const events of await Promise.all(readers)) expect(numbersOf(events)).toEqual(range(1, 9))
  })

  it('costs nothing when nobody watches, and ends with its reader or its gateway', async () => {
    await openHandled()
    const leaving = new AbortController()
    const left = read(setup, 99, { signal: leaving.signal })
    const closed = read(setup, 99)
    await setup.clock.advance(0)
    leaving.abort()
    expect(numbersOf(await left)).toEqual([])
    await write(1)
    await setup.clock.advance(0)
    await setup.gateway.close()
    expect(numbersOf(await closed)).toEqual([1])

    setup = await nodes.open({ wrap: handled.wrap })
    await read(setup, 1, { after: '0' })
    await setup.clock.advance(0)
    handled.feeds = 0
    await write(5)
    await setup.clock.advance(0)
    expect(handled.feeds).toBe(0)
  })

  it('P7: is told by `reset` when what it has not seen yet was cut off', async () => {
    await openHandled()
    const readers = [1, 2, 3].map(() => read(setup, 5))
    await setup.clock.advance(0)
    await write(3)
    await setup.clock.advance(0)
    handled.isCut = true
    await write(4)
    await setup.clock.advance(0)
    handled.isCut = false
    await write(2)
    for (const events of await Promise.all(readers)) {
      expect(events.filter(({ kind }) => kind === 'reset')).toHaveLength(1)
      expect(numbersOf(events)).toEqual([1, 2, 3, 8, 9])
    }
  })

  it('P7: is told by `reset` when the store was replaced, wherever it is', async () => {
    await openHandled()
    const readers = [read(setup, 6), read(setup, 6), read(setup, 6, {}, turn)]
    await setup.clock.advance(0)
    await write(3)
    await setup.clock.advance(0)
    handled.hint({ local: false, replaced: { from: 'a', to: 'b' } })
    await setup.clock.advance(0)
    await write(3)
    for (const events of await Promise.all(readers)) {
      expect(events.filter(({ kind }) => kind === 'reset')).toHaveLength(1)
      expect(numbersOf(events)).toEqual(range(1, 6))
    }
  })

  it.each([1, 2, 3, 4])('P7: nothing is missed, doubled or moved, whoever is slow (%i)', async (seed) => {
    setup = await nodes.open()
    const other = await nodes.open()
    const random = createSeededRandom(seed)
    await write(5)
    const start = await setup.store.journal.cursor()
    const readers = Array.from({ length: 12 }, (_, index) => {
      const most = index % 4 === 0 ? 40 : 2
      return read(index % 2 === 0 ? setup : other, 3000, { after: start }, async () => {
        if (!random.chance(0.05)) return
        for (let turns = random.between(0, most); turns > 0; turns--) await turn()
      })
    })
    for (let round = 0; round < 60; round++) {
      await write(25)
      await write(25, other)
      for (let turns = random.between(0, 3); turns > 0; turns--) await turn()
    }
    const all = numbersOf(await read(setup, 3000, { after: start }))
    for (const events of await Promise.all(readers)) expect(numbersOf(events)).toEqual(all)
    expect(all.toSorted((a, b) => a - b)).toEqual(range(6, 3005))
  })
})
