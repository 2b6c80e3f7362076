/** Requests of our own to the MCP server. Their ids can't meet the client's, and their answers go no further. */
import { randomBytes } from 'node:crypto'
import { requestLine } from '../lines/answers.ts'
import type { ServerMessage } from '../lines/server-message.ts'

export interface OwnRequests {
  /** Undefined where the server answers with an error, or not in time. */
  request(method: string, params: object): Promise<ServerMessage | undefined>
  /** Whether this answers one of ours. */
  answer(key: string, message: ServerMessage): boolean
}

const ANSWER_WITHIN_MS = 10_000

export function createOwnRequests(send: (bytes: Buffer) => Promise<void>): OwnRequests {
  const prefix = `banksman-${randomBytes(8).toString('hex')}-`
  const open = new Map<string, (message: ServerMessage | undefined) => void>()
  let count = 0
  return {
    request(method, params) {
      const id = `${prefix}${++count}`
      return new Promise((resolve) => {
        const settle = (message: ServerMessage | undefined) => {
          clearTimeout(timer)
          open.delete(JSON.stringify(id))
          resolve(message)
        }
        const timer = setTimeout(() => settle(undefined), ANSWER_WITHIN_MS)
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
