/**
 * The Claude engine with the real SDK and the program that it brings, in a server of the packed package, on a model that follows a
 * script. Most tests have a session of their own in one server, because a start of the program takes a second.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from 'banksman'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClaudeServer, openClaudeServer, plantSettings } from './claude-server.ts'

type Call = { tool: string; arguments: JsonObject }
const bash = (command: string): Call => ({ tool: 'Bash', arguments: { command, description: 'as asked' } })
const withIds = (calls: Call[]) => calls.map((call) => ({ ...call, id: `toolu_${randomUUID()}` }))
/** Each list is one answer of the model; after them it says that it is done. */
const scene = (when: string | string[], ...steps: Call[][]) => ({
  when,
  steps: [...steps.map((calls) => ({ say: 'So.', calls: withIds(calls) })), { say: 'Done.' }],
})
const question = {
  question: 'Which database?',
  header: 'Database',
  multiSelect: false,
  options: [
    { label: 'Postgres', description: 'the large one' },
    { label: 'SQLite', description: 'the small one' },
  ],
}
const POLL = { timeout: 60_000 }
const RESTARTED = 'the server was restarted'

const scenes = (shop: string) => [
  scene([RESTARTED, 'touch killed-waiting'], [bash('touch killed-waiting')]),
  scene([RESTARTED, 'killed-running']),
  scene([RESTARTED, 'touch closed-waiting'], [bash('touch closed-waiting')]),
  scene('make one', [bash('touch one')]),
  scene('show the environment', [bash('env')]),
  scene('two at once', [
    { tool: 'Read', arguments: { file_path: join(shop, 'first') } },
    { tool: 'Read', arguments: { file_path: join(shop, 'second') } },
  ]),
  scene('edit me', [bash('touch unedited')]),
  scene('reject me', [bash('touch rejected')]),
  scene('answer me', [bash('touch answered')]),
  scene('ask me', [{ tool: 'AskUserQuestion', arguments: { questions: [question] } }]),
  scene('terminate me', [bash('touch terminated')], [bash('touch after-the-end')]),
  scene('be slow', [bash('sleep 60; touch slow')]),
  scene('finish this', [bash('sleep 2; touch finished')], [bash('touch not-begun')]),
  scene('be pending', [bash('touch pending')]),
  scene('do this instead'),
  scene('wait for the kill', [bash('touch killed-waiting')]),
  scene('run into the kill', [bash('echo x >> killed-running; sleep 60; echo x >> killed-running')]),
  scene('wait for the close', [bash('touch closed-waiting')]),
  scene('look around', [bash('touch by-sub-agent')]),
  scene('start a sub-agent', [
    {
      tool: 'Agent',
      arguments: { description: 'd', prompt: 'look around', subagent_type: 'general-purpose' },
    },
  ]),
  scene('go on and on', ...Array.from({ length: 12 }, () => [bash('echo again')])),
  { when: 'break down', steps: [{ fail: { message: 'no such model', mayRetry: false, status: 400 } }] },
  { steps: [{ say: 'Here.' }], repeat: true },
]

let server: ClaudeServer
let marks: string[]

beforeAll(async () => {
  const claude = { engine: 'claude', workspace: './shop', maxTurns: 5 }
  server = await openClaudeServer(scenes, {
    policy: { allow: ['Bash(echo again)', 'Bash(env)', 'Agent'], ask: ['Read'] },
    agents: {
      coder: claude,
      trusting: { ...claude, settings: 'project' },
      napping: { ...claude, idle: '1s' },
    },
  })
  marks = plantSettings(server).marks
  for (const name of ['first', 'second']) writeFileSync(join(server.shop, name), `the ${name} file\n`)
  await server.start()
})
afterAll(() => server?.close())

const exists = (name: string) => existsSync(join(server.shop, name))
const planted = () => marks.filter((path) => existsSync(path))
const isAlive = (pid: number) => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Says it in the session, and gives the turn that it begins. */
async function say(session: string, text: string, agent = 'coder'): Promise<string> {
  return (await server.client().say(session, text, { agent })).turn
}

const entries = async (session: string) => (await server.client().turns(session, { limit: 200 })).items

async function endOf(session: string, turn = 't1') {
  const find = async () =>
    (await entries(session)).find((entry) => entry.kind === 'ended' && entry.turn === turn)
  await expect.poll(async () => (await find())?.kind, POLL).toBe('ended')
  return (await find()) as Extract<Awaited<ReturnType<typeof find>>, { kind: 'ended' }>
}

async function pending(session: string, count = 1) {
  const find = async () => {
    const { items } = await server.client().list({ state: 'pending', limit: 200 })
    return items.filter((request) => request.session === session)
  }
  await expect.poll(async () => (await find()).length, POLL).toBe(count)
  return find()
}

