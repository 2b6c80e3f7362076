import { afterEach, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway, type Who } from '../../../test/fixtures/http-gateway.ts'
import { createClient } from '../../client/index.ts'

const SECRET = `ghp_${'a1B2'.repeat(9)}`

describe('brief', () => {
  let brief: HttpGateway
  afterEach(() => brief.close())

  it('lists have no arguments and no text, but title, summary and warnings as ever', async () => {
    brief = await openHttpGateway()
    await brief.ask({ arguments: { to: 'x\u202ey', token: SECRET }, cwd: '/w' })
    const [whole] = (await brief.send('GET', '/v1/requests', { as: 'ana' })).json.items
    const { json, text } = await brief.send('GET', '/v1/requests?brief=true', { as: 'ana' })
    const { title, intent, summary, warnings } = whole.rendering
    expect(json.items).toEqual([
      {
        ...whole,
        arguments: {},
        masks: [],
        shortened: true,
        rendering: { title, intent, summary, warnings, text: '' },
      },
    ])
    expect(text).not.toContain(SECRET)
    expect((await brief.send('GET', '/v1/requests?brief=yes', { as: 'ana' })).status).toBe(400)
  })

  it('P6: people learn how many there are, and agents don’t', async () => {
    brief = await openHttpGateway()
    for (let count = 0; count < 3; count++) await brief.ask()
    const list = async (as: Who, query = '') => (await brief.send('GET', `/v1/requests${query}`, { as })).json
    expect(await list('eve', '?limit=1&brief=true')).toMatchObject({ total: 3, items: [{}] })
    expect(await list('ana', '?state=done')).toEqual({ items: [], total: 0 })
    expect(await list('ana', '?session=s1')).not.toHaveProperty('total')
    expect(await list('agent-1')).toEqual({
      items: [expect.anything(), expect.anything(), expect.anything()],
    })
    await expect(
      brief.setup.gateway.count('pending', { subject: 'agent-1', role: 'agent', via: 'test' }),
    ).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('the client asks for all of it in the same way', async () => {
    brief = await openHttpGateway()
    const { id, digest } = await brief.ask({ arguments: { to: 'here' } })
    const client = createClient({ url: `http://${brief.host}`, token: brief.tokens.ana })
    expect(await client.list({ brief: true })).toMatchObject({ total: 1, items: [{ id, arguments: {} }] })
    expect((await client.view(id)).request).toMatchObject({ id, arguments: { to: 'here' } })
    const edit = { digest, arguments: { to: 'there' } }
    expect(await client.preview(id, edit)).toMatchObject({ verdict: 'ask', newRules: [] })
    const stop = new AbortController()
    for await (const event of client.events({ brief: true, signal: stop.signal })) {
      if (event.type === 'reset') await brief.ask()
      if (event.type !== 'request') continue
      expect(event.request).toMatchObject({ arguments: {}, shortened: true })
      stop.abort()
    }
  })

  it('events come brief where that is asked for', async () => {
    brief = await openHttpGateway()
    for (const [path, args] of [
      ['/v1/events?brief=true', {}],
      ['/v1/events', { to: 'here' }],
    ] as const) {
      const events = await brief.events('ana', undefined, path)
      expect((await events.nextEvent()).type).toBe('reset')
      const { id } = await brief.ask({ arguments: { to: 'here' } })
      expect(await events.nextEvent()).toMatchObject({ type: 'request', request: { id, arguments: args } })
      await events.close()
    }
  })
})
