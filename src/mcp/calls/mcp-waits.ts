/** Calls that are asked about and not forwarded yet, by the client's id. */

export interface McpWaits {
  enter(key: string): McpWait
  has(key: string): boolean
  /** The client cancels it. False: it doesn't wait here. */
  cancel(key: string): boolean
  /** The call of a request has been decided, or runs. Whether it was undecided until now. */
  settle(requestId: string): boolean
  /** The client has gone: ends those that wait for a person, now and later. Gives all requests that nobody will come back for. */
  close(): string[]
}

export interface McpWait {
  /** Nobody waits for the answer any longer. */
  readonly signal: AbortSignal
  /** A person is asked. */
  asked(requestId: string): void
  leave(): void
}

/** `withdraw`: of a request that was made after the client had gone. */
export function createMcpWaits(withdraw: (requestId: string) => void): McpWaits {
  const open = new Map<string, { controller: AbortController; requestId?: string }>()
  /** Also of calls that were told to come again. */
  const undecided = new Set<string>()
  let isClosed = false
  return {
    enter(key) {
      const entry: { controller: AbortController; requestId?: string } = { controller: new AbortController() }
      open.set(key, entry)
      return {
        signal: entry.controller.signal,
        asked(requestId) {
          entry.requestId = requestId
          if (!isClosed) return void undecided.add(requestId)
          entry.controller.abort()
          withdraw(requestId)
        },
        leave() {
          if (open.get(key) === entry) open.delete(key)
        },
      }
    },
    has: (key) => open.has(key),
    cancel(key) {
      const entry = open.get(key)
      entry?.controller.abort()
      return entry !== undefined
    },
    settle: (requestId) => undecided.delete(requestId),
    close() {
      isClosed = true
      for (const { controller, requestId } of open.values()) if (requestId !== undefined) controller.abort()
      const requests = [...undecided]
      undecided.clear()
      return requests
    },
  }
}
