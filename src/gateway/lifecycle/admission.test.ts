import { afterEach, describe, expect, it } from 'vitest'
import { openTestGateway, type TestGateway } from '../fixtures/test-gateway.ts'

const ana = { subject: 'ana', role: 'admin', via: 'test' } as const
const bot = { subject: 'bot', role: 'agent', via: 'http' } as const
let setup: TestGateway
afterEach(() => setup.close())

const open = async (limits: { pending: number; perMinute: number }) => {
  setup = await openTestGateway({ policy: { ask: ['*'] }, settings: { limits } })
}
const ask = (
  session: string,
  callId: string,
  text = '',
  actor: typeof bot | { subject: string; role: 'agent'; via: string } = bot,
) => setup.gateway.review({ session, callId, tool: 'send', arguments: { text } }, actor)
const pending = async () => (await setup.gateway.list({ state: 'pending', limit: 1000 }, ana)).items

describe('P5: what one agent may have people asked', () => {
  it('is bounded over all sessions that it names; others go on, and it goes on when some are decided', async () => {
    await open({ pending: 20, perMinute: 10_000 })
    let refused = 0
    for (let at = 0; at < 60; at++)
      await ask(`s${at}`, 'c').catch((error) => {
        expect(error).toMatchObject({
          code: 'too_many_pending',
          message: expect.stringContaining('--agent NAME --all'),
        })
        refused++
      })
    expect((await pending()).length).toBe(20)
    expect(refused).toBe(40)
    await ask('s', 'c', '', { subject: 'other', role: 'agent', via: 'http' })
    for (const { id, digest } of (await pending()).slice(0, 5))
      await setup.gateway.decide(id, { decision: 'reject', digest }, ana)
    await setup.clock.advance(1000)
    await ask('new', 'c')
  })

  it('is at most half for one session', async () => {
    await open({ pending: 20, perMinute: 10_000 })
    let opened = 0
    for (let at = 0; at < 30; at++)
      opened += await ask('wild', `c${at}`).then(
        () => 1,
        () => 0,
      )
    expect(opened).toBe(10)
    await ask('calm', 'c')
  })

  it('is bounded in a minute, and a long call counts for several', async () => {
    await open({ pending: 10_000, perMinute: 30 })
    for (let at = 0; at < 15; at++) await ask(`s${at}`, 'c')
    await ask('long', 'c', 'x'.repeat(14 * 64 * 1024))
    await expect(ask('one-more', 'c')).rejects.toMatchObject({ code: 'rate_limited' })
    await setup.clock.advance(60_000)
    await ask('one-more', 'c')
  })
})

describe('P11: a revoked token of an agent', () => {
  const make = () => setup.gateway.tokens.create({ role: 'agent', subject: 'bot' }, ana)
  const states = async (...ids: string[]) =>
    Promise.all(ids.map(async (id) => (await setup.gateway.get(id, ana)).state))

  it('takes what it asked with it, and not what another token of the same agent may still want', async () => {
    await open({ pending: 20, perMinute: 100 })
    const [first, second] = [await make(), await make()]
    const one = (await ask('s1', 'c')).request!
    const two = (await ask('s2', 'c')).request!
    const other = (await ask('s3', 'c', '', { subject: 'other', role: 'agent', via: 'http' })).request!
    await setup.gateway.decide(two.id, { decision: 'approve', digest: two.digest }, ana)
    await setup.gateway.tokens.revoke(first.token.id, ana)
    expect(await states(one.id, two.id)).toEqual(['pending', 'approved'])
    await setup.gateway.tokens.revoke(second.token.id, ana)
    expect(await states(one.id, two.id, other.id)).toEqual(['cancelled', 'cancelled', 'pending'])
  })

  it('hands it over when it is rotated', async () => {
    await open({ pending: 20, perMinute: 100 })
    const { token, secret } = await make()
    const { id } = (await ask('s1', 'c')).request!
    const rotated = await setup.gateway.tokens.rotate(token.id, ana)
    expect(rotated.token).toMatchObject({ role: 'agent', subject: 'bot' })
    expect(await setup.gateway.tokens.authenticate(secret)).toBeUndefined()
    expect(await setup.gateway.tokens.authenticate(rotated.secret)).toBeDefined()
    expect(await states(id)).toEqual(['pending'])
    await expect(setup.gateway.tokens.rotate(token.id, ana)).rejects.toMatchObject({ code: 'invalid' })
    await expect(setup.gateway.tokens.rotate('none', ana)).rejects.toMatchObject({ code: 'unknown_id' })
    await expect(setup.gateway.tokens.rotate(rotated.token.id, bot)).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})

describe('P5: what one agent may have people asked, at the same time and again', () => {
  it('is bounded where all calls come at once', async () => {
    await open({ pending: 20, perMinute: 10_000 })
    await Promise.allSettled(Array.from({ length: 300 }, (_, at) => ask(`s${at}`, 'c')))
    expect((await pending()).length).toBeLessThanOrEqual(20)
  })

  it('is bounded in a minute where all calls come at once', async () => {
    await open({ pending: 1000, perMinute: 30 })
    await Promise.allSettled(Array.from({ length: 300 }, (_, at) => ask(`s${at}`, 'c')))
    expect((await pending()).length).toBeLessThanOrEqual(30)
  })

  it('counts a call that is asked about once more', async () => {
    await open({ pending: 20, perMinute: 10_000 })
    const again = (session: string) =>
      setup.gateway
        .review({ session, callId: 'c', tool: 'send', arguments: { text: '' } }, bot, { asksAgain: true })
        .catch(() => {})
    const names = [0, 1, 2].map((round) => Array.from({ length: 20 }, (_, at) => `s${round}-${at}`))
    for (const round of names) {
      for (const name of round) await again(name)
      await setup.clock.advance(2 * 86_400_000)
    }
    expect(await pending()).toEqual([])
    for (const name of names.flat()) await again(name)
    expect((await pending()).length).toBeLessThanOrEqual(20)
  })
})
