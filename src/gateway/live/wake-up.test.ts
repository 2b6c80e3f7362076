import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { Request } from '../../core/request.ts'
import {
  createGatewayNodes,
  createHandledStore,
  type GatewayNodes,
  type HandledStore,
} from '../fixtures/gateway-nodes.ts'
import {
  aCall,
  agent,
  ana,
  approve,
  askedRequest,
  ben,
  newestRequest,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

let nodes: GatewayNodes
let here: TestGateway
let there: TestGateway
let handled: HandledStore

beforeEach(() => {
  nodes = createGatewayNodes()
  handled = createHandledStore()
})
afterEach(() => nodes.close())

async function openBoth(): Promise<void> {
  here = await nodes.open({ wrap: handled.wrap })
  there = await nodes.open()
}

const hintOf = (...ids: string[]) => handled.hint({ local: false, requests: ids })

const reject = (setup: TestGateway, { id, digest }: Request) =>
  setup.gateway.decide(id, { decision: 'reject', digest }, ana)

describe('what another node changes', () => {
  it('P7: wakes whoever waits here, through the file alone', async () => {
    here = await nodes.open()
    there = await nodes.open()
    const request = await askedRequest(here)
    const waiting = here.gateway.wait(request.id)
    await approve(there, request)
    expect((await waiting).state).toBe('approved')
  })

  it('P7: of the requests that a hint names only those are read that somebody waits for', async () => {
    await openBoth()
    const requests = await Promise.all([1, 2, 3, 4].map(() => askedRequest(here)))
    const [watched, ...others] = requests
    const waiting = here.gateway.wait(watched!.id)
    for (const each of requests) await approve(there, each)
    handled.reads.length = 0
    hintOf(...others.map(({ id }) => id))
    await here.clock.advance(0)
    expect(handled.reads).toEqual([])
    hintOf(...requests.map(({ id }) => id))
    expect((await waiting).state).toBe('approved')
    expect(handled.reads).toEqual([watched!.id])
    // What was kept of those that were named was struck out: the next step starts from what is there.
    expect((await here.gateway.wait(others[0]!.id)).state).toBe('approved')
  })

  it('P7: a hint without names reads all that is waited for, some at a time', async () => {
    await openBoth()
    const requests: Request[] = []
    for (let index = 0; index < 450; index++)
      requests.push(await askedRequest(here, { session: `session-${index % 9}` }))
    const waiting = requests.map(({ id }) => here.gateway.wait(id))
    await Promise.all(requests.map((request) => reject(there, request)))
    handled.mostAtOnce = 0
    handled.hint({ local: false })
    expect((await Promise.all(waiting)).every(({ state }) => state === 'rejected')).toBe(true)
    expect(handled.mostAtOnce).toBe(200)
  })

  it('P7: with very many who wait the feed says whom to wake', async () => {
    await openBoth()
    const requests: Request[] = []
    for (let index = 0; index < 520; index++)
      requests.push(await askedRequest(here, { session: `session-${index % 9}` }))
    const waiting = requests.map(({ id }) => here.gateway.wait(id))
    for (const each of waiting) each.catch(() => {}) // Most of them still wait at the end.
    handled.hint({ local: false })
    await here.clock.advance(0)
    for (const index of [7, 300, 519]) {
      await reject(there, requests[index]!)
      handled.reads.length = 0
      handled.hint({ local: false })
      expect((await waiting[index]!).state).toBe('rejected')
      expect(handled.reads).toEqual([requests[index]!.id])
    }
  })

  it('P7: a hint that comes while another is being read is not lost', async () => {
    await openBoth()
    const request = await askedRequest(here)
    const waiting = here.gateway.wait(request.id, { until: ({ state }) => state === 'cancelled' })
    await approve(there, request)
    const held = handled.holdNext()
    hintOf(request.id)
    await until(() => held.waiting() === 1)
    await there.gateway.cancel(request.id, {}, agent)
    hintOf(request.id)
    held.letGo()
    expect((await waiting).state).toBe('cancelled')
  })

  it('P7: a read that was overtaken tells nobody of an older version', async () => {
    const policy = { rules: [{ name: 'two', when: { tool: 'deploy' }, then: 'ask', quorum: 2 }] }
    here = await nodes.open({ wrap: handled.wrap, policy })
    there = await nodes.open({ policy })
    const request = await askedRequest(here)
    const versions: number[] = []
    const waiting = here.gateway.wait(request.id, {
      until({ version, state }) {
        versions.push(version)
        return state === 'cancelled'
      },
    })
    await until(() => versions.length === 1)
    await approve(there, request, ana)
    const held = handled.holdNext()
    hintOf(request.id)
    await until(() => held.waiting() === 1)
    // This node's own change goes past the read that is under way.
    await approve(here, request, ben)
    expect(versions).toEqual([1, 3])
    held.letGo()
    await here.clock.advance(0)
    expect(versions).toEqual([1, 3])
    await here.gateway.cancel(request.id, {}, agent)
    expect((await waiting).state).toBe('cancelled')
  })

  it('P7: whoever gives up is not handed an older version than it has heard of', async () => {
    await openBoth()
    const request = await askedRequest(here)
    const versions: number[] = []
    const waiting = here.gateway.wait(request.id, {
      holdMs: 1000,
      until(news) {
        versions.push(news.version)
        return false
      },
    })
    await until(() => versions.length === 1)
    const held = handled.holdNext()
    await here.clock.advance(1000)
    await until(() => held.waiting() === 1)
    await approve(here, request)
    expect(versions.at(-1)).toBe(2)
    held.letGo()
    expect(await waiting).toMatchObject({ version: 2, state: 'approved' })
  })

  it('P5 P7: what could not be read is read a second later', async () => {
    await openBoth()
    const request = await askedRequest(here)
    const waiting = here.gateway.wait(request.id)
    await here.clock.advance(0)
    await reject(there, request)
    handled.failing = new BanksmanError('store_unavailable', 'down')
    hintOf(request.id)
    await here.clock.advance(2500)
    expect(here.faults.length).toBeGreaterThan(0)
    handled.failing = undefined
    await here.clock.advance(1000)
    expect((await waiting).state).toBe('rejected')
  })

  it('P5: a call that runs here is stopped from there', async () => {
    await openBoth()
    let stopped: unknown
    const guarding = here.gateway.guard(
      aCall(),
      (_, { signal }) =>
        new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => {
            stopped = signal.reason
            resolve()
          })
        }),
    )
    const pending = await newestRequest(there)
    await approve(there, pending)
    hintOf(pending.id)
    const running = await newestRequest(there, 'running')
    await there.gateway.cancel(running.id, { reason: 'enough' }, ana)
    hintOf(running.id)
    expect((await guarding).kind).toBe('ran')
    expect(String(stopped)).toContain('stopped by ana: enough')
  })

  it('P7: an answer that is hinted at before the opening has come back is not missed', async () => {
    let answer: (request: Request) => Promise<void> = async () => {}
    here = await nodes.open({
      wrap(store) {
        const wrapped = handled.wrap(store)
        return {
          ...wrapped,
          async open(opening) {
            const result = await wrapped.open(opening)
            if (result.kind === 'opened') await answer(result.request)
            return result
          },
        }
      },
    })
    there = await nodes.open()
    answer = async (request) => {
      await reject(there, request)
      hintOf(request.id)
    }
    expect(await here.gateway.guard(aCall(), () => expect.unreachable())).toMatchObject({
      kind: 'refused',
      state: 'rejected',
    })
  })

  it('P7: who only looks is told what is there, and not what was seen here last', async () => {
    await openBoth()
    const request = await askedRequest(here)
    await reject(there, request)
    expect((await here.gateway.wait(request.id, { holdMs: 0 })).state).toBe('rejected')
  })
})
