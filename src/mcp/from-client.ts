/** Each line of the client, read whole: to the gate, to a task of ours, to whoever asked the client, or on to the server as it is. */
import { messageOf } from '../core/errors.ts'
import type { GateCalls } from './calls/gate-calls.ts'
import { isGated } from './calls/gated-call.ts'
import type { QuestionMethod } from './calls/given-answers.ts'
import type { OwnRequests } from './calls/own-requests.ts'
import type { ClientFacts } from './client-facts.ts'
import { errorLine, INTERNAL_ERROR } from './lines/answers.ts'
import { type ClientMessage, INVALID_REQUEST, readClientLine } from './lines/client-message.ts'
import { membersAt } from './lines/json-members.ts'
import { messageId } from './lines/message-id.ts'
import type { Line } from './lines/split-lines.ts'

export interface FromClientParts {
  calls: GateCalls
  client: Pick<ClientFacts, 'note'>
  /** What we have asked the client ourselves. */
  own: Pick<OwnRequests, 'answer'>
  /** Requests of the client that went on as they came, and are not answered yet. True: a list of tools. */
  passed: Map<string, boolean>
  /** What the server has asked the client, by the server's ids. */
  questions: Map<string, QuestionMethod>
  toClient(bytes: Buffer): Promise<void>
  toServer(bytes: Buffer): Promise<void>
  note(text: string): void
  start(work: Promise<void>): void
  maxLineBytes: number
}

export function createFromClient(parts: FromClientParts): (line: Line) => Promise<void> {
  const { calls, client, own, passed, questions, toClient, toServer, note, start } = parts
  const { waiting, running, tasks } = calls

  async function fromRequest(message: ClientMessage): Promise<void> {
    const { id, method, bytes } = message
    const { key } = id!
    // The answer to one of the two would be taken for the other's: a call's outcome would be what its client likes.
    if (waiting.has(key) || running.has(key) || passed.has(key))
      return toClient(errorLine(id, INVALID_REQUEST, 'Banksman refuses this message: its id is in use'))
    if (isGated(method)) return start(calls.gate(message))
    const about = tasks.answer(message)
    if (about !== undefined) return start(about.then(toClient))
    passed.set(key, method === 'tools/list')
    return toServer(bytes).catch((error) => {
      passed.delete(key)
      return toClient(errorLine(id, INTERNAL_ERROR, `Banksman: ${messageOf(error)}`))
    })
  }

  async function fromAnswer(message: ClientMessage): Promise<void> {
    const { key } = message.id!
    if (own.answer(key, message)) return
    const method = questions.get(key)
    questions.delete(key)
    if (method === undefined) return toServer(message.bytes)
    start(calls.gateAnswer(message, method))
  }

  async function fromNotification(message: ClientMessage): Promise<void> {
    if (isGated(message.method))
      return note(`${message.method} without an id was refused: nobody could be answered`)
    const cancelled = message.method === 'notifications/cancelled' ? cancelledKey(message) : undefined
    // The server has not heard of a call that is only asked about.
    if (cancelled !== undefined && waiting.cancel(cancelled)) return
    if (cancelled !== undefined) running.cancel(cancelled)
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

function cancelledKey({ text, members }: ClientMessage): string | undefined {
  const params = members.get('params')
  if (params === undefined || text[params.from] !== '{') return undefined
  const id = membersAt(text, params.from).get('requestId')
  return id === undefined ? undefined : messageId(text.slice(id.from, id.to))?.key
}
