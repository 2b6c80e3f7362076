import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type HttpGateway,
  type HttpGatewayOptions,
  openHttpGateway,
  type SocketReader,
} from '../../../test/fixtures/http-gateway.ts'
import { ana } from '../../gateway/fixtures/test-gateway.ts'
import type {
  ClientSocket,
  DoorCaller,
  SocketClient,
  SocketDoor,
  SocketHandshake,
} from '../../people/door.ts'

let http: HttpGateway
afterEach(() => http.close())

interface Guest {
  wire: ClientSocket
  visit: SocketHandshake
  caller?: DoorCaller | undefined
  heard: (string | undefined)[]
  gone: number
}

/** A channel that takes the first frame for a token, and says every other one again. */
async function open(door: Partial<SocketDoor> = {}, options: HttpGatewayOptions = {}): Promise<Guest[]> {
  const guests: Guest[] = []
  const mounted: SocketDoor = {
    kind: 'socket',
    channel: 'pet',
    paths: ['/pet/ws', '/ws'],
    summary: 'Talk to the pet.',
    maxFrameBytes: 32 * 1024,
    helloWithinMs: 5000,
    open: (wire, visit) => welcome(guests, wire, visit),
    ...door,
  }
  http = await openHttpGateway({ ...options, http: { doors: [mounted], ...options.http } })
  return guests
}

function welcome(guests: Guest[], wire: ClientSocket, visit: SocketHandshake): SocketClient {
  const guest: Guest = { wire, visit, heard: [], gone: 0 }
  guests.push(guest)
  return {
    hear(text) {
      guest.heard.push(text)
      if (guest.caller !== undefined) return void wire.send(text ?? '"binary"')
      void visit.identify(text ?? '').then((caller) => {
        guest.caller = caller
        wire.send(JSON.stringify({ you: caller?.actor.subject ?? null }))
      })
    },
    gone() {
      guest.gone++
    },
  }
}

async function greet(as: keyof HttpGateway['tokens'] = 'ana'): Promise<SocketReader> {
  const reader = http.socket({ path: '/pet/ws?sessionId=s1' })
  await reader.opened
  reader.send(http.tokens[as])
  expect(await reader.next()).toEqual({ you: as })
  return reader
}

