/**
 * `banksman mcp`: between an MCP client and its server. Lines go through as they are, in both directions; a copy of each line of the client
 * is read. A call of a tool waits here until the Banksman server has allowed it, and everything else goes on meanwhile.
 *
 * What MUST hold
 * - What reaches the server is what was approved: the client's own bytes, or those bytes with the arguments that a person wrote.
 * - What can't be read whole is refused, not forwarded (`lines/client-message.ts`).
 * - A call that is cancelled, or whose client has gone, is not forwarded afterwards. One that runs is let run, and its outcome is reported.
 * - Starting has no effect: nothing is asked or written before the client wants something.
 *
 * What MUST NOT happen
 * - No failure ends in a call that nobody allowed: the Banksman server is away, slow, restarts, answers nonsense.
 */
import { randomBytes } from 'node:crypto'
import { MCP_STATE_PREFIX } from '../core/support/mcp-names.ts'
import type { Held } from '../guard/contract.ts'
import { createAnswerPending } from './calls/answer-pending.ts'
import { type AskResult, createAskServer, refusal } from './calls/ask-server.ts'
import { createForwardedCalls, type Forwarding } from './calls/forwarded-calls.ts'
import { answerCall, asObject, type GatedCall, isGated, readGatedCall } from './calls/gated-call.ts'
import { isQuestion, type QuestionMethod } from './calls/given-answers.ts'
import { createMcpWaits, type McpWait } from './calls/mcp-waits.ts'
import { createOwnRequests } from './calls/own-requests.ts'
import { createOwnTasks } from './calls/own-tasks.ts'
import { limitOf } from './client-limits.ts'
import { errorLine, NOT_ALLOWED } from './lines/answers.ts'
import { type ClientMessage, INVALID_REQUEST, readClientLine } from './lines/client-message.ts'
import { membersAt } from './lines/json-members.ts'
import { idAtEdges, messageId } from './lines/message-id.ts'
import { readServerLine } from './lines/server-message.ts'
import type { Line } from './lines/split-lines.ts'
import { createListedTools } from './listed-tools.ts'
import type { ServerLink } from './server-link/server-link.ts'
import type { Upstream } from './upstream/upstream.ts'

export interface ProxyParts {
  name: string
  link: ServerLink
  upstream: Upstream
  client: { lines: AsyncIterable<Line>; send(bytes: Buffer): Promise<void> }
  /** A line on standard error. */
  note(text: string): void
  /** How long a call waits for people. Absent: as long as this client bears it. */
  holdMs?: number | undefined
  maxLineBytes: number
  progressEveryMs?: number
}

const PROGRESS_EVERY_MS = 10_000
/** A quick answer stays a simple one. */
const TASK_AFTER_MS = 5_000
/** How long the server of a question waits for an answer that needs approval. */
const ANSWER_HOLD_MS = 50_000
/** Of answers, in bytes. */
const MAX_ON_ITS_WAY = 16 * 1024 * 1024
const LINE_FEED = 0x0a
const INTERNAL_ERROR = -32603
const SERVER_ENDED = 'the MCP server ended before it answered'
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo'

type Asking = Pick<McpWait, 'signal' | 'asked'>

/** Of a task: its client asks after it, and waits for nothing. */
const NOBODY_WAITS: Asking = { signal: new AbortController().signal, asked() {} }

