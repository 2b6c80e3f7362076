/** Each line of the client, read whole: to the gate, to a task of ours, to whoever asked the client, or on to the server as it is. */
import { messageOf } from '../core/errors.ts'
import { forgetOldest } from './calls/forget-oldest.ts'
import type { GateCalls } from './calls/gate-calls.ts'
import { isGated, isNearlyGated, TASK_UPDATE } from './calls/gated-call.ts'
import { isQuestion } from './calls/given-answers.ts'
import type { LikeIds } from './calls/like-ids.ts'
import type { OwnRequests } from './calls/own-requests.ts'
import type { ServerRequests } from './calls/server-requests.ts'
import type { ClientFacts } from './client-facts.ts'
import { errorLine, INTERNAL_ERROR, NOT_ALLOWED } from './lines/answers.ts'
import { type ClientMessage, INVALID_REQUEST, MISSPELLED, readClientLine } from './lines/client-message.ts'
import { cancelledKey, type MessageId } from './lines/message-id.ts'
import type { Line } from './lines/split-lines.ts'
import type { ListPage } from './listed-tools.ts'

export interface FromClientParts {
  calls: GateCalls
  client: Pick<ClientFacts, 'note'>
  /** What we have asked the client ourselves. */
  own: Pick<OwnRequests, 'answer'>
  /** What we have asked the server ourselves. */
  toTheServer: Pick<OwnRequests, 'has'>
  ids: Pick<LikeIds, 'note'>
  /** Requests of the client that went on as they came, and are not answered yet; of lists of tools, which page. */
  passed: Map<string, ListPage | undefined>
  /** What the server has asked the client. */
  asked: Pick<ServerRequests, 'take'>
  toClient(bytes: Buffer): Promise<void>
  toServer(bytes: Buffer): Promise<void>
  note(text: string): void
  start(work: Promise<void>): void
  maxLineBytes: number
}

const MAX_UNWANTED = 1_000

export function createFromClient(parts: FromClientParts): (line: Line) => Promise<void> {
  const { calls, client, own, toTheServer, ids, passed, asked, toClient, toServer, note, start } = parts
  const { waiting, running, tasks } = calls
  /** Requests that passed and were cancelled. */
  const unwanted = new Set<string>()

  async function fromRequest(message: ClientMessage): Promise<void> {
    const { id, method } = message
    const { key } = id!
    // The answer to one of the two would be taken for the other's: a call's outcome would be what its client likes.
    if ([waiting, running, passed, toTheServer].some((known) => known.has(key)))
      return toClient(errorLine(id, INVALID_REQUEST, 'Banksman refuses this message: its id is in use'))
    ids.note(id!)
    unwanted.delete(key)
    if (isGated(method)) return start(calls.gate(message))
    if (isNearlyGated(method))
      return toClient(errorLine(id, INVALID_REQUEST, `Banksman refuses this message: ${MISSPELLED}`))
    const about = tasks.answer(message)
    if (about !== undefined) return start(about.then(toClient))
    passed.set(key, method === 'tools/list' ? pageOf(message) : undefined)
    if (method === TASK_UPDATE) return start(updateTask(message))
    return pass(message)
  }

  async function pass({ id, bytes }: ClientMessage): Promise<void> {
    return toServer(bytes).catch((error) => notPassed(id!, INTERNAL_ERROR, messageOf(error)))
  }

  function notPassed(id: MessageId, code: number, because: string): Promise<void> {
    passed.delete(id.key)
    return toClient(errorLine(id, code, `Banksman: ${because}`))
  }

  async function updateTask(message: ClientMessage): Promise<void> {
    const because = await calls.gateUpdate(message).catch(messageOf)
    return because === undefined ? pass(message) : notPassed(message.id!, NOT_ALLOWED, because)
  }

  async function fromAnswer(message: ClientMessage): Promise<void> {
    const { key } = message.id!
    if (own.answer(key, message)) return
    const method = asked.take(key)
    if (method === undefined)
      return note(
        'an answer of the client was left out: the server has asked nothing with that id, or was answered',
      )
    if (!isQuestion(method)) return toServer(message.bytes)
    start(calls.gateAnswer(message, method))
  }

  async function fromNotification(message: ClientMessage): Promise<void> {
    if (isNearlyGated(message.method)) return note(`a line of the client was refused: ${MISSPELLED}`)
    if (isGated(message.method) || message.method === TASK_UPDATE)
      return note(`${message.method} without an id was refused: nobody could be answered`)
    const cancelled = message.method === 'notifications/cancelled' ? cancelledKey(message) : undefined
    // The server has not heard of a call that is only asked about.
    if (cancelled !== undefined && waiting.cancel(cancelled)) return
    if (cancelled !== undefined) running.cancel(cancelled)
    if (cancelled !== undefined && passed.has(cancelled)) {
      // Its answer may still come, and must not be taken for that of a later request with the same id. Mostly none does.
      unwanted.add(cancelled)
      forgetOldest(unwanted, MAX_UNWANTED, (key) => passed.delete(key))
    }
    return toServer(message.bytes)
  }

  return async (line) => {
    const message = readClientLine(line, parts.maxLineBytes)
    if (message === undefined) return
    if (message.kind === 'refused') {
      note(`a line of the client was refused: ${message.because}`)
      return toClient(
        errorLine(message.id, message.code, `Banksman refuses this message: ${message.because}`),
      )
    }
    client.note(message)
    if (message.kind === 'notification') return fromNotification(message)
    if (message.kind === 'response') return fromAnswer(message)
    return fromRequest(message)
  }
}

function pageOf({ params }: ClientMessage): ListPage {
  return params.cursor === undefined ? 'first' : 'next'
}
