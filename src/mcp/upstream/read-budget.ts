/**
 * How much of all answers is in memory at a time, when several come at once and their reader is slow. Beyond that only the oldest is read on; the
 * others wait where they are, and so do their senders.
 */

export interface ReadBudget {
  open(): ReadShare
}

export interface ReadShare {
  /** So many bytes more. Resolves when this one may read on. */
  took(bytes: number): Promise<void>
  /** All of it has been passed on. */
  gave(): void
  close(): void
}

export function createReadBudget(maxBytes: number): ReadBudget {
  /** Bytes of each, the oldest first. */
  const shares = new Map<ReadShare, number>()
  let total = 0
  let waiting: (() => void)[] = []

  function wake(): void {
    const all = waiting
    waiting = []
    for (const resolve of all) resolve()
  }

  function isOldest(share: ReadShare): boolean {
    for (const [one, held] of shares) if (held > 0) return one === share
    return true
  }

  return {
    open() {
      const share: ReadShare = {
        async took(bytes) {
          shares.set(share, (shares.get(share) ?? 0) + bytes)
          total += bytes
          while (total > maxBytes && shares.has(share) && !isOldest(share))
            await new Promise<void>((resolve) => waiting.push(resolve))
        },
        gave() {
          total -= shares.get(share) ?? 0
          if (shares.has(share)) shares.set(share, 0)
          wake()
        },
        close() {
          total -= shares.get(share) ?? 0
          shares.delete(share)
          wake()
        },
      }
      shares.set(share, 0)
      return share
    },
  }
}
