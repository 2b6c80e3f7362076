/** Calls that somebody else runs: what is left behind of them, and what becomes of it. */
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import type { ToolCall } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import { isNotReported } from '../../core/request.ts'
import { openMemoryStore } from '../../stores/memory/store.ts'
import {
  aCall,
  agent,
  ana,
  approve,
  journalEntriesOf,
  newestRequest,
  openTestGateway,
  otherAgent,
  type TestGateway,
  type TestGatewayOptions,
} from '../fixtures/test-gateway.ts'
import type { HandedOverCall, HandOverInput } from './hand-over.ts'

let setup: TestGateway
afterEach(() => setup.close())

const POLICY = { policy: { allow: ['read'] } }
const TWO_HOURS = 2 * 60 * 60_000

const give = (call: ToolCall, input: Partial<HandOverInput> = {}, actor = agent) =>
  setup.gateway.handOver(call, { joinToken: 'tok_1', reportedAs: call.callId, ...input }, actor)

/** Approved by ana, and handed over. */
async function handedOver(
  parts: Partial<ToolCall> = {},
  input: Partial<HandOverInput> = {},
): Promise<HandedOverCall & { call: ToolCall; requestId: string }> {
  const call = aCall(parts)
  const giving = give(call, input)
  await approve(setup, await newestRequest(setup))
  return { ...((await giving) as HandedOverCall), call } as HandedOverCall & {
    call: ToolCall
    requestId: string
  }
}

const stateOf = async (id: string) => (await setup.store.get(id))?.state
const made = ({ session, callId, tool, arguments: args }: ToolCall) => ({
  session,
  callId,
  tool,
  arguments: args,
  ok: true,
})

describe.each<[string, Partial<TestGatewayOptions>]>([
  ['memory', { open: (now) => openMemoryStore({ now }) }],
  ['sqlite', {}],
])('on %s, an approved call that is handed over', (_, store) => {
  it('P4: is running for as long as it may take, and needs no renewal', async () => {
    setup = await openTestGateway({ ...POLICY, ...store })
    const { requestId } = await handedOver()
    await setup.clock.advance(TWO_HOURS - 1000)
    await setup.gateway.expire()
    expect(await stateOf(requestId)).toBe('running')
    await setup.clock.advance(1000)
    await setup.gateway.expire()
    expect(await stateOf(requestId)).toBe('unknown')
    const lost = (await journalEntriesOf(setup)).find(({ type }) => type === 'request.lost')
    expect(JSON.parse(lost!.body)).toMatchObject({ state: 'unknown', cause: 'not_reported' })
  })

  it('P10: is done when its runner says so, and later words change nothing', async () => {
    setup = await openTestGateway({ ...POLICY, ...store })
    const { call, requestId } = await handedOver()
    await setup.gateway.reportHandedOver(made(call), agent)
    await setup.gateway.reportHandedOver({ ...made(call), ok: false }, agent)
    expect((await setup.store.get(requestId))?.progress.outcome).toMatchObject({ kind: 'ok', by: 'agent-1' })
  })

  it('P4: is unknown once the session is over, and done by a late report', async () => {
    setup = await openTestGateway({ ...POLICY, ...store })
    const { call, requestId } = await handedOver()
    expect(await setup.gateway.endHandedOver(call.session, otherAgent)).toBe(0)
    expect(await stateOf(requestId)).toBe('running')
    expect(await setup.gateway.endHandedOver(call.session, agent)).toBe(1)
    expect(await stateOf(requestId)).toBe('unknown')
    expect(await setup.gateway.endHandedOver(call.session, agent)).toBe(0)
    await setup.gateway.reportHandedOver(made(call), agent)
    expect((await setup.store.get(requestId))?.progress.outcome).toMatchObject({ kind: 'ok', late: true })
  })

  it('P4: is not given a second time, by its id or by any other key', async () => {
    setup = await openTestGateway({ ...POLICY, ...store })
    const { call } = await handedOver()
    expect(await give(call)).toMatchObject({ kind: 'refused', state: 'running' })
    await setup.gateway.reportHandedOver(made(call), agent)
    expect(await give(call)).toMatchObject({ kind: 'refused', state: 'done' })
  })
})

