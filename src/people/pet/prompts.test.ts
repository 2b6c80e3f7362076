import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { UNKNOWN_TOOL } from '../../core/known-tool.ts'
import type { Request } from '../../core/request.ts'
import { ana, approve, ask, ben, policyFrom } from '../../gateway/fixtures/test-gateway.ts'
import type { DoorCaller } from '../door.ts'
import { type Client, openTestPet, type TestPet, type TestPetOptions } from './fixtures/test-pet.ts'
import { createConnectionPrompts, createPrompts } from './prompts.ts'
import { createPetRooms } from './rooms.ts'

let setup: TestPet
afterEach(() => setup.close())

async function open(options?: TestPetOptions): Promise<void> {
  setup = await openTestPet(options)
}

const settled = () => setup.setup.clock.advance(0)

describe('answers', () => {
  it('P2: the second one gets the first; one’s own again is a success', async () => {
    await open()
    const client = await setup.connect('ana')
    const request = await setup.ask('ana')
    await settled()
    for (const approved of [true, true, false]) client.answer(request.id, approved)
    await until(async () => client.responses('tool_approval_response').length === 3)
    expect(client.responses('tool_approval_response')).toMatchObject([
      { status: 'ok', data: { state: 'approved', repeated: false } },
      { status: 'ok', data: { state: 'approved', repeated: true } },
      { status: 'error', data: { code: 'already_decided', decision: { kind: 'approve', by: 'ana' } } },
    ])
  })

  it('P2: of two connections that were asked one wins, and both are told', async () => {
    await open()
    const clients = [await setup.connect('ana'), await setup.connect('ana')]
    const request = await setup.ask('ana')
    await settled()
    clients[0]!.answer(request.id, true)
    clients[1]!.answer(request.id, false)
    await until(async () => clients.every((one) => one.responses('tool_approval_response').length === 1))
    const answers = clients.map((one) => one.responses('tool_approval_response')[0].status)
    expect(answers.toSorted()).toEqual(['error', 'ok'])
    await settled()
    // Who won knows it by the response.
    const told = clients.map((one) => one.pushes('tool_approval_resolved').length)
    expect(told).toEqual(answers.map((status) => (status === 'ok' ? 0 : 1)))
  })

  it('P2: one that was decided elsewhere is told with who did it, and why', async () => {
    await open({ inbox: true })
    const client = await setup.connect('ana')
    const request = await setup.ask('ana')
    await settled()
    await setup.setup.gateway.decide(
      request.id,
      { decision: 'reject', digest: request.digest, reason: 'not on a Friday' },
      ben,
    )
    await settled()
    expect(client.pushes('tool_approval_resolved')).toMatchObject([
      { data: { request_id: request.id, state: 'rejected', by: 'ben', reason: 'not on a Friday' } },
    ])
    client.answer(request.id, true)
    await until(async () => client.responses('tool_approval_response').length === 1)
    expect(client.responses('tool_approval_response')[0]).toMatchObject({
      status: 'error',
      data: { code: 'already_decided', state: 'rejected', decision: { by: 'ben' } },
    })
  })

  it('P5: what becomes of the question is told once, whatever becomes of the call after it', async () => {
    await open()
    const [client, other] = [await setup.connect('ana'), await setup.connect('ana')]
    const request = await setup.ask('ana')
    await settled()
    client.answer(request.id, true)
    await until(async () => (await setup.state(request)) === 'approved')
    await settled()
    const { gateway } = setup.setup
    const { claimId } = await gateway.claim(request.id, { digest: request.digest, key: 'k' }, ana)
    await settled()
    await gateway.report(request.id, { claimId, outcome: 'ok' }, ana)
    await settled()
    expect(other.pushes('tool_approval_resolved')).toMatchObject([{ data: { state: 'approved', by: 'ana' } }])
    expect(client.pushes('tool_approval_resolved')).toEqual([])
  })

  it('P5: a no that ends the conversation ends all that waits in it', async () => {
    await open()
    const client = await setup.connect('ana')
    const [request, other] = [await setup.ask('ana'), await setup.ask('ana')]
    await settled()
    client.answer(request.id, false, { terminate: true, reason: 'enough' })
    await until(async () => (await setup.state(request)) === 'terminated')
    await settled()
    expect(await setup.state(other)).toBe('cancelled')
    const told = client.pushes('tool_approval_resolved').map(({ data }) => [data.request_id, data.state])
    expect(told).toEqual([[other.id, 'cancelled']])
  })

  it('P5: one that was cancelled is told', async () => {
    await open()
    const client = await setup.connect('ana')
    const request = await setup.ask('ana')
    await settled()
    await setup.setup.gateway.cancel(request.id, {}, ana)
    await settled()
    expect(client.pushes('tool_approval_resolved')).toMatchObject([{ data: { state: 'cancelled' } }])
  })

  it('a vote below the quorum is acknowledged, and the request goes on waiting', async () => {
    await open({ setup: { policy: policyFrom(() => ask('two', { quorum: 2 })) } })
    const client = await setup.connect('ana')
    const request = await setup.ask('ana')
    await settled()
    client.answer(request.id, true)
    await until(async () => client.responses('tool_approval_response').length === 1)
    expect(client.responses('tool_approval_response')[0].data).toMatchObject({
      state: 'pending',
      decided: false,
    })
    await settled()
    expect(client.pushes('tool_approval')).toHaveLength(1)
    await approve(setup.setup, request, ben)
    await settled()
    expect(client.pushes('tool_approval_resolved')).toMatchObject([
      { data: { state: 'approved', by: 'ben' } },
    ])
  })

  it('P3: after someone’s edit it is asked anew under another id, and the old id approves nothing', async () => {
    await open({ setup: { policy: policyFrom(() => ask('two', { quorum: 2 })) } })
    const client = await setup.connect('ana')
    const request = await setup.ask('ana', { arguments: { environment: 'staging' } })
    await settled()
    const edited = { environment: 'production' }
    await setup.setup.gateway.decide(
      request.id,
      { decision: 'edit', digest: request.digest, arguments: edited },
      ben,
    )
    await settled()
    const [before, after] = client.pushes('tool_approval')
    expect(after.data).toMatchObject({ arguments: edited })
    expect(after.data.request_id).not.toBe(before.data.request_id)
    expect(client.pushes('tool_approval_resolved')).toMatchObject([
      { data: { request_id: before.data.request_id, state: 'edited' } },
    ])
    client.answer(before.data.request_id, true)
    await until(async () => client.responses('tool_approval_response').length === 1)
    expect(client.responses('tool_approval_response')[0]).toMatchObject({ data: { code: 'digest_mismatch' } })
    client.answer(after.data.request_id, true)
    await until(async () => (await setup.state(request)) === 'approved')
  })

  it('P11: what the actor is, is the connection’s: the answer is recorded as this person’s through this channel', async () => {
    await open()
    const client = await setup.connect('ana')
    const request = await setup.ask('ana')
    await settled()
    client.answer(request.id, false, { by: 'ben', reason: 'no' })
    await until(async () => (await setup.state(request)) === 'rejected')
    expect((await setup.setup.store.get(request.id))!.progress.decision).toMatchObject({
      by: 'ana',
      via: 'pet',
      reason: 'no',
    })
  })
})

