/** `client.guard` against a server that fails at each of its steps. Nothing runs twice, and nothing that nobody allowed. */
import { afterEach, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../../src/client/create-client.ts'
import type { RequestState } from '../../src/core/request.ts'
import type { Clock } from '../../src/core/time/clock.ts'
import { aCall, ana, newestRequest } from '../../src/gateway/fixtures/test-gateway.ts'
import { type HttpGateway, openHttpGateway } from '../fixtures/http-gateway.ts'
import { until } from '../fixtures/until.ts'
import { type Fault, type FaultyServer, startFaultyServer } from './faulty-server.ts'
import { SUITE_POLICY } from './suite-policy.ts'

let http: HttpGateway
let faulty: FaultyServer
afterEach(async () => {
  await faulty.close()
  await http.close()
})

/** Pauses pass at once, long waits after a moment: what a test is about is what happens, not when. */
const hasty: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs >= 9_000 ? 300 : Math.min(delayMs, 20))
    return { cancel: () => clearTimeout(timer) }
  },
}

async function open(): Promise<Client> {
  http = await openHttpGateway({ setup: { policy: SUITE_POLICY } })
  faulty = await startFaultyServer(http.server.address.url)
  return createClient({ url: faulty.url, token: http.tokens['agent-1'], clock: hasty })
}

async function approveNewest(): Promise<string> {
  const { id, digest } = await newestRequest(http.setup)
  await http.setup.gateway.decide(id, { decision: 'approve', digest }, ana)
  return id
}

const stateOf = async (id: string) => (await http.setup.store.get(id))?.state
const FAULTS: Fault[] = ['refused', 'answer lost', 'hangs', '500', 'html']

describe('at the first step', () => {
  it.each(FAULTS)('P4 P5: %s: an allowed call runs once all the same', async (fault) => {
    const client = await open()
    faulty.fail(/holds$/, fault)
    const call = aCall({ tool: 'read_file' })
    let runs = 0
    expect(await client.guard(call, () => ++runs)).toMatchObject({ kind: 'ran', ok: true, value: 1 })
    expect(await client.guard(call, () => ++runs)).toMatchObject({ kind: 'refused' })
    expect(runs).toBe(1)
  })

  it.each(FAULTS)('P1 P4: %s: people are asked once, and the call runs once', async (fault) => {
    const client = await open()
    faulty.fail(/holds$/, fault, fault)
    let runs = 0
    const guarding = client.guard(aCall(), () => ++runs)
    const id = await approveNewest()
    expect(await guarding).toMatchObject({ kind: 'ran', requestId: id })
    expect(runs).toBe(1)
    expect((await http.setup.store.list({})).items).toHaveLength(1)
  })

  it('P5: an answer that is none of ours lets nothing run', async () => {
    const client = await open()
    faulty.fail(/holds$/, 'garbage')
    const result = await client.guard(aCall({ tool: 'read_file' }), () => expect.unreachable())
    expect(result).toMatchObject({ kind: 'refused', code: 'unexpected_answer' })
  })

  it('P5: a server that is not there is said to be', async () => {
    await open()
    let now = 0
    const clock = { ...hasty, now: () => (now += 3000) }
    const nowhere = createClient({ url: 'http://127.0.0.1:1', token: 'bma_x', clock })
    const result = await nowhere.guard(aCall(), () => expect.unreachable())
    expect(result).toMatchObject({ kind: 'refused', code: 'server_unreachable', mayRetry: true })
  })
})

