import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { aCall, agent } from '../../gateway/fixtures/test-gateway.ts'
import { openTestPet, type TestPet, type TestPetOptions } from './fixtures/test-pet.ts'

let setup: TestPet
afterEach(() => setup.close())

async function open(options?: TestPetOptions): Promise<void> {
  setup = await openTestPet(options)
}

const settled = () => setup.setup.clock.advance(0)
const journal = async () => {
  const { store } = setup.setup
  const chains = await store.journal.chains()
  const entries = await Promise.all(chains.map(({ chain }) => store.journal.read(chain, 0, 1000)))
  return entries.flat().map(({ body }) => JSON.parse(body))
}

describe('the first finding: only turns that began on this channel are asked here', () => {
  it('P8: a call from elsewhere is settled at once, and the pet’s people are not asked', async () => {
    await open()
    const client = await setup.connect('ana')
    for (const origin of [undefined, { channel: 'feishu', conversation: 'pet/ana/default' }]) {
      const { gateway } = setup.setup
      const { request } = await gateway.review(aCall(origin === undefined ? {} : { origin }), agent)
      expect(request?.state).toBe('unreachable')
    }
    await settled()
    expect(client.pushes('tool_approval')).toEqual([])
  })

  it('P8: a call from elsewhere waits where it can be answered, for as long as people have there', async () => {
    await open({ inbox: true })
    const client = await setup.connect('ana')
    const { request } = await setup.setup.gateway.review(aCall({ origin: { channel: 'feishu' } }), agent)
    await setup.setup.clock.advance(120_000)
    expect(client.pushes('tool_approval')).toEqual([])
    expect(await setup.state(request!)).toBe('pending')
  })

  it('P8: with nobody connected it is unreachable at once', async () => {
    await open()
    expect((await setup.ask('ana')).state).toBe('unreachable')
  })

  it('P8: when the last client has gone it is unreachable before its deadline', async () => {
    await open()
    const client = await setup.connect('ana')
    const request = await setup.ask('ana')
    client.hangUp()
    await setup.setup.clock.advance(45_000)
    expect(await setup.state(request)).toBe('unreachable')
  })

  it('P11: what an agent of somebody else says of its origin puts nothing in front of a person', async () => {
    await open()
    const client = await setup.connect('ana')
    const origin = { channel: 'pet', conversation: 'pet/ana/default' }
    await setup.setup.gateway.review(aCall({ origin }), agent)
    const squatting = setup.setup.gateway.review(aCall({ origin, session: 'pet/ana/default' }), agent)
    await expect(squatting).rejects.toMatchObject({ code: 'not_yours' })
    await settled()
    expect(client.pushes('tool_approval')).toEqual([])
  })

  it('P8: what a sub-agent asks is asked where its conversation is', async () => {
    await open()
    const client = await setup.connect('ana')
    const request = await setup.ask('ana', {
      session: 'pet/ana/default.t1.1.0',
      agent: { name: 'child', parents: ['main'] },
    })
    await settled()
    expect(client.pushes('tool_approval')).toMatchObject([
      { data: { request_id: request.id, agent: 'child' } },
    ])
  })
})

describe('the second finding: a request is registered before it is pushed', () => {
  it('P1: an answer that arrives while the push is being sent is not lost', async () => {
    await open()
    const seen: string[] = []
    const client = await setup.connect('ana', {
      onFrame(frame, self) {
        if (frame.push_type !== 'tool_approval') return
        seen.push('pushed')
        self.answer(frame.data.request_id, true)
      },
    })
    const request = await setup.ask('ana')
    await until(async () => (await setup.state(request)) === 'approved')
    await settled()
    expect(seen).toEqual(['pushed'])
    expect(client.responses('tool_approval_response')).toEqual([
      {
        status: 'ok',
        action: 'tool_approval_response',
        data: { request_id: request.id, state: 'approved', decided: true, repeated: false },
      },
    ])
  })

  it('P1: what is pushed is in the store', async () => {
    await open()
    const found: Promise<unknown>[] = []
    await setup.connect('ana', {
      onFrame(frame) {
        if (frame.push_type === 'tool_approval') found.push(setup.setup.store.get(frame.data.request_id))
      },
    })
    await setup.ask('ana')
    await settled()
    expect(await Promise.all(found)).toMatchObject([{ state: 'pending' }])
  })
})

