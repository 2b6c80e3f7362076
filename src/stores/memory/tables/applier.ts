/**
 * Applies the verbs of the memory store, one after another and each at once. There is nothing to roll back to, so a
 * verb checks everything before it changes anything.
 */
import { BanksmanError, isBanksmanError } from '../../../core/errors.ts'

export interface Applier {
  /** Runs the work at once. Callbacks and hints come after it, and only if it did not throw. */
  write<T>(work: () => T): Promise<T>
  read<T>(work: () => T): Promise<T>
  /** Inside a write: to be called when all of it is applied. */
  afterwards(callback: () => void): void
  onChange(listener: (change: { local: boolean }) => void): () => void
  close(): Promise<void>
}

export function createApplier(): Applier {
  const listeners = new Set<(change: { local: boolean }) => void>()
  let callbacks: (() => void)[] = []
  let closed = false
  let hinting = false

  function refuseClosed(): void {
    if (closed) throw new BanksmanError('closed', 'the memory store is closed')
  }

  /** One hint for all that happens in this turn, after whoever called has gone on. */
  function hint(): void {
    if (hinting || listeners.size === 0) return
    hinting = true
    queueMicrotask(() => {
      hinting = false
      for (const listener of listeners) listener({ local: true })
    })
  }

  function guarded<T>(work: () => T): T {
    refuseClosed()
    try {
      return work()
    } catch (error) {
      throw toStoreError(error)
    }
  }

  return {
    async write(work) {
      const result = guarded(work)
      const told = callbacks
      callbacks = []
      hint()
      for (const callback of told) callback()
      return result
    },
    async read(work) {
      return guarded(work)
    },
    afterwards(callback) {
      callbacks.push(callback)
    },
    onChange(listener) {
      refuseClosed()
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      closed = true
      listeners.clear()
    },
  }
}

/** What a database's unique constraint would say. */
export function taken(what: string, id: string): BanksmanError {
  return new BanksmanError('store_unavailable', `there is already a ${what} ${JSON.stringify(id)}`)
}

function toStoreError(error: unknown): BanksmanError {
  if (isBanksmanError(error)) return error
  const cause = error instanceof Error ? error.message : String(error)
  return new BanksmanError('store_unavailable', `it can't be stored: ${cause}`, {}, { cause: error })
}
