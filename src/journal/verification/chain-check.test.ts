import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkpointOf,
  headOf,
  journalOf,
  keys,
  kindsOf,
  pagerOf,
  plainSteps,
  problemsOf,
  renumber,
  writeChain,
} from '../../../test/fixtures/journals.ts'
import type { Entry } from '../entry.ts'
import { pageJournal } from '../journal-source.ts'
import { describeReport } from './report-text.ts'
import { type JournalReport, verifyJournal } from './verify-journal.ts'

/** A written chain with a position in it. */
const chainAndPosition = fc
  .record({ count: fc.integer({ min: 2, max: 40 }), groupSize: fc.integer({ min: 1, max: 7 }) })
  .chain(({ count, groupSize }) =>
    fc.record({
      entries: fc.constant(writeChain('main', plainSteps(count), groupSize)),
      position: fc.integer({ min: 0, max: count - 1 }),
      groupSize: fc.constant(groupSize),
    }),
  )

/** Whatever is done to a chain up to its checkpoint, or to the part that later entries vouch for, is found. */
async function expectFound(entries: Entry[], tampered: Entry[], position: number): Promise<JournalReport> {
  const signed = await verifyJournal(journalOf(tampered), { checkpoints: [checkpointOf(entries)], keys })
  expect(signed.ok).toBe(false)
  const intact = await verifyJournal(journalOf(entries))
  const alone = await verifyJournal(journalOf(tampered))
  if (position < intact.chains[0]!.vouchedUpTo) expect(alone.ok).toBe(false)
  for (const report of [signed, alone]) {
    // Nothing that was touched is called proven or vouched for.
    for (const chain of report.chains) {
      expect(chain.provenUpTo).toBeLessThanOrEqual(position)
      if (!alone.ok) expect(chain.vouchedUpTo).toBeLessThanOrEqual(position)
    }
  }
  return signed
}

describe('an intact chain', () => {
  it('P10: is clean, vouched for up to its last group, and proven up to its checkpoint', async () => {
    await fc.assert(
      fc.asyncProperty(chainAndPosition, async ({ entries, position, groupSize }) => {
        const options = { checkpoints: [checkpointOf(entries, position + 1)], keys }
        const report = await verifyJournal(journalOf(entries), options)
        expect(problemsOf(report)).toEqual([])
        expect(report).toMatchObject({ ok: true, entries: entries.length, requests: 0 })
        expect(report.chains).toMatchObject([
          {
            chain: 'main',
            entries: entries.length,
            head: headOf(entries),
            provenUpTo: position + 1,
            vouchedUpTo: Math.floor((entries.length - 1) / groupSize) * groupSize,
          },
        ])
      }),
    )
  })

  it('P10: without a checkpoint nothing is proven, and the report says so in words', async () => {
    const report = await verifyJournal(journalOf(writeChain('main', plainSteps(5))))
    expect(report.chains[0]).toMatchObject({ provenUpTo: 0, vouchedUpTo: 4 })
    expect(describeReport(report)).toContain('no proof')
  })

  it('P10: is clean when it is longer than the window of hashes, and a change far back is found', async () => {
    const entries = writeChain('main', plainSteps(9000), 50)
    const options = { checkpoints: [checkpointOf(entries, 100), checkpointOf(entries)], keys }
    const clean = await verifyJournal(pageJournal(pagerOf(entries)), options)
    expect(clean.ok).toBe(true)
    expect(clean.chains[0]).toMatchObject({ provenUpTo: 9000, vouchedUpTo: 8950 })
    const tampered = entries.with(120, { ...entries[120]!, body: entries[121]!.body })
    const report = await verifyJournal(pageJournal(pagerOf(tampered)), options)
    expect(report.chains[0]!.provenUpTo).toBe(100)
    expect(problemsOf(report)).toMatchObject([{ kind: 'changed', from: 101, to: 150 }])
  })

  it('P10: may have entries that vouch for something older than those before them', async () => {
    const steps = plainSteps(6)
    const written = writeChain('main', steps.slice(0, 3))
    // Drafted with the third, committed as the last: its transaction took longer.
    const late = { ...writeChain('main', [...steps.slice(0, 2), steps[5]!])[2]!, n: 4 }
    const report = await verifyJournal(journalOf([...written, late]))
    expect(problemsOf(report)).toEqual([])
  })
})