describe('the third finding: an answer counts from who was asked', () => {
  it('P6: another person’s answer is told what an unknown id is told, is on the record, and changes nothing', async () => {
    await open()
    await setup.connect('ana')
    const other = await setup.connect('eve')
    const request = await setup.ask('ana')
    await settled()
    expect(other.pushes('tool_approval')).toEqual([])
    const unknown = 'req_000000000000000000000000'
    other.answer(request.id, true)
    other.answer(unknown, true)
    await until(async () => other.responses('tool_approval_response').length === 2)
    const [known, madeUp] = other.responses('tool_approval_response')
    const data = { request_id: request.id, error: 'unknown request' }
    expect(known).toEqual({ status: 'error', action: 'tool_approval_response', data, error: data.error })
    expect({ ...madeUp, data: { ...madeUp.data, request_id: request.id } }).toEqual(known)
    expect(await setup.state(request)).toBe('pending')
    expect((await journal()).filter(({ type }) => type === 'attempt.refused')).toMatchObject([
      { on: request.id, by: 'eve', via: 'pet' },
    ])
  })

  it('P6: somebody who could decide it elsewhere can’t here, where they were not asked', async () => {
    await open()
    const asked = await setup.connect('ana')
    const other = await setup.connect('ben')
    const request = await setup.ask('ana')
    await settled()
    other.answer(request.id, true)
    other.answer(request.id, false)
    await until(async () => other.responses('tool_approval_response').length === 2)
    expect(other.responses('tool_approval_response').map(({ error }) => error)).toEqual([
      'unknown request',
      'unknown request',
    ])
    expect(await setup.state(request)).toBe('pending')
    asked.answer(request.id, true)
    await until(async () => (await setup.state(request)) === 'approved')
  })

  it('P6: another connection of the same person does not count when it was not asked', async () => {
    await open()
    const asked = await setup.connect('ana')
    const request = await setup.ask('ana')
    await settled()
    const other = await setup.connect('ana', { sessionId: 'elsewhere' })
    other.answer(request.id, true)
    await until(async () => other.responses('tool_approval_response').length === 1)
    expect(other.responses('tool_approval_response')[0]).toMatchObject({ error: 'unknown request' })
    expect(await setup.state(request)).toBe('pending')
    asked.answer(request.id, false, { reason: 'not now' })
    await until(async () => (await setup.state(request)) === 'rejected')
  })

  it('P6: with answerFrom person, any connection of the person who was asked counts, and nobody else’s', async () => {
    await open({ answerFrom: 'person' })
    await setup.connect('ana')
    const stranger = await setup.connect('ben')
    const request = await setup.ask('ana')
    await settled()
    const other = await setup.connect('ana', { sessionId: 'elsewhere' })
    stranger.answer(request.id, true)
    await until(async () => stranger.responses('tool_approval_response').length === 1)
    expect(stranger.responses('tool_approval_response')[0]).toMatchObject({ error: 'unknown request' })
    expect(await setup.state(request)).toBe('pending')
    other.answer(request.id, true)
    await until(async () => (await setup.state(request)) === 'approved')
  })

  it('P6: a push goes to the person’s connections of that session and to nobody else', async () => {
    await open()
    const [first, second, elsewhere, other] = [
      await setup.connect('ana'),
      await setup.connect('ana'),
      await setup.connect('ana', { sessionId: 'x' }),
      await setup.connect('ben'),
    ]
    await setup.ask('ana')
    await settled()
    const counts = [first, second, elsewhere, other].map((client) => client!.pushes('tool_approval').length)
    expect(counts).toEqual([1, 1, 0, 0])
  })
})

describe('a deadline', () => {
  it('P5: is a minute by the gateway’s clock, and is told', async () => {
    await open()
    const client = await setup.connect('ana')
    const request = await setup.ask('ana')
    await settled()
    expect(client.pushes('tool_approval')[0].data.expires_at).toBe(
      Math.floor((request.createdAt + 60_000) / 1000),
    )
    await setup.setup.clock.advance(59_999)
    expect(await setup.state(request)).toBe('pending')
    await setup.setup.clock.advance(1)
    expect(await setup.state(request)).toBe('expired')
    await settled()
    expect(client.pushes('tool_approval_resolved')).toMatchObject([
      { data: { request_id: request.id, state: 'expired', tool: 'deploy' } },
    ])
  })

  it.each([59_999, 60_000])('P2: an answer %i ms after the question has one outcome', async (afterMs) => {
    await open()
    const client = await setup.connect('ana')
    const request = await setup.ask('ana')
    await settled()
    // No timer is called: the answer and the deadline come in the same instant.
    setup.setup.clock.jump(afterMs)
    client.answer(request.id, true)
    await until(async () => client.responses('tool_approval_response').length === 1)
    const isInTime = afterMs < 60_000
    expect(await setup.state(request)).toBe(isInTime ? 'approved' : 'expired')
    expect(client.responses('tool_approval_response')[0]).toMatchObject(
      isInTime
        ? { status: 'ok', data: { state: 'approved' } }
        : { status: 'error', data: { request_id: request.id, code: 'expired' } },
    )
  })

  it('P5: an answer after it is told so', async () => {
    await open()
    const client = await setup.connect('ana')
    const request = await setup.ask('ana')
    await setup.setup.clock.advance(60_000)
    client.answer(request.id, true)
    await until(async () => client.responses('tool_approval_response').length === 1)
    expect(client.responses('tool_approval_response')[0]).toMatchObject({
      status: 'error',
      data: { code: 'expired', state: 'expired' },
    })
    expect(await setup.state(request)).toBe('expired')
  })
})

describe('without an agent', () => {
  it('answers are taken, and saying something is refused with the reason', async () => {
    setup = await openTestPet({ agent: false })
    const client = await setup.connect('ana')
    const request = await setup.ask('ana')
    await until(async () => client.pushes('tool_approval').length === 1)
    client.say('chat', { text: 'hello' })
    client.say('interrupt')
    client.answer(client.pushes('tool_approval')[0].data.request_id, true)
    await until(async () => client.responses('tool_approval_response').length === 1)
    expect(client.responses('tool_approval_response')).toMatchObject([{ status: 'ok' }])
    expect(await setup.state(request)).toBe('approved')
    for (const action of ['chat', 'interrupt']) {
      expect(client.responses(action)).toMatchObject([
        {
          status: 'error',
          data: { code: 'unknown_route', error: expect.stringContaining('no agent is configured') },
        },
      ])
    }
    expect([setup.talk.said, setup.setup.faults]).toEqual([[], []])
  })
})
