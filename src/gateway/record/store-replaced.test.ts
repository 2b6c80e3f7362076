import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { createSigner, generateSigningKey } from '../../journal/checkpoints/checkpoint.ts'
import { trustKeys } from '../../journal/checkpoints/trusted-keys.ts'
import type { EntryDraft } from '../../journal/entry.ts'
import { genesis, nextHash } from '../../journal/entry.ts'
import { pageJournal } from '../../journal/journal-source.ts'
import { verifyJournal } from '../../journal/verification/verify-journal.ts'
import type { Store } from '../../stores/store.ts'
import { createFakeClock, type FakeClock } from '../../testing/fake-clock.ts'
import { type LosingStore, openLosingStore } from '../fixtures/losing-store.ts'
import {
  aCall,
  agent,
  ana,
  approve,
  askedRequest,
  openTestGateway,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

const REPLACED = { from: 'run-1', to: 'run-2' }

let clock: FakeClock
let losing: LosingStore
let setup: TestGateway
/** Every draft that the gateway handed to the store for a step of a request. */
let drafts: EntryDraft[]
let appendFails: boolean

beforeEach(async () => {
  clock = createFakeClock()
  losing = openLosingStore(() => clock.now())
  drafts = []
  appendFails = false
  // The gateway has a file of its own, which nobody uses: what counts is what is put in its place.
  setup = await openTestGateway({ clock, wrap: () => watched(losing.store) })
})
afterEach(async () => {
  await setup.close()
  await losing.close()
})

function watched(store: Store): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'journal' && appendFails) {
        const append = () => Promise.reject(new BanksmanError('store_unavailable', 'down'))
        return { ...target.journal, append }
      }
      if (name !== 'transition') return Reflect.get(target, name)
      return (change: { entry: EntryDraft }) => {
        drafts.push(change.entry)
        return target.transition(change as Parameters<Store['transition']>[0])
      }
    },
  })
}

async function entries() {
  const chains = await setup.store.journal.chains()
  const all = await Promise.all(chains.map(({ chain }) => setup.store.journal.read(chain, 0, 1000)))
  return all.flat()
}

async function replacements(): Promise<JsonObject[]> {
  return (await entries()).filter(({ type }) => type === 'store.replaced').map(({ body }) => JSON.parse(body))
}

const losses = () => setup.faults.filter(({ error }) => isBanksmanError(error, 'store_corrupt'))
const verify = () => verifyJournal(pageJournal(setup.store.journal, 100))

