import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type PushService, startPushService } from './fixtures/push-service.ts'
import { createPushSender, type PushSender } from './send-push.ts'
import { createVapid, generateVapidKey } from './vapid.ts'

const NOW = Date.parse('2026-05-01T12:00:00Z')
const vapid = createVapid(generateVapidKey(), 'mailto:ops@example.org')

let service: PushService
let sender: PushSender
beforeEach(async () => {
  service = await startPushService()
  sender = createPushSender({ vapid, services: [service.host], now: () => NOW })
})
afterEach(async () => {
  sender.close()
  await service.close()
})

const push = (parts: object = {}) => ({
  endpoint: service.endpoint('a'),
  severity: 'normal' as const,
  ttlMs: 600_000,
  ...parts,
})

describe('one push', () => {
  it('says nothing but that something waits', async () => {
    expect(await sender.send(push())).toEqual({ kind: 'sent' })
    const [{ method, path, headers, body } = expect.fail('nothing came')] = service.received
    expect([method, path, body]).toEqual(['POST', '/push/a', ''])
    expect(headers).toMatchObject({
      'content-length': '0',
      ttl: '600',
      urgency: 'normal',
      topic: expect.stringMatching(/^[\w-]{1,32}$/),
      authorization: expect.stringMatching(/^vapid t=[\w.-]+, k=[\w-]{87}$/),
    })
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers['crypto-key']).toBeUndefined()
    expect(service.received).toHaveLength(1)
  })

  it.each([
    ['low', 'normal'],
    ['normal', 'normal'],
    ['high', 'high'],
    ['critical', 'high'],
  ] as const)('of severity %s is of urgency %s', async (severity, urgency) => {
    await sender.send(push({ severity }))
    expect(service.received[0]?.headers.urgency).toBe(urgency)
  })

  it.each([
    [-5, '60'],
    [61_500, '62'],
    [30 * 86_400_000, '86400'],
  ])('that is worth %i ms is kept for %s s', async (ttlMs, ttl) => {
    await sender.send(push({ ttlMs }))
    expect(service.received[0]?.headers.ttl).toBe(ttl)
  })

  it.each([404, 410])('%i: the subscription is no more', async (status) => {
    service.answer(status)
    expect(await sender.send(push())).toEqual({ kind: 'gone' })
  })

  it.each([429, 500, 503])('%i: it may work later', async (status) => {
    service.answer(status)
    expect(await sender.send(push())).toEqual({ kind: 'failed', why: `${service.host} answered ${status}` })
  })

  it('later, when the service says when', async () => {
    service.answer(429, { 'retry-after': '120' })
    expect(await sender.send(push())).toMatchObject({ kind: 'failed', retryInMs: 120_000 })
    service.answer(503, { 'retry-after': new Date(NOW + 5000).toUTCString() })
    expect(await sender.send(push())).toMatchObject({ kind: 'failed', retryInMs: 5000 })
    service.answer(503, { 'retry-after': 'soon' })
    expect(await sender.send(push())).toEqual({ kind: 'failed', why: `${service.host} answered 503` })
  })

  it.each([400, 401, 403, 413])('%i: it will not work by being tried again', async (status) => {
    service.answer(status)
    expect(await sender.send(push())).toEqual({ kind: 'refused', why: `${service.host} answered ${status}` })
  })

  it('follows nobody to another address', async () => {
    const other = await startPushService()
    for (const status of [301, 302, 307, 308]) {
      service.answer(status, { location: other.endpoint('b') })
      expect(await sender.send(push())).toMatchObject({ kind: 'refused' })
    }
    expect(other.received).toEqual([])
    await other.close()
  })

  it('waits for nobody for ever', async () => {
    service.answer('silent')
    const impatient = createPushSender({ vapid, services: [service.host], now: () => NOW, timeoutMs: 20 })
    expect(await impatient.send(push())).toMatchObject({ kind: 'failed' })
    const waiting = sender.send(push())
    sender.close()
    expect(await waiting).toMatchObject({ kind: 'failed' })
  })

  it('a service that is not there may be there later', async () => {
    const gone = await startPushService()
    await gone.close()
    const lonely = createPushSender({ vapid, services: [gone.host], now: () => NOW })
    expect(await lonely.send(push({ endpoint: gone.endpoint('a') }))).toMatchObject({ kind: 'failed' })
  })

  it('goes nowhere that is not named any more, whatever was kept', async () => {
    const strict = createPushSender({ vapid, services: [], now: () => NOW })
    expect(await strict.send(push())).toMatchObject({ kind: 'refused' })
    expect(service.received).toEqual([])
  })
})