/** A person's answer to the request that waits in the session. */
async function decide(session: string, answer: Record<string, unknown>): Promise<string> {
  const [request] = await pending(session)
  const { id, digest } = request!
  await server.client().decide(id, { digest, ...answer } as never)
  return id
}

/** What the model was told last in the conversation that began with these words. */
function told(words: string): string {
  const bodies = server.model.requests.map(({ body }) => JSON.stringify(body))
  return bodies.findLast((body) => body.includes(words)) ?? ''
}

describe('a turn', () => {
  it('P3: runs what was approved, tells of it, and ends with the model’s last words', async () => {
    await say('one', 'make one')
    expect(await pending('one')).toMatchObject([{ tool: 'Bash', agent: { name: 'coder' } }])
    expect(exists('one')).toBe(false)
    expect(await server.client().progress('one')).toMatchObject({
      state: 'waiting',
      turn: { said: ['So.'], recent: [{ tool: 'Bash', state: 'waiting' }] },
    })
    const id = await decide('one', { decision: 'approve' })
    expect(await endOf('one')).toMatchObject({ status: 'completed', text: 'Done.', steps: 2 })
    expect(exists('one')).toBe(true)
    expect(await server.client().get(id)).toMatchObject({ state: 'done', outcome: { kind: 'ok' } })
    const kinds = (await entries('one')).map(({ kind }) => kind).filter((kind) => kind !== 'note')
    expect(kinds).toEqual(['begun', 'answered', 'result', 'answered', 'ended'])
  })

  it('tells what it cost, for itself and not for those before', async () => {
    const before = (await endOf('one')).usage.costUsd!
    await endOf('one', await say('one', 'hello'))
    const [first, second] = [before, (await endOf('one', 't2')).usage.costUsd!]
    expect(first).toBeGreaterThan(0)
    expect(second).toBeGreaterThan(0)
    expect(second).toBeLessThan(first)
  })

  it('secretary 2: several turns have one process and one transcript', async () => {
    const [pid] = server.children()
    await endOf('one', await say('one', 'hello again'))
    expect(server.children()).toContain(pid)
    expect(told('hello again')).toContain('make one')
  })

  it('secretary 4: its commands see nothing of ours', async () => {
    await endOf('environment', await say('environment', 'show the environment'))
    const result = (await entries('environment')).find((entry) => entry.kind === 'result')
    expect(result).toMatchObject({ outcome: 'ran', text: expect.stringContaining('ANTHROPIC_API_KEY=none') })
    expect(JSON.stringify(result)).not.toMatch(/BANKSMAN|FEISHU|PLANTED/)
  })

  it('P5: words are words: a file that they name is not read, and no command of the program is run', async () => {
    await endOf('words', await say('words', `look at @${join(server.shop, 'first')} and @first, tomato`))
    expect(told('tomato')).not.toContain('the first file')
    const asked = server.model.requests.length
    await endOf('words', await say('words', '/context'))
    expect(server.model.requests.length).toBe(asked + 1)
    expect(told('/context')).toContain('tomato')
  })

  it('secretary N11: that reaches its limit is no success, and the next one runs', async () => {
    expect(await endOf('limit', await say('limit', 'go on and on'))).toMatchObject({
      status: 'limit',
      reason: expect.stringContaining('5 times'),
    })
    expect(await endOf('limit', await say('limit', 'do this instead'))).toMatchObject({ status: 'completed' })
  })

  it('secretary N10 N11: that fails says why, and the next one runs', async () => {
    expect(await endOf('broken', await say('broken', 'break down'))).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('no such model'),
    })
    expect(await endOf('broken', await say('broken', 'do this instead'))).toMatchObject({
      status: 'completed',
    })
  })
})

describe('settings of others', () => {
  it('secretary N1: of the repository and of the user have no effect: nothing is started, nothing let through', async () => {
    await say('settings', 'make one')
    expect(await pending('settings')).toHaveLength(1)
    await decide('settings', { decision: 'reject', reason: 'not today' })
    await endOf('settings')
    expect(planted()).toEqual([])
    const request = told('make one')
    expect(request).toContain('grapefruit')
    expect(request).not.toContain('papaya')
    expect(request).not.toContain('mcp__planted')
  })

  it('of the repository count where the configuration says so: its hooks run, its rules let nothing through', async () => {
    await say('trusting', 'reject me', 'trusting')
    await decide('trusting', { decision: 'reject', reason: 'not this' })
    await endOf('trusting')
    expect(exists('rejected')).toBe(false)
    expect(planted().map((path) => path.slice(path.indexOf('mark-')))).toEqual([
      'mark-project-start',
      'mark-project-prompt',
    ])
    for (const path of planted()) rmSync(path)
  })
})

