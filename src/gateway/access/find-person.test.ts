import { afterEach, describe, expect, it } from 'vitest'
import type { Person, VerifiedAccount } from '../../core/authority.ts'
import type { DecisionInput } from '../../core/decision.ts'
import type { Request } from '../../core/request.ts'
import {
  agent,
  ana,
  askedRequest,
  ben,
  journalEntriesOf,
  openTestGateway,
  type TestGateway,
} from '../fixtures/test-gateway.ts'
import { createFindPerson } from './find-person.ts'

let setup: TestGateway
let people: Map<string, Person>
afterEach(() => setup.close())

const account = (parts: Partial<VerifiedAccount> = {}): VerifiedAccount => ({
  service: 'relay',
  tenant: 'T1',
  account: 'acct_ben',
  isHome: true,
  proof: { event: 'evt_1', scheme: 'hmac-sha256' },
  ...parts,
})

async function open(): Promise<Request> {
  people = new Map<string, Person>([
    ['ben', { groups: ['approvers'], accounts: new Map([['relay', 'acct_ben']]) }],
    ['eve', { groups: [], accounts: new Map([['relay', 'acct_eve']]) }],
  ])
  setup = await openTestGateway({ people: people as Map<string, { groups: string[] }> })
  return askedRequest(setup)
}

const input = ({ digest }: Request, decision: DecisionInput['decision'] = 'approve') => ({ decision, digest })
const decide = (request: Request, by: VerifiedAccount) => setup.gateway.decide(request.id, input(request), by)
const stateOf = async ({ id }: Request) => (await setup.store.get(id))!.state

async function entriesOf(type: string) {
  const entries = await journalEntriesOf(setup)
  return entries.filter((entry) => entry.type === type).map(({ body }) => JSON.parse(body))
}

