/** Requests of our own, to the MCP server or to its client. Their ids can't meet those of others, and their answers go no further. */
import { randomBytes } from 'node:crypto'
import { cancelledLine, requestLine } from '../lines/answers.ts'
import type { MemberSpan } from '../lines/json-members.ts'

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
}

export interface OwnRequestOptions {
  withinMs?: number
  /** The other side is told that it needn't answer any more. */
  signal?: AbortSignal
}

const ANSWER_WITHIN_MS = 10_000

export function createOwnRequests(send: (bytes: Buffer) => Promise<void>): OwnRequests {
  const prefix = `banksman-${randomBytes(8).toString('hex')}-`
  const open = new Map<string, (message: OwnAnswer | undefined) => void>()
  let count = 0
  return {
    request(method, params, { withinMs = ANSWER_WITHIN_MS, signal } = {}) {
      const id = `${prefix}${++count}`
      return new Promise((resolve) => {
        const settle = (message: OwnAnswer | undefined) => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', stop)
          open.delete(JSON.stringify(id))
          resolve(message)
        }
        const stop = () => {
          settle(undefined)
          send(cancelledLine(id, 'it has been decided')).catch(() => {})
        }
        const timer = setTimeout(() => settle(undefined), withinMs)
        timer.unref()
        signal?.addEventListener('abort', stop)
        open.set(JSON.stringify(id), settle)
        send(requestLine(id, method, params)).catch(() => settle(undefined))
      })
    },
    answer(key, message) {
      const settle = open.get(key)
      // One that comes too late is ours all the same.
      if (settle === undefined) return key.startsWith(`"${prefix}`)
      settle(message.members.has('error') ? undefined : message)
      return true
    },
  }
}