describe('a person’s answer', () => {
  it('secretary N4: to each of two calls at once is for that one', async () => {
    await say('two', 'two at once')
    const requests = await pending('two', 2)
    const byFile = (name: string) =>
      requests.find((each) => String(each.arguments.file_path).endsWith(`/${name}`))!
    const [first, second] = [byFile('first'), byFile('second')]
    await server.client().decide(second.id, { digest: second.digest, decision: 'approve' })
    await server
      .client()
      .decide(first.id, { digest: first.digest, decision: 'reject', reason: 'only the second' })
    expect(await endOf('two')).toMatchObject({ status: 'completed' })
    expect(told('two at once')).toContain('the second file')
    expect(told('two at once')).not.toContain('the first file')
    expect(told('two at once')).toContain('only the second')
  })

  it('P3: an edit is what runs, and the model is told', async () => {
    await say('edit', 'edit me')
    await decide('edit', {
      decision: 'edit',
      arguments: { command: 'touch edited', description: 'as asked' },
    })
    await endOf('edit')
    expect([exists('unedited'), exists('edited')]).toEqual([false, true])
    expect(told('edit me')).toContain('changed the arguments of this call before it ran')
  })

  it('secretary 39: a no reaches the model with its reason', async () => {
    await say('reject', 'reject me')
    await decide('reject', { decision: 'reject', reason: 'too early' })
    expect(await endOf('reject')).toMatchObject({ status: 'completed' })
    expect(exists('rejected')).toBe(false)
    expect(told('reject me')).toContain('too early')
  })

  it('takes the place of the result', async () => {
    await say('respond', 'answer me')
    await decide('respond', { decision: 'respond', text: 'It is there already.' })
    await endOf('respond')
    expect(exists('answered')).toBe(false)
    expect(told('answer me')).toContain('It is there already.')
  })

  it('to a question is given to the model', async () => {
    await say('question', 'ask me')
    await decide('question', { decision: 'answer', answers: { q1: { choices: ['SQLite'] } } })
    await endOf('question')
    expect(told('ask me')).toContain('SQLite')
    const result = (await entries('question')).find((entry) => entry.kind === 'result')
    expect(result).toMatchObject({ outcome: 'answered' })
  })

  it('P5: that ends the session ends the turn, with the reason; nothing runs, and the model is not asked again', async () => {
    await say('terminate', 'terminate me')
    await pending('terminate')
    const asked = server.model.requests.length
    await decide('terminate', { decision: 'terminate', reason: 'enough of this' })
    expect(await endOf('terminate')).toMatchObject({
      status: 'terminated',
      endedBy: { by: 'ana', reason: 'enough of this' },
    })
    expect([exists('terminated'), exists('after-the-end')]).toEqual([false, false])
    expect(server.model.requests.length).toBe(asked)
  })

  it('is about the call of a sub-agent by its name, below the agent that started it', async () => {
    await say('sub', 'start a sub-agent')
    const [request] = await pending('sub')
    expect(request!.agent).toEqual({ name: 'general-purpose', parents: ['coder'] })
    await decide('sub', { decision: 'approve' })
    expect(await endOf('sub')).toMatchObject({ status: 'completed' })
    expect(exists('by-sub-agent')).toBe(true)
  })
})

describe('a stop', () => {
  it('P5: while a tool runs ends the tool, and the record says that it was stopped', async () => {
    await say('slow', 'be slow')
    const id = await decide('slow', { decision: 'approve' })
    await expect
      .poll(async () => (await server.client().progress('slow')).turn?.recent[0]?.state, POLL)
      .toBe('running')
    await server.client().stopSession('slow', { how: 'hard' })
    expect(await endOf('slow')).toMatchObject({ status: 'interrupted' })
    expect(await server.client().get(id)).toMatchObject({ state: 'done', outcome: { kind: 'error' } })
    expect(exists('slow')).toBe(false)
  })

  it('that is graceful lets the tool finish, and the model is not asked again', async () => {
    await say('graceful', 'finish this')
    await decide('graceful', { decision: 'approve' })
    await expect
      .poll(async () => (await server.client().progress('graceful')).turn?.recent[0]?.state, POLL)
      .toBe('running')
    await server.client().stopSession('graceful', { how: 'graceful' })
    expect(await endOf('graceful')).toMatchObject({ status: 'interrupted', steps: 1 })
    expect([exists('finished'), exists('not-begun')]).toEqual([true, false])
  })

  it('secretary 9 N8 N9: a message while a person is asked withdraws that, and only its own result ends its turn', async () => {
    await say('busy', 'be pending')
    const [request] = await pending('busy')
    expect(await say('busy', 'do this instead')).toBe('t2')
    expect(await endOf('busy', 't1')).toMatchObject({ status: 'interrupted', text: '' })
    expect(await endOf('busy', 't2')).toMatchObject({ status: 'completed', text: 'Done.' })
    expect(await server.client().get(request!.id)).toMatchObject({ state: 'cancelled' })
    expect(exists('pending')).toBe(false)
  })

  it('right after a message holds too', async () => {
    await endOf('quick', await say('quick', 'hello'))
    const turn = await say('quick', 'be pending')
    await server.client().stopSession('quick', { how: 'hard' })
    expect(await endOf('quick', turn)).toMatchObject({ status: 'interrupted' })
    expect(await endOf('quick', await say('quick', 'do this instead'))).toMatchObject({ text: 'Done.' })
    expect(await pending('quick', 0)).toEqual([])
  })
})

