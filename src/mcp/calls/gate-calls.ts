/**
 * The way of a gated call: asked about at the Banksman server, answered when it will not run, forwarded when it may. Calls wait side by side, and
 * hold up nothing else.
 *
 * A call that is cancelled, or whose client has gone, is not forwarded afterwards. Whatever goes wrong is told, and lets nothing run.
 */
import { randomUUID } from 'node:crypto'
import { isClientError } from '../../client/transport/client-error.ts'
import { messageOf } from '../../core/errors.ts'
import { MCP_STATE_PREFIX, mcpToolName } from '../../core/support/mcp-names.ts'
import type { Held } from '../../guard/contract.ts'
import type { ClientFacts } from '../client-facts.ts'
import { shownName } from '../client-facts.ts'
import { limitOf } from '../client-limits.ts'
import { errorLine, NOT_ALLOWED } from '../lines/answers.ts'
import { type ClientMessage, INVALID_REQUEST } from '../lines/client-message.ts'
import type { MessageId } from '../lines/message-id.ts'
import type { ListedTools } from '../listed-tools.ts'
import type { ServerLink } from '../server-link/server-link.ts'
import { createAnswerPending } from './answer-pending.ts'
import type { AskInClient } from './ask-in-client.ts'
import { type AskResult, brokenOff, createAskServer, refusal } from './ask-server.ts'
import {
  createForwardedCalls,
  type ForwardedCalls,
  type Forwarding,
  type ResumedCall,
} from './forwarded-calls.ts'
import {
  answerCall,
  answersIn,
  answersToTask,
  asObject,
  type GatedCall,
  readGatedCall,
} from './gated-call.ts'
import type { QuestionMethod } from './given-answers.ts'
import { createMcpWaits, type McpWait, type McpWaits } from './mcp-waits.ts'
import { createOwnTasks, type OwnTasks } from './own-tasks.ts'

export interface GateParts {
  name: string
  session: string
  link: ServerLink
  listed: Pick<ListedTools, 'find'>
  client: ClientFacts
  /** The person in front of the client is told, too. */
  inClient: AskInClient | undefined
  /** How long a call waits for people. Absent: as long as this client bears it. */
  holdMs: number | undefined
  progressEveryMs: number | undefined
  toClient(bytes: Buffer): Promise<void>
  toServer(bytes: Buffer): Promise<void>
  note(text: string): void
  /** Side by side with everything else. */
  start(work: Promise<void>): void
  /** For what the server is sent under an id that is not the client's. */
  newId(): MessageId
  /** Why nothing can be forwarded any longer. */
  ended(): string | undefined
}

export interface GateCalls {
  /** A request of the client with a gated method. */
  gate(message: ClientMessage): Promise<void>
  /** What the client answers to a question of the server. */
  gateAnswer(message: ClientMessage, method: QuestionMethod): Promise<void>
  /** What the client answers to a task of the server. Why it is kept back; undefined where it may pass. */
  gateUpdate(message: ClientMessage): Promise<string | undefined>
  waiting: Pick<McpWaits, 'has' | 'cancel' | 'close'>
  running: Pick<ForwardedCalls, 'has' | 'cancel' | 'finish' | 'fail' | 'failAll'>
  tasks: Pick<OwnTasks, 'answer' | 'close'>
}

const PROGRESS_EVERY_MS = 10_000
/** A quick answer stays a simple one. */
const SHORT_HOLD_MS = 5_000
/** How long the server of a question waits for an answer that needs approval. */
const ANSWER_HOLD_MS = 50_000

const CLIENT_LEFT = 'the client no longer waits'

type Waiter = Pick<McpWait, 'signal' | 'asked'>

/** Of a task: its client asks after it, and waits for nothing. */
const NOBODY_WAITS: Waiter = { signal: new AbortController().signal, asked() {} }

