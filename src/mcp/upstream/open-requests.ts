/** Messages of the client that an address has been sent, and that are not answered yet. Each is answered once. */

import { skipSpace } from '../../core/json/json-text.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { asObject } from '../calls/gated-call.ts'
import { membersAt } from '../lines/json-members.ts'
import { type MessageId, messageId } from '../lines/message-id.ts'
import { readServerLine } from '../lines/server-message.ts'
import { isModernRequest } from './request-headers.ts'

export interface UnansweredRequest {
  /** Absent: nobody waits for an answer. */
  id?: MessageId
  method: string
  params: Record<string, unknown>
  bytes: Buffer
  isModern: boolean
  controller: AbortController
  isCancelled: boolean
  isAnswered: boolean
  /** Resolves when it has been answered, or failed. */
  readonly answered: Promise<void>
  settle(): void
}

export function readRequest(bytes: Buffer): UnansweredRequest {
  const { id, method } = readServerLine(bytes)
  const { params } = parseJson<{ params?: unknown }>(bytes.toString('utf8'))
  const looked = asObject(params)
  let settle = () => {}
  const answered = new Promise<void>((resolve) => (settle = resolve))
  const request: UnansweredRequest = {
    // An answer of the client has the id of a question, which nobody answers again.
    ...(id === undefined || method === '' ? {} : { id }),
    method,
    params: looked,
    bytes,
    isModern: isModernRequest(looked),
    controller: new AbortController(),
    isCancelled: false,
    isAnswered: false,
    answered,
    settle() {
      request.isAnswered = true
      settle()
    },
  }
  return request
}

/** Which request a cancellation is about. */
export function cancelledBy({ method, bytes }: UnansweredRequest): string | undefined {
  if (method !== 'notifications/cancelled') return undefined
  const text = bytes.toString('latin1')
  const params = membersAt(text, skipSpace(text, 0)).get('params')
  const id = params === undefined ? undefined : membersAt(text, params.from).get('requestId')
  return id === undefined ? undefined : messageId(text.slice(id.from, id.to))?.key
}