describe('coming back', () => {
  it('P7: what waits is shown again, under the same id, and can be answered there', async () => {
    await open()
    const first = await setup.connect('ana')
    const request = await setup.ask('ana', {
      session: 'pet/ana/default/k1',
      origin: { channel: 'pet', conversation: 'pet/ana/default/k1' },
    })
    await settled()
    first.hangUp()
    const again = await setup.connect('ana')
    expect(again.pushes('tool_approval')).toMatchObject([
      { data: { request_id: request.id, session_key: 'k1' } },
    ])
    again.answer(request.id, true)
    await until(async () => (await setup.state(request)) === 'approved')
  })

  it('P7: also after a restart of the server', async () => {
    await open()
    await setup.connect('ana')
    const request = await setup.ask('ana')
    await settled()
    setup = await setup.restart()
    const again = await setup.connect('ana')
    expect(again.pushes('tool_approval')).toHaveLength(1)
    again.answer(request.id, true)
    await until(async () => (await setup.state(request)) === 'approved')
  })

  it('P6: the connection that has gone no longer counts, and another person’s is told nothing', async () => {
    await open()
    const first = await setup.connect('ana')
    const request = await setup.ask('ana')
    await settled()
    first.hangUp()
    first.answer(request.id, true)
    const other = await setup.connect('ben')
    await settled()
    expect(other.pushes('tool_approval')).toEqual([])
    expect(await setup.state(request)).toBe('pending')
  })

  it('P2: an answer again from a new connection, after it was decided, changes nothing', async () => {
    await open()
    const first = await setup.connect('ana')
    const request = await setup.ask('ana')
    await settled()
    first.answer(request.id, false)
    await until(async () => (await setup.state(request)) === 'rejected')
    first.hangUp()
    const again = await setup.connect('ana')
    expect(again.pushes('tool_approval')).toEqual([])
    again.answer(request.id, true)
    await until(async () => again.responses('tool_approval_response').length === 1)
    expect(again.responses('tool_approval_response')[0]).toMatchObject({ error: 'unknown request' })
    expect(await setup.state(request)).toBe('rejected')
  })
})

