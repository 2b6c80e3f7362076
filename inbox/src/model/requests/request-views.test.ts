import { effect, signal } from '@preact/signals'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Client, type ClientError, createClient } from '../../../../src/client/index.ts'
import { type HttpGateway, openHttpGateway } from '../../../../test/fixtures/http-gateway.ts'
import { createLiveRequests, type LiveConnection, type LiveRequests } from './live-requests.ts'
import { createRequestViews, type OpenedView, type RequestViews } from './request-views.ts'

let http: HttpGateway
let ben: Client
let live: LiveRequests
let views: RequestViews
const id = signal<string | undefined>(undefined)
const refused: ClientError[] = []
beforeEach(async () => {
  http = await openHttpGateway()
  ben = createClient({ url: http.server.address.url, token: http.tokens.ben })
  live = createLiveRequests({ client: ben, soon: (run) => run(), onRefused: (error) => refused.push(error) })
  id.value = undefined
  views = createRequestViews({
    client: ben,
    live,
    id: () => id.value,
    onRefused: (error) => refused.push(error),
  })
})
afterEach(async () => {
  views.close()
  live.close()
  await http.close()
})

/** Resolves with what is open once it has become so. */
async function until(isSo: (opened: OpenedView) => boolean): Promise<OpenedView> {
  let stop = () => {}
  const opened = await new Promise<OpenedView>((resolve) => {
    stop = effect(() => {
      if (isSo(views.opened.value)) resolve(views.opened.value)
    })
  })
  stop()
  return opened
}

describe('the view of what is open', () => {
  it('P9: is the whole call, and another one where another request is opened', async () => {
    const [one, other] = [await http.ask({ arguments: { text: 'x'.repeat(100_000) } }), await http.ask()]
    id.value = one.id
    expect(views.opened.value.kind).toBe('loading')
    const opened = await until(({ kind }) => kind === 'view')
    expect(opened).toMatchObject({ isCurrent: true, view: { request: { arguments: one.arguments } } })
    id.value = other.id
    expect(views.opened.value.kind).toBe('loading')
    await until((now) => now.kind === 'view' && now.view.request.id === other.id)
    id.value = undefined
    expect(views.opened.value).toEqual({ kind: 'nothing' })
  })

  it('P3: is not current from the moment something newer is known until that is here', async () => {
    const request = await http.ask()
    id.value = request.id
    await until(({ kind }) => kind === 'view')
    const seen: boolean[] = []
    const stop = effect(() => {
      const now = views.opened.value
      if (now.kind === 'view') seen.push(now.isCurrent)
    })
    await ben.decide(request.id, { decision: 'reject', digest: request.digest })
    const opened = await until((now) => now.kind === 'view' && now.view.request.state === 'rejected')
    stop()
    expect(opened).toMatchObject({ isCurrent: true })
    expect(seen).toEqual([true, false, true])
  })

  it('P6: says that there is none, and tries again when it is told to', async () => {
    id.value = 'req_unknown'
    await until(({ kind }) => kind === 'missing')
    views.again()
    expect(views.opened.value.kind).toBe('loading')
    await until(({ kind }) => kind === 'missing')
  })

  it('P5: says what went wrong', async () => {
    views.close()
    const nowhere = createClient({ url: 'http://127.0.0.1:1', token: 'bmp_x' })
    views = createRequestViews({ client: nowhere, live, id: () => 'req_1', onRefused: () => {} })
    expect(await until(({ kind }) => kind === 'failed')).toMatchObject({ error: { code: 'unreachable' } })
  })

  it('P7: what could not be fetched while the server was away is fetched when the connection is back', async () => {
    const request = await http.ask()
    const nowhere = createClient({ url: 'http://127.0.0.1:1', token: 'bmp_x' })
    const connection = signal<LiveConnection>({ kind: 'live' })
    let isAway = true
    views.close()
    views = createRequestViews({
      client: { view: (...words) => (isAway ? nowhere : ben).view(...words) },
      live: { board: live.board, put: live.put, connection },
      id: () => request.id,
      onRefused: () => {},
    })
    const failed = await until(({ kind }) => kind === 'failed')
    if (failed.kind !== 'failed') throw new Error('it was fetched')
    connection.value = { kind: 'lost', error: failed.error }
    expect(views.opened.value.kind).toBe('failed')
    isAway = false
    connection.value = { kind: 'live' }
    expect(await until(({ kind }) => kind === 'view')).toMatchObject({
      view: { request: { id: request.id } },
    })
  })
})
