/**
 * Writes lines to a stream: whole ones, in order, those of one tick together. Not more than some at once, so that the other
 * side can work on the first while we make the next. While it does not read, lines wait here and not in the stream, and
 * `isFull` tells callers to give up instead of piling up more.
 */
export interface LineWriter {
  /** The line without its newline. */
  write(line: string): void
  isFull(): boolean
}

/** What is needed of a stream. */
export interface Outlet {
  /** False: it has enough, and says `drain` when it wants more. */
  write(text: string): boolean
  on(event: 'drain', listener: () => void): unknown
  readonly writableLength: number
}

export function createLineWriter(stream: Outlet, maxWaiting: number): LineWriter {
  let waiting = ''
  let count = 0
  let isScheduled = false
  let isBlocked = false

  function flush(): void {
    isScheduled = false
    if (isBlocked || waiting === '') return
    const text = waiting
    waiting = ''
    count = 0
    if (!stream.write(text)) isBlocked = true
  }

  stream.on('drain', () => {
    isBlocked = false
    flush()
  })

  return {
    write(line) {
      waiting += `${line}\n`
      if (isBlocked) return
      if (++count === TOGETHER) {
        flush()
        return
      }
      if (isScheduled) return
      isScheduled = true
      process.nextTick(flush)
    },
    // Measured before a line is added, so that one line of any length can always be sent.
    isFull: () => waiting.length + stream.writableLength >= maxWaiting,
  }
}

/** Each write wakes the other side, which costs as much as some lines. */
const TOGETHER = 16
