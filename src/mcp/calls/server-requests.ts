/**
 * What the MCP server has asked its client and has no answer to yet. Each is answered once. Nothing else that the client sends as an answer reaches the
 * server: to a server that is not strict it could be the answer to a question that the policy has not let through.
 */

export interface ServerRequests {
  /** Why the client is not given this request; undefined where it is. */
  open(key: string, method: string): 'its id is in use' | 'too many are open' | undefined
  /** The server does not want an answer any more. */
  cancel(key: string): void
  /** The method of the request that this answers; undefined where there is none to answer. */
  take(key: string): string | undefined
}

const MAX_OPEN = 10_000

export function createServerRequests(maxOpen = MAX_OPEN): ServerRequests {
  const requests = new Map<string, { method: string; isCancelled: boolean }>()
  return {
    open(key, method) {
      const known = requests.get(key)
      // Also of one that was cancelled: its answer may be on its way, and would be taken for the answer to this one.
      if (known !== undefined && known.method !== method) return 'its id is in use'
      if (known === undefined && requests.size >= maxOpen)
        for (const [other, { isCancelled }] of requests) if (isCancelled) requests.delete(other)
      if (known === undefined && requests.size >= maxOpen) return 'too many are open'
      requests.set(key, { method, isCancelled: false })
      return undefined
    },
    cancel(key) {
      const known = requests.get(key)
      if (known !== undefined) known.isCancelled = true
    },
    take(key) {
      const known = requests.get(key)
      requests.delete(key)
      return known?.isCancelled === false ? known.method : undefined
    },
  }
}