describe('a chain that was tampered with', () => {
  it('P10: an edited entry is found', async () => {
    await fc.assert(
      fc.asyncProperty(chainAndPosition, async ({ entries, position, groupSize }) => {
        const entry = entries[position]!
        const tampered = entries.with(position, {
          ...entry,
          body: entry.body.replace('"index":', '"index":9'),
        })
        const report = await expectFound(entries, tampered, position)
        // The place is named as exactly as the groups are small.
        const place = problemsOf(report).find(({ from, seenAt, to }) => {
          return from! <= position + 1 && position + 1 <= (seenAt ?? to!)
        })
        expect(place).toBeDefined()
        if (place!.kind === 'changed') expect(place!.to! - place!.from!).toBeLessThan(2 * groupSize)
      }),
    )
  })

  it('P10: one edited entry in a chain of single steps is one problem that names it', async () => {
    const entries = writeChain('main', plainSteps(20))
    const body = entries[9]!.body.replace('"index":9', '"index":8')
    const report = await verifyJournal(journalOf(entries.with(9, { ...entries[9]!, body })))
    expect(problemsOf(report)).toMatchObject([{ kind: 'changed', from: 10, to: 10, seenAt: 11 }])
    expect(report.chains[0]).toMatchObject({ vouchedUpTo: 9, head: headOf(entries) })
  })

  it('P10: one removed entry is one problem too, though every later entry disagrees', async () => {
    const entries = writeChain('main', plainSteps(20))
    const report = await verifyJournal(journalOf(renumber(entries.toSpliced(9, 1))))
    expect(problemsOf(report)).toMatchObject([{ kind: 'changed', from: 10, to: 19, seenAt: 19 }])
  })

  it('P10: an entry that says it follows one that comes after it is found', async () => {
    const entries = writeChain('main', plainSteps(3))
    const report = await verifyJournal(journalOf(renumber(entries.slice(2))))
    expect(problemsOf(report)).toMatchObject([{ kind: 'changed', from: 1, to: 1 }])
  })

  it('P10: an entry that disagrees with what others have vouched for is the odd one', async () => {
    const entries = writeChain('main', plainSteps(5))
    const body = entries[4]!.body.replace(/"prev":\{[^}]*\}/, `"prev":{"hash":"${'0'.repeat(64)}","n":2}`)
    const report = await verifyJournal(journalOf(entries.with(4, { ...entries[4]!, body })))
    expect(problemsOf(report)).toMatchObject([{ kind: 'changed', from: 5, to: 5 }])
  })

  it('P10: a deleted entry is found, whether the others are renumbered or not', async () => {
    await fc.assert(
      fc.asyncProperty(chainAndPosition, async ({ entries, position }) => {
        const left = entries.toSpliced(position, 1)
        await expectFound(entries, left, position)
        await expectFound(entries, renumber(left), position)
        const report = await verifyJournal(journalOf(left))
        if (position < entries.length - 1) {
          expect(problemsOf(report)).toMatchObject([{ kind: 'gap', from: position + 1, to: position + 1 }])
        }
      }),
    )
  })

  it('P10: entries that changed places are found', async () => {
    await fc.assert(
      fc.asyncProperty(chainAndPosition, fc.nat(), async ({ entries, position }, random) => {
        const other = random % entries.length
        fc.pre(other !== position)
        const swapped = entries.with(position, entries[other]!).with(other, entries[position]!)
        await expectFound(entries, renumber(swapped), Math.min(position, other))
      }),
    )
  })

  it('P10: an inserted entry is found, be it made up or a copy', async () => {
    await fc.assert(
      fc.asyncProperty(chainAndPosition, fc.boolean(), async ({ entries, position }, copy) => {
        // A copy that is put after the last entry comes after everything that vouches for something.
        fc.pre(!copy || position < entries.length - 1)
        const entry = entries[position]!
        const body = copy ? entry.body : entry.body.replace('"index":', '"index":9')
        const tampered = renumber(entries.toSpliced(position, 0, { ...entry, body }))
        await expectFound(entries, tampered, copy ? position + 1 : position)
      }),
    )
  })

  it('P10: a chain that was cut is found given a checkpoint beyond the cut', async () => {
    await fc.assert(
      fc.asyncProperty(chainAndPosition, async ({ entries, position }) => {
        fc.pre(position > 0)
        const cut = entries.slice(0, position)
        const checkpoints = [checkpointOf(entries, position), checkpointOf(entries)]
        const report = await verifyJournal(journalOf(cut), { checkpoints, keys })
        expect(problemsOf(report)).toMatchObject([
          { kind: 'truncated', from: position + 1, to: entries.length },
        ])
        expect(report.chains[0]!.provenUpTo).toBe(position)
      }),
    )
  })

  it('P10: a chain that was rewritten from some entry on agrees with itself, but not with the checkpoint', async () => {
    const entries = writeChain('main', plainSteps(10))
    const forged = writeChain('main', [...plainSteps(5), { type: 'calls.judged' }, ...plainSteps(4)])
    expect((await verifyJournal(journalOf(forged))).ok).toBe(true)
    const checkpoints = [checkpointOf(entries, 4), checkpointOf(entries, 8)]
    const report = await verifyJournal(journalOf(forged), { checkpoints, keys })
    expect(problemsOf(report)).toMatchObject([{ kind: 'checkpoint_mismatch', to: 8 }])
    expect(report.chains[0]!.provenUpTo).toBe(4)
  })

  it('P10: a store that counts more entries than it gives is told of', async () => {
    const entries = writeChain('main', plainSteps(3))
    const source = journalOf(entries)
    const chains = async () => [{ chain: 'main', last: 5 }]
    expect(kindsOf(await verifyJournal({ ...source, chains }))).toEqual(['truncated'])
    const none = { chains, entries: async function* () {} }
    expect(kindsOf(await verifyJournal(none))).toEqual(['truncated'])
  })

  it('P10: a ruined journal gives a report of bounded length that is not ok', async () => {
    const entries = writeChain('main', plainSteps(1000)).map((entry) => ({
      ...entry,
      body: `${entry.body} `,
    }))
    const report = await verifyJournal(journalOf(entries))
    expect(report.ok).toBe(false)
    expect(report.chains[0]!.problems).toHaveLength(100)
    expect(report.chains[0]!.omitted).toBe(900)
    expect(describeReport(report)).toContain('and 900 more')
  })
})
