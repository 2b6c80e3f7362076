import { describe, expect, it } from 'vitest'
import {
  checkpointOf,
  headOf,
  journalOf,
  keys,
  kindsOf,
  plainSteps,
  problemsOf,
  type Step,
  signer,
  writeChain,
} from '../../../test/fixtures/journals.ts'
import { defined } from '../../core/defined.ts'
import { createSigner, generateSigningKey } from '../checkpoints/checkpoint.ts'
import { trustKeys } from '../checkpoints/trusted-keys.ts'
import type { Entry } from '../entry.ts'
import { verifyJournal } from './verify-journal.ts'

describe('several chains', () => {
  const first = writeChain('first', plainSteps(6))
  const opened = (hash?: string): Step => ({
    type: 'chain.opened',
    members: { after: [{ chain: 'first', n: 4, ...defined({ hash }) }] },
  })

  it('P10: a chain that another one remembers, or that a checkpoint knows, is missed', async () => {
    const second = writeChain('second', [opened()])
    const report = await verifyJournal(journalOf(second), { checkpoints: [checkpointOf(first)], keys })
    expect(report.problems).toMatchObject([{ kind: 'missing_chain', chain: 'first', to: 6 }])
    expect(kindsOf(await verifyJournal(journalOf(second)))).toEqual(['missing_chain'])
    expect(kindsOf(await verifyJournal(journalOf(first, second)))).toEqual([])
  })

  it('P10: a chain that was cut before what another one remembers is found', async () => {
    const second = writeChain('second', [opened()])
    const report = await verifyJournal(journalOf(first.slice(0, 3), second))
    expect(problemsOf(report)).toMatchObject([{ kind: 'truncated', chain: 'first', from: 4, to: 4 }])
  })

  it('P10: a chain that was rewritten is found by the hash that another one remembers', async () => {
    const second = writeChain('second', [opened(headOf(first, 4).hash)])
    const intact = await verifyJournal(journalOf(first, second))
    expect(intact.ok).toBe(true)
    expect(intact.chains.map((chain) => chain.chain)).toEqual(['second', 'first'])
    const forged = writeChain('first', [{ type: 'calls.judged' }, ...plainSteps(5)])
    const report = await verifyJournal(journalOf(forged, second))
    expect(problemsOf(report)).toMatchObject([{ kind: 'changed', chain: 'first', to: 4 }])
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
    const forged = writeChain('first', [...plainSteps(5), { type: 'calls.judged' }])
    expect(kindsOf(await verifyJournal(inOrder(forged, second)))).toEqual(['changed'])
    expect(kindsOf(await verifyJournal(inOrder(first.slice(0, 5), second)))).toEqual(['truncated'])
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
    expect(problemsOf(await verifyJournal(source))).toMatchObject([{ kind: 'gap', from: 2, to: 2 }])
  })
})

describe('signatures', () => {
  const entries = writeChain('main', plainSteps(3))

  it('P10: a checkpoint with a bad signature is told of and proves nothing', async () => {
    const forged = { ...checkpointOf(entries, 2), n: 3, hash: headOf(entries).hash }
    const report = await verifyJournal(journalOf(entries), { checkpoints: [forged], keys })
    expect(kindsOf(report)).toEqual(['bad_signature'])
    expect(report.chains[0]!.provenUpTo).toBe(0)
  })

  it('P10: a checkpoint of an unknown key, or without any keys, proves nothing', async () => {
    const checkpoints = [checkpointOf(entries)]
    for (const options of [{ checkpoints }, { checkpoints, keys: trustKeys([]) }]) {
      const report = await verifyJournal(journalOf(entries), options)
      expect(kindsOf(report)).toEqual(['unknown_key'])
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
    expect(kindsOf(await verifyJournal(journalOf(entries), { keys: refused }))).toEqual(['unknown_key'])
  })
})

describe('a store that was replaced', () => {
  const first = writeChain('first', plainSteps(6))
  const { hash } = headOf(first)
  const second = (lost: number) =>
    writeChain('first.2', [
      { type: 'chain.opened', members: { after: [{ chain: 'first', n: 6, hash }] } },
      {
        type: 'store.replaced',
        members: { from: 'a', to: 'b', chain: 'first', known: { n: 6, hash }, found: { n: 6 - lost }, lost },
      },
      ...plainSteps(2),
    ])

  it('P10: what it lost is missed, and is said to be on record; that does not make the journal sound', async () => {
    const options = { checkpoints: [checkpointOf(first), checkpointOf(second(3))], keys }
    const report = await verifyJournal(journalOf(first.slice(0, 3), second(3)), options)
    expect(report.ok).toBe(false)
    expect(problemsOf(report).length).toBeGreaterThan(0)
    for (const problem of problemsOf(report)) {
      expect(problem).toMatchObject({ kind: 'truncated', chain: 'first', from: 4, to: 6 })
      expect(problem.explainedBy).toEqual({ chain: 'first.2', n: 2 })
      expect(problem.message).toContain(
        'says at entry 2 that the store was replaced and had lost entries 4 to 6',
      )
    }
    expect(report.chains.find(({ chain }) => chain === 'first.2')).toMatchObject({
      provenUpTo: 4,
      problems: [],
    })
  })

  it('P10: of a chain that is gone whole it says so too', async () => {
    const report = await verifyJournal(journalOf(second(6)))
    expect(report.problems).toMatchObject([
      { kind: 'missing_chain', chain: 'first', explainedBy: { chain: 'first.2', n: 2 } },
    ])
  })

  it('P10: it excuses nothing else, and nothing that can not be understood', async () => {
    const cut = await verifyJournal(journalOf(first.slice(0, 2), second(3)))
    expect(problemsOf(cut).every(({ explainedBy }) => explainedBy !== undefined)).toBe(true)
    const other = writeChain('other', plainSteps(3))
    const elsewhere = await verifyJournal(journalOf(first, other.slice(0, 2), second(3)), {
      checkpoints: [checkpointOf(other)],
      keys,
    })
    expect(problemsOf(elsewhere)).toMatchObject([{ kind: 'truncated', chain: 'other' }])
    expect(problemsOf(elsewhere)[0]).not.toHaveProperty('explainedBy')
    const odd = writeChain('odd', [
      { type: 'store.replaced', members: { chain: 'other', known: { n: 1e300 }, lost: -1 } },
      { type: 'store.replaced', members: { chain: 'other', known: null, lost: 1 } },
      { type: 'store.replaced', members: { chain: 'other', known: { n: 1 }, lost: 9 } },
    ])
    const unclear = await verifyJournal(journalOf(other.slice(0, 2), odd), {
      checkpoints: [checkpointOf(other)],
      keys,
    })
    expect(problemsOf(unclear)[0]).not.toHaveProperty('explainedBy')
  })
})
