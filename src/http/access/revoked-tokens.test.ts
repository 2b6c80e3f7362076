/** What stays open for a token ends with it: at once where the revocation is heard of, and within a second elsewhere. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway, type Who } from '../../../test/fixtures/http-gateway.ts'
import {
  createGatewayNodes,
  createHandledStore,
  type GatewayNodes,
} from '../../gateway/fixtures/gateway-nodes.ts'
import { ana } from '../../gateway/fixtures/test-gateway.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { Door } from '../../people/door.ts'

let nodes: GatewayNodes
let open: HttpGateway[]
beforeEach(() => {
  nodes = createGatewayNodes()
  open = []
})
afterEach(async () => {
  for (const http of open) await http.close()
  await nodes.close()
})

/** A channel that says nothing until the visit is over. */
const silent: Door = {
  kind: 'credential',
  channel: 'silent',
  method: 'POST',
  path: '/silent',
  summary: 'Nothing.',
  credential: 'bearer',
  maxBodyBytes: 100,
  async answer({ signal }) {
    async function* texts(): AsyncGenerator<string> {
      yield 'begun'
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      yield 'too late'
    }
    return { kind: 'stream', body: texts(), headers: {} }
  },
}

async function node(isHinted = true): Promise<HttpGateway> {
  const wrap = isHinted ? {} : { wrap: createHandledStore().wrap }
  const setup = await nodes.open({ policy: { allow: ['read'] }, ...wrap })
  const http = await openHttpGateway({ around: setup, http: { doors: [silent] } })
  open.push(http)
  return http
}

async function idOf(gateway: Gateway, secret: string): Promise<string> {
  return (await gateway.tokens.authenticate(secret))!.id
}

/** Everything that can stay open for one person. Each resolves when it has ended, with what was said at last. */
async function connect(http: HttpGateway, who: Who, request: string) {
  const events = await http.events(who)
  await events.next()
  const socket = http.socket()
  await socket.opened
  socket.send({ type: 'hello', token: http.tokens[who] })
  await socket.next()
  const door = await fetch(`http://${http.host}/silent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${http.tokens[who]}`, 'content-type': 'application/json' },
    body: '{}',
  })
  const text = door.body!.getReader()
  expect(new TextDecoder().decode((await text.read()).value)).toBe('begun')
  const hold = http.send('GET', `/v1/requests/${request}?hold=60s`, { as: who })
  return {
    events: events.rest(),
    socket: socket.closed,
    door: text.read().then(({ done }) => done),
    hold: hold.then(({ status, json }) => [status, json.code]),
  }
}

async function expectEnded(connected: Awaited<ReturnType<typeof connect>>): Promise<void> {
  expect(await connected.events).not.toContain('data:')
  expect(await connected.socket).toMatchObject({ code: 4401 })
  expect(await connected.door).toBe(true)
  expect(await connected.hold).toEqual([401, 'unauthenticated'])
}

describe('a token that is revoked', () => {
  it('P6: ends its streams, sockets, doors and long polls at once, without the clock', async () => {
    const http = await node()
    const { id } = await http.ask()
    const connected = await connect(http, 'ben', id)
    const other = await http.events('eve')
    await other.next()
    const { gateway } = http.setup
    await gateway.tokens.revoke(await idOf(gateway, http.tokens.ben), ana)
    await expectEnded(connected)
    const { id: next } = await http.ask()
    for (;;) {
      const event = await other.nextEvent()
      if (event.type === 'request' && event.request.id === next) break
    }
    await other.close()
  })

  it('P6: ends them at the other nodes, too', async () => {
    const [here, there] = [await node(), await node()]
    const { id } = await here.ask()
    const connected = await connect(here, 'ben', id)
    const { gateway } = there.setup
    await gateway.tokens.revoke(await idOf(gateway, here.tokens.ben), ana)
    await expectEnded(connected)
  })

  it('P6: ends them within a second where no hint arrives', async () => {
    const [here, there] = [await node(false), await node()]
    const { id } = await there.ask()
    const connected = await connect(here, 'ben', id)
    const { gateway } = there.setup
    await gateway.tokens.revoke(await idOf(gateway, here.tokens.ben), ana)
    await nodes.clock.advance(1000)
    await expectEnded(connected)
  })

  it('P6: an agent is told nothing that was written after the revocation', async () => {
    const http = await node()
    const stream = await http.events('agent-1')
    await stream.next()
    const { gateway } = http.setup
    const revoked = gateway.tokens.revoke(await idOf(gateway, http.tokens['agent-1']), ana)
    await revoked
    const { request } = (await gateway.review(
      { tool: 'deploy', arguments: {}, callId: 'later', session: 's1' },
      { subject: 'agent-1', role: 'agent', via: 'test' },
    )) as { request: { id: string } }
    expect(await stream.rest()).not.toContain(request.id)
  })

  it('P6: a browser that logs out loses what it had open', async () => {
    const http = await node()
    const { gateway } = http.setup
    const { secret } = await gateway.tokens.createLogin({ subject: 'ben', role: 'approver' }, ana)
    const key = await gateway.tokens.login(secret)
    http.tokens.ben = key.secret
    const { id } = await http.ask()
    const connected = await connect(http, 'ben', id)
    expect((await http.send('POST', '/v1/logout', { as: 'ben' })).status).toBeLessThan(300)
    await expectEnded(connected)
  })

  it('P6: one that expires ends them within a second', async () => {
    const http = await node()
    const { gateway } = http.setup
    const made = await gateway.tokens.create({ subject: 'ben', role: 'approver', expiresInMs: 90_000 }, ana)
    http.tokens.ben = made.secret
    const { id } = await http.ask()
    // Shorter than the time after which streams look by themselves.
    await nodes.clock.advance(85_000)
    const connected = await connect(http, 'ben', id)
    await nodes.clock.advance(6000)
    await expectEnded(connected)
  })

  it('a store that fails for a while is followed again afterwards', async () => {
    const handled = createHandledStore()
    const setup = await nodes.open({ policy: {}, wrap: handled.wrap })
    const http = await openHttpGateway({ around: setup })
    open.push(http)
    const stream = await http.events('ben')
    await stream.next()
    handled.failing = new Error('away')
    await nodes.clock.advance(3000)
    handled.failing = undefined
    await setup.gateway.tokens.revoke(await idOf(setup.gateway, http.tokens.ben), ana)
    await nodes.clock.advance(2000)
    await stream.rest().catch(() => {})
  })
})