describe('after the claim', () => {
  it.each(FAULTS)('P10: %s at the report: it is said again until it is on the record', async (fault) => {
    const client = await open()
    faulty.fail(/outcome$/, fault, fault)
    for (const call of [aCall({ tool: 'read_file' }), aCall()]) {
      let runs = 0
      const guarding = client.guard(call, () => ++runs, { remember: true })
      const id = call.tool === 'read_file' ? undefined : await approveNewest()
      expect(await guarding).toMatchObject({ kind: 'ran', ok: true })
      if (id !== undefined) await until(async () => (await stateOf(id)) === 'done')
      await until(async () => (await client.guard(call, () => ++runs, { remember: true })).kind === 'ran')
      expect(runs).toBe(1)
    }
  })

  it('P4: a result comes with recorded: false when its outcome can not be said in time', async () => {
    const client = await open()
    faulty.fail(/outcome$/, ...Array.from({ length: 40 }, () => 'html' as const))
    const guarding = client.guard(aCall(), () => 1)
    const id = await approveNewest()
    expect(await guarding).toMatchObject({ kind: 'ran', ok: true, recorded: false })
    await until(async () => (await stateOf(id)) === 'done')
  })

  it('P4: a lease that lapses while the tool runs: it is reported late, and nobody else runs it', async () => {
    const client = await open()
    faulty.fail(/renew$/, ...Array.from({ length: 1000 }, () => 'html' as const))
    const call = aCall()
    const guarding = client.guard(call, async () => {
      await http.setup.clock.advance(31_000)
      await http.setup.gateway.expire()
      return 'slow'
    })
    const id = await approveNewest()
    expect(await guarding).toMatchObject({ kind: 'ran', ok: true, value: 'slow' })
    expect((await http.setup.store.get(id))?.progress.outcome).toMatchObject({ kind: 'ok', late: true })
    expect(await client.guard(call, () => expect.unreachable())).toMatchObject({ state: 'done' })
  })

  it.each(['refused', 'answer lost'] as const)('%s at a release: it is given back once', async (fault) => {
    const client = await open()
    const call = aCall()
    const holding = client.hold(call)
    const id = await approveNewest()
    const held = await holding
    if (held.kind !== 'held') throw new Error(held.kind)
    faulty.fail(/release$/, fault)
    await held.release('paused')
    expect(await stateOf(id)).toBe('approved' satisfies RequestState)
    expect((await http.setup.store.get(id))?.progress.released).toHaveLength(1)
  })
})

describe('a laptop that sleeps', () => {
  it('P4: between the claim and the run: nothing runs when the lease may be over', async () => {
    await open()
    let asleepMs = 0
    const clock = { ...hasty, now: () => Date.now() + asleepMs }
    const client = createClient({
      url: faulty.url,
      token: http.tokens['agent-1'],
      clock,
      fetch: async (input, init) => {
        const response = await globalThis.fetch(input, init)
        const text = await response.text()
        if (text.includes('"claimId"')) {
          asleepMs += 60_000
          await http.setup.clock.advance(60_000)
          await http.setup.gateway.expire()
        }
        return new Response(text, { status: response.status, headers: response.headers })
      },
    })
    const guarding = client.guard(aCall(), () => expect.unreachable())
    const id = await approveNewest()
    expect(await guarding).toMatchObject({ kind: 'refused', code: 'lease_lapsed' })
    expect(await stateOf(id)).toBe('unknown')
  })
})

describe('a token that is revoked', () => {
  it('P6: ends the wait with unauthenticated, and nothing runs', async () => {
    const client = await open()
    const guarding = client.guard(aCall(), () => expect.unreachable())
    const request = await newestRequest(http.setup)
    const tokens = await http.setup.store.tokens.list()
    const own = tokens.find(({ subject }) => subject === 'agent-1')!
    await http.setup.gateway.tokens.revoke(own.id, ana)
    await http.setup.clock.advance(1000)
    expect(await guarding).toMatchObject({ kind: 'refused', code: 'unauthenticated', mayRetry: false })
    expect(await stateOf(request.id)).toBe('cancelled')
  })
})

describe('forecasts from elsewhere', () => {
  it('P11: sixty a minute for a token, and then no more', async () => {
    const client = await open()
    const codes = new Set<unknown>()
    for (let time = 0; time < 61; time++)
      await client.judge(aCall()).then(
        ({ kind }) => codes.add(kind),
        ({ code, status }) => codes.add(`${status} ${code}`),
      )
    expect([...codes]).toEqual(['ask', '429 rate_limited'])
    const other = createClient({ url: faulty.url, token: http.tokens['agent-2'] })
    expect(await other.judge(aCall({ session: 'mine' }))).toMatchObject({ kind: 'ask' })
  })
})