describe('a call that is handed over', () => {
  it('P4: survives a restart of the server: it is reported, or ended, by the next one', async () => {
    setup = await openTestGateway(POLICY)
    const first = await handedOver()
    const second = await handedOver()
    setup = await setup.restart()
    await setup.gateway.reportHandedOver(made(first.call), agent)
    expect(await stateOf(first.requestId)).toBe('done')
    await setup.gateway.endHandedOver(second.call.session, agent)
    expect(await stateOf(second.requestId)).toBe('unknown')
  })

  it('P6: is reported by nobody else', async () => {
    setup = await openTestGateway(POLICY)
    const { call, requestId } = await handedOver()
    await setup.gateway.reportHandedOver(made(call), otherAgent)
    await setup.gateway.reportHandedOver({ ...made(call), callId: undefined }, otherAgent)
    expect(await stateOf(requestId)).toBe('running')
  })

  it('is not reported by the call that only waited for it', async () => {
    setup = await openTestGateway(POLICY)
    const waited = aCall()
    expect(await give(waited, { holdMs: 0 })).toMatchObject({ kind: 'pending' })
    await approve(setup, await newestRequest(setup))
    const joined = { ...waited, callId: 'again' }
    const { requestId } = (await give(joined)) as HandedOverCall
    await setup.gateway.reportHandedOver({ ...made(waited), ok: false }, agent)
    expect(await stateOf(requestId!)).toBe('running')
    await setup.gateway.reportHandedOver(made(joined), agent)
    expect(await stateOf(requestId!)).toBe('done')
  })

  it('says on the record that other arguments were run than a person approved', async () => {
    setup = await openTestGateway(POLICY)
    const { call, requestId } = await handedOver()
    await setup.gateway.reportHandedOver({ ...made(call), arguments: { environment: 'production' } }, agent)
    expect((await setup.store.get(requestId))?.progress.outcome?.summary).toContain('with other arguments')
  })

  it('without an id is found by its tool and arguments, the oldest first', async () => {
    setup = await openTestGateway(POLICY)
    const first = await handedOver({}, { reportedAs: undefined })
    setup.clock.jump(1000)
    const second = await handedOver({}, { reportedAs: undefined })
    const named = await handedOver()
    expect(first.requestId).not.toBe(second.requestId)
    const words = { ...made(first.call), callId: 'an id that nobody was told' }
    await setup.gateway.reportHandedOver({ ...words, arguments: { environment: 'other' } }, agent)
    expect(await stateOf(first.requestId)).toBe('running')
    await setup.gateway.reportHandedOver(words, agent)
    expect([await stateOf(first.requestId), await stateOf(second.requestId)]).toEqual(['done', 'running'])
    await setup.gateway.reportHandedOver(words, agent)
    await setup.gateway.reportHandedOver(words, agent)
    expect(await stateOf(second.requestId)).toBe('done')
    expect(await stateOf(named.requestId)).toBe('running')
  })

  it('P3: tells of an edit when it is handed over and when it is reported', async () => {
    setup = await openTestGateway(POLICY)
    const call = aCall()
    const giving = give(call)
    const { id, digest } = await newestRequest(setup)
    const edited = { environment: 'test' }
    await setup.gateway.decide(id, { decision: 'edit', digest, arguments: edited }, ana)
    expect(await giving).toMatchObject({ kind: 'handed_over', arguments: edited, edited, by: 'ana' })
    const reported = await setup.gateway.reportHandedOver({ ...made(call), arguments: edited }, agent)
    expect(reported).toEqual({ edited, by: 'ana', foundBy: 'id' })
    expect((await setup.store.get(id))?.progress.outcome?.summary).toBeUndefined()
  })

  it('P4: that is given back can be handed over to a repetition of it', async () => {
    setup = await openTestGateway(POLICY)
    const { call, requestId, giveBack } = await handedOver()
    await giveBack('nobody heard it')
    expect(await stateOf(requestId)).toBe('approved')
    expect(await give({ ...call, callId: 'again' })).toMatchObject({ kind: 'handed_over', requestId })
  })

  it('P5: a caller who is gone when it is approved leaves no claim', async () => {
    setup = await openTestGateway(POLICY)
    const gone = new AbortController()
    const giving = give(aCall(), { signal: gone.signal })
    const request = await newestRequest(setup)
    gone.abort()
    expect(await giving).toMatchObject({ kind: 'pending', because: 'aborted' })
    await approve(setup, request)
    expect(await stateOf(request.id)).toBe('approved')
  })

  it('P5: a caller who goes while it is being claimed leaves no claim', async () => {
    const gone = new AbortController()
    setup = await openTestGateway({
      ...POLICY,
      wrap: (store) => ({
        ...store,
        async transition(change) {
          const result = await store.transition(change)
          if (change.to === 'running') gone.abort()
          return result
        },
      }),
    })
    const giving = give(aCall(), { signal: gone.signal })
    const request = await newestRequest(setup)
    await approve(setup, request)
    expect(await giving).toMatchObject({ kind: 'pending', because: 'aborted' })
    expect(await stateOf(request.id)).toBe('approved')
  })
})