/** Resolves with the exit code once the server has ended. */
export async function runProxy(parts: ProxyParts): Promise<number> {
  const { name, link, upstream, client, note, maxLineBytes } = parts
  const session = `mcp-${name}-${randomBytes(8).toString('hex')}`
  const own = createOwnRequests((bytes) => upstream.send(bytes))
  const listed = createListedTools({ request: own.request, hidden: (names) => link.hidden(names) })
  /** Under which id the Banksman server knows each call that runs. */
  const callIds = new WeakMap<GatedCall, string>()
  const running = createForwardedCalls({
    send: client.send,
    note,
    wrapState: (call, inner) =>
      link.makeState({ call, session, callId: callIds.get(call)!, rounds: 0 }, inner),
  })
  const tasks = createOwnTasks({
    async proceed({ call, callId }, as, done) {
      const result = await ask(call, callId, NOBODY_WAITS, 0)
      if (result.kind === 'answer') return { answered: result.bytes }
      if (result.kind !== 'held') return 'pending'
      const sent = await forward({ call, held: result.held, as, done }, callId, NOBODY_WAITS.signal)
      return sent === undefined ? 'sent' : { answered: sent }
    },
    withdraw: async ({ waiting: { requestId } }) =>
      requestId === undefined ? undefined : link.withdraw(requestId),
  })
  const answerPending = createAnswerPending({ link, tasks, note })
  const waiting = createMcpWaits((requestId) => start(link.withdraw(requestId)))
  const underway = new Set<Promise<void>>()
  /** Requests of the client that went on as they came, and are not answered yet. True: a list of tools. */
  const passed = new Map<string, boolean>()
  /** What the server has asked the client, by the server's ids. */
  const questions = new Map<string, QuestionMethod>()
  let clientName: string | undefined
  let onItsWay = 0
  let hasEnded = false
  const askServer = createAskServer({
    name,
    guard: link.guard,
    details: link.details,
    send: client.send,
    progressEveryMs: parts.progressEveryMs ?? PROGRESS_EVERY_MS,
  })

  /** Side by side with everything else. Whatever goes wrong is told, and lets nothing run. */
  function start(work: Promise<void>): void {
    const settled = work.catch((error) => note(`a message was lost: ${messageOf(error)}`))
    underway.add(settled)
    void settled.then(() => underway.delete(settled))
  }

  async function fromClient(line: Line): Promise<void> {
    const message = readClientLine(line, maxLineBytes)
    if (message === undefined) return
    if (message.kind === 'refused') {
      note(`a line of the client was refused: ${message.because}`)
      return client.send(
        errorLine(message.id, message.code, `Banksman refuses this message: ${message.because}`),
      )
    }
    noteClient(message)
    if (message.kind === 'notification') return fromNotification(message)
    if (message.kind === 'response') return fromAnswer(message)
    const { id, method } = message
    const { key } = id!
    // The answer to one of the two would be taken for the other's: a call's outcome would be what its client likes.
    if (waiting.has(key) || running.has(key) || passed.has(key))
      return client.send(errorLine(id, INVALID_REQUEST, 'Banksman refuses this message: its id is in use'))
    if (isGated(method)) return start(gate(message))
    const about = tasks.answer(message)
    if (about !== undefined) return start(about.then(client.send))
    passed.set(key, method === 'tools/list')
    return upstream.send(message.bytes).catch((error) => {
      passed.delete(key)
      return client.send(errorLine(id, INTERNAL_ERROR, `Banksman: ${messageOf(error)}`))
    })
  }

  async function fromAnswer(message: ClientMessage): Promise<void> {
    const { key } = message.id!
    const method = questions.get(key)
    questions.delete(key)
    if (method === undefined) return upstream.send(message.bytes)
    start(gateAnswer(answerCall(message, method)))
  }

  async function gateAnswer(call: GatedCall): Promise<void> {
    const callId = `mcp-${randomBytes(12).toString('hex')}`
    const result = await ask(call, callId, NOBODY_WAITS, ANSWER_HOLD_MS)
    if (result.kind !== 'held') {
      const because = result.kind === 'answer' ? 'it was not allowed' : 'nobody has approved it in time'
      return upstream.send(errorLine(call.id, NOT_ALLOWED, `Banksman keeps the answer back: ${because}`))
    }
    await upstream.send(call.message.bytes)
    await result.held.report({ ok: true })
  }

  async function fromNotification(message: ClientMessage): Promise<void> {
    if (isGated(message.method))
      return note(`${message.method} without an id was refused: nobody could be answered`)
    const cancelled = message.method === 'notifications/cancelled' ? cancelledKey(message) : undefined
    // The server has not heard of a call that is only asked about.
    if (cancelled !== undefined && waiting.cancel(cancelled)) return
    if (cancelled !== undefined) running.cancel(cancelled)
    return upstream.send(message.bytes)
  }

  function noteClient({ params, method }: ClientMessage): void {
    const info = method === 'initialize' ? params.clientInfo : asObject(params._meta)[CLIENT_INFO]
    const { name: called } = asObject(info)
    if (typeof called === 'string') clientName = called
  }

  async function gate(message: ClientMessage): Promise<void> {
    const call = readGatedCall(message)
    const { key } = message.id!
    if ('because' in call)
      return client.send(
        errorLine(message.id, INVALID_REQUEST, `Banksman refuses this call: ${call.because}`),
      )
    const place = waiting.enter(key)
    try {
      const bytes = await answerTo(call, place)
      if (bytes !== undefined && !place.signal.aborted) await client.send(bytes)
      else if (hasEnded && place.signal.aborted) await client.send(refusal(call, SERVER_ENDED))
    } catch (error) {
      note(`a call was lost: ${messageOf(error)}`)
      await client.send(refusal(call, messageOf(error)))
    } finally {
      place.leave()
    }
  }

  /** Undefined: it has been forwarded, or nobody waits for it. */
  async function answerTo(call: GatedCall, place: McpWait): Promise<Buffer | undefined> {
    const kept = running.replay(call)
    if (kept !== undefined) return kept
    const state = await stateOf(call)
    if ('because' in state) return refusal(call, state.because)
    const { callId, rounds, inner, held: resumed } = state
    // It has begun: giving it back now would be a second run.
    if (resumed !== undefined)
      return forward({ call, held: resumed, inner }, callId, NOBODY_WAITS.signal, place.leave)
    const result = await ask(call, callId, place, holdMsFor(call))
    if (result.kind === 'gone') return undefined
    if (result.kind === 'answer') return result.bytes
    if (result.kind === 'pending')
      return answerPending({ call, session, callId, waiting: result.waiting, rounds })
    return forward({ call, held: result.held, inner }, callId, place.signal, place.leave)
  }

  /** What the call comes back with, if it does. */
  async function stateOf(
    call: GatedCall,
  ): Promise<{ because: string } | { callId: string; rounds: number; inner?: string; held?: Held }> {
    const { requestState } = call
    const own = call.callId ?? `mcp-${randomBytes(12).toString('hex')}`
    if (!requestState?.startsWith(MCP_STATE_PREFIX)) return { callId: own, rounds: 0 }
    try {
      const used = await link.useState({ call, session }, requestState)
      const held = running.resume(requestState)
      return { ...used, ...(held === undefined ? {} : { held }) }
    } catch (error) {
      return { because: messageOf(error) }
    }
  }

  /** As long as the client bears it. One that takes tasks is told soon that it takes longer. */
  function holdMsFor({ takesTasks }: GatedCall): number {
    const holdMs = parts.holdMs ?? limitOf(clientName).holdMs
    return takesTasks ? Math.min(holdMs, TASK_AFTER_MS) : holdMs
  }

  async function ask(
    call: GatedCall,
    callId: string,
    { signal, asked }: Asking,
    holdMs: number,
  ): Promise<AskResult> {
    const definition =
      call.method === 'tools/call' ? await listed.find(call.tool, envelopeOf(call)) : undefined
    if (signal.aborted) return { kind: 'gone' }
    const shown = shownName(clientName)
    const result = await askServer({
      call,
      session,
      callId,
      definition,
      client: shown,
      holdMs,
      signal,
      onAsked: asked,
    })
    const requestId = requestOf(result)
    if (requestId !== undefined) waiting.settle(requestId)
    return result
  }

  /** Undefined: the server has it now, or nobody waits for it. */
  async function forward(
    forwarding: Forwarding,
    callId: string,
    signal: AbortSignal,
    leave: () => void = () => {},
  ): Promise<Buffer | undefined> {
    const { call, held, as } = forwarding
    try {
      await held.ready()
    } catch (error) {
      return refusal(call, `it was stopped before it ran: ${messageOf(error)}`, held.requestId)
    }
    if (signal.aborted) {
      await held.release('the client no longer waits').catch((error) => note(messageOf(error)))
      return undefined
    }
    callIds.set(call, callId)
    const bytes = running.begin(forwarding)
    leave()
    await upstream.send(bytes).catch((error) => running.fail((as ?? call.id).key, messageOf(error)))
    return undefined
  }

  async function fromServer({ bytes, tooLong, ending }: Line): Promise<void> {
    if (tooLong !== undefined) return leaveOut(bytes, ending ?? bytes, tooLong)
    // What we say next would stand in the same line.
    if (bytes.at(-1) !== LINE_FEED) return note('the server ended in the middle of a line; that was left out')
    const message = readServerLine(bytes)
    if (message.kind === 'stray') return note(`the server printed: ${bytes.toString('utf8').trimEnd()}`)
    if (message.method === 'notifications/tools/list_changed') listed.forget()
    if (message.kind === 'request' && isQuestion(message.method))
      questions.set(message.id!.key, message.method)
    if (message.kind !== 'response' || message.id === undefined) return client.send(bytes)
    const { key } = message.id
    if (own.answer(key, message)) return
    // Nobody has given it that call.
    if (waiting.has(key)) return note('the server answered a call that it was not given; that was left out')
    if (running.has(key)) return deliver(bytes.length, running.finish(key, message))
    const isList = passed.get(key)
    passed.delete(key)
    if (isList === true) return deliver(bytes.length, listed.noteAnswer(message).then(client.send))
    return client.send(bytes)
  }

  /** Side by side with what follows, unless so much is on its way that a slow client would fill the memory. */
  async function deliver(size: number, work: Promise<void>): Promise<void> {
    onItsWay += size
    const done = work.finally(() => {
      onItsWay -= size
    })
    start(done)
    if (onItsWay > MAX_ON_ITS_WAY) await done.catch(() => {})
  }

  /** The pipe goes on; whoever waits for this line is told. */
  async function leaveOut(beginning: Buffer, ending: Buffer, size: number): Promise<void> {
    const because = `a line of ${size} bytes from the MCP server was left out: the limit is ${maxLineBytes}`
    note(because)
    const id = idAtEdges(beginning.toString('latin1'), ending.toString('latin1'))
    if (id === undefined) return
    passed.delete(id.key)
    if (running.has(id.key)) return running.fail(id.key, because)
    return client.send(errorLine(id, INVALID_REQUEST, `Banksman: ${because}`))
  }

  async function readClient(): Promise<void> {
    for await (const line of client.lines) await fromClient(line).catch((error) => note(messageOf(error)))
    // Whoever waits for a person has gone. What is only on its way to the Banksman server is forwarded.
    const requests = waiting.close()
    await Promise.allSettled([...requests.map((id) => link.withdraw(id)), ...underway])
    upstream.end()
  }

  const reading = readClient().catch((error) => note(messageOf(error)))
  for await (const line of upstream.lines) await fromServer(line).catch((error) => note(messageOf(error)))
  const { code, because } = await upstream.ended
  if (because !== undefined) note(because)
  hasEnded = true
  const requests = waiting.close()
  await running.failAll(SERVER_ENDED)
  await Promise.allSettled([...requests.map((id) => link.withdraw(id)), ...underway])
  // Where the client still writes, nobody reads it any longer.
  void reading
  return code
}

/** Whose call needs nobody to come back. */
function requestOf(result: AskResult): string | undefined {
  if (result.kind === 'held') return result.held.requestId
  return result.kind === 'answer' ? result.requestId : undefined
}

function cancelledKey({ text, members }: ClientMessage): string | undefined {
  const params = members.get('params')
  if (params === undefined || text[params.from] !== '{') return undefined
  const id = membersAt(text, params.from).get('requestId')
  return id === undefined ? undefined : messageId(text.slice(id.from, id.to))?.key
}

/** What a request of the newer protocol has to carry; nothing in the older one. */
function envelopeOf({ message, isModern }: GatedCall): Record<string, unknown> {
  if (!isModern) return {}
  const entries = Object.entries(asObject(message.params._meta))
  return Object.fromEntries(entries.filter(([key]) => key.startsWith('io.modelcontextprotocol/')))
}

/** As the client calls itself: anything, so only what a name may have. */
function shownName(name: string | undefined): string {
  const shown =
    name
      ?.replace(/[^\w.@ -]/g, '')
      .trim()
      .slice(0, 64) ?? ''
  return shown === '' ? 'an MCP client' : shown
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