describe('a channel’s socket', () => {
  it('is opened on each of its paths, and frames go both ways, in order', async () => {
    const guests = await open()
    const reader = await greet()
    for (let count = 0; count < 100; count++) reader.send({ count })
    for (let count = 0; count < 100; count++) expect(await reader.next()).toEqual({ count })
    const { visit, caller } = guests[0]!
    expect([visit.query('sessionId'), visit.query('session'), visit.query('constructor')]).toEqual([
      's1',
      undefined,
      undefined,
    ])
    expect([visit.host, visit.locale, visit.protocols]).toEqual([http.host, 'en', []])
    expect(caller).toMatchObject({
      actor: { subject: 'ana', role: 'admin' },
      credential: 'bearer',
      token: expect.stringMatching(/^tok_/),
    })
    const other = http.socket({ path: '/ws' })
    await other.opened
    other.socket.send(Buffer.from('x'))
    await expect.poll(() => guests[1]?.heard).toEqual([undefined])
  })

  it('answers with the subprotocol that the channel chooses, of those that were offered', async () => {
    const guests = await open({
      chooseProtocol: (offered) => offered.find((name) => name.startsWith('token.')) ?? 'never-offered',
    })
    const offered = ['pet', `token.${http.tokens.ben}`]
    const reader = http.socket({ path: '/pet/ws', protocols: offered })
    await reader.opened
    expect(reader.socket.protocol).toBe(offered[1])
    expect(guests[0]!.visit.protocols).toEqual(offered)
    const none = http.socket({ path: '/pet/ws' })
    await none.opened
    expect(none.socket.protocol).toBe('')
  })

  it('P6: is not opened for a page of another origin, or by another name', async () => {
    const guests = await open()
    await expect(http.socket({ path: '/pet/ws', origin: 'http://evil.example' }).opened).rejects.toThrow(
      '403',
    )
    expect(guests).toEqual([])
  })

  it.each(['agent-1', 'wrong'])('P11: knows no %s', async (who) => {
    const guests = await open()
    const reader = http.socket({ path: '/pet/ws' })
    await reader.opened
    reader.send(who === 'wrong' ? 'bmp_wrong' : http.tokens['agent-1'])
    expect(await reader.next()).toEqual({ you: null })
    await http.setup.clock.advance(5000)
    expect(await reader.closed).toMatchObject({ code: 4401 })
    expect(guests[0]!.gone).toBe(1)
  })

  it('P6: is one person’s: another credential is not known on it', async () => {
    const guests = await open()
    await greet('ana')
    const { visit } = guests[0]!
    expect(await visit.identify(http.tokens.ben)).toBeUndefined()
    expect((await visit.identify(http.tokens.ana))?.actor.subject).toBe('ana')
  })

  it('P6: is closed when the credential is revoked', async () => {
    const guests = await open()
    const reader = await greet('ben')
    const { tokens } = http.setup.gateway
    await tokens.revoke((await tokens.list(ana)).find((token) => token.subject === 'ben')!.id, ana)
    expect(await guests[0]!.caller!.stillHolds()).toBe(false)
    await http.setup.clock.advance(15_000)
    expect(await reader.closed).toMatchObject({ code: 4401, reason: 'the credential is no longer valid' })
    expect(guests[0]!.gone).toBe(1)
  })

  it('is closed when the server closes, and the channel hears of it before', async () => {
    const guests = await open({}, { graceMs: 60_000 })
    const reader = await greet()
    const closed = http.server.close()
    expect(guests[0]!.visit.closing.aborted).toBe(true)
    expect(await reader.closed).toEqual({ code: 1012, reason: 'the server is restarting; come back' })
    await closed
    expect(guests[0]!.gone).toBe(1)
  })

  it('tells the channel once that the client has gone, and hears nothing after', async () => {
    const guests = await open()
    const left = await greet()
    left.socket.terminate()
    await expect.poll(() => guests[0]!.gone).toBe(1)
    expect(guests[0]!.wire.send('"x"')).toBe(false)

    const sent = await greet()
    const guest = guests[1]!
    guest.wire.close(4000, 'enough')
    expect(guest.gone).toBe(1)
    guest.wire.close(4001, 'again')
    sent.send({ late: true })
    expect(await sent.closed).toEqual({ code: 4000, reason: 'enough' })
    expect(guest.heard).toHaveLength(1)
    expect(guest.gone).toBe(1)
  })

  it('may be refused by the channel as it comes', async () => {
    let gone = 0
    await open({
      open(wire) {
        wire.close(4000, 'not today')
        return { hear() {}, gone: () => void gone++ }
      },
    })
    expect(await http.socket({ path: '/ws' }).closed).toEqual({ code: 4000, reason: 'not today' })
    expect(gone).toBe(1)
  })

  it('is closed with 1011 on a fault of the channel, which is written down', async () => {
    await open({
      open: () => ({
        hear() {
          throw new Error('broken')
        },
        gone() {},
      }),
    })
    const reader = http.socket({ path: '/ws' })
    await reader.opened
    reader.send('x')
    const { code, reason } = await reader.closed
    expect(code).toBe(1011)
    expect(reason).not.toContain('broken')
    expect(http.setup.faults).toMatchObject([{ doing: 'talking over a socket' }])
  })

  it('frees its place also when the channel fails to take leave', async () => {
    await open(
      {
        open: (wire, visit) => ({
          hear: (text) =>
            void visit.identify(text ?? '').then((caller) => wire.send(JSON.stringify(caller !== undefined))),
          gone() {
            throw new Error('broken')
          },
        }),
      },
      { http: { settings: { connectionsPerToken: 1 } } },
    )
    const knows = async () => {
      const reader = http.socket({ path: '/ws' })
      await reader.opened
      reader.send(http.tokens.ana)
      const known = await reader.next().catch(() => false)
      reader.socket.terminate()
      return known
    }
    expect(await knows()).toBe(true)
    await expect.poll(() => http.setup.faults).toMatchObject([{ doing: 'ending a socket' }])
    expect(await knows()).toBe(true)
  })

  it('is in the description, and plain HTTP is told what it is', async () => {
    await open()
    const { json: api } = await http.send('GET', '/openapi.json', { as: 'ana' })
    expect(api.paths['/pet/ws'].get).toMatchObject({ summary: 'Talk to the pet.', security: [] })
    const { status, json } = await http.send('GET', '/ws', { as: 'ana' })
    expect([status, json.code]).toEqual([400, 'invalid'])
  })
})

