import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../core/authority.ts'
import type { AccountNotice } from '../../people/channel.ts'
import { createInboxChannel } from '../../people/inbox/channel.ts'
import { ana, ben, eve, openTestGateway, type TestGateway } from '../fixtures/test-gateway.ts'

const HOME = { service: 'relay', tenant: 'T1' }

let setup: TestGateway
let people: Map<string, Person & { groups: string[] }>
let told: AccountNotice[]

beforeEach(async () => {
  told = []
  people = new Map([
    ['ben', { groups: ['approvers'] }],
    ['eve', { groups: ['approvers'], accounts: new Map([['relay', 'acct_eve']]) }],
  ])
  const tell = async (notice: AccountNotice) => void told.push(notice)
  const teller = { name: 'teller', kind: 'live', serves: () => false, tell } as const
  setup = await openTestGateway({ people, channels: [createInboxChannel(), teller] })
})
afterEach(() => setup.close())

const ofBen = (account = 'acct_1') => ({ tenant: 'T1', account })

describe('unlinking', () => {
  const own = () => setup.gateway.accounts.own
  const linkOf = () => setup.gateway.accounts.find({ ...HOME, ...ofBen() })

  it('P6: is for the person and for administrators; others are told that there is none', async () => {
    await setup.gateway.accounts.link({ ...HOME, account: 'acct_1' }, 'ben', ana)
    await expect(own().unlink(HOME, ofBen(), eve)).rejects.toMatchObject({ code: 'unknown_id' })
    expect(await linkOf()).toBe('ben')
    await own().unlink(HOME, ofBen(), ben)
    expect([await linkOf(), told.at(-1)]).toMatchObject([undefined, { kind: 'unlinked', by: 'ben' }])
    await setup.gateway.accounts.link({ ...HOME, account: 'acct_1' }, 'ben', ana)
    await own().unlink(HOME, ofBen(), ana)
    expect(await linkOf()).toBeUndefined()
  })

  it('says where an account of the configuration stands, to who may know', async () => {
    await expect(own().unlink(HOME, ofBen('acct_eve'), eve)).rejects.toThrow(/people\.eve\.relay/)
    await expect(own().unlink(HOME, ofBen('acct_eve'), ben)).rejects.toMatchObject({ code: 'unknown_id' })
  })

  it('lists accounts with where they come from: own ones, and all to administrators', async () => {
    await setup.gateway.accounts.link({ ...HOME, account: 'acct_1' }, 'ben', ana)
    expect(await own().list(HOME, ben)).toMatchObject([{ account: 'acct_1', from: 'link' }])
    expect(await own().list(HOME, eve)).toMatchObject([{ account: 'acct_eve', from: 'configuration' }])
    await expect(own().list(HOME, ben, { all: true })).rejects.toMatchObject({ code: 'forbidden' })
    expect((await own().list(HOME, ana, { all: true })).map(({ subject }) => subject)).toEqual(['eve', 'ben'])
  })
})

describe('quiet hours', () => {
  const hours = { from: '22:00', to: '07:00', zone: 'Europe/Amsterdam' }

  it('of a person win over those of the configuration until they are taken back', async () => {
    const { quietHours } = setup.gateway
    people.set('eve', { groups: [], quietHours: { from: '01:00', to: '02:00', zone: 'UTC' } })
    expect(await quietHours.of('eve')).toMatchObject({ from: 'configuration' })
    await quietHours.set(hours, eve)
    expect([await quietHours.of('eve'), await quietHours.of('ben')]).toEqual([
      { hours, from: 'person' },
      undefined,
    ])
    await quietHours.clear(eve)
    expect(await quietHours.of('eve')).toMatchObject({ from: 'configuration' })
  })

  it.each([{ from: '24:00' }, { to: '7' }, { zone: 'Mars/Olympus' }])('P5: %j is refused', async (parts) => {
    await expect(setup.gateway.quietHours.set({ ...hours, ...parts }, ben)).rejects.toMatchObject({
      code: 'invalid',
    })
  })
})
