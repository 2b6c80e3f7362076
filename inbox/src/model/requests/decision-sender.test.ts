import { describe, expect, it } from 'vitest'
import { createClient, type WireRequest } from '../../../../src/client/index.ts'
import { wireRequest } from '../../../../test/fixtures/wire-request.ts'
import { createDecisionSender } from './decision-sender.ts'

/** The real client, with a network that the test answers for. */
function setUp(...replies: (Response | Error)[]) {
  const sent: string[] = []
  const put: WireRequest[] = []
  const refused: string[] = []
  let open: (() => void) | undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const client = createClient({
    url: 'http://here',
    token: 'bmp_x',
    async fetch(url, init) {
      sent.push(`${init.method} ${url} ${String(init.body)}`)
      await gate
      const reply = replies.shift()
      if (reply instanceof Response) return reply
      throw reply ?? new TypeError('nobody is there')
    },
  })
  let held: WireRequest | undefined
  const answers = createDecisionSender({
    client,
    live: {
      put: (request) => put.push(request),
      async fetch() {
        if (held !== undefined) put.push(held)
        return held
      },
    },
    subject: 'ana',
    onRefused: ({ code }) => refused.push(code),
  })
  const hold = (request: WireRequest) => {
    held = request
  }
  return { answers, sent, put, refused, hold, open: () => open?.() }
}

const input = { decision: 'approve', digest: 'd1' } as const
const decision: NonNullable<WireRequest['decision']> = {
  kind: 'approve',
  by: 'ana',
  at: '2026-01-01T00:00:00.000Z',
  via: 'http',
  digest: 'd1',
}
const problem = (code: string, status: number) =>
  new Response(JSON.stringify({ code, status, detail: code }), { status })

describe('answers', () => {
  it('P2: however often a button is pressed, one decision is sent', async () => {
    const decided = wireRequest({ state: 'approved', version: 2, decision })
    const { answers, sent, put, open } = setUp(
      Response.json({ request: decided, decided: true, repeated: false }),
    )
    const request = wireRequest()
    const presses = [answers.send(request, input), answers.send(request, input), answers.send(request, input)]
    expect(answers.sending.value).toEqual(new Set(['req_1']))
    open()
    expect(await Promise.all(presses)).toEqual(['recorded', 'ignored', 'ignored'])
    expect(await answers.send(request, input)).toBe('ignored')
    expect(sent).toEqual([
      'POST http://here/v1/requests/req_1/decisions {"decision":"approve","digest":"d1"}',
    ])
    expect(put).toEqual([decided])
    expect(answers.sending.value.size).toBe(0)
    expect(answers.isFromHere(decided)).toBe(true)
  })

  it('a vote can be given again to a request that has changed since', async () => {
    const voted = wireRequest({ version: 2 })
    const { answers, sent, open } = setUp(
      Response.json({ request: voted, decided: false, repeated: false }),
      Response.json({ request: voted, decided: false, repeated: true }),
    )
    open()
    expect(await answers.send(wireRequest(), input)).toBe('recorded')
    expect(await answers.send(wireRequest({ version: 3 }), input)).toBe('recorded')
    expect(sent).toHaveLength(2)
  })

  it('P2: who was too late is told, and gets what was recorded', async () => {
    const { answers, put, hold, open } = setUp(problem('already_decided', 409))
    const theirs = wireRequest({
      state: 'rejected',
      version: 2,
      decision: { ...decision, kind: 'reject', by: 'ben' },
    })
    hold(theirs)
    open()
    await answers.send(wireRequest(), input)
    expect(answers.failures.value.get('req_1')?.code).toBe('already_decided')
    expect(put).toEqual([theirs])
    expect(answers.isFromHere(theirs)).toBe(false)
  })

  it('P5: an answer that was recorded though nobody was heard is not called another’s', async () => {
    const { answers, open } = setUp()
    open()
    await answers.send(wireRequest(), input)
    expect(answers.failures.value.get('req_1')?.code).toBe('unreachable')
    expect(answers.isFromHere(wireRequest({ state: 'approved', version: 2, decision }))).toBe(true)
    const other = { ...decision, kind: 'reject' } as const
    expect(answers.isFromHere(wireRequest({ state: 'rejected', version: 2, decision: other }))).toBe(false)
  })

  it('P2: an answer of which nothing was heard is looked up: it is recorded where the server has it, and not sent again', async () => {
    const found = setUp(new TypeError('cut'))
    found.hold(wireRequest({ state: 'approved', version: 2, decision }))
    found.open()
    expect(await found.answers.send(wireRequest(), input)).toBe('recorded')
    expect(found.answers.failures.value.size).toBe(0)
    expect(await found.answers.send(wireRequest(), input)).toBe('ignored')
    expect(found.sent).toHaveLength(1)
    const others = [
      { ...decision, by: 'ben' },
      { ...decision, kind: 'reject' },
      { ...decision, digest: 'd0' },
    ] as const
    for (const other of others) {
      const lost = setUp(new TypeError('cut'))
      lost.hold(wireRequest({ state: 'approved', version: 2, decision: other }))
      lost.open()
      expect(await lost.answers.send(wireRequest(), input)).toBe('failed')
      expect(lost.answers.failures.value.get('req_1')?.code).toBe('unreachable')
    }
  })

  it('can be tried again after a failure, which is forgotten then', async () => {
    const decided = wireRequest({ state: 'approved', version: 2, decision })
    const again = Response.json({ request: decided, decided: true, repeated: true })
    const { answers, sent, open } = setUp(new TypeError('cut'), again)
    open()
    await answers.send(wireRequest(), input)
    expect(answers.failures.value.size).toBe(1)
    await answers.send(wireRequest(), input)
    expect(answers.failures.value.size).toBe(0)
    expect(sent).toHaveLength(2)
  })

  it('P6: a key that the server refuses ends the visit', async () => {
    const { answers, refused, open } = setUp(problem('unauthenticated', 401))
    open()
    await answers.send(wireRequest(), input)
    expect(refused).toEqual(['unauthenticated'])
  })

  it('P5: that the server was away is not said any longer once it is back; other failures are', async () => {
    const lost = setUp(new TypeError('gone'))
    lost.open()
    expect(await lost.answers.send(wireRequest({ id: 'a' }), input)).toBe('failed')
    expect(lost.answers.failures.value.get('a')?.code).toBe('unreachable')
    lost.answers.reconnected()
    expect(lost.answers.failures.value.size).toBe(0)
    const problem = JSON.stringify({ code: 'edit_denied', detail: 'no', status: 422 })
    const headers = { 'content-type': 'application/problem+json' }
    const denied = setUp(new Response(problem, { status: 422, headers }))
    denied.open()
    await denied.answers.send(wireRequest({ id: 'a' }), input)
    denied.answers.reconnected()
    expect(denied.answers.failures.value.get('a')?.code).toBe('edit_denied')
  })
})
