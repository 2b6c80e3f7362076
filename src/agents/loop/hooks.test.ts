/** Hooks around a turn: they narrow, trusted ones change and answer, and none of them can allow. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { ana, approve } from '../../gateway/fixtures/test-gateway.ts'
import {
  find,
  kinds,
  openTestAgent,
  type TestAgent,
  type TestAgentOptions,
  waiting,
} from '../fixtures/test-agent.ts'
import type { Hook, HookMount } from '../hooks/hook.ts'

async function open(options: TestAgentOptions = {}): Promise<TestAgent> {
  const setup = await openTestAgent(options)
  onTestFinished(() => setup.close())
  return setup
}

function mount(hook: Hook, about: Partial<HookMount> = {}): HookMount {
  return { name: 'h', kind: 'in_process', hook, ...about }
}

const NOTE = [{ steps: [{ calls: [{ tool: 'note', arguments: { line: 'x' } }] }, { say: 'told: {result}' }] }]

async function journalOf({ setup }: TestAgent): Promise<string> {
  await setup.gateway.flush()
  const chains = await setup.store.journal.chains()
  const entries = await Promise.all(chains.map(({ chain }) => setup.store.journal.read(chain, 0, 1000)))
  return entries
    .flat()
    .map((entry) => entry.body)
    .join('\n')
}

describe('before a tool', () => {
  it("P10: a hook's no holds whatever the policy allows, and is on the record by its name", async () => {
    const hook = mount({ beforeTool: () => ({ action: 'deny_tool', reason: 'not on Sundays' }) })
    const setup = await open({ script: NOTE, policy: { mode: 'bypass' }, hooks: [hook] })
    const events = await setup.say('go')
    expect(find(events, 'call_refused')).toMatchObject({ state: 'denied', by: 'h', mayRetry: false })
    expect(setup.notes).toEqual([])
    expect(await journalOf(setup)).toContain('Denied by hook \\"h\\": not on Sundays')
  })

  it('P3: what a trusted hook has rewritten is what people see and what runs', async () => {
    const hook = mount(
      { beforeTool: ({ tool }) => ({ action: 'modify', call: { tool, arguments: { line: 'rewritten' } } }) },
      { trusted: true },
    )
    const setup = await open({ script: NOTE, policy: {}, hooks: [hook] })
    const turn = setup.say('go')
    const request = (await waiting(setup))[0]!
    expect(JSON.parse(request.bytes).arguments).toEqual({ line: 'rewritten' })
    await approve(setup.setup, request)
    await turn
    expect(setup.notes).toEqual(['rewritten'])
  })

  it('P5: a rewritten call that the policy denies is denied', async () => {
    const hook = mount(
      { beforeTool: () => ({ action: 'modify', call: { tool: 'list_dir', arguments: { path: '/' } } }) },
      { trusted: true },
    )
    const setup = await open({ script: NOTE, policy: { deny: ['list_dir'], allow: ['note'] }, hooks: [hook] })
    expect(find(await setup.say('go'), 'call_refused').state).toBe('denied')
  })

  it('P5: an untrusted hook that rewrites denies', async () => {
    const hook = mount({
      beforeTool: ({ tool }) => ({ action: 'modify', call: { tool, arguments: { line: 'mine' } } }),
    })
    const setup = await open({ script: NOTE, policy: { mode: 'bypass' }, hooks: [hook] })
    expect(find(await setup.say('go'), 'call_refused').because).toContain('trusted')
    expect(setup.notes).toEqual([])
  })

  it('P5: a hook that fails denies; with onFailure continue people are asked as ever', async () => {
    const failing: Hook = {
      beforeTool: () => {
        throw new Error('broken')
      },
    }
    const strict = await open({ script: NOTE, policy: { mode: 'bypass' }, hooks: [mount(failing)] })
    expect(find(await strict.say('go'), 'call_refused').because).toContain('broken')
    expect(strict.notes).toEqual([])
    const lax = await open({ script: NOTE, policy: {}, hooks: [mount(failing, { onFailure: 'continue' })] })
    const turn = lax.say('go')
    expect(await waiting(lax)).toHaveLength(1)
    await approve(lax.setup, (await waiting(lax))[0]!)
    await turn
    expect(lax.notes).toEqual(['x'])
  })

  it('P3: what a person has edited is looked at again, and a hook can still say no', async () => {
    const seen: unknown[] = []
    const hook = mount({
      beforeTool({ arguments: args }) {
        seen.push(args)
        return args.line === 'edited' ? { action: 'deny_tool', reason: 'not that' } : { action: 'continue' }
      },
    })
    const setup = await open({ script: NOTE, policy: {}, hooks: [hook] })
    const turn = setup.say('go')
    const request = (await waiting(setup))[0]!
    await setup.setup.gateway.decide(
      request.id,
      { decision: 'edit', digest: request.digest, arguments: { line: 'edited' } },
      ana,
    )
    expect(find(await turn, 'call_refused')).toMatchObject({ state: 'denied', by: 'h' })
    expect(seen).toEqual([{ line: 'x' }, { line: 'edited' }])
    expect(setup.notes).toEqual([])
  })
})

describe('a result in the place of a tool', () => {
  const answering = mount(
    { beforeTool: () => ({ action: 'respond', result: { text: 'from the cache' } }) },
    { trusted: true, name: 'cache' },
  )

  it('P10: nothing runs, nobody is asked, and the journal names the hook', async () => {
    const setup = await open({ script: NOTE, policy: {}, hooks: [answering] })
    const events = await setup.say('go')
    expect(find(events, 'call_finished')).toMatchObject({ replacedBy: 'cache', text: 'from the cache' })
    expect(find(events, 'turn_ended').text).toBe('told: from the cache')
    expect(kinds(events)).not.toContain('call_waiting')
    expect(setup.notes).toEqual([])
    expect(await journalOf(setup)).toContain('Nothing ran: hook \\"cache\\" gave the result instead')
  })

  it('P5: a deny of the policy still holds', async () => {
    const setup = await open({ script: NOTE, policy: { deny: ['note'] }, hooks: [answering] })
    const events = await setup.say('go')
    expect(find(events, 'call_refused').state).toBe('denied')
    expect(kinds(events)).not.toContain('call_finished')
  })

  it('media and words for the person are shown; where all calls are handled the turn is over', async () => {
    const picture = { type: 'image/png', data: new Uint8Array([1, 2, 3]) }
    const hook = mount(
      {
        beforeTool: () => ({
          action: 'respond',
          result: { text: 'a picture', forUser: 'here you are', media: [picture], handled: true },
        }),
      },
      { trusted: true },
    )
    const setup = await open({ script: NOTE, policy: {}, hooks: [hook] })
    const events = await setup.say('go')
    expect(find(events, 'shown')).toMatchObject({ text: 'here you are', media: [{ type: 'image/png' }] })
    expect(find(events, 'turn_ended')).toMatchObject({ status: 'completed', text: '', steps: 1 })
  })
})

describe('tools that a hook provides', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const offer = { name: 'weather', description: 'Tells the weather.', schema }
  const script = [
    { steps: [{ calls: [{ tool: 'weather', arguments: { city: 'Hangzhou' } }] }, { say: '{result}' }] },
  ]
  const answer: Hook['beforeTool'] = ({ arguments: args }) => ({
    action: 'respond',
    result: { text: `sunny in ${String(args.city)}` },
  })

  it('P4: named in the configuration: policy, people and claim come first, and then the hook answers', async () => {
    const hook = mount({ beforeTool: answer }, { trusted: true, tools: [offer], name: 'sky' })
    const setup = await open({ script, policy: {}, hooks: [hook] })
    expect(setup.agent.describe().tools).toContainEqual({
      name: 'weather',
      description: 'Tells the weather.',
      providedBy: 'sky',
    })
    const turn = setup.say('go')
    const request = (await waiting(setup))[0]!
    expect(request.tool).toBe('weather')
    await approve(setup.setup, request)
    expect(find(await turn, 'turn_ended').text).toBe('sunny in Hangzhou')
    expect(await setup.setup.gateway.get(request.id, ana)).toMatchObject({ state: 'done' })
  })

  it('P5: rejected: the hook is not asked', async () => {
    let asked = 0
    const hook = mount(
      {
        beforeTool(call, about) {
          asked++
          return answer(call, about)
        },
      },
      { trusted: true, tools: [offer] },
    )
    const setup = await open({ script, policy: {}, hooks: [hook] })
    const turn = setup.say('go')
    const request = (await waiting(setup))[0]!
    await setup.setup.gateway.decide(request.id, { decision: 'reject', digest: request.digest }, ana)
    await turn
    expect(asked).toBe(0)
  })

  it('added before the model is asked', async () => {
    const hook = mount(
      {
        beforeModel: (request) => ({
          action: 'modify',
          request: { ...request, tools: [...request.tools, offer] },
        }),
        beforeTool: answer,
      },
      { trusted: true, name: 'sky' },
    )
    const setup = await open({ script, policy: { allow: ['weather'] }, hooks: [hook] })
    expect(find(await setup.say('go'), 'turn_ended').text).toBe('sunny in Hangzhou')
    expect(setup.agent.describe().tools).toContainEqual(
      expect.objectContaining({ name: 'weather', providedBy: 'sky' }),
    )
  })

  it('P5: a name that is taken is refused', async () => {
    const hook = mount(
      {
        beforeModel: (request) => ({
          action: 'modify',
          request: { ...request, tools: [...request.tools, { ...offer, name: 'note' }] },
        }),
      },
      { trusted: true },
    )
    const setup = await open({ script, policy: { mode: 'bypass' }, hooks: [hook] })
    expect(find(await setup.say('go'), 'turn_ended').status).toBe('failed')
  })
})

describe('approvers', () => {
  it('P5: one that says no, or nothing sensible, denies; yes allows nothing', async () => {
    const no = await open({
      script: NOTE,
      policy: { mode: 'bypass' },
      hooks: [mount({ approveTool: () => ({ approved: false, reason: 'closed' }) })],
    })
    expect(find(await no.say('go'), 'call_refused').because).toContain('closed')
    const garbage = await open({
      script: NOTE,
      policy: { mode: 'bypass' },
      hooks: [mount({ approveTool: () => ({ allow: true }) as never }, { onFailure: 'continue' })],
    })
    expect(find(await garbage.say('go'), 'call_refused').state).toBe('denied')
    const yes = await open({
      script: NOTE,
      policy: {},
      hooks: [mount({ approveTool: () => ({ approved: true }) })],
    })
    const turn = yes.say('go')
    expect(await waiting(yes)).toHaveLength(1)
    await yes.agent.interrupt('s1', { kind: 'hard' }, ana)
    await turn
    expect([...no.notes, ...garbage.notes, ...yes.notes]).toEqual([])
  })
})

describe('around the model, and afterwards', () => {
  it('abort_turn ends it with the reason; hard_abort leaves no trace of it in the conversation', async () => {
    const stop = await open({
      hooks: [mount({ beforeModel: () => ({ action: 'abort_turn', reason: 'too late' }) })],
    })
    expect(find(await stop.say('go'), 'turn_ended')).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('too late'),
    })
    let isHard = true
    const messages: number[] = []
    const hard = await open({
      hooks: [
        mount({
          beforeModel({ messages: all }) {
            messages.push(all.length)
            return isHard ? { action: 'hard_abort' } : { action: 'continue' }
          },
        }),
      ],
    })
    expect(find(await hard.say('forget this'), 'turn_ended').status).toBe('aborted')
    isHard = false
    await hard.say('hello')
    expect(messages).toEqual([2, 2])
  })

  it('P5: a result that a failing hook should have looked at is withheld', async () => {
    const setup = await open({
      script: NOTE,
      policy: { allow: ['note'] },
      hooks: [mount({ afterTool: () => ({ action: 'redact' }) as never })],
    })
    const events = await setup.say('go')
    expect(find(events, 'call_finished')).toMatchObject({ ok: false })
    expect(find(events, 'turn_ended').text).not.toContain('noted x')
    expect(setup.notes).toEqual(['x'])
  })

  it('abort_turn beside a call that waits for a person does not wait for them', async () => {
    const script = [
      {
        steps: [
          {
            calls: [
              { tool: 'note', arguments: { line: 'waits' } },
              { tool: 'note', arguments: { line: 'aborts' } },
            ],
          },
        ],
      },
    ]
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const hook = mount({
      async beforeTool({ arguments: args }) {
        if (args.line !== 'aborts') return { action: 'continue' }
        await held
        return { action: 'abort_turn', reason: 'enough' }
      },
    })
    const setup = await open({ script, policy: {}, hooks: [hook] })
    const turn = setup.say('go')
    const request = (await waiting(setup))[0]!
    release()
    expect(find(await turn, 'turn_ended')).toMatchObject({ status: 'failed' })
    expect(await setup.setup.gateway.get(request.id, ana)).toMatchObject({ state: 'cancelled' })
    expect(setup.notes).toEqual([])
  })

  it('observers are told of all of it, an approval that is pending too', async () => {
    const told: string[] = []
    const setup = await open({
      script: NOTE,
      policy: {},
      hooks: [mount({ observe: (event) => void told.push(event.kind) })],
    })
    const turn = setup.say('go')
    await approve(setup.setup, (await waiting(setup))[0]!)
    const events = await turn
    expect(told.slice(0, 3)).toEqual(['turn_begun', 'model_called', 'model_answered'])
    expect(told).toContain('call_waiting')
    expect(told.length).toBeLessThanOrEqual(events.length)
  })
})
