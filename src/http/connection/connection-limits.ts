/** How many streams and sockets one credential holds open: each costs memory, whoever is at the other end. */
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'

export interface ConnectionLimits {
  /** Takes a place; call `leave` once when it is free again. Throws when there is none left. */
  enter(key: string, limit: number, refusal?: Reason): { leave(): void }
}

export function createConnectionLimits(): ConnectionLimits {
  const open = new Map<string, number>()
  return {
    enter(key, limit, refusal) {
      const count = open.get(key) ?? 0
      if (count >= limit) {
        const reason = refusal ?? reasonOf('problem.connections', { limit })
        throw reasonedError('too_many_connections', reason, { limit })
      }
      open.set(key, count + 1)
      let left = false
      return {
        leave() {
          if (left) return
          left = true
          const rest = (open.get(key) ?? 1) - 1
          if (rest === 0) open.delete(key)
          else open.set(key, rest)
        },
      }
    },
  }
}
