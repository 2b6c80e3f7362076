/** How many streams and sockets one credential holds open: each costs memory, whoever is at the other end. */
import { BanksmanError } from '../../core/errors.ts'

export interface ConnectionLimits {
  /** Takes a place; call `leave` once when it is free again. Throws when there is none left. */
  enter(key: string, limit: number, refusal?: string): { leave(): void }
}

export function createConnectionLimits(): ConnectionLimits {
  const open = new Map<string, number>()
  return {
    enter(key, limit, refusal) {
      const count = open.get(key) ?? 0
      if (count >= limit) {
        throw new BanksmanError(
          'too_many_connections',
          refusal ??
            `this credential already holds ${limit} streams and sockets open; close some, or use one for all`,
          { limit },
        )
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