describe('its process', () => {
  /** Until there is none besides those that were there before. */
  const napping = (before: number[]) =>
    expect.poll(() => server.children().filter((pid) => !before.includes(pid)), POLL).toEqual([])

  it('ends after a while without a turn, and the next turn knows what was said', async () => {
    const before = server.children()
    await endOf('nap', await say('nap', 'hello tangerine', 'napping'))
    await napping(before)
    expect(await endOf('nap', await say('nap', 'and again', 'napping'))).toMatchObject({
      status: 'completed',
    })
    expect(told('and again')).toContain('hello tangerine')
  })

  it('P4: kill -9 while a person is asked: it is ended, the request is still there, and what is approved runs once', async () => {
    await say('killed-waiting', 'wait for the kill')
    const [request] = await pending('killed-waiting')
    const left = server.children()
    await server.stop('SIGKILL')
    expect(left.some(isAlive)).toBe(true)
    await server.start()
    await expect
      .poll(async () => (await server.client().progress('killed-waiting')).turn?.steps, POLL)
      .toBe(2)
    expect(left.filter(isAlive)).toEqual([])
    expect(await pending('killed-waiting')).toMatchObject([{ id: request!.id }])
    await decide('killed-waiting', { decision: 'approve' })
    expect(await endOf('killed-waiting')).toMatchObject({ status: 'completed', text: 'Done.' })
    expect(exists('killed-waiting')).toBe(true)
    expect(await server.client().get(request!.id)).toMatchObject({ state: 'done', outcome: { kind: 'ok' } })
    const { items } = await server.client().list({ state: 'done', limit: 200 })
    expect(items.filter(({ session }) => session === 'killed-waiting')).toHaveLength(1)
  })

  it('P4: kill -9 while a tool runs: tool and process are ended, and the model is told that it may have run', async () => {
    await say('killed-running', 'run into the kill')
    await decide('killed-running', { decision: 'approve' })
    await expect.poll(() => exists('killed-running'), POLL).toBe(true)
    const left = server.children()
    await server.stop('SIGKILL')
    await server.start()
    expect(await endOf('killed-running')).toMatchObject({ status: 'completed' })
    expect(left.filter(isAlive)).toEqual([])
    expect(told('run into the kill')).toContain('it may have run')
    expect(readFileSync(join(server.shop, 'killed-running'), 'utf8')).toBe('x\n')
  })

  it('P7: an orderly end while a person is asked leaves nothing running, and the turn goes on afterwards', async () => {
    await say('closed', 'wait for the close')
    const [request] = await pending('closed')
    const left = server.children()
    await server.stop('SIGTERM')
    expect(left.filter(isAlive)).toEqual([])
    await server.start()
    await expect.poll(async () => (await server.client().progress('closed')).turn?.steps, POLL).toBe(2)
    expect(await pending('closed')).toMatchObject([{ id: request!.id }])
    await decide('closed', { decision: 'approve' })
    expect(await endOf('closed')).toMatchObject({ status: 'completed' })
    expect(exists('closed-waiting')).toBe(true)
  })

  it('begins anew where its transcript is lost, says so, and knows what was said', async () => {
    const before = server.children()
    await endOf('lost', await say('lost', 'remember kumquat', 'napping'))
    await napping(before)
    rmSync(join(server.config(), 'projects'), { recursive: true, force: true })
    const shown: string[] = []
    const listening = new AbortController()
    const listen = (async () => {
      for await (const event of server.client().conversation('lost', { signal: listening.signal }))
        if (event.kind === 'shown') shown.push(event.text ?? '')
    })().catch(() => {})
    expect(await endOf('lost', await say('lost', 'what was it', 'napping'))).toMatchObject({
      status: 'completed',
    })
    expect(told('what was it')).toContain('remember kumquat')
    expect(shown).toEqual([expect.stringContaining('begins anew')])
    listening.abort()
    await listen
    // And the one after that goes on with the new one.
    await endOf('lost', await say('lost', 'once more', 'napping'))
    expect(told('once more')).toContain('what was it')
  })
})
