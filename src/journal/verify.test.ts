import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  journalOf,
  pagerOf,
  plainSteps,
  renumber,
  type Step,
  writeChain,
} from '../../test/journal-fixture.ts'
import { createSigner, generateSigningKey } from './checkpoint.ts'
import { type ChainHead, type Entry, genesis, nextHash } from './entry.ts'
import type { Problem } from './problems.ts'
import { describeReport } from './report-text.ts'
import { pageJournal } from './source.ts'
import { trustKeys } from './trusted-keys.ts'
import { type JournalReport, verifyJournal } from './verify.ts'

const signer = createSigner(generateSigningKey().privateKey)
const keys = trustKeys(signer.publicKey)

function headOf(entries: readonly Entry[], n = entries.length): ChainHead {
  return entries.slice(0, n).reduce((head, entry) => nextHash(head, entry.body), genesis(entries[0]!.chain))
}

function checkpointOf(entries: readonly Entry[], n = entries.length) {
  return signer.checkpoint(entries[0]!.chain, headOf(entries, n), 1)
}

function kinds(report: JournalReport): string[] {
  return allProblems(report).map((problem) => problem.kind)
}

function allProblems(report: JournalReport): Problem[] {
  return [...report.problems, ...report.chains.flatMap((chain) => chain.problems)]
}

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
        expect(allProblems(report)).toEqual([])
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
    expect(allProblems(report)).toMatchObject([{ kind: 'changed', from: 101, to: 150 }])
  })

  it('P10: may have entries that vouch for something older than those before them', async () => {
    const steps = plainSteps(6)
    const written = writeChain('main', steps.slice(0, 3))
    // Drafted with the third, committed as the last: its transaction took longer.
    const late = { ...writeChain('main', [...steps.slice(0, 2), steps[5]!])[2]!, n: 4 }
    const report = await verifyJournal(journalOf([...written, late]))
    expect(allProblems(report)).toEqual([])
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
        const place = allProblems(report).find(({ from, seenAt, to }) => {
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
    expect(allProblems(report)).toMatchObject([{ kind: 'changed', from: 10, to: 10, seenAt: 11 }])
    expect(report.chains[0]).toMatchObject({ vouchedUpTo: 9, head: headOf(entries) })
  })

  it('P10: one removed entry is one problem too, though every later entry disagrees', async () => {
    const entries = writeChain('main', plainSteps(20))
    const report = await verifyJournal(journalOf(renumber(entries.toSpliced(9, 1))))
    expect(allProblems(report)).toMatchObject([{ kind: 'changed', from: 10, to: 19, seenAt: 19 }])
  })

  it('P10: an entry that says it follows one that comes after it is found', async () => {
    const entries = writeChain('main', plainSteps(3))
    const report = await verifyJournal(journalOf(renumber(entries.slice(2))))
    expect(allProblems(report)).toMatchObject([{ kind: 'changed', from: 1, to: 1 }])
  })

  it('P10: an entry that disagrees with what others have vouched for is the odd one', async () => {
    const entries = writeChain('main', plainSteps(5))
    const body = entries[4]!.body.replace(/"prev":\{[^}]*\}/, `"prev":{"hash":"${'0'.repeat(64)}","n":2}`)
    const report = await verifyJournal(journalOf(entries.with(4, { ...entries[4]!, body })))
    expect(allProblems(report)).toMatchObject([{ kind: 'changed', from: 5, to: 5 }])
  })

  it('P10: a deleted entry is found, whether the others are renumbered or not', async () => {
    await fc.assert(
      fc.asyncProperty(chainAndPosition, async ({ entries, position }) => {
        const left = entries.toSpliced(position, 1)
        await expectFound(entries, left, position)
        await expectFound(entries, renumber(left), position)
        const report = await verifyJournal(journalOf(left))
        if (position < entries.length - 1) {
          expect(allProblems(report)).toMatchObject([{ kind: 'gap', from: position + 1, to: position + 1 }])
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
        expect(allProblems(report)).toMatchObject([
          { kind: 'truncated', from: position + 1, to: entries.length },
        ])
        expect(report.chains[0]!.provenUpTo).toBe(position)
      }),
    )
  })

  it('P10: a chain that was rewritten from some entry on agrees with itself, but not with the checkpoint', async () => {
    const entries = writeChain('main', plainSteps(10))
    const forged = writeChain('main', [...plainSteps(5), { type: 'call.denied' }, ...plainSteps(4)])
    expect((await verifyJournal(journalOf(forged))).ok).toBe(true)
    const checkpoints = [checkpointOf(entries, 4), checkpointOf(entries, 8)]
    const report = await verifyJournal(journalOf(forged), { checkpoints, keys })
    expect(allProblems(report)).toMatchObject([{ kind: 'checkpoint_mismatch', to: 8 }])
    expect(report.chains[0]!.provenUpTo).toBe(4)
  })

  it('P10: a store that counts more entries than it gives is told of', async () => {
    const entries = writeChain('main', plainSteps(3))
    const source = journalOf(entries)
    const chains = async () => [{ chain: 'main', last: 5 }]
    expect(kinds(await verifyJournal({ ...source, chains }))).toEqual(['truncated'])
    const none = { chains, entries: async function* () {} }
    expect(kinds(await verifyJournal(none))).toEqual(['truncated'])
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

describe('bodies', () => {
  const entry = writeChain('main', [{ type: 'request.opened', about: { request: 'r', version: 1 } }])[0]!
  const bad: [string, Partial<Entry>][] = [
    ['is not canonical JSON', { body: '{' }],
    ['is not canonical JSON', { body: '{"a":"\\ud800"}' }],
    ['is not an object', { body: '[]' }],
    ['is JSON, but not in its canonical form', { body: `${entry.body} ` }],
    ['is JSON, but not in its canonical form', { body: entry.body.replace('{', '{"at":1,') }],
    ['has a version of the format', { body: entry.body.replace('"v":1', '"v":2') }],
    ['has no time', { body: entry.body.replace('1000', '"now"') }],
    ['says another type', { type: 'request.decided' }],
    ['says another request', { request: 'q' }],
    ['says another version', { version: 2 }],
    [
      'does not name the request',
      {
        body: '{"at":1,"prev":null,"type":"request.opened","v":1}',
        request: undefined!,
        version: undefined!,
      },
    ],
    ['has a `prev` that is neither', { body: entry.body.replace('null', '{"n":0}') }],
  ]
  it.each(bad)('P10: a bad body is found: it %s', async (words, change) => {
    const report = await verifyJournal(journalOf([{ ...entry, ...change }]))
    expect(kinds(report)).toContain('bad_body')
    expect(describeReport(report)).toContain(words)
  })
})

describe('several chains', () => {
  const first = writeChain('first', plainSteps(6))
  const opened = (hash?: string): Step => ({
    type: 'chain.opened',
    members: { after: [{ chain: 'first', n: 4, ...(hash === undefined ? {} : { hash }) }] },
  })

  it('P10: a chain that another one remembers, or that a checkpoint knows, is missed', async () => {
    const second = writeChain('second', [opened()])
    const report = await verifyJournal(journalOf(second), { checkpoints: [checkpointOf(first)], keys })
    expect(report.problems).toMatchObject([{ kind: 'missing_chain', chain: 'first', to: 6 }])
    expect(kinds(await verifyJournal(journalOf(second)))).toEqual(['missing_chain'])
    expect(kinds(await verifyJournal(journalOf(first, second)))).toEqual([])
  })

  it('P10: a chain that was cut before what another one remembers is found', async () => {
    const second = writeChain('second', [opened()])
    const report = await verifyJournal(journalOf(first.slice(0, 3), second))
    expect(allProblems(report)).toMatchObject([{ kind: 'truncated', chain: 'first', from: 4, to: 4 }])
  })

  it('P10: a chain that was rewritten is found by the hash that another one remembers', async () => {
    const second = writeChain('second', [opened(headOf(first, 4).hash)])
    const intact = await verifyJournal(journalOf(first, second))
    expect(intact.ok).toBe(true)
    expect(intact.chains.map((chain) => chain.chain)).toEqual(['second', 'first'])
    const forged = writeChain('first', [{ type: 'call.denied' }, ...plainSteps(5)])
    const report = await verifyJournal(journalOf(forged, second))
    expect(allProblems(report)).toMatchObject([{ kind: 'changed', chain: 'first', to: 4 }])
  })

  it('P10: what a chain that is read later remembers is compared with the head', async () => {
    const second = writeChain('second', [
      { type: 'chain.opened', members: { after: [{ chain: 'first', n: 6, hash: headOf(first).hash }] } },
    ])
    const inOrder = (...chains: Entry[][]) => ({
      chains: async () => chains.map((entries) => ({ chain: entries[0]!.chain, last: entries.length })),
      entries: async function* () {
        for (const entries of chains) yield* entries
      },
    })
    const intact = await verifyJournal(inOrder(first, second))
    expect(intact.ok).toBe(true)
    expect(intact.chains[0]!.vouchedUpTo).toBe(6)
    const forged = writeChain('first', [...plainSteps(5), { type: 'call.denied' }])
    expect(kinds(await verifyJournal(inOrder(forged, second)))).toEqual(['changed'])
    expect(kinds(await verifyJournal(inOrder(first.slice(0, 5), second)))).toEqual(['truncated'])
  })

  it('P10: an entry of one chain does not pass in another', async () => {
    const moved = first.map((entry) => ({ ...entry, chain: 'second' }))
    expect((await verifyJournal(journalOf(moved))).ok).toBe(false)
  })

  it('P10: an entry of a chain that was already at its end is found', async () => {
    const [one, two, three] = [first.slice(0, 2), writeChain('second', plainSteps(2)), first.slice(1, 2)]
    const source = {
      chains: async () => [
        { chain: 'first', last: 2 },
        { chain: 'second', last: 2 },
      ],
      entries: async function* () {
        yield* [...one, ...two, ...three]
      },
    }
    expect(allProblems(await verifyJournal(source))).toMatchObject([{ kind: 'gap', from: 2, to: 2 }])
  })
})

describe('signatures', () => {
  const entries = writeChain('main', plainSteps(3))

  it('P10: a checkpoint with a bad signature is told of and proves nothing', async () => {
    const forged = { ...checkpointOf(entries, 2), n: 3, hash: headOf(entries).hash }
    const report = await verifyJournal(journalOf(entries), { checkpoints: [forged], keys })
    expect(kinds(report)).toEqual(['bad_signature'])
    expect(report.chains[0]!.provenUpTo).toBe(0)
  })

  it('P10: a checkpoint of an unknown key, or without any keys, proves nothing', async () => {
    const checkpoints = [checkpointOf(entries)]
    for (const options of [{ checkpoints }, { checkpoints, keys: trustKeys([]) }]) {
      const report = await verifyJournal(journalOf(entries), options)
      expect(kinds(report)).toEqual(['unknown_key'])
      expect(report.chains[0]!.provenUpTo).toBe(0)
    }
  })

  it('P10: checkpoints before and after a rotation both count, and a bad rotation is told of', async () => {
    const next = createSigner(generateSigningKey().privateKey)
    const rotated = trustKeys(signer.publicKey, [signer.rotate(next.publicKey, 1)])
    const checkpoints = [checkpointOf(entries, 1), next.checkpoint('main', headOf(entries), 2)]
    const report = await verifyJournal(journalOf(entries), { checkpoints, keys: rotated })
    expect(report).toMatchObject({ ok: true, chains: [{ provenUpTo: 3 }] })
    const refused = trustKeys(signer.publicKey, [next.rotate(signer.publicKey, 1)])
    expect(kinds(await verifyJournal(journalOf(entries), { keys: refused }))).toEqual(['unknown_key'])
  })
})

describe('the versions of requests', () => {
  const step = (version: number, request = 'r'): Step => ({
    type: version === 1 ? 'request.opened' : 'request.voted',
    about: { request, version },
  })

  it('P10: are each there once, across chains and in any order of the chains', async () => {
    const distributed = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('r', 's')), {
      minLength: 1,
      maxLength: 30,
    })
    await fc.assert(
      fc.asyncProperty(distributed, fc.nat(), async (places, random) => {
        const steps = new Map<string, Step[]>()
        const newest = new Map<string, number>()
        for (const [chain, request] of places) {
          const version = (newest.get(request) ?? 0) + 1
          newest.set(request, version)
          steps.set(chain, [...(steps.get(chain) ?? []), step(version, request)])
        }
        const write = () => [...steps].map(([chain, list]) => writeChain(chain, list))
        const report = await verifyJournal(journalOf(...write()))
        expect(report).toMatchObject({ ok: true, requests: newest.size })

        const [chain, list] = [...steps][random % steps.size]!
        const lost = list[random % list.length]!.about!
        steps.set(chain, [...list, { type: 'request.voted', about: lost }])
        const twice = await verifyJournal(journalOf(...write()))
        expect(twice.problems).toMatchObject([{ kind: 'version_twice', ...lostAs(lost) }])

        steps.set(chain, [...list.filter((one) => one.about !== lost), { type: 'call.allowed' }])
        const gap = await verifyJournal(journalOf(...write()))
        const wasNewest = lost.version === newest.get(lost.request)
        expect(gap.problems).toMatchObject(wasNewest ? [] : [{ kind: 'version_gap', ...lostAs(lost) }])
      }),
    )
  })

  it('P10: a whole chain that was taken away leaves a gap in them', async () => {
    const [a, b, c] = [
      writeChain('a', [step(1)]),
      writeChain('b', [step(2), step(3)]),
      writeChain('c', [step(4)]),
    ]
    expect((await verifyJournal(journalOf(a, b, c))).ok).toBe(true)
    const report = await verifyJournal(journalOf(a, c))
    expect(report.problems).toMatchObject([{ kind: 'version_gap', request: 'r', from: 2, to: 3 }])
  })

  it('are not counted by entries that name a request without changing it', async () => {
    const seen: Step = { type: 'attempt.refused', about: { request: 'r', version: 1 } }
    expect((await verifyJournal(journalOf(writeChain('a', [step(1), seen, seen, step(2)])))).ok).toBe(true)
  })
})

function lostAs({ request, version }: { request: string; version: number }) {
  return { request, from: version, to: version }
}
