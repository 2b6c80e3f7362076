import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type Heard,
  type LoopbackServer,
  startLoopbackServer,
} from '../../../test/fixtures/loopback-server.ts'
import type { WireEvent } from '../../wire/types/answers.ts'
import { createTransport } from '../transport/transport.ts'
import { followEvents } from './follow-events.ts'
import type { ConnectionStatus } from './follow-stream.ts'

let server: LoopbackServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

type Line = (response: ServerResponse, heard: Heard) => void

/** Each connection gets the next line; after the last one they hang. */
async function serve(...lines: Line[]): Promise<string> {
  server = await startLoopbackServer((heard, response, index) => {
    const line = lines[index]
    if (line === undefined) return open(response)
    line(response, heard)
  })
  return server.url
}

function open(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
}

function says(...texts: string[]): Line {
  return (response) => {
    open(response)
    for (const text of texts) response.write(text)
  }
}

function breaks(...texts: string[]): Line {
  return (response) => {
    open(response)
    response.write(texts.join(''), () => response.destroy())
  }
}

const event = (cursor: string, type = 'entry') =>
  `id: ${cursor}\nevent: ${type}\ndata: ${JSON.stringify({ type, cursor, entry: { n: cursor } })}\n\n`

/** Pauses are over at once and written down; the silence never comes unless the test lets it. */
function fakeTime() {
  const pauses: number[] = []
  const silences: (() => void)[] = []
  return {
    pauses,
    silences,
    clock: {
      after(delayMs: number, callback: () => void) {
        if (delayMs === 45_000) {
          silences.push(callback)
          return { cancel: () => silences.splice(silences.indexOf(callback), 1) }
        }
        pauses.push(delayMs)
        const soon = setImmediate(callback)
        return { cancel: () => clearImmediate(soon) }
      },
    },
  }
}

function follow(url: string, options: { after?: string } = {}) {
  const time = fakeTime()
  const statuses: ConnectionStatus[] = []
  const controller = new AbortController()
  const host = { transport: createTransport({ url, token: 'bmp_x' }), clock: time.clock, random: () => 1 }
  const stream = followEvents(host, {
    ...options,
    signal: controller.signal,
    onStatus: (status) => statuses.push(status),
  })
  return { stream, statuses, controller, ...time }
}

async function take(stream: AsyncGenerator<WireEvent, void>, count: number): Promise<string[]> {
  const seen: string[] = []
  while (seen.length < count) {
    const { value, done } = await stream.next()
    if (done) break
    seen.push(`${value.type} ${value.cursor}`)
  }
  return seen
}