describe('a call that is never reported', () => {
  it.each([
    [undefined, true],
    [true, false],
  ])('asks nobody to settle it, unless its rule does: askOutcome %o', async (askOutcome, expected) => {
    const rule = { name: 'deploys', when: { tool: 'deploy' }, then: 'ask', ...defined({ askOutcome }) }
    setup = await openTestGateway({ policy: { rules: [rule] } })
    const { call, requestId } = await handedOver()
    expect(isNotReported((await setup.store.get(requestId))!)).toBe(false)
    await setup.gateway.endHandedOver(call.session, agent)
    expect(isNotReported((await setup.store.get(requestId))!)).toBe(expected)
    await setup.gateway.settle(requestId, { outcome: 'ok' }, ana)
    expect(await stateOf(requestId)).toBe('done')
  })
})

describe('a call that nobody is asked about', () => {
  const reading = () => aCall({ tool: 'read', arguments: { path: 'a' } })

  it('P10: is on record before it is handed over, and reported once', async () => {
    setup = await openTestGateway(POLICY)
    const call = reading()
    const given = await give(call)
    expect(given).toMatchObject({ kind: 'handed_over', arguments: { path: 'a' } })
    expect(given).not.toHaveProperty('requestId')
    const hold = async () => (await setup.store.lookup(call.session, call.callId, '')).known?.hold
    expect(await hold()).toMatchObject({ state: 'running', by: 'agent-1' })
    await setup.gateway.reportHandedOver(made(call), otherAgent)
    expect(await hold()).toMatchObject({ state: 'running' })
    setup = await setup.restart()
    await setup.gateway.reportHandedOver({ ...made(call), ok: false, summary: 'exit 1' }, agent)
    expect(await hold()).toMatchObject({ state: 'done', outcome: { kind: 'error', summary: 'exit 1' } })
  })

  it('P4: is refused when the same id comes again', async () => {
    setup = await openTestGateway(POLICY)
    const call = reading()
    await give(call)
    expect(await give(call)).toMatchObject({ kind: 'refused', code: 'already_claimed' })
  })

  it('P5: is refused when the record of it fails', async () => {
    let fails = false
    setup = await openTestGateway({
      ...POLICY,
      wrap: (store) => ({
        ...store,
        recordAll: (batch) =>
          fails ? Promise.reject(new BanksmanError('store_unavailable', 'away')) : store.recordAll(batch),
      }),
    })
    fails = true
    expect(await give(reading())).toMatchObject({ kind: 'refused', code: 'store_unavailable' })
    fails = false
  })
})

describe('a call that is waited for in vain', () => {
  it('says for whom, and counts how often, also across restarts', async () => {
    setup = await openTestGateway(POLICY)
    const call = aCall()
    const again = (callId: string) => give({ ...call, callId }, { holdMs: 0 })
    expect(await again('one')).toMatchObject({ kind: 'pending', approvers: ['ana'], times: 1 })
    expect(await again('two')).toMatchObject({ times: 2 })
    setup = await setup.restart()
    expect(await again('three')).toMatchObject({ times: 3 })
    expect((await setup.store.list({ state: 'pending' })).items).toHaveLength(1)
  })

  it('names groups and people as the rule does', async () => {
    setup = await openTestGateway({
      policy: {
        rules: [
          { name: 'both', when: { tool: 'deploy' }, then: 'ask', approvers: ['group:sre', 'ben', 'owner'] },
        ],
      },
    })
    expect(await give(aCall(), { holdMs: 0 })).toMatchObject({ approvers: ['the group sre', 'ben', 'ana'] })
  })

  it('P5: does not become more than a no when it can not be counted', async () => {
    setup = await openTestGateway({
      ...POLICY,
      wrap: (store) => ({
        ...store,
        records: {
          ...store.records,
          get: (kind, key) =>
            kind === 'hand_over_told' ? Promise.reject(new Error('away')) : store.records.get(kind, key),
        },
      }),
    })
    expect(await give(aCall(), { holdMs: 0 })).toMatchObject({ kind: 'pending', times: 1 })
    expect(setup.faults).toHaveLength(1)
  })

  it('two identical calls at once are two requests, and each has an approval of its own', async () => {
    setup = await openTestGateway(POLICY)
    const call = aCall()
    const giving = ['one', 'two'].map((callId) => give({ ...call, callId }))
    await until(async () => (await setup.store.list({ state: 'pending' })).items.length === 2)
    const [first] = (await setup.store.list({ state: 'pending' })).items
    await approve(setup, first!)
    const given = (await Promise.race(giving)) as HandedOverCall
    expect(given).toMatchObject({ kind: 'handed_over', requestId: first!.id })
    expect((await setup.store.list({ state: 'pending' })).items).toHaveLength(1)
    await approve(setup, await newestRequest(setup))
    expect((await Promise.all(giving)).map(({ kind }) => kind)).toEqual(['handed_over', 'handed_over'])
  })
})