describe('an account', () => {
  it('P6 P10: decides as the person of the configuration, and the proof is in the journal', async () => {
    const request = await open()
    const { request: decided } = await decide(request, account())
    expect(decided.progress.decision).toMatchObject({ kind: 'approve', by: 'ben', via: 'relay' })
    expect(await entriesOf('request.decided')).toMatchObject([
      {
        by: 'ben',
        via: 'relay',
        account: {
          service: 'relay',
          tenant: 'T1',
          account: 'acct_ben',
          proof: { event: 'evt_1', scheme: 'hmac-sha256' },
        },
      },
    ])
  })

  it.each([
    ['of nobody', { account: 'acct_x' }],
    ['of another service', { service: 'other' }],
    ['of another tenant, which may have the same id', { tenant: 'T2', isHome: false }],
    ['with a name that every object has', { service: 'constructor', account: 'toString' }],
    ['without an end', { account: 'a'.repeat(5000) }],
    [
      'of characters that take more room than they seem to',
      { account: '\u0001'.repeat(80), tenant: '"'.repeat(80) },
    ],
  ])('P6: %s decides nothing, and the attempt is in the journal', async (_, parts) => {
    const request = await open()
    const stranger = account(parts)
    await expect(decide(request, stranger)).rejects.toMatchObject({
      code: 'unlinked_account',
      details: { service: stranger.service },
    })
    await expect(decide(request, stranger)).rejects.toMatchObject({ code: 'unlinked_account' })
    expect(await stateOf(request)).toBe('pending')
    const { service, tenant, proof } = stranger
    expect(await entriesOf('attempt.refused')).toMatchObject([
      { on: request.id, code: 'unlinked_account', via: service, account: { service, tenant, proof } },
    ])
  })

  it('P6: is told no more of a request that does not exist', async () => {
    await open()
    const nobody = setup.gateway.decide(
      'req_x',
      { decision: 'approve', digest: '' },
      account({ account: 'x' }),
    )
    await expect(nobody).rejects.toMatchObject({ code: 'unlinked_account' })
  })

  it('P6: is looked up at the click: who has left decides nothing', async () => {
    const request = await open()
    people.delete('ben')
    await expect(decide(request, account())).rejects.toMatchObject({ code: 'unlinked_account' })
    people.set('ben', { groups: ['approvers'] })
    await expect(decide(request, account())).rejects.toMatchObject({ code: 'unlinked_account' })
    people.set('ben', { groups: ['approvers'], accounts: new Map([['relay', 'acct_ben']]) })
    expect((await decide(request, account())).decided).toBe(true)
  })

  it('P6: of somebody whose token was revoked at another node decides nothing', async () => {
    setup = await openTestGateway()
    const left = { owner: 'ana', people: new Map<string, Person>() }
    let known = { owner: 'ana', people: new Map<string, Person>([['ben', { groups: ['approvers'] }]]) }
    const findPerson = createFindPerson({
      links: { find: async () => 'ben' },
      directory: () => known,
      async refresh() {
        known = left
      },
      now: () => 0,
      noteAttempt: async () => {},
    })
    await expect(findPerson(account())).rejects.toMatchObject({ code: 'unlinked_account' })
  })

  it('P6: is nobody’s while two people have it', async () => {
    const request = await open()
    people.set('cleo', { groups: ['approvers'], accounts: new Map([['relay', 'acct_ben']]) })
    await expect(decide(request, account())).rejects.toMatchObject({ code: 'unlinked_account' })
  })

  it('P6: gives no right that the person does not have', async () => {
    const request = await open()
    await expect(decide(request, account({ account: 'acct_eve' }))).rejects.toMatchObject({
      code: 'not_yours',
    })
    expect(await entriesOf('attempt.refused')).toMatchObject([{ by: 'eve', via: 'relay', code: 'not_yours' }])
  })

  it('P11: never makes an administrator, not even of the owner', async () => {
    await open()
    people.set('ana', { groups: [], accounts: new Map([['relay', 'acct_ana']]) })
    const found = await setup.gateway.findPerson(account({ account: 'acct_ana' }))
    expect(found).toMatchObject({ subject: 'ana', role: 'approver', via: 'relay' })
    await expect(setup.gateway.tokens.list(found)).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('who comes by a credential is who they are', async () => {
    await open()
    expect(await setup.gateway.findPerson(ben)).toBe(ben)
  })
})

describe('a link', () => {
  const linked = account({ account: 'acct_new', tenant: 'T2', isHome: false })

  it('P6: makes an account somebody’s, of any tenant, until it is undone', async () => {
    const request = await open()
    const { accounts } = setup.gateway
    await accounts.link(linked, 'ben', ana)
    await accounts.link(linked, 'ben', ana)
    await expect(decide(request, { ...linked, tenant: 'T1' })).rejects.toMatchObject({
      code: 'unlinked_account',
    })
    expect((await decide(request, linked)).request.progress.decision?.by).toBe('ben')
    await accounts.unlink(linked, ana)
    await accounts.unlink(linked, ana)
    const second = await askedRequest(setup, { callId: 'second' })
    await expect(decide(second, linked)).rejects.toMatchObject({ code: 'unlinked_account' })
    const about = {
      subject: 'ben',
      by: 'ana',
      account: { service: 'relay', tenant: 'T2', account: 'acct_new' },
    }
    expect(await entriesOf('account.linked')).toMatchObject([about])
    expect(await entriesOf('account.unlinked')).toMatchObject([about])
  })

  it('P6: is worth nothing when the person has left, and less than the configuration', async () => {
    const request = await open()
    await setup.gateway.accounts.link(linked, 'zoe', ana)
    await expect(decide(request, linked)).rejects.toMatchObject({ code: 'unlinked_account' })
    await setup.gateway.accounts.link(account(), 'eve', ana)
    expect((await setup.gateway.findPerson(account())).subject).toBe('ben')
  })

  it('P6 P11: is made by an administrator, or by the person; never by an agent, nor by way of an account', async () => {
    await open()
    const { accounts, findPerson } = setup.gateway
    await accounts.link(linked, 'ben', ben)
    await expect(accounts.link(linked, 'eve', ana)).rejects.toMatchObject({ code: 'invalid' })
    const other = account({ account: 'acct_other' })
    const byAccount = await findPerson(account())
    for (const [subject, actor] of [
      ['eve', ben],
      ['agent-1', agent],
      ['ben', byAccount],
    ] as const) {
      await expect(accounts.link(other, subject, actor)).rejects.toMatchObject({ code: 'forbidden' })
    }
    await expect(accounts.unlink(linked, agent)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(accounts.link({ ...linked, account: '' }, 'ben', ana)).rejects.toMatchObject({
      code: 'invalid',
    })
    expect(await accounts.find(linked)).toBe('ben')
    expect(await accounts.find(other)).toBeUndefined()
  })
})