export function createGateCalls(parts: GateParts): GateCalls {
  const { name, session, link, listed, client, inClient, toClient, toServer, note, start, ended } = parts
  /** Under which id the Banksman server knows each call that runs. */
  const callIds = new WeakMap<GatedCall, string>()
  const running = createForwardedCalls({
    send: toClient,
    note,
    wrapState: (call, inner) =>
      link.makeState({ call, session, callId: callIds.get(call)!, rounds: 0 }, inner),
  })
  const tasks = createOwnTasks({
    async proceed({ call, callId }, { id: as, done, signal }) {
      const result = await ask(call, callId, { ...NOBODY_WAITS, signal }, 0)
      if (result.kind === 'answer') return { answered: result.bytes }
      if (result.kind !== 'held') return 'pending'
      const sent = await forward({ call, held: result.held, as, done }, callId, signal)
      return sent === undefined ? 'sent' : { answered: sent }
    },
    withdraw: async ({ waiting: { requestId } }) =>
      requestId === undefined ? undefined : link.withdraw(requestId),
    newId: parts.newId,
  })
  const answerPending = createAnswerPending({ link, tasks, inClient, note })
  const waiting = createMcpWaits((requestId) => start(link.withdraw(requestId)))
  const askServer = createAskServer({
    name,
    guard: link.guard,
    details: link.details,
    send: toClient,
    progressEveryMs: parts.progressEveryMs ?? PROGRESS_EVERY_MS,
  })

  async function gate(message: ClientMessage): Promise<void> {
    const call = readGatedCall(message)
    const { key } = message.id!
    if ('because' in call)
      return toClient(errorLine(message.id, INVALID_REQUEST, `Banksman refuses this call: ${call.because}`))
    const place = waiting.enter(key)
    try {
      const bytes = await answerTo(call, place)
      const because = ended()
      if (bytes !== undefined && !place.signal.aborted) await toClient(bytes)
      else if (because !== undefined && place.signal.aborted) await toClient(refusal(call, because))
    } catch (error) {
      note(`a call was lost: ${messageOf(error)}`)
      await toClient(refusal(call, messageOf(error)))
    } finally {
      place.leave()
    }
  }

  /** Undefined: it has been forwarded, or nobody waits for it. */
  async function answerTo(call: GatedCall, place: McpWait): Promise<Buffer | undefined> {
    if (running.hasResultFor(call)) {
      const kept = await replay(call)
      if (kept !== undefined || place.signal.aborted) return kept
    }
    const state = await stateOf(call)
    if ('lost' in state) return breakOff(call, state.lost.held, state.because, place.signal)
    if ('because' in state) return refusal(call, state.because)
    const { callId, rounds, inner, resumed } = state
    if (resumed !== undefined) return goOn(call, { callId, inner, resumed }, place)
    // Its answer stands in this call, which may be the one that says no.
    await inClient?.comesBack(call, callId)
    const holdMs = holdMsFor(call, rounds)
    const result = await ask(call, callId, place, holdMs)
    if (result.kind === 'gone') return undefined
    if (result.kind === 'answer') return result.bytes
    if (result.kind === 'pending')
      return answerPending({ call, session, callId, waiting: result.waiting, rounds })
    return forward({ call, held: result.held, inner }, callId, place.signal, place.leave)
  }

  /** What an earlier call of the same came to, and nobody heard: unless whoever calls may no longer have it. */
  async function replay(call: GatedCall): Promise<Buffer | undefined> {
    const { tool, arguments: args } = call
    const asked = { tool: mcpToolName(name, tool), arguments: args, callId: newCallId(), session }
    const { kind, because } = await link.guard.judge({ ...asked, agent: { name: shownName(client.name()) } })
    return kind === 'deny' ? refusal(call, because) : running.replay(call)
  }

  /** The server has begun with it, and waits for what it has asked of the client. Giving it back now would be a second run. */
  async function goOn(
    call: GatedCall,
    { callId, inner, resumed }: { callId: string; inner: string | undefined; resumed: ResumedCall },
    place: McpWait,
  ): Promise<Buffer | undefined> {
    const { held, questions } = resumed
    for (const answer of answersIn(call, questions)) {
      if (await mayPass(answer, place)) continue
      return breakOff(
        call,
        held,
        `Banksman kept back what the client answered to ${answer.tool}`,
        place.signal,
      )
    }
    return forward({ call, held, inner, isResumed: true }, callId, place.signal, place.leave)
  }

  /** Undefined: nobody waits for it. */
  async function breakOff(
    call: GatedCall,
    held: Held,
    why: string,
    signal: AbortSignal,
  ): Promise<Buffer | undefined> {
    const because = signal.aborted ? CLIENT_LEFT : why
    await held.report({ ok: false, error: new Error(because), summary: because })
    if (signal.aborted) return undefined
    return brokenOff(
      call,
      `${because}. The call was broken off, and may have had some effect`,
      held.requestId,
    )
  }

  /** Whether an answer of the client may go on to the server. What nobody has approved in time is withdrawn: nobody comes back for it. */
  async function mayPass(answer: GatedCall, { signal, asked }: Waiter): Promise<boolean> {
    let requestId: string | undefined
    const noted = (id: string) => {
      requestId = id
      asked(id)
    }
    const result = await ask(answer, newCallId(), { signal, asked: noted }, ANSWER_HOLD_MS)
    if (result.kind === 'held' && !signal.aborted) {
      await result.held.report({ ok: true })
      return true
    }
    if (result.kind === 'held')
      await result.held.release(CLIENT_LEFT).catch((error) => note(messageOf(error)))
    if (requestId !== undefined && result.kind !== 'answer' && waiting.settle(requestId))
      start(link.withdraw(requestId, 'nobody waits for this answer any longer'))
    return false
  }

  /** What the call comes back with, if it does. */
  async function stateOf(
    call: GatedCall,
  ): Promise<
    | { because: string; lost: ResumedCall }
    | { because: string }
    | { callId: string; rounds: number; inner?: string; resumed?: ResumedCall }
  > {
    const { requestState } = call
    const own = call.callId ?? newCallId()
    if (!requestState?.startsWith(MCP_STATE_PREFIX)) return { callId: own, rounds: 0 }
    try {
      const used = await link.useState({ call, session }, requestState)
      const resumed = running.resume(requestState, call)
      return { ...used, ...(resumed === undefined ? {} : { resumed }) }
    } catch (error) {
      const because = messageOf(error)
      // It is good for this call, so it was used before, and the answer was lost on its way here.
      const lost = isClientError(error, 'unknown_id') ? running.resume(requestState, call) : undefined
      return lost === undefined ? { because } : { because, lost }
    }
  }

  /** As long as the client bears it. One that can be told in another way that it takes longer is told so soon. */
  function holdMsFor(call: GatedCall, rounds: number): number {
    const holdMs = parts.holdMs ?? limitOf(client.name(), call.progressToken !== undefined).holdMs
    const isToldSoon = call.takesTasks || (rounds === 0 && inClient?.asksByState(call) === true)
    return isToldSoon ? Math.min(holdMs, SHORT_HOLD_MS) : holdMs
  }

  async function ask(
    call: GatedCall,
    callId: string,
    { signal, asked }: Waiter,
    holdMs: number,
  ): Promise<AskResult> {
    const definition =
      call.method === 'tools/call' ? await listed.find(call.tool, envelopeOf(call)) : undefined
    if (signal.aborted) return { kind: 'gone' }
    const told = inClient?.begin(call)
    const result = await askServer({
      call,
      session,
      callId,
      definition,
      client: shownName(client.name()),
      holdMs,
      signal,
      onAsked(request) {
        asked(request.requestId)
        told?.asked(request)
      },
    }).finally(() => told?.end())
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
    const { call, held, as, isResumed } = forwarding
    try {
      await held.ready()
    } catch (error) {
      return refusal(call, `it was stopped before it ran: ${messageOf(error)}`, held.requestId)
    }
    if (signal.aborted) {
      // Its server has begun with it, so it can't be given back.
      if (isResumed === true) return breakOff(call, held, CLIENT_LEFT, signal)
      await held.release(CLIENT_LEFT).catch((error) => note(messageOf(error)))
      return undefined
    }
    callIds.set(call, callId)
    const bytes = running.begin(forwarding)
    leave()
    await toServer(bytes).catch((error) => running.fail((as ?? call.id).key, messageOf(error)))
    return undefined
  }

  async function gateAnswer(message: ClientMessage, method: QuestionMethod): Promise<void> {
    const call = answerCall(message, method)
    if (await withPlace(message, (place) => mayPass(call, place))) return toServer(message.bytes)
    const because = 'it was not allowed, or nobody has approved it in time'
    return toServer(errorLine(call.id, NOT_ALLOWED, `Banksman keeps the answer back: ${because}`))
  }

  /** When the client goes, it ends like a call. Its id is the server's, or is used by the message itself. */
  async function withPlace<T>({ id }: ClientMessage, work: (place: McpWait) => Promise<T>): Promise<T> {
    const place = waiting.enter(`answer ${id!.key}`)
    return work(place).finally(() => place.leave())
  }

  async function gateUpdate(message: ClientMessage): Promise<string | undefined> {
    const answers = answersToTask(message)
    if (answers === undefined) return 'its answers are not an object'
    return withPlace(message, async (place) => {
      for (const answer of answers)
        if (!(await mayPass(answer, place))) return `an answer to ${answer.tool} was not allowed`
      return undefined
    })
  }

  return { gate, gateAnswer, gateUpdate, waiting, running, tasks }
}

function newCallId(): string {
  return `mcp-${randomUUID()}`
}

/** Whose call needs nobody to come back. */
function requestOf(result: AskResult): string | undefined {
  if (result.kind === 'held') return result.held.requestId
  return result.kind === 'answer' ? result.requestId : undefined
}

/** What a request of the newer protocol has to carry; nothing in the older one. */
function envelopeOf({ message, isModern }: GatedCall): Record<string, unknown> {
  if (!isModern) return {}
  const entries = Object.entries(asObject(message.params._meta))
  return Object.fromEntries(entries.filter(([key]) => key.startsWith('io.modelcontextprotocol/')))
}