describe('a store that was replaced', () => {
  it('P5: and has lost a request tells whoever waits for it, and does not let them wait for ever', async () => {
    await losing.mark()
    const request = await askedRequest(setup)
    const waited = setup.gateway.wait(request.id).catch((error: BanksmanError) => error.code)
    await losing.lose()
    losing.tell(REPLACED)
    await clock.advance(1000)
    expect(await waited).toBe('unknown_id')
  })

  it('P10: and has lost nothing is on the record, in the chain that goes on', async () => {
    await askedRequest(setup)
    losing.tell(REPLACED)
    await clock.advance(0)
    const [chain] = await setup.store.journal.chains()
    expect(await replacements()).toMatchObject([
      { ...REPLACED, chain: chain!.chain, known: { n: 2 }, found: { n: 2 }, lost: 0 },
    ])
    expect(losses()).toEqual([])
    await askedRequest(setup)
    expect(await setup.store.journal.chains()).toEqual([{ chain: chain!.chain, last: 4 }])
    expect((await verify()).ok).toBe(true)
  })

  it('P7 P10: and has lost entries is reported, and the journal goes on in another chain', async () => {
    const kept = await askedRequest(setup)
    await losing.mark()
    const gone = await askedRequest(setup)
    await approve(setup, kept)
    const [old] = await setup.store.journal.chains()
    const known = (await entries()).reduce((head, { body }) => nextHash(head, body), genesis(old!.chain))
    const waiting = setup.gateway.wait(kept.id, { until: ({ state }) => state === 'cancelled' })
    await losing.lose()
    losing.tell(REPLACED)
    await clock.advance(0)

    expect(await replacements()).toMatchObject([
      { ...REPLACED, chain: old!.chain, known, found: { n: 2 }, lost: 2 },
    ])
    expect(losses()).toHaveLength(1)
    expect(String(losses()[0]?.error)).toContain('lacks 2 of the 4 entries')
    const chains = await setup.store.journal.chains()
    expect(chains).toEqual([
      { chain: old!.chain, last: 2 },
      { chain: `${old!.chain}.2`, last: 2 },
    ])
    const [opened] = await setup.store.journal.read(`${old!.chain}.2`, 0, 1)
    expect(opened?.type).toBe('chain.opened')
    expect(JSON.parse(opened!.body)).toMatchObject({
      prev: null,
      after: [{ chain: old!.chain, n: known.n, hash: known.hash }],
    })

    // Nothing that was remembered hides what is there now, and whoever waits is told of it, be its version older.
    expect((await setup.gateway.wait(kept.id, { holdMs: 0 })).state).toBe('pending')
    await expect(setup.gateway.wait(gone.id, { holdMs: 0 })).rejects.toMatchObject({ code: 'unknown_id' })
    await setup.gateway.cancel(kept.id, {}, agent)
    expect((await waiting).state).toBe('cancelled')

    const report = await verify()
    expect(report.ok).toBe(false)
    const problems = report.chains.flatMap((chain) => chain.problems)
    expect(problems).toMatchObject([
      {
        kind: 'truncated',
        chain: old!.chain,
        from: 3,
        to: 4,
        explainedBy: { chain: `${old!.chain}.2`, n: 2 },
      },
    ])
    // A checkpoint that was signed before is the proof of it.
    const signer = createSigner(generateSigningKey().privateKey)
    const proven = await verifyJournal(pageJournal(setup.store.journal, 100), {
      checkpoints: [signer.checkpoint(old!.chain, known, 1)],
      keys: trustKeys(signer.publicKey),
    })
    expect(proven.ok).toBe(false)
    const lost = proven.chains.find(({ chain }) => chain === old!.chain)!.problems
    expect(lost.every(({ explainedBy }) => explainedBy !== undefined)).toBe(true)
    expect(lost.some(({ message }) => message.includes('a signed checkpoint knows entry 4'))).toBe(true)
  })

  it('P7: whoever waits hears of what happens afterwards, under a lower version than it knew', async () => {
    const request = await askedRequest(setup)
    await losing.mark()
    await approve(setup, request)
    await setup.gateway.claim(request.id, { digest: request.digest, key: 'k' }, agent)
    const versions: number[] = []
    const waiting = setup.gateway.wait(request.id, {
      until({ version, state }) {
        versions.push(version)
        return state === 'rejected'
      },
    })
    await clock.advance(0)
    expect(versions).toEqual([3])
    await losing.lose()
    losing.tell(REPLACED)
    await clock.advance(0)
    await setup.gateway.decide(request.id, { decision: 'reject', digest: request.digest }, ana)
    expect((await waiting).version).toBe(2)
  })

  it('P4 P10: before anybody has noticed, no step is taken under a number that was given out', async () => {
    const request = await askedRequest(setup)
    await losing.mark()
    await askedRequest(setup)
    await losing.lose()
    await expect(approve(setup, request)).rejects.toMatchObject({ code: 'store_unavailable' })
    await expect(setup.gateway.review(aCall(), agent)).rejects.toMatchObject({ code: 'store_unavailable' })
    expect((await setup.store.get(request.id))?.state).toBe('pending')
    expect((await setup.store.journal.chains()).map(({ last }) => last)).toEqual([2])
    losing.tell(REPLACED)
    await clock.advance(0)
    await approve(setup, request)
    expect((await replacements()).map(({ lost }) => lost)).toEqual([1])
    expect((await verify()).chains.flatMap((chain) => chain.problems).map(({ kind }) => kind)).toEqual([
      'truncated',
    ])
  })

  it('P5 P10: is noticed by its refusals where no hint tells of it', async () => {
    const request = await askedRequest(setup)
    await losing.mark()
    await askedRequest(setup)
    await losing.lose()
    await expect(approve(setup, request)).rejects.toMatchObject({ code: 'store_unavailable' })
    await clock.advance(1000)
    expect(await replacements()).toMatchObject([{ from: 'unknown', to: 'unknown', lost: 1 }])
    expect(losses()).toHaveLength(1)
    await approve(setup, request)
    expect((await setup.store.get(request.id))?.state).toBe('approved')
  })

  it('P10: what was drafted before the switch and comes after it is refused, and goes into neither chain', async () => {
    const request = await askedRequest(setup)
    await losing.mark()
    await approve(setup, request)
    const late = drafts.at(-1)!
    await losing.lose()
    losing.tell(REPLACED)
    await clock.advance(0)
    const before = await setup.store.journal.chains()
    await expect(setup.store.journal.append(late)).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await setup.store.journal.chains()).toEqual(before)
    await approve(setup, request)
    expect((await entries()).at(-1)).toMatchObject({ chain: before[1]!.chain, type: 'request.decided' })
  })

  it('P10: is noted as soon as it can be, when the store is down at first', async () => {
    await losing.mark()
    await askedRequest(setup)
    await losing.lose()
    appendFails = true
    losing.tell(REPLACED)
    losing.tell({ from: 'run-2', to: 'run-3' })
    await clock.advance(3500)
    expect(await replacements()).toEqual([])
    expect(setup.faults.filter(({ doing }) => doing.startsWith('noting'))).toHaveLength(1)
    appendFails = false
    await clock.advance(1000)
    expect(await replacements()).toMatchObject([
      { ...REPLACED, lost: 1 },
      { from: 'run-2', to: 'run-3', lost: 0 },
    ])
  })

  it('P10: that has lost a whole chain, and one that loses twice, are told apart', async () => {
    await askedRequest(setup)
    await losing.mark()
    await askedRequest(setup)
    await losing.lose()
    losing.tell(REPLACED)
    await clock.advance(0)
    await setup.gateway.review(aCall({ tool: 'other', session: 'own' }), ana)
    await losing.lose()
    losing.tell({ from: 'run-2', to: 'run-3' })
    await clock.advance(0)
    const chains = (await setup.store.journal.chains()).map(({ chain }) => chain)
    expect(chains).toHaveLength(2)
    expect(chains[1]).toBe(`${chains[0]}.3`)
    // The first replacement was lost with the second.
    expect(await replacements()).toMatchObject([
      { from: 'run-2', chain: `${chains[0]}.2`, found: { n: 0 }, known: { n: 3 }, lost: 3 },
    ])
    expect((await verify()).problems).toMatchObject([
      { kind: 'missing_chain', chain: `${chains[0]}.2`, explainedBy: { chain: chains[1], n: 2 } },
    ])
  })
})
