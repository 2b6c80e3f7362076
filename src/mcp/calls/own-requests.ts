/** Requests of our own, to the MCP server or to its client. Their ids don't meet those of others, and their answers go no further. */
import { cancelledLine, requestLine } from '../lines/answers.ts'
import type { MemberSpan } from '../lines/json-members.ts'
import type { MessageId } from '../lines/message-id.ts'
import { forgetOldest } from './forget-oldest.ts'

/** As much of an answer as is read: `text` as Latin-1. */
export interface OwnAnswer {
  bytes: Buffer
  text: string
  members: Map<string, MemberSpan>
}

export interface OwnRequests {
  /** Undefined where it is answered with an error, not in time, or is no longer wanted. */
  request(method: string, params: object, options?: OwnRequestOptions): Promise<OwnAnswer | undefined>
  /** Whether this answers one of ours. */
  answer(key: string, message: OwnAnswer): boolean
  /** Whether the id is one of ours whose answer may still come. */
  has(key: string): boolean
}

export interface OwnRequestOptions {
  withinMs?: number
  /** The other side is told that it needn't answer any more. */
  signal?: AbortSignal
}

const ANSWER_WITHIN_MS = 10_000

/** Of those that were not answered in time. */
const MAX_ABANDONED = 1_000

export function createOwnRequests(
  send: (bytes: Buffer) => Promise<void>,
  newId: () => MessageId,
): OwnRequests {
  const open = new Map<string, (message: OwnAnswer | undefined) => void>()
  const abandoned = new Set<string>()

  function abandon(key: string): void {
    abandoned.add(key)
    forgetOldest(abandoned, MAX_ABANDONED)
  }

  function unusedId(): MessageId {
    let id = newId()
    while (open.has(id.key) || abandoned.has(id.key)) id = newId()
    return id
  }

  return {
    request(method, params, { withinMs = ANSWER_WITHIN_MS, signal } = {}) {
      const id = unusedId()
      return new Promise((resolve) => {
        const settle = (message: OwnAnswer | undefined) => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', stop)
          open.delete(id.key)
          if (message === undefined) abandon(id.key)
          resolve(message)
        }
        const stop = () => {
          settle(undefined)
          send(cancelledLine(id, 'it has been decided')).catch(() => {})
        }
        const timer = setTimeout(() => settle(undefined), withinMs)
        timer.unref()
        signal?.addEventListener('abort', stop)
        open.set(id.key, settle)
        send(requestLine(id, method, params)).catch(() => settle(undefined))
      })
    },
    answer(key, message) {
      const settle = open.get(key)
      // One that comes too late is ours all the same.
      if (settle === undefined) return abandoned.delete(key)
      settle(message.members.has('error') ? undefined : message)
      abandoned.delete(key)
      return true
    },
    has: (key) => open.has(key) || abandoned.has(key),
  }
}