describe('memory is bounded', () => {
  it('a 10 MB frame is refused by its header with 1009, at each door by its own limit', async () => {
    const guests = await open()
    const reader = await greet()
    reader.send(`"${'x'.repeat(32 * 1024 - 2)}"`)
    expect(await reader.next()).toHaveLength(32 * 1024 - 2)
    const before = process.memoryUsage().arrayBuffers
    reader.socket.send('x'.repeat(10_000_000))
    expect((await reader.closed).code).toBe(1009)
    expect(guests[0]!.heard).toHaveLength(2)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(25_000_000)

    // By its header alone: nothing of the ten megabytes is ever sent.
    const socket = http.raw()
    socket.write(upgradeRequest())
    await textUntil(socket, '\r\n\r\n')
    const header = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x98, 0x96, 0x80, 0, 0, 0, 0])
    socket.write(header)
    expect(await bytesUntil(socket, 0x88)).toEqual([0x88, 2, 1009 >> 8, 1009 & 255])
    socket.destroy()
  })

  it('a frame in pieces counts as a whole', async () => {
    const guests = await open()
    const reader = await greet()
    for (let count = 0; count < 5; count++) reader.socket.send('x'.repeat(10_000), { fin: false })
    expect((await reader.closed).code).toBe(1009)
    expect(guests[0]!.heard).toHaveLength(1)
  })

  it('a client that never reads is cut off, and the channel learns that nothing was sent', async () => {
    const guests = await open()
    const reader = await greet()
    reader.socket.pause()
    const { wire } = guests[0]!
    const text = `"${'x'.repeat(10_000)}"`
    let sent = 0
    let most = 0
    for (; sent < 10_000 && wire.send(text); sent++) {
      most = Math.max(most, wire.buffered)
      // The kernel takes what it can.
      if (sent % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    expect(sent).toBeLessThan(10_000)
    expect(most).toBeLessThan(1_200_000)
    expect(guests[0]!.gone).toBe(1)
    expect(wire.send(text)).toBe(false)
    reader.socket.terminate()
  })

  it('a thousand sockets that open and say nothing take few places, and are sent away', async () => {
    const guests = await open({}, { http: { settings: { unnamedSockets: 50 } } })
    const named = await greet()
    const sockets = Array.from({ length: 1000 }, () => http.socket({ path: '/pet/ws' }))
    const codes: number[] = []
    for (const { closed } of sockets) void closed.then(({ code }) => codes.push(code))
    await expect.poll(() => codes.length).toBe(950)
    expect(new Set(codes)).toEqual(new Set([1013]))
    expect(guests).toHaveLength(51)
    // Who is known is not touched by it.
    named.send({ still: 'here' })
    expect(await named.next()).toEqual({ still: 'here' })
    await http.setup.clock.advance(5000)
    await expect.poll(() => codes.length).toBe(1000)
    expect(codes.filter((code) => code === 4401)).toHaveLength(50)
    expect(guests.filter(({ gone }) => gone === 1)).toHaveLength(50)
    await greet('ben')
  })

  it('who brings a credential in the handshake gets in past those who say nothing', async () => {
    const secretIn = (offered: readonly string[]) =>
      offered.find((name) => name.startsWith('token.'))?.slice(6)
    const guests = await open(
      { secretIn, chooseProtocol: (offered) => offered[0] },
      { http: { settings: { unnamedSockets: 1 } } },
    )
    const silent = http.socket({ path: '/ws' })
    await silent.opened
    const known = http.socket({ path: '/ws', protocols: [`token.${http.tokens.ana}`] })
    await known.opened
    await expect.poll(() => guests.length).toBe(2)
    for (const token of ['nobody', http.tokens['agent-1']]) {
      const other = http.socket({ path: '/ws', protocols: [`token.${token}`] })
      expect(await other.closed).toMatchObject({ code: 1013 })
    }
    known.socket.terminate()
    silent.socket.terminate()
  })

  it('one credential holds only so many, and a place is free again', async () => {
    await open({}, { http: { settings: { connectionsPerToken: 1 } } })
    const first = await greet()
    const second = http.socket({ path: '/ws' })
    await second.opened
    second.send(http.tokens.ana)
    expect(await second.closed).toMatchObject({ code: 1013 })
    await greet('ben')
    first.socket.terminate()
    await expect.poll(() => greet().then(Boolean, () => false)).toBe(true)
  })

  it('a socket that answers no ping is ended', async () => {
    const guests = await open()
    const reader = await greet()
    reader.socket.pause()
    await http.setup.clock.advance(15_000)
    expect(guests[0]!.gone).toBe(0)
    await http.setup.clock.advance(15_000)
    expect(guests[0]!.gone).toBe(1)
    reader.socket.terminate()
  })
})

function upgradeRequest(): string {
  return (
    `GET /pet/ws HTTP/1.1\r\nhost: ${http.host}\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
    'sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'
  )
}

type Raw = ReturnType<HttpGateway['raw']>

async function textUntil(socket: Raw, end: string): Promise<void> {
  let text = ''
  while (!text.includes(end)) text += String((await once(socket, 'data'))[0])
}

async function bytesUntil(socket: Raw, first: number): Promise<number[]> {
  for (;;) {
    const [data] = (await once(socket, 'data')) as [Buffer]
    if (data[0] === first) return [...data.subarray(0, 4)]
  }
}
