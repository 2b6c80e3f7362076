/** What a process that ended in the middle of a turn leaves to the next one. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { ana, approve, ben } from '../../gateway/fixtures/test-gateway.ts'
import type { Store } from '../../stores/store.ts'
import {
  collect,
  find,
  kinds,
  openTestAgent,
  type TestAgent,
  type TestAgentOptions,
  waiting,
} from '../fixtures/test-agent.ts'
import type { Hook, HookMount } from '../hooks/hook.ts'

const NOTE = [{ steps: [{ calls: [{ tool: 'note', arguments: { line: 'x' } }] }, { say: 'told: {result}' }] }]
const SPAWN = [
  {
    when: 'delegate',
    steps: [{ calls: [{ tool: 'spawn', arguments: { task: 'EVIL task' } }] }, { say: 'back: {result}' }],
  },
  { when: 'task', steps: [{ calls: [{ tool: 'note', arguments: { line: 'x' } }] }, { say: 'done' }] },
]

const CHILD = 's1.t1.1.0'

async function begun(options: TestAgentOptions, text = 'go'): Promise<TestAgent> {
  const setup = await openTestAgent(options)
  await setup.agent.say({ session: 's1', text }, ana)
  return setup
}

async function resumed(before: TestAgent, options: Partial<TestAgentOptions> = {}): Promise<TestAgent> {
  const after = await before.restart(options)
  onTestFinished(() => after.close())
  await after.agent.resume()
  return after
}

const rest = (setup: TestAgent) => collect(setup.agent.events('s1', { after: 't1-0' }, ana), 't1')
const mount = (hook: Hook, about: Partial<HookMount> = {}): HookMount => ({
  name: 'h',
  kind: 'in_process',
  hook,
  ...about,
})

describe('after a restart', () => {
  it('P3: a task that a person had edited begins as they edited it, if the process ended before it could', async () => {
    let attempts = 0
    // The child's first entry does not reach the disk: what is left is the claim.
    const wrap = (store: Store): Store => ({
      ...store,
      turns: {
        ...store.turns,
        append: (appending) =>
          appending.session.id === CHILD && ++attempts === 1
            ? new Promise(() => {})
            : store.turns.append(appending),
      },
    })
    const before = await begun({ script: SPAWN, policy: {}, wrap }, 'delegate')
    const { id, digest } = (await waiting(before))[0]!
    const edit = { decision: 'edit', digest, arguments: { task: 'SAFE task' } } as const
    await before.setup.gateway.decide(id, edit, ana)
    await until(async () => attempts === 1)
    const ending = resumed(before)
    await before.setup.clock.advance(6000)
    const after = await ending
    await approve(after.setup, (await waiting(after, 1, CHILD))[0]!)
    expect(find(await rest(after), 'turn_ended').text).toBe('back: done')
    expect((await after.agent.entries(CHILD, {}, ana)).entries[0]).toMatchObject({ text: 'SAFE task' })
  })

  it('P5: a task that was told to stop does not go on', async () => {
    const before = await begun({ script: SPAWN, policy: {} }, 'delegate')
    const request = (await waiting(before))[0]!
    await approve(before.setup, request)
    await waiting(before, 1, 's1.t1.1.0')
    const { store } = before.setup
    const running = (await store.get(request.id))!
    await store.transition({
      id: running.id,
      version: running.version,
      from: 'running',
      to: 'running',
      progress: { ...running.progress, stop: { by: 'ana' } },
      deadline: 'keep',
      entry: { chain: 'x', type: 'request.stopped', body: '{}', committed: () => {} },
    })
    const after = await resumed(before)
    expect(find(await rest(after), 'call_refused').tool).toBe('spawn')
    expect(after.notes).toEqual([])
  })

  it('a question that nobody waits for any more is withdrawn, with what it was approved for', async () => {
    for (const isApproved of [false, true]) {
      const before = await begun({ script: NOTE, policy: {} })
      const request = (await waiting(before))[0]!
      const closing = before.agent.close()
      if (isApproved) await approve(before.setup, request)
      await closing
      const gate = mount({ beforeTool: () => ({ action: 'deny_tool', reason: 'not any more' }) })
      const after = await resumed(before, { hooks: [gate] })
      expect(find(await rest(after), 'call_refused').state).toBe('denied')
      expect(await after.setup.gateway.get(request.id, ana)).toMatchObject({ state: 'cancelled' })
      expect(after.notes).toEqual([])
    }
  })

  it('P7: a tool that a hook had added is still there', async () => {
    const schema = { type: 'object', properties: {} }
    const offer = { name: 'weather', description: 'Tells the weather.', schema }
    const sky = mount(
      {
        beforeModel: (request) => ({
          action: 'modify',
          request: { ...request, tools: [...request.tools, offer] },
        }),
        beforeTool: () => ({ action: 'respond', result: { text: 'sunny' } }),
      },
      { trusted: true, name: 'sky' },
    )
    const script = [{ steps: [{ calls: [{ tool: 'weather' }] }, { say: '{result}' }] }]
    const before = await begun({ script, policy: {}, hooks: [sky] })
    const request = (await waiting(before))[0]!
    const after = await resumed(before)
    await approve(after.setup, request)
    expect(find(await rest(after), 'turn_ended').text).toBe('sunny')
    const other = await begun({ script, policy: {}, hooks: [sky] })
    await waiting(other)
    const untrusted = await resumed(other, { hooks: [{ ...sky, trusted: false }] })
    await approve(untrusted.setup, (await waiting(untrusted))[0]!)
    expect(kinds(await rest(untrusted))).not.toContain('call_finished')
  })

  it('P7: who was asked whether to be done with a kind of call is heard', async () => {
    const note = (line: string) => ({ calls: [{ tool: 'note', arguments: { line } }] })
    const script = [{ steps: [note('1'), note('2'), note('3'), note('4'), { say: 'x' }] }]
    const before = await begun({ script, policy: {} })
    for (let count = 0; count < 3; count++) {
      const { id, digest } = (await waiting(before))[0]!
      await before.setup.gateway.decide(id, { decision: 'reject', digest }, ana)
    }
    const question = (await waiting(before))[0]!
    expect(question.kind).toBe('question')
    const after = await resumed(before)
    const label = question.questions![0]!.options![0]!.label
    await after.setup.gateway.decide(
      question.id,
      { decision: 'answer', digest: question.digest, answers: { bar: { choices: [label] } } },
      ana,
    )
    expect(find(await rest(after), 'turn_ended')).toMatchObject({ status: 'interrupted' })
    const { entries } = await after.agent.entries('s1', {}, ana)
    expect(entries.map(({ kind }) => kind)).toContain('barred')
  })
})

describe('many conversations at once', () => {
  it('P7: each is kept until its turn is over', async () => {
    const setup = await openTestAgent({ script: NOTE, policy: {} })
    onTestFinished(() => setup.close())
    const sessions = Array.from({ length: 130 }, (_, index) => `s${index}`)
    await Promise.all(sessions.map((session) => setup.agent.say({ session, text: 'go' }, ana)))
    await waiting(setup, 130)
    for (const session of sessions) expect(await setup.agent.running(session, ana)).toBe('t1')
    for (const session of sessions)
      expect(await setup.agent.interrupt(session, { kind: 'hard' }, ana)).toBe(true)
  })
})

describe('who may do what', () => {
  it('P6: a turn is interrupted by its owner or an admin, and the record names them', async () => {
    const setup = await openTestAgent({ script: NOTE, policy: {} })
    onTestFinished(() => setup.close())
    await setup.agent.say({ session: 's1', text: 'go' }, ben)
    const request = (await waiting(setup))[0]!
    const eve = { subject: 'eve', role: 'approver', via: 'test' } as const
    await expect(setup.agent.interrupt('s1', { kind: 'hard' }, eve)).rejects.toMatchObject({
      code: 'not_yours',
    })
    expect(await setup.agent.interrupt('s1', { kind: 'hard' }, ana)).toBe(true)
    await collect(setup.agent.events('s1', { after: 't1-0' }, ben), 't1')
    expect(await setup.setup.gateway.get(request.id, ana)).toMatchObject({
      state: 'cancelled',
      progress: { cancelled: { by: 'ana' } },
    })
  })

  it.each(['', 'a b', 'x'.repeat(300), 'a\u0000', 'a\u200bb'])(
    'P5: no conversation is called %j',
    async (session) => {
      const setup = await openTestAgent()
      onTestFinished(() => setup.close())
      await expect(setup.agent.say({ session, text: 'hi' }, ana)).rejects.toMatchObject({ code: 'invalid' })
    },
  )

  it('a task of another conversation is not talked to', async () => {
    const setup = await openTestAgent({ script: SPAWN, policy: { allow: ['spawn', 'note'] } })
    onTestFinished(() => setup.close())
    await setup.say('delegate')
    await expect(setup.agent.say({ session: 's1.t1.1.0', text: 'hi' }, ana)).rejects.toMatchObject({
      code: 'invalid',
    })
  })
})

describe('an interrupt', () => {
  it('P5: graceful, while a hook thinks: nothing begins, and nobody is asked', async () => {
    for (const policy of [{ allow: ['note'] }, {}]) {
      const { promise: held, resolve: release } = Promise.withResolvers<void>()
      const { promise: asked, resolve: reached } = Promise.withResolvers<void>()
      const hook = mount({
        async beforeTool() {
          reached()
          await held
          return { action: 'continue' }
        },
      })
      const setup = await openTestAgent({ script: NOTE, policy, hooks: [hook] })
      onTestFinished(() => setup.close())
      const turn = setup.say('go')
      await asked
      await setup.agent.interrupt('s1', { kind: 'graceful' }, ana)
      release()
      const events = await turn
      expect(find(events, 'call_refused').state).toBe('skipped')
      expect(kinds(events)).not.toContain('call_waiting')
      expect(setup.notes).toEqual([])
    }
  })

  it('words that come while a stopped turn winds down begin the next one', async () => {
    const setup = await openTestAgent({ script: NOTE, policy: {} })
    onTestFinished(() => setup.close())
    await setup.agent.say({ session: 's1', text: 'go' }, ana)
    await waiting(setup)
    const stopping = setup.agent.interrupt('s1', { kind: 'hard' }, ana)
    expect(await setup.agent.say({ session: 's1', text: 'again' }, ana)).toMatchObject({
      turn: 't2',
      kind: 'begun',
    })
    await stopping
  })

  it('P5: a task that is stopped leaves no question behind', async () => {
    const setup = await openTestAgent({ script: SPAWN, policy: {} })
    onTestFinished(() => setup.close())
    const turn = setup.say('delegate')
    const spawn = (await waiting(setup))[0]!
    await approve(setup.setup, spawn)
    const child = (await waiting(setup, 1, 's1.t1.1.0'))[0]!
    await setup.setup.gateway.cancel(spawn.id, {}, ana)
    await turn
    expect(await setup.setup.gateway.get(child.id, ana)).toMatchObject({ state: 'cancelled' })
    expect(setup.notes).toEqual([])
  })
})
