import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../../test/fixtures/until.ts'
import { BanksmanError } from '../../../core/errors.ts'
import { ana, ben, newestRequest, openTestGateway } from '../../../gateway/fixtures/test-gateway.ts'
import type { Engine, EngineTurn, OpenEngine } from '../../sessions/engine.ts'
import { createSessionHost } from '../../sessions/session-host.ts'
import type { SecretarySettings } from '../secretary-settings.ts'
import { createSessionRecords, type SessionRecords } from '../session-records.ts'
import { superviseEngine } from './supervise-engine.ts'

const SETTINGS: SecretarySettings = { language: 'en', sessionsPerPerson: 5, budget: {} }
const CALL = { tool: 'deploy', arguments: { to: 'staging' }, callId: 'c1' }
const DONE = { status: 'completed', text: 'done', heard: 0 } as const

/** A session `s1` of ben's whose turns are run by the function. */
async function open(
  runTurn: OpenEngine['runTurn'],
  changes: {
    settings?: Partial<SecretarySettings>
    records?: (records: SessionRecords) => SessionRecords
  } = {},
) {
  const setup = await openTestGateway({ policy: { allow: ['look'] } })
  const { gateway, store, clock } = setup
  const records = createSessionRecords(store.records)
  const expired: string[] = []
  const engine: Engine = {
    kind: 'test',
    lease: 'open',
    describe: () => ({ model: 'm', tools: [] }),
    open: async () => ({ runTurn, close: async () => {} }),
  }
  const supervised = superviseEngine(engine, {
    records: changes.records?.(records) ?? records,
    placeOf: async () => ({ folder: '/shop' }),
    settings: { ...SETTINGS, ...changes.settings },
    idleMs: 1000,
    reasonOf: async (id) => (await gateway.get(id, ana)).progress.decision?.reason,
    observe: () => {},
    expired: (session, request) => expired.push(`${session} ${request}`),
    clock,
    report: () => {},
  })
  const host = createSessionHost({
    gateway,
    agents: new Map([['main', supervised]]),
    defaultAgent: 'main',
    clock,
    report: () => {},
  })
  onTestFinished(async () => {
    const closing = host.close()
    await clock.advance(20_000)
    await closing
    await setup.close()
  })
  await host.open({ session: 's1' }, ben)
  const used = { turns: 0, workedMs: 0 }
  const about = { owner: 'ben', agent: 'main', folder: '/shop', createdAt: 0, lastAt: 0 }
  await records.create('s1', { ...about, used, extended: 0 })
  async function say(text = 'go'): Promise<string | undefined> {
    const { turn } = await host.say({ session: 's1', text }, ben)
    let status: string | undefined
    await until(async () => {
      status = (await host.progress('s1', ana, turn)).turn?.ended?.status
      return status !== undefined
    })
    return status
  }
  return { setup, host, records, expired, say, supervised, clock }
}

