import { afterEach, describe, expect, it } from 'vitest'
import {
  aCall,
  ana,
  approve,
  ask,
  askedRequest,
  ben,
  eve,
  policyFrom,
} from '../../gateway/fixtures/test-gateway.ts'
import { openPushGateway, type PushGateway } from './fixtures/push-gateway.ts'

let push: PushGateway
afterEach(() => push?.close())

async function open(options?: Parameters<typeof openPushGateway>[0]): Promise<void> {
  push = await openPushGateway(options)
}

describe('whom a push goes to', () => {
  it('P6: to every browser of those who may decide, and to nobody else', async () => {
    await open()
    await push.subscribe('ana')
    await push.subscribe('ben', 'ben-phone')
    await push.subscribe('ben', 'ben-desk')
    await push.subscribe('eve')
    const request = await askedRequest(push.setup)
    push.clock.jump(5000)
    expect(await push.present(request)).toBeUndefined()
    expect(push.pushed().sort()).toEqual(['ana', 'ben-desk', 'ben-phone'])
  })

  it('P6: a rule that names one person has that one told', async () => {
    await open({ policy: policyFrom(() => ask('rule', { approvers: ['ben'] })) })
    await push.subscribe('ana')
    await push.subscribe('ben')
    const request = await askedRequest(push.setup)
    push.clock.jump(5000)
    await push.present(request)
    expect(push.pushed()).toEqual(['ben'])
  })

  it('P6: who is no approver any more is not told', async () => {
    await open()
    await push.subscribe('ben')
    const request = await askedRequest(push.setup)
    push.people.delete('ben')
    push.clock.jump(5000)
    await push.present(request)
    expect(push.pushed()).toEqual([])
  })

  it('P6: who began the conversation is told, for as long as they are known', async () => {
    await open()
    await push.subscribe('eve')
    const review = async () => (await push.setup.gateway.review(aCall({ session: 'of-eve' }), eve)).request!
    const first = await review()
    push.clock.jump(5000)
    await push.present(first)
    expect(push.pushed()).toEqual(['eve'])
    push.clock.jump(60_000)
    const second = await review()
    push.people.delete('eve')
    push.clock.jump(5000)
    await push.present(second)
    expect(push.pushed()).toEqual(['eve'])
  })

  it('P6: a subscription ends with the credential that it was made with', async () => {
    await open()
    const lost = await push.subscribe('ben', 'lost-phone')
    await push.subscribe('ben', 'new-phone')
    await push.setup.gateway.tokens.revoke(lost, ana)
    const request = await askedRequest(push.setup)
    push.clock.jump(5000)
    await push.present(request)
    expect(push.pushed()).toEqual(['new-phone'])
    expect((await push.subscribing().state('ben')).subscriptions).toHaveLength(1)
  })

  it('who has already approved is not asked again', async () => {
    await open({ policy: policyFrom(() => ask('rule', { quorum: 2 })) })
    await push.subscribe('ana')
    await push.subscribe('ben')
    const request = await askedRequest(push.setup)
    await approve(push.setup, request, ana)
    push.clock.jump(5000)
    await push.present(request)
    expect(push.pushed()).toEqual(['ben'])
  })
})

