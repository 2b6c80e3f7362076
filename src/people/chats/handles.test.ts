import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/fixtures/property-runs.ts'
import type { Request } from '../../core/request.ts'
import { openMemoryStore } from '../../stores/memory/store.ts'
import { createFakeClock } from '../../testing/fake-clock.ts'
import type { CardAction } from './card/card.ts'
import type { ChatAddress, ChatClick } from './contract.ts'
import { createCards, type FoundCard, newHandle } from './handles.ts'

const DAY_MS = 86_400_000

function setUp() {
  const clock = createFakeClock()
  const store = openMemoryStore({ now: () => clock.now() })
  const cards = createCards({ service: 'telegram', records: store.records, now: () => clock.now() })
  return { clock, cards, records: store.records }
}

const requestOf = (id: string, digest: string, parts: Partial<Request> = {}) =>
  ({ id, digest, state: 'pending', version: 1, deadline: null, progress: {}, ...parts }) as Request

const clickOf = (handle: string, chat: string, message: string, account: string): ChatClick => ({
  event: 'e',
  account: { service: 'telegram', tenant: '', account, isHome: true, proof: {} },
  chat,
  message,
  handle,
})

const actionsOf = (): Record<string, CardAction> => ({
  [newHandle()]: { kind: 'approve' },
  [newHandle()]: { kind: 'reject' },
})

const PLACES: ChatAddress[] = [
  { kind: 'person', account: '1' },
  { kind: 'person', account: '2' },
  { kind: 'chat', chat: 'g1' },
]

const step = fc.oneof(
  fc.record({ kind: fc.constant('open' as const), place: fc.nat({ max: 2 }), request: fc.nat({ max: 2 }) }),
  fc.record({ kind: fc.constant('bind' as const), card: fc.nat({ max: 5 }), message: fc.nat({ max: 3 }) }),
  fc.record({ kind: fc.constant('edit' as const), card: fc.nat({ max: 5 }) }),
  fc.record({
    kind: fc.constant('click' as const),
    handle: fc.nat({ max: 15 }),
    chat: fc.constantFrom('1', '2', 'g1'),
    message: fc.nat({ max: 3 }),
    account: fc.constantFrom('1', '2', '3'),
  }),
)

describe('handles', () => {
  it('P3 P6: whatever happens in whatever order, a handle stands for its action on its own card in its own chat alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const { cards } = setUp()
        const model: { card: FoundCard; place: ChatAddress; message?: { chat: string; message: string } }[] =
          []
        const handles: { handle: string; card: number; action: CardAction; isOld: boolean }[] = []
        const know = (card: number, actions: Record<string, CardAction>) =>
          handles.push(
            ...Object.entries(actions).map(([handle, action]) => ({ handle, card, action, isOld: false })),
          )
        for (const one of steps) {
          if (one.kind === 'open') {
            const [place, actions] = [PLACES[one.place]!, actionsOf()]
            know(model.length, actions)
            const request = requestOf(`req_${one.request}`, 'd0')
            model.push({ place, card: await cards.open(place, { request, actions }) })
          } else if (one.kind === 'bind') {
            const known = model[one.card]
            if (known === undefined || known.message !== undefined) continue
            const chat = known.place.kind === 'chat' ? known.place.chat : known.place.account
            // A service names a message once.
            if (model.some(({ message }) => message?.chat === chat && message.message === `m${one.message}`))
              continue
            known.message = { chat, message: `m${one.message}` }
            await cards.bind(known.card, { ...known.message, at: 1 })
          } else if (one.kind === 'edit') {
            const known = model[one.card]
            if (known === undefined) continue
            const actions = actionsOf()
            for (const handle of handles) if (handle.card === one.card) handle.isOld = true
            know(one.card, actions)
            await cards.show(known.card, { request: requestOf(known.card.request, 'd1'), actions })
          } else {
            const used = handles[one.handle]
            const click = clickOf(used?.handle ?? newHandle(), one.chat, `m${one.message}`, one.account)
            const found = await cards.clicked(click)
            const known = used && model[used.card]
            const isThere =
              known !== undefined &&
              (known.message === undefined
                ? known.place.kind === 'chat'
                  ? known.place.chat === one.chat
                  : known.place.account === one.account
                : known.message.chat === one.chat && known.message.message === `m${one.message}`)
            expect(found?.card.key).toBe(isThere ? known.card.key : undefined)
            expect(found?.action).toEqual(isThere && !used!.isOld ? used!.action : undefined)
          }
        }
      }),
      { numRuns: runs(60) },
    )
  })

  it('are kept for some days after the deadline, and no longer', async () => {
    const { clock, cards } = setUp()
    const actions = actionsOf()
    const request = requestOf('req_1', 'd', { deadline: clock.now() + 1000 })
    const card = await cards.open(PLACES[0]!, { request, actions })
    await cards.bind(card, { chat: '1', message: 'm', at: 1 })
    const click = clickOf(Object.keys(actions)[0]!, '1', 'm', '1')
    clock.jump(6 * DAY_MS)
    expect(await cards.clicked(click)).toBeDefined()
    clock.jump(2 * DAY_MS)
    expect(await cards.clicked(click)).toBeUndefined()
    expect(await cards.ofRequest('req_1')).toEqual([])
  })

  it('a request whose id begins like another’s has cards of its own, and so has a chat', async () => {
    const { cards } = setUp()
    for (const [id, account] of [
      ['req_1', '1'],
      ['req_12', '12'],
    ] as const) {
      const card = await cards.open(
        { kind: 'person', account },
        { request: requestOf(id, 'd'), actions: actionsOf() },
      )
      await cards.bind(card, { chat: account, message: 'm', at: 1 })
    }
    expect((await cards.ofRequest('req_1')).map(({ request }) => request)).toEqual(['req_1'])
    expect((await cards.inChat('1'))!.map(({ request }) => request)).toEqual(['req_1'])
  })

  it('the service’s word on which message it is counts, whatever somebody clicked before', async () => {
    const { cards } = setUp()
    const actions = actionsOf()
    const card = await cards.open(PLACES[2]!, { request: requestOf('req_1', 'd'), actions })
    await cards.bind(card, { chat: 'g1', message: 'another' })
    await cards.bind(card, { chat: 'g1', message: 'm', at: 1 })
    const [handle = ''] = Object.keys(actions)
    expect(await cards.clicked(clickOf(handle, 'g1', 'another', '1'))).toBeUndefined()
    expect(await cards.clicked(clickOf(handle, 'g1', 'm', '1'))).toBeDefined()
    expect(await cards.onMessage({ chat: 'g1', message: 'another' })).toBeUndefined()
  })
})
