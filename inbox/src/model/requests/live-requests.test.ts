import { effect } from '@preact/signals'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type Client,
  type ClientError,
  createClient,
  type WireRequest,
} from '../../../../src/client/index.ts'
import { type HttpGateway, openHttpGateway } from '../../../../test/fixtures/http-gateway.ts'
import { createLiveRequests, type LiveRequests } from './live-requests.ts'

let http: HttpGateway
let live: LiveRequests
let refused: ClientError[]
beforeEach(async () => {
  http = await openHttpGateway({
    setup: { policy: { allow: ['read_*'], deny: ['*_delete'] }, settings: { expiresInMs: 60_000 } },
  })
  refused = []
})
afterEach(async () => {
  live.close()
  await http.close()
})

function open(token = http.tokens.ben): void {
  const client = createClient({ url: http.server.address.url, token })
  live = createLiveRequests({ client, soon: (run) => run(), onRefused: (error) => refused.push(error) })
}

/** Resolves when it has become so. */
async function until(isSo: () => boolean): Promise<void> {
  let stop = () => {}
  await new Promise<void>((resolve) => {
    stop = effect(() => {
      live.board.changes.value
      if (isSo()) resolve()
    })
  })
  stop()
}

const ids = (requests: readonly WireRequest[]) => requests.map(({ id }) => id)
const decide = (request: WireRequest, decision: 'approve' | 'reject') =>
  createClient({ url: http.server.address.url, token: http.tokens.ana }).decide(request.id, {
    decision,
    digest: request.digest,
  })

describe('the live board', () => {
  it('lists what was there before, and hears of what comes', async () => {
    const before = await http.ask()
    open()
    await until(() => live.isListed.value)
    expect(ids(live.board.pending())).toEqual([before.id])
    expect(live.news.value).toBeUndefined()
    const after = await http.ask()
    await until(() => live.board.get(after.id) !== undefined)
    expect(live.news.value).toMatchObject({ kind: 'new', request: { id: after.id } })
    expect(live.connection.value).toEqual({ kind: 'live' })
  })

  it('shows the first page before the stream is there, and asks after what has gone from it since', async () => {
    const [gone, there] = [await http.ask(), await http.ask()]
    const client = createClient({ url: http.server.address.url, token: http.tokens.ben })
    const stream = Promise.withResolvers<void>()
    async function* events(options: Parameters<Client['events']>[0]) {
      await stream.promise
      yield* client.events(options)
    }
    live = createLiveRequests({
      client: { ...client, events },
      soon: (run) => run(),
      onRefused: (error) => refused.push(error),
    })
    await until(() => live.board.pending().length === 2)
    expect(live.isListed.value).toBe(true)
    await decide(gone, 'reject')
    stream.resolve()
    await until(() => live.board.recent().length === 1)
    expect(ids(live.board.pending())).toEqual([there.id])
    expect(live.board.recent()).toMatchObject([{ id: gone.id, state: 'rejected' }])
  })

  it('what was there before is no news, on whichever page of the list it comes', async () => {
    const asked = await Promise.all(
      Array.from({ length: 40 }, (_, n) => http.ask({ callId: `c${n}`, session: `s${n % 4}` })),
    )
    open()
    await until(() => live.board.pending().length === asked.length)
    expect(live.news.value).toBeUndefined()
  })

  it('shows at once what was answered elsewhere', async () => {
    const request = await http.ask()
    open()
    await until(() => live.isListed.value)
    await decide(request, 'reject')
    await until(() => live.board.recent().length === 1)
    expect(live.board.pending()).toEqual([])
    expect(live.board.recent()[0]).toMatchObject({ state: 'rejected', decision: { by: 'ana' } })
    expect(live.news.value).toMatchObject({ kind: 'changed' })
  })

  it('P5: says of one that expired that it expired', async () => {
    await http.ask()
    open()
    await until(() => live.isListed.value)
    await http.setup.clock.advance(60_000)
    await http.setup.gateway.expire()
    await until(() => live.board.recent()[0]?.state === 'expired')
    expect(live.board.recent()[0]?.decision).toBeUndefined()
  })

  it('knows after a reload what is approved and not yet run', async () => {
    const request = await http.ask()
    await decide(request, 'approve')
    open()
    await until(() => live.isListed.value)
    await until(() => live.board.recent().length === 1)
    expect(live.board.recent()).toMatchObject([{ id: request.id, state: 'approved' }])
  })

  it('P7: shows after a reload what was decided before it, the latest first', async () => {
    const [one, two] = [await http.ask(), await http.ask()]
    await decide(one, 'reject')
    await decide(two, 'reject')
    open()
    await until(() => live.board.recent().length === 2)
    expect(ids(live.board.recent())).toEqual([two.id, one.id])
    expect(live.news.value).toBeUndefined()
  })

  it('asks what became of a request that the list no longer has', async () => {
    const gone = await http.ask()
    const there = await http.ask()
    const client = createClient({ url: http.server.address.url, token: http.tokens.ben })
    await decide(gone, 'reject')
    // As it was before somebody answered while this page was not listening.
    const stale = { ...gone, state: 'pending' as const }
    live = createLiveRequests({ client, soon: (run) => run(), onRefused: (error) => refused.push(error) })
    live.put(stale)
    await until(() => live.isListed.value)
    await until(() => live.board.recent().length === 1)
    expect(ids(live.board.pending())).toEqual([there.id])
    expect(live.board.recent()).toMatchObject([{ id: gone.id, state: 'rejected' }])
  })

  it('shows the calls that nobody was asked about, from before and from now on', async () => {
    await http.send('POST', '/v1/calls', {
      as: 'agent-1',
      body: { tool: 'read_file', arguments: {}, callId: 'r1', session: 's1' },
    })
    await http.setup.gateway.flush()
    open()
    await until(() => live.settled.value.length === 1)
    expect(live.settled.value).toMatchObject([{ kind: 'allowed', tool: 'read_file' }])
    await http.send('POST', '/v1/calls', {
      as: 'agent-1',
      body: { tool: 'user_delete', arguments: {}, callId: 'r2', session: 's1' },
    })
    await http.setup.gateway.flush()
    await until(() => live.settled.value.length === 2)
    expect(live.settled.value.map(({ kind }) => kind).sort()).toEqual(['allowed', 'denied'])
  })

  it('P9: fetches a long call whole', async () => {
    open()
    await until(() => live.isListed.value)
    const long = await http.ask({ arguments: { text: 'x'.repeat(100_000) } })
    await until(() => live.board.get(long.id) !== undefined)
    expect(live.board.get(long.id)?.shortened).toBe(true)
    await live.fetch(long.id)
    expect(live.board.get(long.id)?.arguments).toEqual({ text: 'x'.repeat(100_000) })
  })

  it('P6: ends when the credential is refused', async () => {
    open('bmp_made-up')
    await expect.poll(() => refused.map(({ code }) => code)).toContain('unauthenticated')
  })

  it('says that the connection is lost, and comes back when it is told to hurry', async () => {
    const client = createClient({ url: http.server.address.url, token: http.tokens.ben })
    let isCut = true
    const events: Client['events'] = (options) => {
      const url = isCut ? 'http://127.0.0.1:1' : http.server.address.url
      return createClient({ url, token: http.tokens.ben }).events(options)
    }
    live = createLiveRequests({
      client: { ...client, events },
      soon: (run) => run(),
      onRefused: (error) => refused.push(error),
    })
    await until(() => live.connection.value.kind === 'lost')
    isCut = false
    live.hurry()
    await until(() => live.connection.value.kind === 'live' && live.isListed.value)
  })
})
