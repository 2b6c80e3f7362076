import { effect } from '@preact/signals'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  openTestAgent,
  type TestAgent,
  type TestAgentOptions,
  waiting,
} from '../../../../../src/agents/fixtures/test-agent.ts'
import { type ClientError, createClient, type Fetch } from '../../../../../src/client/index.ts'
import { defined } from '../../../../../src/core/defined.ts'
import { approve } from '../../../../../src/gateway/fixtures/test-gateway.ts'
import { type HttpGateway, openHttpGateway } from '../../../../../test/fixtures/http-gateway.ts'
import { type Conversation, createConversation } from './conversation.ts'
import { transcriptValues } from './fixtures/transcript-values.ts'

const SCRIPT = [
  {
    when: 'note',
    steps: [
      { think: 'It wants a note.', say: 'I note it.', calls: [{ tool: 'note', arguments: { line: 'x' } }] },
      { oneOf: [{ when: { result: 'refused' }, say: 'Not noted: {reason}' }, { say: 'It says: {result}' }] },
    ],
  },
  {
    when: 'delegate',
    steps: [{ calls: [{ tool: 'spawn', arguments: { task: 'look' } }] }, { say: 'the other said: {result}' }],
  },
  {
    when: 'look',
    steps: [{ say: 'I look.', calls: [{ tool: 'note', arguments: { line: 'below' } }] }, { say: 'seen' }],
  },
  { steps: [{ say: 'Hello there, how are you today?' }] },
]

/** The pauses between two tries are none; a stream that has fallen silent is given up as ever. */
const WITHOUT_PAUSES = {
  after(delayMs: number, run: () => void) {
    const timer = setTimeout(run, delayMs < 31_000 ? 0 : delayMs)
    return { cancel: () => clearTimeout(timer) }
  },
}

interface Place {
  agents: TestAgent
  http: HttpGateway
  refused: ClientError[]
  open(parts?: { session?: string; fetch?: Fetch; who?: 'ana' | 'ben'; fresh?: Set<string> }): Conversation
}

async function place(options: TestAgentOptions = {}): Promise<Place> {
  const agents = await openTestAgent({ script: SCRIPT, policy: { allow: ['spawn'] }, ...options })
  onTestFinished(() => agents.close())
  return around(agents)
}

async function around(agents: TestAgent): Promise<Place> {
  const http = await openHttpGateway({ around: agents.setup, http: { conversations: agents.agent } })
  const refused: ClientError[] = []
  const opened: Conversation[] = []
  onTestFinished(async () => {
    for (const each of opened) each.close()
    await http.close()
  })
  return {
    agents,
    http,
    refused,
    open({ session = 's1', fetch, who = 'ana', fresh } = {}) {
      const client = createClient({
        url: http.server.address.url,
        token: http.tokens[who],
        ...defined({ fetch }),
        clock: WITHOUT_PAUSES,
      })
      const conversation = createConversation({
        client,
        session,
        subject: who,
        soon: (run) => run(),
        onRefused: (error) => refused.push(error),
        ...defined({ fresh }),
      })
      opened.push(conversation)
      return conversation
    },
  }
}

/** Resolves when it has become so. */
async function until(isSo: () => boolean): Promise<void> {
  let stop = () => {}
  await new Promise<void>((resolve) => {
    stop = effect(() => {
      if (isSo()) resolve()
    })
  })
  stop()
}

const isOver = ({ transcript }: Conversation, turns = 1) =>
  transcript.turns.value.length === turns &&
  transcript.turns.value.every(({ end }) => end.value !== undefined)
const itemsOf = ({ transcript }: Conversation, turn = 0) => {
  transcript.draws.value
  return transcriptValues(transcript)[turn]?.items ?? []
}
const hasCall = (conversation: Conversation, stage: string) =>
  itemsOf(conversation).some((item) => item.kind === 'call' && item.stage === stage)

