/** A link is made by two sides, and by nobody else: `linking.ts` says how. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Person, VerifiedAccount } from '../../core/authority.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { Actor } from '../../core/session.ts'
import type { AccountNotice, Channel } from '../../people/channel.ts'
import { createInboxChannel } from '../../people/inbox/channel.ts'
import type { Store } from '../../stores/store.ts'
import {
  agent,
  ana,
  ben,
  eve,
  journalEntriesOf,
  openTestGateway,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

const HOME = { service: 'relay', tenant: 'T1' }
const MINUTE_MS = 60_000

let setup: TestGateway
let people: Map<string, Person & { groups: string[] }>
let told: AccountNotice[]
let token: string

const teller: Channel = {
  name: 'teller',
  kind: 'live',
  serves: () => false,
  tell: async (notice) => void told.push(notice),
}

beforeEach(async () => {
  told = []
  people = new Map([
    ['ben', { groups: ['approvers'] }],
    ['eve', { groups: ['approvers'], accounts: new Map([['relay', 'acct_eve']]) }],
  ])
  setup = await openTestGateway({ people, channels: [createInboxChannel(), teller] })
  token = (await setup.gateway.tokens.create({ role: 'approver', subject: 'ben' }, ana)).token.id
})
afterEach(() => setup.close())

const sender = (parts: Partial<VerifiedAccount> = {}): VerifiedAccount => ({
  ...HOME,
  account: 'acct_1',
  isHome: true,
  proof: {},
  ...parts,
})
const linking = () => setup.gateway.accounts.linking
const begin = (actor: Actor = ben, id = token) => linking().begin(HOME, actor, id)
const claim = (code: string, account = sender(), isPrivate = true) =>
  linking().claim({ code, account, isPrivate, name: 'Ben' })
const ofBen = (account = 'acct_1') => ({ tenant: 'T1', account })
const linkOf = (account = 'acct_1') => setup.gateway.accounts.find({ ...HOME, account })

async function entries(): Promise<string[]> {
  const all = await journalEntriesOf(setup)
  return all.filter(({ type }) => type.startsWith('account.')).map(({ body }) => body)
}

const WORTHLESS = { kind: 'worthless' }

describe('a link', () => {
  it('P6 P10: exists once the person has confirmed the account that sent the code, and is on the record', async () => {
    const { id, code, state } = await begin()
    expect(state).toBe('waiting')
    expect(await claim(`/start ${code.toLowerCase()}`)).toEqual({ kind: 'claimed', subject: 'ben' })
    expect([await linkOf(), await entries()]).toEqual([undefined, []])
    const found = await linking().get(id, ben)
    expect(found).toMatchObject({
      state: 'claimed',
      account: { tenant: 'T1', account: 'acct_1', name: 'Ben' },
    })
    expect(await linking().confirm(id, ofBen(), ben)).toMatchObject({ state: 'linked' })
    expect(await linkOf()).toBe('ben')
    expect((await entries()).map((body) => JSON.parse(body))).toMatchObject([
      { type: 'account.linked', subject: 'ben', by: 'ben', account: { ...HOME, account: 'acct_1' } },
    ])
    expect(told).toMatchObject([{ kind: 'linked', account: { account: 'acct_1', subject: 'ben' } }])
    // To confirm it again is a success, and makes nothing.
    expect(await linking().confirm(id, ofBen(), ben)).toMatchObject({ state: 'linked' })
    expect([(await entries()).length, told.length]).toEqual([1, 1])
  })

  it('P10: the store has no code, only a digest of it', async () => {
    const { code } = await begin()
    const kinds = ['link_code', 'account_linking', 'count']
    const pages = await Promise.all(kinds.map((kind) => setup.store.records.list({ kind })))
    const kept = JSON.stringify(pages)
    expect(kept).toContain('ben')
    expect([kept.includes(code), kept.includes(code.replaceAll('-', ''))]).toEqual([false, false])
  })

  it('P6: of two accounts that race for a code one gets it, and the other can not be confirmed', async () => {
    const { id, code } = await begin()
    const accounts = ['acct_1', 'acct_2', 'acct_3']
    const results = await Promise.all(accounts.map((account) => claim(code, sender({ account }))))
    expect(results.filter(({ kind }) => kind === 'claimed')).toHaveLength(1)
    const winner = accounts[results.findIndex(({ kind }) => kind === 'claimed')]!
    for (const account of accounts.filter((one) => one !== winner)) {
      await expect(linking().confirm(id, ofBen(account), ben)).rejects.toMatchObject({ code: 'stale_action' })
      expect(await linkOf(account)).toBeUndefined()
    }
    await linking().confirm(id, ofBen(winner), ben)
    expect(await linkOf(winner)).toBe('ben')
  })

  it('P6: a code is used once: whoever else sends it gets the answer of a wrong one', async () => {
    const { id, code } = await begin()
    await claim(code)
    expect(await claim(code, sender({ account: 'acct_2' }))).toEqual(WORTHLESS)
    // The service sends the message again where we died before it was answered.
    expect(await claim(code)).toEqual({ kind: 'claimed', subject: 'ben' })
    await linking().confirm(id, ofBen(), ben)
    expect([await claim(code), await claim(code, sender({ account: 'acct_2' }))]).toEqual([
      WORTHLESS,
      WORTHLESS,
    ])
  })

  it.each<[string, Partial<VerifiedAccount>]>([
    ['of another service', { service: 'other' }],
    ['of another tenant', { tenant: 'T2', isHome: false }],
    ['that only says it is of another tenant', { isHome: false }],
    ['whose id has no end', { account: 'a'.repeat(5000) }],
  ])('P6: an account %s gets the answer of a wrong code', async (_, parts) => {
    const { id, code } = await begin()
    expect(await claim(code, sender(parts))).toEqual(WORTHLESS)
    expect(await linking().get(id, ben)).toMatchObject({ state: 'waiting' })
  })

  it('P6: a code that was sent in a group is void, and its person is told why', async () => {
    const { id, code } = await begin()
    expect(await claim(code, sender(), false)).toEqual({ kind: 'void' })
    expect(await linking().get(id, ben)).toMatchObject({ state: 'refused', because: 'seen_by_others' })
    expect(await claim(code)).toEqual(WORTHLESS)
    await expect(linking().confirm(id, ofBen(), ben)).rejects.toMatchObject({ code: 'stale_action' })
    expect(await claim('AAAA-AAAA-AAAA-AAAA', sender(), false)).toEqual(WORTHLESS)
  })

  it('P5: ends after ten minutes, before the code was sent and after', async () => {
    const first = await begin()
    await setup.clock.advance(10 * MINUTE_MS)
    expect([(await linking().get(first.id, ben)).state, await claim(first.code)]).toEqual([
      'expired',
      WORTHLESS,
    ])
    const second = await begin()
    await claim(second.code)
    await setup.clock.advance(10 * MINUTE_MS)
    expect(await linking().confirm(second.id, ofBen(), ben)).toMatchObject({ state: 'expired' })
    expect(await linkOf()).toBeUndefined()
  })

  it('P5: a new code takes the place of the old one, and one that was taken back is worth nothing', async () => {
    const first = await begin()
    const second = await begin()
    expect(await claim(first.code)).toEqual(WORTHLESS)
    await expect(linking().get(first.id, ben)).rejects.toMatchObject({ code: 'unknown_id' })
    expect(await linking().cancel(second.id, ben)).toMatchObject({ state: 'refused', because: 'cancelled' })
    expect(await claim(second.code)).toEqual(WORTHLESS)
    const third = await begin()
    await claim(third.code)
    await linking().cancel(third.id, ben)
    expect(await linking().confirm(third.id, ofBen(), ben)).toMatchObject({ state: 'refused' })
    expect(await linkOf()).toBeUndefined()
  })

  it('P6: nobody else reads, confirms or takes back a code, an administrator neither', async () => {
    const { id, code } = await begin()
    await claim(code)
    for (const other of [eve, ana]) {
      for (const act of [
        linking().get(id, other),
        linking().confirm(id, ofBen(), other),
        linking().cancel(id, other),
      ])
        await expect(act).rejects.toMatchObject({ code: 'unknown_id' })
    }
    expect([(await linking().get(id, ben)).state, await linkOf()]).toEqual(['claimed', undefined])
  })

  it.each<[string, Actor]>([
    ['an agent', agent],
    ['an agent with the name of a person', { ...agent, subject: 'ben' }],
    ['a chat account', { ...ben, via: 'relay', account: { service: 'relay' } }],
  ])('P11: %s does none of it', async (_, actor) => {
    const { id, code } = await begin()
    await claim(code)
    const { own, tests } = setup.gateway.accounts
    for (const act of [
      begin(actor),
      linking().get(id, actor),
      linking().confirm(id, ofBen(), actor),
      linking().cancel(id, actor),
      own.list(HOME, actor),
      own.unlink(HOME, ofBen(), actor),
      tests.begin('relay', actor),
      tests.get('tst_1', actor),
      setup.gateway.quietHours.set({ from: '22:00', to: '07:00', zone: 'UTC' }, actor),
      setup.gateway.quietHours.clear(actor),
    ])
      await expect(act).rejects.toMatchObject({ code: 'forbidden' })
    expect(await linkOf()).toBeUndefined()
  })

  it('P6: a code is worth nothing once its person has left', async () => {
    const first = await begin()
    people.delete('ben')
    expect(await claim(first.code)).toEqual(WORTHLESS)
    people.set('ben', { groups: [] })
    const second = await begin()
    await claim(second.code)
    people.delete('ben')
    await expect(linking().confirm(second.id, ofBen(), ben)).rejects.toMatchObject({ code: 'expired' })
    expect(await linkOf()).toBeUndefined()
  })

  it('P6: a code is worth nothing once the token that it was made with is revoked', async () => {
    const first = await begin()
    await setup.gateway.tokens.revoke(token, ana)
    expect(await claim(first.code)).toEqual(WORTHLESS)
    const other = (await setup.gateway.tokens.create({ role: 'approver', subject: 'ben' }, ana)).token.id
    const second = await begin(ben, other)
    await claim(second.code)
    await setup.gateway.tokens.revoke(other, ana)
    await expect(linking().confirm(second.id, ofBen(), ben)).rejects.toMatchObject({ code: 'expired' })
    expect(await linkOf()).toBeUndefined()
  })

  it("P6: somebody else's account is refused, and only the person who made the code hears why", async () => {
    const { id, code } = await begin()
    expect(await claim(code, sender({ account: 'acct_eve' }))).toEqual(WORTHLESS)
    const refused = { state: 'refused', because: 'account_taken' }
    expect(await linking().get(id, ben)).toMatchObject(refused)
    expect(JSON.stringify(await linking().get(id, ben))).not.toContain('"eve"')
    // The same for an account that was linked meanwhile.
    const again = await begin()
    await claim(again.code)
    await setup.gateway.accounts.link({ ...HOME, account: 'acct_1' }, 'ana', ana)
    expect(await linking().confirm(again.id, ofBen(), ben)).toMatchObject(refused)
    expect(await linkOf()).toBe('ana')
  })

  it('P6: of two people who confirm one account at once, one has it', async () => {
    const { token: other } = await setup.gateway.tokens.create({ role: 'admin', subject: 'ana' }, ana)
    const first = await begin()
    const second = await begin(ana, other.id)
    expect([await claim(first.code), await claim(second.code)]).toEqual([
      { kind: 'claimed', subject: 'ben' },
      { kind: 'claimed', subject: 'ana' },
    ])
    const states = await Promise.all([
      linking().confirm(first.id, ofBen(), ben),
      linking().confirm(second.id, ofBen(), ana),
    ])
    expect(states.map(({ state }) => state).sort()).toEqual(['linked', 'refused'])
    expect((await entries()).length).toBe(1)
  })

  it('a person has one account at a service', async () => {
    const { id, code } = await begin()
    await claim(code)
    await setup.gateway.accounts.link({ ...HOME, account: 'acct_9' }, 'ben', ana)
    expect(await linking().confirm(id, ofBen(), ben)).toMatchObject({
      state: 'refused',
      because: 'has_account',
    })
    await expect(begin()).rejects.toThrow(/account acct_9 is linked to you/)
    await expect(linking().begin(HOME, eve, token)).rejects.toThrow(/account acct_eve is linked to you/)
  })
})

describe('guessing', () => {
  const wrong = (n: number) => `${'A'.repeat(12)}${String(n).padStart(4, '0')}`

  it('P6: after five wrong codes an account is refused for an hour, with the right one too', async () => {
    const { id, code } = await begin()
    for (let n = 0; n < 5; n++) expect(await claim(wrong(n))).toEqual(WORTHLESS)
    expect(await claim(code)).toEqual(WORTHLESS)
    setup = await setup.restart()
    expect(await claim(code)).toEqual(WORTHLESS)
    // Others are not, and the code was not used up.
    expect((await linking().get(id, ben)).state).toBe('waiting')
    expect(await claim(code, sender({ account: 'acct_2' }))).toMatchObject({ kind: 'claimed' })
    await setup.clock.advance(60 * MINUTE_MS)
    const later = await begin()
    expect(await claim(later.code)).toMatchObject({ kind: 'claimed' })
  })

  it('strangers with many accounts who send wrong codes keep nobody else from linking', async () => {
    const { code } = await begin()
    for (let n = 0; n < 625; n++) await claim(wrong(n), sender({ account: `acct_${n % 125}_` }))
    expect(await claim(code)).toMatchObject({ kind: 'claimed' })
  })

  it('a person gets twenty codes an hour', async () => {
    for (let n = 0; n < 20; n++) await begin()
    await expect(begin()).rejects.toMatchObject({ code: 'rate_limited' })
    await setup.clock.advance(60 * MINUTE_MS)
    await begin()
  })
})

describe('a restart or another node', () => {
  it('P7: between any two steps changes nothing', async () => {
    const { id, code } = await begin()
    setup = await setup.restart()
    expect(await claim(code)).toMatchObject({ kind: 'claimed' })
    setup = await setup.restart()
    expect(await claim(code)).toMatchObject({ kind: 'claimed' })
    const other = await setup.beside()
    try {
      expect(await other.gateway.accounts.linking.get(id, ben)).toMatchObject({ state: 'claimed' })
      const both = [setup, other].map(({ gateway }) => gateway.accounts.linking.confirm(id, ofBen(), ben))
      expect((await Promise.all(both)).map(({ state }) => state)).toEqual(['linked', 'linked'])
      expect(await entries()).toHaveLength(1)
    } finally {
      await other.close()
    }
  })

  it('somebody who waits hears of the code, also where another node took it', async () => {
    const { id, code } = await begin()
    const other = await setup.beside()
    try {
      const waits = linking().wait(id, ben, { holdMs: 25_000 })
      await other.gateway.accounts.linking.claim({ code, account: sender(), isPrivate: true })
      await setup.clock.advance(1_000)
      expect(await waits).toMatchObject({ state: 'claimed' })
      expect(await linking().wait(id, ben, { holdMs: 25_000 })).toMatchObject({ state: 'claimed' })
    } finally {
      await other.close()
    }
  })
})

describe('a store that fails', () => {
  /** The change with this number fails: it isn't done, or it is and nobody hears of it. */
  function failing(at: number, how: 'not done' | 'unheard') {
    let count = 0
    return (store: Store): Store => ({
      ...store,
      records: {
        ...store.records,
        async change(...change) {
          const isNow = count++ === at
          if (isNow && how === 'not done') throw new BanksmanError('store_unavailable', 'away')
          const result = await store.records.change(...change)
          if (isNow) throw new BanksmanError('store_unavailable', 'away')
          return result
        },
      },
    })
  }

  const twice = async <T>(work: () => Promise<T>): Promise<T> => work().catch(work)

  it.each([0, 1, 2, 3].flatMap((at) => (['not done', 'unheard'] as const).map((how) => [at, how] as const)))(
    'P5 P7: change %i that is %s links nothing early, and tried again it ends in one link',
    async (at, how) => {
      await setup.close()
      setup = await openTestGateway({
        people,
        channels: [createInboxChannel(), teller],
        wrap: failing(at, how),
      })
      token = (await setup.gateway.tokens.create({ role: 'approver', subject: 'ben' }, ana)).token.id
      const { id, code } = await twice(() => begin())
      expect(await twice(() => claim(code))).toEqual({ kind: 'claimed', subject: 'ben' })
      expect(await linkOf()).toBeUndefined()
      expect(await twice(() => linking().confirm(id, ofBen(), ben))).toMatchObject({ state: 'linked' })
      expect([await linkOf(), (await entries()).length]).toEqual(['ben', 1])
    },
  )
})