describe('events', () => {
  it('asks without a cursor first, with the credential in a header', async () => {
    const url = await serve(says(event('1'), event('2', 'request')))
    const { stream, statuses } = follow(url)
    expect(await take(stream, 2)).toEqual(['entry 1', 'request 2'])
    expect(statuses).toEqual([{ kind: 'connected' }])
    expect(server?.heard[0]?.headers).toMatchObject({
      accept: 'text/event-stream',
      authorization: 'Bearer bmp_x',
    })
    expect(server?.heard[0]?.headers['last-event-id']).toBeUndefined()
    await stream.return()
  })

  it('goes on after a given cursor', async () => {
    const url = await serve(says(event('8')))
    const { stream } = follow(url, { after: '7' })
    expect(await take(stream, 1)).toEqual(['entry 8'])
    expect(server?.heard[0]?.headers['last-event-id']).toBe('7')
    await stream.return()
  })

  it('P7: a broken stream is opened again from the last cursor; nothing is lost and nothing comes twice', async () => {
    const url = await serve(
      breaks(event('1'), event('2'), 'id: 3\ndata: {"type":"en'),
      breaks(event('3')),
      says(event('4')),
    )
    const { stream, statuses, pauses } = follow(url)
    expect(await take(stream, 4)).toEqual(['entry 1', 'entry 2', 'entry 3', 'entry 4'])
    expect(server?.heard.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2', '3'])
    expect(statuses.map(({ kind }) => kind)).toEqual(['connected', 'lost', 'connected', 'lost', 'connected'])
    expect(statuses[1]).toMatchObject({ error: { code: 'unreachable' }, retryInMs: 500 })
    expect(pauses).toEqual([500, 500])
    await stream.return()
  })

  it('asks without a cursor again when it breaks before the server gave one', async () => {
    const url = await serve(breaks(': hello\n\n'), says(event('5')))
    const { stream } = follow(url)
    expect(await take(stream, 1)).toEqual(['entry 5'])
    await stream.return()
  })

  it('remembers a cursor that comes without an event, or with one it does not know', async () => {
    const url = await serve(
      breaks('id: 10\n\n'),
      breaks('id: 11\ndata: {"type":"weather","cursor":"11"}\n\n'),
      says(event('12')),
    )
    const { stream } = follow(url)
    expect(await take(stream, 1)).toEqual(['entry 12'])
    expect(server?.heard.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '10', '11'])
    await stream.return()
  })

  it('pauses longer after each failure in a row, and short again once something was heard', async () => {
    const refuse: Line = (response) => response.destroy()
    const busy: Line = (response) => void response.writeHead(503, { 'content-type': 'text/html' }).end('busy')
    const url = await serve(refuse, busy, refuse, breaks(event('1')), says(event('2')))
    const { stream, pauses } = follow(url)
    expect(await take(stream, 2)).toEqual(['entry 1', 'entry 2'])
    expect(pauses).toEqual([500, 1000, 2000, 500])
    await stream.return()
  })

  it('gives up a line on which nothing is heard, and comes back', async () => {
    const url = await serve(says(event('1')), says(event('2')))
    const { stream, silences, statuses } = follow(url)
    expect(await take(stream, 1)).toEqual(['entry 1'])
    const next = take(stream, 1)
    expect(silences).toHaveLength(1)
    silences[0]?.()
    expect(await next).toEqual(['entry 2'])
    expect(statuses[1]).toMatchObject({
      kind: 'lost',
      error: { detail: `nothing was heard from ${url} for 45 s` },
    })
    await stream.return()
  })

  it('P12: time in which the reader is busy does not count as silence', async () => {
    const url = await serve(says(event('1'), event('2')))
    const { stream, silences } = follow(url)
    expect(await take(stream, 1)).toEqual(['entry 1'])
    expect(silences).toEqual([])
    await stream.return()
  })

  it('comes back after an event that it can not read', async () => {
    const url = await serve(says(event('1'), 'id: 2\ndata: {"type":\n\n'), says(event('2')))
    const { stream } = follow(url)
    expect(await take(stream, 2)).toEqual(['entry 1', 'entry 2'])
    expect(server?.heard[1]?.headers['last-event-id']).toBe('1')
    await stream.return()
  })

  it('throws when the credential is refused: trying again is no use', async () => {
    const url = await serve((response) => {
      response.writeHead(401, { 'content-type': 'application/problem+json' })
      response.end(JSON.stringify({ code: 'unauthenticated', detail: 'the key was revoked', status: 401 }))
    })
    const { stream, statuses } = follow(url)
    await expect(stream.next()).rejects.toMatchObject({
      code: 'unauthenticated',
      detail: 'the key was revoked',
    })
    expect(statuses).toEqual([])
  })

  it('throws when what answers is not a stream of events', async () => {
    const url = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
    })
    await expect(follow(url).stream.next()).rejects.toMatchObject({ code: 'unexpected_answer' })
  })

  it('ends quietly when it is aborted while it listens, and lets the connection go', async () => {
    let gone: (() => void) | undefined
    const left = new Promise<void>((resolve) => {
      gone = resolve
    })
    const url = await serve((response) => {
      open(response)
      response.write(event('1'))
      response.on('close', () => gone?.())
    })
    const { stream, controller } = follow(url)
    await stream.next()
    const next = stream.next()
    controller.abort()
    expect(await next).toEqual({ done: true, value: undefined })
    await left
  })

  it('ends quietly when it is aborted while it pauses, and lets the connection go', async () => {
    const url = await serve((response) => response.destroy())
    const controller = new AbortController()
    const clock = { after: () => ({ cancel() {} }) }
    const host = { transport: createTransport({ url, token: 'bmp_x' }), clock, random: () => 1 }
    const stream = followEvents(host, {
      signal: controller.signal,
      onStatus: ({ kind }) => {
        if (kind === 'lost') controller.abort()
      },
    })
    expect(await stream.next()).toEqual({ done: true, value: undefined })
    expect(server?.heard).toHaveLength(1)
  })

  it('lets the connection go when the reader stops', async () => {
    let gone: (() => void) | undefined
    const left = new Promise<void>((resolve) => {
      gone = resolve
    })
    const url = await serve((response) => {
      says(event('1'))(response, {} as Heard)
      response.on('close', () => gone?.())
    })
    const { stream } = follow(url)
    for await (const { type } of stream) if (type === 'entry') break
    await left
  })
})