describe('a conversation', () => {
  it('begins with the first words, and is told while it goes on', async () => {
    const { agents, open } = await place()
    const conversation = open()
    await until(() => conversation.state.value.kind === 'new')
    expect(await conversation.say('note this')).toBe(true)
    const [request] = await waiting(agents)
    await until(() => hasCall(conversation, 'waiting'))
    expect(itemsOf(conversation)).toMatchObject([
      { kind: 'said', text: 'note this', by: 'ana' },
      { kind: 'answer', thinking: 'It wants a note.', text: 'I note it.', state: 'done' },
      { kind: 'call', stage: 'waiting', request: request?.id, summary: expect.stringContaining('note') },
    ])
    expect(conversation.transcript.running.value).toBe('t1')
    await approve(agents.setup, request!)
    await until(() => isOver(conversation))
    expect(itemsOf(conversation).slice(2)).toMatchObject([
      { kind: 'call', stage: 'finished', text: 'noted x' },
      { kind: 'answer', text: 'It says: noted x' },
    ])
    expect(conversation.transcript.finished.value).toEqual({ text: 'It says: noted x' })
  })

  it('one that was begun here is not asked after', async () => {
    const { open } = await place()
    const fresh = new Set(['s1'])
    const conversation = open({ fresh })
    expect(conversation.state.value).toEqual({ kind: 'new' })
    await conversation.say('hello')
    expect(fresh.has('s1')).toBe(false)
    await until(() => isOver(conversation))
  })

  it('is the same after the page was loaded again, in the middle and at the end', async () => {
    const { agents, open } = await place()
    const first = open()
    await first.say('hello')
    await until(() => isOver(first))
    await first.say('note this')
    const [request] = await waiting(agents)
    await until(() => itemsOf(first, 1).some(({ stage }) => stage === 'waiting'))
    const second = open()
    await until(() => itemsOf(second, 1).some(({ stage }) => stage === 'waiting'))
    expect(transcriptValues(second.transcript)).toEqual(transcriptValues(first.transcript))
    await approve(agents.setup, request!)
    await until(() => isOver(first, 2) && isOver(second, 2))
    const third = open()
    await until(() => isOver(third, 2))
    expect(transcriptValues(second.transcript)).toEqual(transcriptValues(first.transcript))
    expect(transcriptValues(third.transcript)).toEqual(transcriptValues(first.transcript))
    // What was there before is not read aloud.
    expect(third.transcript.finished.value).toBeUndefined()
  })

  it('P7: what waited when the server was restarted waits on, and goes on from there', async () => {
    const before = await openTestAgent({ script: SCRIPT, policy: {} })
    const one = await around(before)
    const early = one.open()
    await early.say('note this')
    await waiting(before)
    await until(() => hasCall(early, 'waiting'))
    early.close()
    before.setup.clock.jump(60_000)
    const after = await before.restart()
    onTestFinished(() => after.close())
    const { open } = await around(after)
    expect(await after.agent.resume()).toBe(1)
    const [request] = await waiting(after)
    const conversation = open()
    await until(() => hasCall(conversation, 'waiting'))
    expect(itemsOf(conversation).find(({ kind }) => kind === 'call')?.request).toBe(request?.id)
    await approve(after.setup, request!)
    await until(() => isOver(conversation))
    expect(itemsOf(conversation).filter(({ kind }) => kind === 'said')).toHaveLength(1)
    expect(itemsOf(conversation).at(-1)).toMatchObject({ kind: 'answer', text: 'It says: noted x' })
  })

  it('goes on after every break without a gap and without telling anything twice', async () => {
    const { agents, open } = await place()
    const whole = open()
    await whole.say('note this')
    const [request] = await waiting(agents)
    for (const pieces of [1, 2, 3, 5, 8]) {
      const broken = open({ fetch: breaking(pieces) })
      await until(() => hasCall(broken, 'waiting'))
      expect(transcriptValues(broken.transcript)).toEqual(transcriptValues(whole.transcript))
    }
    const last = open({ fetch: breaking(1) })
    await approve(agents.setup, request!)
    await until(() => isOver(whole) && isOver(last))
    expect(transcriptValues(last.transcript)).toEqual(transcriptValues(whole.transcript))
  })

  it('shows the work of an agent below, live and when it is asked for later', async () => {
    const { agents, open } = await place()
    const live = open()
    await live.say('delegate')
    const [request] = await waiting(agents)
    await approve(agents.setup, request!)
    await until(() => isOver(live))
    const helper = itemsOf(live).find(({ kind }) => kind === 'helper')
    expect(helper).toMatchObject({
      task: 'look',
      status: 'completed',
      lane: [{ text: 'I look.' }, { kind: 'call', stage: 'finished' }, { text: 'seen' }],
    })
    await live.say('hello')
    await until(() => isOver(live, 2))
    const later = open()
    await until(() => isOver(later, 2))
    expect(itemsOf(later).find(({ kind }) => kind === 'helper')).toMatchObject({ work: 'unread', lane: [] })
    await later.readWork('s1.t1.1.0')
    expect(itemsOf(later).find(({ kind }) => kind === 'helper')).toMatchObject({
      work: 'here',
      task: 'look',
      status: 'completed',
      lane: [{ text: 'I look.' }, { kind: 'call', stage: 'finished' }, { text: 'seen' }],
    })
  })

  it('is steered, and stopped at once', async () => {
    const { agents, open } = await place()
    const conversation = open()
    await conversation.say('note this')
    const [request] = await waiting(agents)
    await conversation.say('be quick')
    await conversation.stop('hard')
    await until(() => isOver(conversation))
    expect(itemsOf(conversation)).toMatchObject([
      { kind: 'said', isSteering: false },
      { kind: 'answer' },
      { kind: 'call', stage: expect.stringMatching(/left|refused/) },
      { kind: 'said', text: 'be quick', isSteering: true },
      { kind: 'interrupted', how: 'hard', by: 'ana' },
    ])
    expect(
      await agents.setup.gateway.get(request!.id, { subject: 'ana', role: 'admin', via: 'test' }),
    ).toMatchObject({
      state: 'cancelled',
    })
    expect(agents.notes).toEqual([])
  })

  it('has its mode set and is ended; then nothing more is heard in it', async () => {
    const { open } = await place()
    const conversation = open()
    await conversation.say('hello')
    await until(() => isOver(conversation))
    expect(await conversation.setMode('plan')).toBe(true)
    expect(conversation.about.value?.mode).toBe('plan')
    expect(conversation.modeSet.value?.by).toBe('ana')
    expect(await conversation.setMode('no such mode')).toBe(false)
    expect(conversation.mishap.value).toMatchObject({ what: 'mode', error: { code: 'invalid' } })
    expect(conversation.about.value?.mode).toBe('plan')
    expect(await conversation.end()).toBe(true)
    expect(conversation.about.value?.ended?.by).toBe('ana')
    expect(await conversation.say('hello?')).toBe(false)
    expect(conversation.mishap.value).toMatchObject({ what: 'say', error: { code: 'session_ended' } })
  })

  it('what could not be sent says so, and a second try is heard', async () => {
    const { open } = await place()
    let isDown = true
    const conversation = open({
      fetch: (url, init) => (isDown ? Promise.reject(new TypeError('down')) : fetch(url, init)),
      fresh: new Set(['s1']),
    })
    expect(await conversation.say('hello')).toBe(false)
    expect(conversation.mishap.value).toMatchObject({ what: 'say', error: { code: 'unreachable' } })
    expect(conversation.isSending.value).toBe(false)
    isDown = false
    expect(await conversation.say('hello')).toBe(true)
    expect(conversation.mishap.value).toBeUndefined()
    await until(() => isOver(conversation))
  })

  it('asks for nothing while nothing happens', async () => {
    const { agents, open } = await place()
    const asked: string[] = []
    const conversation = open({
      fetch: (url, init) => {
        asked.push(String(url))
        return fetch(url, init)
      },
    })
    await conversation.say('note this')
    await waiting(agents)
    await until(() => hasCall(conversation, 'waiting') && conversation.about.value !== undefined)
    // Whatever follows from one question would have come by the end of a few others.
    for (let count = 0; count < 5; count++) await conversation.refresh()
    const before = asked.length
    for (let count = 0; count < 5; count++) await conversation.refresh()
    expect(asked.length).toBe(before + 5)
  })

  it("P6: another person's conversation is not there for those who may not see it", async () => {
    const { open } = await place()
    const mine = open()
    await mine.say('hello')
    await until(() => isOver(mine))
    const other = open({ who: 'ben' })
    await until(() => other.state.value.kind !== 'loading')
    expect(other.state.value.kind).toBe('new')
    expect(transcriptValues(other.transcript)).toEqual([])
    expect(await other.say('hello')).toBe(false)
    expect(other.mishap.value?.error.code).toMatch(/not_yours|unknown_id/)
  })
})

/** Breaks every stream after so many pieces. */
function breaking(pieces: number): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init)
    if (!String(url).endsWith('/conversation') || response.body === null) return response
    let left = pieces
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        controller.enqueue(piece)
        if (--left === 0) controller.terminate()
      },
    })
    return new Response(response.body.pipeThrough(cut), response)
  }
}