describe('an engine that is supervised', () => {
  it('gives people so long to answer, and tells who was not answered', async () => {
    let because = ''
    const { setup, host, expired } = await open(
      async (turn) => {
        const held = await turn.hold(CALL)
        if (held.kind === 'refused') because = held.because
        return DONE
      },
      { settings: { approvalTimeoutMs: 5000 } },
    )
    await host.say({ session: 's1', text: 'go' }, ben)
    const request = await newestRequest(setup)
    expect(request.expiresInMs).toBe(5000)
    await setup.clock.advance(6000)
    await until(() => because !== '')
    expect(because).toBe('Nobody answered in time, so it was not allowed')
    expect(expired).toEqual([`s1 ${request.id}`])
  })

  it('a call that is made again under another id joins the request that waits', async () => {
    const seen: string[] = []
    const { promise: later, resolve: goOn } = Promise.withResolvers<void>()
    const { setup, host } = await open(async (turn) => {
      const first = await turn.hold(CALL, { holdMs: 0 })
      seen.push(`${first.kind} ${first.requestId}`)
      await later
      const second = await turn.hold({ ...CALL, callId: 'c2' })
      seen.push(`${second.kind} ${second.requestId}`)
      if (second.kind === 'held') await second.report({ ok: true })
      return DONE
    })
    await host.say({ session: 's1', text: 'go' }, ben)
    await until(() => seen.length === 1)
    const request = await newestRequest(setup)
    await setup.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, ben)
    // Whoever made the first call doesn't come back.
    await setup.clock.advance(20_000)
    goOn()
    await until(() => seen.length === 2)
    expect(seen).toEqual([`pending ${request.id}`, `held ${request.id}`])
  })

  it('what its model costs is counted, and its owner asked when that is too much', async () => {
    const turns: EngineTurn[] = []
    const { setup, host, records, say } = await open(
      async (turn) => {
        turns.push(turn)
        return { ...DONE, costUsd: 0.6 }
      },
      { settings: { budget: { costUsd: 1 } } },
    )
    expect([await say(), await say()]).toEqual(['completed', 'completed'])
    expect((await records.find('s1'))?.used).toMatchObject({ turns: 2, costUsd: 1.2 })
    await host.say({ session: 's1', text: 'more' }, ben)
    const request = await newestRequest(setup)
    expect(request).toMatchObject({ tool: 'continue_session', because: expect.stringContaining('$1.20') })
    expect(turns).toHaveLength(2)
    await setup.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, ben)
    await until(() => turns.length === 3)
    expect((await records.find('s1'))?.extended).toBe(1)
  })

  it('P5: an engine that takes the end for the refusal of one call is stopped all the same', async () => {
    const answers: string[] = []
    const { promise: later, resolve: goOn } = Promise.withResolvers<void>()
    const look = (turn: EngineTurn, callId: string) =>
      turn
        .guard({ tool: 'look', arguments: {}, callId }, () => 'looked')
        .then(
          ({ kind }) => answers.push(kind),
          (error: Error) => answers.push(error.name),
        )
    const { setup, host, records } = await open(
      async (turn) => {
        await look(turn, 'c1')
        await later
        await look(turn, 'c2')
        await look(turn, 'c3')
        turn.stop.throwIfAborted()
        return DONE
      },
      { settings: { budget: { workedMs: 1000 } } },
    )
    await host.say({ session: 's1', text: 'go' }, ben)
    await until(() => answers.length === 1)
    await records.change('s1', ({ used }) => ({ used: { ...used, workedMs: 5000 } }))
    goOn()
    const { id, digest } = await newestRequest(setup)
    await setup.gateway.decide(id, { decision: 'reject', digest, reason: 'enough' }, ben)
    await until(async () => (await host.progress('s1', ana)).turn?.ended !== undefined)
    expect((await host.progress('s1', ana)).turn?.ended).toMatchObject({
      status: 'limit',
      reason: expect.stringContaining('its limit is 1s'),
    })
    expect(answers).toEqual(['ran', 'TurnOver', 'TurnOver'])
  })

  it('P5: where what it has used can’t be read, nothing runs', async () => {
    let isBroken = false
    const ran: string[] = []
    const { host, clock } = await open(
      async (turn) => {
        isBroken = true
        const result = await turn.guard({ ...CALL, tool: 'look' }, () => void ran.push('look'))
        ran.push(result.kind)
        return DONE
      },
      {
        settings: { budget: { turns: 5 } },
        records: (records) => ({
          ...records,
          async find(session) {
            if (isBroken) throw new BanksmanError('store_unavailable', 'the disk is away')
            return records.find(session)
          },
        }),
      },
    )
    await host.say({ session: 's1', text: 'go' }, ben)
    await until(() => isBroken)
    await clock.advance(3000)
    expect(ran).toEqual([])
    isBroken = false
  })

  it('is put to sleep after the time that is configured, and messages interrupt it', async () => {
    const { supervised } = await open(async () => DONE)
    expect([supervised.idleMs, supervised.whenBusy]).toEqual([1000, 'interrupt'])
  })
})
