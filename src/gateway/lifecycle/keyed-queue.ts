/** Lets those who come with the same key go one after the other, and all others at once. */
export interface KeyedQueue {
  take<T>(key: string, work: () => Promise<T>): Promise<T>
}

export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>()
  return {
    take(key, work) {
      const before = last.get(key)
      const mine = before === undefined ? work() : before.then(work, work)
      last.set(key, mine)
      const leave = () => {
        if (last.get(key) === mine) last.delete(key)
      }
      mine.then(leave, leave)
      return mine
    },
  }
}