describe('when a push goes out', () => {
  it('not before it has waited a while, and not for what was answered by then', async () => {
    await open()
    await push.subscribe('ana')
    const request = await askedRequest(push.setup)
    expect(await push.present(request)).toBe(5000)
    push.clock.jump(4000)
    expect(await push.present(request)).toBe(1000)
    await approve(push.setup, request, ben)
    push.clock.jump(1000)
    expect(await push.present(request)).toBeUndefined()
    expect(push.pushed()).toEqual([])
  })

  it('once for a burst, and again for what comes later and still waits after half a minute', async () => {
    await open()
    await push.subscribe('ana')
    const burst = [
      await askedRequest(push.setup),
      await askedRequest(push.setup),
      await askedRequest(push.setup),
    ]
    push.clock.jump(5000)
    expect(await Promise.all(burst.map(push.present))).toEqual([undefined, undefined, undefined])
    expect(push.pushed()).toHaveLength(1)
    push.clock.jump(1000)
    const later = await askedRequest(push.setup)
    const answered = await askedRequest(push.setup)
    push.clock.jump(5000)
    expect([await push.present(later), await push.present(answered)]).toEqual([24_000, 24_000])
    await approve(push.setup, answered, ben)
    push.clock.jump(24_000)
    expect([await push.present(answered), await push.present(later)]).toEqual([undefined, undefined])
    expect(push.pushed()).toHaveLength(2)
    expect(await push.present(later)).toBeUndefined()
    expect(push.pushed()).toHaveLength(2)
  })

  it('not in quiet hours; when they are over, if it still waits', async () => {
    await open()
    await push.subscribe('ana', 'ana', ['11:00', '13:30'])
    await push.subscribe('ben')
    const request = await askedRequest(push.setup)
    push.clock.jump(5000)
    expect(await push.present(request)).toBe(90 * 60_000 - 5000)
    expect(push.pushed()).toEqual(['ben'])
    push.clock.jump(90 * 60_000 - 5000)
    expect(await push.present(request)).toBeUndefined()
    expect(push.pushed()).toEqual(['ben', 'ana'])
  })

  it('with the urgency and for the time that the request has', async () => {
    await open({ policy: policyFrom(() => severe()), settings: { expiresInMs: 600_000 } })
    await push.subscribe('ana')
    const request = await askedRequest(push.setup)
    push.clock.jump(5000)
    await push.present(request)
    expect(push.service.received[0]?.headers).toMatchObject({ urgency: 'high', ttl: '595' })
    function severe() {
      const verdict = ask('rule')
      return { ...verdict, terms: { ...verdict.terms, severity: 'critical' as const } }
    }
  })
})

describe('when a push fails', () => {
  it('a subscription that is no more is forgotten', async () => {
    await open()
    await push.subscribe('ana')
    push.service.answer(410)
    const request = await askedRequest(push.setup)
    push.clock.jump(5000)
    expect(await push.present(request)).toBeUndefined()
    expect(await push.setup.store.settings.get('push:ana')).toEqual([])
    expect(await push.channel().reaches?.(['ana'])).toBe(false)
  })

  it('it is tried again with growing pauses, and given up in the end', async () => {
    await open()
    await push.subscribe('ana')
    push.service.answer(503)
    const request = await askedRequest(push.setup)
    push.clock.jump(5000)
    const pauses: number[] = []
    for (let attempt = 0; attempt < 20; attempt++) {
      const again = await push.present(request)
      if (again === undefined) break
      pauses.push(again / 1000)
      push.clock.jump(again)
    }
    expect(pauses).toEqual([15, 30, 60, 120, 240, 480, 900])
    expect(push.pushed()).toHaveLength(8)
    expect(push.faults.map(({ doing }) => doing)).toEqual(['pushing to ana', 'pushing to ana; given up'])
    push.service.answer(201)
    push.clock.jump(60_000)
    const next = await askedRequest(push.setup)
    push.clock.jump(5000)
    expect(await push.present(next)).toBeUndefined()
    expect(push.pushed()).toHaveLength(9)
  })

  it('a failing browser does not keep the others waiting, nor has them told twice', async () => {
    await open()
    await push.subscribe('ana')
    const request = await askedRequest(push.setup)
    push.clock.jump(5000)
    push.service.answer(429, { 'retry-after': '100' })
    expect(await push.present(request)).toBe(100_000)
    await push.subscribe('ben')
    push.service.answer(201)
    expect(await push.present(request)).toBe(100_000)
    push.clock.jump(100_000)
    expect(await push.present(request)).toBeUndefined()
    expect(push.pushed()).toEqual(['ana', 'ben', 'ana'])
  })

  it('a service that says to come back next year is asked sooner', async () => {
    await open()
    await push.subscribe('ana')
    const request = await askedRequest(push.setup)
    push.clock.jump(5000)
    push.service.answer(503, { 'retry-after': '31536000' })
    expect(await push.present(request)).toBe(900_000)
  })
})
