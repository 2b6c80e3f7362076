/** Closes what was opened in the opposite order, so that nothing is closed before what still uses it. */
export interface Closers {
  /** Returns what it is given, to be closed before everything that was added earlier. */
  add<T extends { close(): void | Promise<void> }>(opened: T): T
  /** Closes everything once, also after a fault in between, and throws the first fault. */
  close(): Promise<void>
}

export function createClosers(): Closers {
  const opened: { close(): void | Promise<void> }[] = []
  return {
    add(one) {
      opened.push(one)
      return one
    },
    async close() {
      const faults: unknown[] = []
      for (const one of opened.splice(0).reverse()) {
        try {
          await one.close()
        } catch (error) {
          faults.push(error)
        }
      }
      if (faults.length > 0) throw faults[0]
    },
  }
}
