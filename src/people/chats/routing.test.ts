import { describe, expect, it } from 'vitest'
import type { LinkedAccount, Person } from '../../core/authority.ts'
import type { Request } from '../../core/request.ts'
import type { AskTerms } from '../../core/verdict.ts'
import { openMemoryStore } from '../../stores/memory/store.ts'
import { ChatFault } from './contract.ts'
import { createChatMoves } from './moves.ts'
import { createRouting, type RoutingParts } from './routing.ts'

/** 23:00 in UTC. */
const NIGHT = Date.UTC(2026, 0, 1, 23)
const HOUR_MS = 3_600_000
const QUIET = { from: '22:00', to: '07:00', zone: 'UTC' }

const person = (account: string | undefined, parts: Partial<Person> = {}): Person => ({
  groups: [],
  ...(account === undefined ? {} : { accounts: new Map([['chat', account]]) }),
  ...parts,
})

const routingService: RoutingParts['service'] = {
  name: 'chat',
  tenant: 'T1',
  limits: {
    maxButtons: 5,
    hasForms: false,
    canBeSilent: false,
    ackWithinMs: 1,
    pace: { person: { count: 1, inMs: 1 }, chat: { count: 1, inMs: 1 } },
  },
  sees: async () => true,
}

function routing(people: Record<string, Person>, parts: Partial<RoutingParts> = {}) {
  const { records } = openMemoryStore({ now: () => NIGHT })
  return createRouting({
    service: routingService,
    defaultChat: undefined,
    namedChats: [],
    moves: createChatMoves('chat', records),
    directory: () => ({ owner: 'ana', people: new Map(Object.entries(people)) }),
    linked: async () => [],
    quietHours: async (name) => people[name]?.quietHours,
    session: async () => undefined,
    now: () => NIGHT,
    ...parts,
  })
}

function requestWith(terms: Partial<AskTerms>, parts: Partial<Request> = {}): Request {
  const conditions = [{ rule: 'r', quorum: 1 }]
  return {
    session: 's',
    deadline: null,
    progress: {},
    terms: { conditions, severity: 'normal', ...terms },
    ...parts,
  } as Request
}

const asking = (...approvers: string[]) => requestWith({ conditions: [{ rule: 'r', quorum: 1, approvers }] })
const PEOPLE = {
  ana: person('1'),
  ben: person('2', { groups: ['sre'] }),
  eve: person('3', { groups: ['sre'] }),
  zoe: person(undefined, { groups: ['sre'] }),
}

describe('where a card goes', () => {
  it.each([
    [
      ['eve', 'ana'],
      ['3', '1'],
    ],
    [
      ['group:sre', 'owner'],
      ['2', '3', '1'],
    ],
    [
      ['ana', 'ana', 'group:sre'],
      ['1', '2', '3'],
    ],
    [['zoe'], []],
    [['nobody'], []],
  ])('approvers %j are written to at %j, in the order of the rule', async (approvers, accounts) => {
    const places = await routing(PEOPLE).find(asking(...approvers))
    expect(places.map(({ to }) => to)).toEqual(accounts.map((account) => ({ kind: 'person', account })))
  })

  it('P6: the configuration comes before a link, and a link of another tenant is nobody’s', async () => {
    const links: LinkedAccount[] = [
      { service: 'chat', tenant: 'T1', account: '9', subject: 'ana' },
      { service: 'chat', tenant: 'T2', account: '8', subject: 'zoe' },
      { service: 'chat', tenant: 'T1', account: '7', subject: 'zoe' },
    ]
    const found = await routing(PEOPLE, { linked: async () => links }).find(asking('ana', 'zoe'))
    expect(found.map(({ to }) => to)).toEqual([
      { kind: 'person', account: '1' },
      { kind: 'person', account: '7' },
    ])
  })

  const from = (conversation: string, channel = 'chat') =>
    requestWith({}, { origin: { channel, conversation } })

  it.each<[string, Request, string[], boolean, object]>([
    ['the private chat of an approver', from('1'), [], true, { kind: 'person', account: '1' }],
    ['a named group that an approver is in', from('g'), ['g'], true, { kind: 'chat', chat: 'g' }],
    ['a named group that none is in', from('g'), ['g'], false, { kind: 'person', account: '1' }],
    ['P11: a group that is not named', from('g'), [], true, { kind: 'person', account: '1' }],
    ['P11: the private chat of somebody else', from('3'), [], true, { kind: 'person', account: '1' }],
    ['another channel', from('g', 'pet'), ['g'], true, { kind: 'person', account: '1' }],
  ])('a session from %s', async (_, request, namedChats, isIn, place) => {
    const service = { ...routingService, sees: async () => isIn }
    expect((await routing(PEOPLE, { namedChats, service }).find(request)).map(({ to }) => to)).toEqual([
      place,
    ])
  })

  it('P5: a service that can’t tell who is in a group counts as nobody in it', async () => {
    const sees = async () => {
      throw new ChatFault({ kind: 'retry' }, 'down')
    }
    const service = { ...routingService, sees }
    const [place] = await routing(PEOPLE, { namedChats: ['g'], service }).find(from('g'))
    expect(place!.to).toEqual({ kind: 'person', account: '1' })
  })

  it('else the chat of the rule, else that of the settings; they see the action, and no other group does', async () => {
    const ruled = requestWith({
      chats: ['other:5', 'chat:g2'],
      conditions: [{ rule: 'r', quorum: 1, approvers: ['zoe'] }],
    })
    const routes = routing(PEOPLE, { defaultChat: 'g1', namedChats: ['g1'] })
    expect((await routes.find(ruled)).map(({ to }) => to)).toEqual([{ kind: 'chat', chat: 'g2' }])
    expect((await routes.find(asking('zoe'))).map(({ to }) => to)).toEqual([{ kind: 'chat', chat: 'g1' }])
    const shown = (chat: string) => routes.showsAction(ruled, { kind: 'chat', chat })
    expect([await shown('g2'), await shown('g1'), await shown('g3')]).toEqual([true, true, false])
    expect(await routes.showsAction(asking('zoe'), { kind: 'chat', chat: 'g2' })).toBe(false)
  })
})

describe('quiet hours', () => {
  const people = { ana: person('1', { quietHours: QUIET }) }
  const placeOf = async (request: Request, canBeSilent: boolean) => {
    const service = { ...routingService, limits: { ...routingService.limits, canBeSilent } }
    return (await routing(people, { service }).find(request))[0]!
  }

  it('make a card silent, where the service can', async () => {
    expect(await placeOf(requestWith({}), true)).toMatchObject({ isSilent: true })
    expect(await placeOf(requestWith({}), true)).not.toHaveProperty('notBefore')
  })

  it.each<[string, Request, number | undefined]>([
    ['no deadline', requestWith({}), NIGHT + 8 * HOUR_MS],
    ['time enough after them', requestWith({}, { deadline: NIGHT + 9 * HOUR_MS }), NIGHT + 8 * HOUR_MS],
    ['P8: too little time after them', requestWith({}, { deadline: NIGHT + 9 * HOUR_MS - 1 }), undefined],
    ['P8: a deadline within them', requestWith({}, { deadline: NIGHT + HOUR_MS }), undefined],
    ['P8: high risk', requestWith({ severity: 'high' }), undefined],
  ])('else hold it back, but not with %s', async (_, request, notBefore) => {
    expect((await placeOf(request, false)).notBefore).toBe(notBefore)
  })
})