describe('a note of what was asked', () => {
  const caller: DoorCaller = { actor: ana, token: 't', credential: 'bearer', stillHolds: async () => true }
  function enter(send: (text: string) => void) {
    const rooms = createPetRooms()
    const prompts = createPrompts(
      rooms,
      'connection',
      () => 0,
      () => UNKNOWN_TOOL,
    )
    const member = rooms.enter('pet/ana/default', (room) => ({
      caller,
      room,
      asked: createConnectionPrompts(),
      send,
    }))
    return { prompts, member }
  }

  it('P1: is there before the push is sent', async () => {
    await open({ inbox: true })
    const request = await setup.ask('ana')
    const found: unknown[] = []
    const { prompts, member } = enter(() => void found.push(prompts.find(member, request.id)?.digest))
    prompts.tell(request)
    expect(found).toEqual([request.digest])
  })

  it('P5: who is still being told what waits is not asked what was settled meanwhile, and nothing twice', async () => {
    await open({ inbox: true })
    const settledMeanwhile = await setup.ask('ana')
    const stillWaiting = await setup.ask('ana')
    const sent: string[] = []
    const { prompts, member } = enter((text) => void sent.push(text))
    let give = (_: Request[]) => {}
    const reading = new Promise<Request[]>((resolve) => {
      give = resolve
    })
    const done = prompts.catchUp(member, () => reading)
    prompts.tell(stillWaiting)
    prompts.tell({ ...settledMeanwhile, state: 'expired' })
    give([settledMeanwhile, stillWaiting])
    await done
    expect(sent.map((text) => JSON.parse(text))).toMatchObject([
      { push_type: 'tool_approval', data: { request_id: stillWaiting.id } },
    ])
  })
})

describe('a question', () => {
  const questions = [{ id: 'q1', question: 'Which one?', options: [{ label: 'red' }, { label: 'blue' }] }]
  const asking = { tool: 'ask_user_question', arguments: { questions } }
  const answered = (client: Client) => client.responses('user_question_response')

  it('is shown as one, with a notice for clients that know none, and takes an answer', async () => {
    await open()
    const client = await setup.connect('ana')
    const request = await setup.ask('ana', asking)
    await settled()
    expect(client.pushes('user_question')).toMatchObject([
      {
        data: { request_id: request.id, questions: [{ id: 'q1', question: 'Which one?', free_text: false }] },
      },
    ])
    expect(client.pushes('error')).toMatchObject([
      { data: { level: 'info', code: 'user_question', message: 'Which one?' } },
    ])
    client.say(
      'user_question_response',
      { request_id: request.id, answers: { q1: { choices: ['blue'] } } },
      'r1',
    )
    await until(async () => (await setup.state(request)) === 'answered')
    expect(answered(client)).toMatchObject([
      { status: 'ok', request_id: 'r1', data: { request_id: request.id, state: 'answered' } },
    ])
  })

  it('can be declined', async () => {
    await open()
    const client = await setup.connect('ana')
    const request = await setup.ask('ana', asking)
    await settled()
    client.say('user_question_response', { request_id: request.id, declined: true, reason: 'you choose' })
    await until(async () => (await setup.state(request)) === 'declined')
  })

  it.each([
    {},
    { answers: { q1: { choices: ['green'] } } },
    { answers: {} },
    { answers: 'blue' },
    { declined: false },
    { declined: true, answers: { q1: { choices: ['red'] } } },
    { declined: 'true' },
    { approved: true },
  ])('P5: stays pending after %j', async (data) => {
    await open()
    const client = await setup.connect('ana')
    const request = await setup.ask('ana', asking)
    await settled()
    client.say('user_question_response', { request_id: request.id, ...data })
    await until(async () => answered(client).length === 1)
    expect(answered(client)[0].status).toBe('error')
    expect(await setup.state(request)).toBe('pending')
  })

  it('P6: is not answered by an approval, nor a call approved by an answer', async () => {
    await open()
    const client = await setup.connect('ana')
    const question = await setup.ask('ana', asking)
    const call = await setup.ask('ana')
    await settled()
    client.answer(question.id, true)
    client.say('user_question_response', { request_id: call.id, answers: { q1: { choices: ['red'] } } })
    await until(async () => answered(client).length === 1)
    expect([client.responses('tool_approval_response')[0], answered(client)[0]]).toMatchObject([
      { error: 'unknown request' },
      { error: 'unknown request' },
    ])
    expect([await setup.state(question), await setup.state(call)]).toEqual(['pending', 'pending'])
  })
})
