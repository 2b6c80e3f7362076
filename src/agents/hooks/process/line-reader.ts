/**
 * Cuts a stream of bytes into lines, in memory that has a bound. A line over the limit is passed over up to its end and
 * reported with its beginning and its end, where the id of the call that it answers can be read: that call alone fails.
 */
export interface LineReader {
  push(chunk: Buffer): void
}

export interface LineSink {
  line(text: string): void
  tooLong(line: LongLine): void
}

export interface LongLine {
  bytes: number
  head: string
  tail: string
}

export function createLineReader(maxLineBytes: number, sink: LineSink): LineReader {
  let kept = Buffer.alloc(0)
  let keptLength = 0
  /** Of the line that is passed over. */
  let long: { bytes: number; head: string; tail: Buffer } | undefined

  function keep(part: Buffer): void {
    if (part.length === 0) return
    if (long === undefined && keptLength + part.length > maxLineBytes) {
      const head = Buffer.concat([
        kept.subarray(0, Math.min(keptLength, HEAD_BYTES)),
        part.subarray(0, HEAD_BYTES),
      ])
      long = {
        bytes: keptLength,
        head: head.toString('utf8', 0, HEAD_BYTES),
        tail: Buffer.from(kept.subarray(Math.max(0, keptLength - TAIL_BYTES), keptLength)),
      }
      forget()
    }
    if (long !== undefined) {
      passOver(long, part)
      return
    }
    if (keptLength + part.length > kept.length) {
      // Doubling: a line that comes byte by byte is copied a few times and not once a byte.
      const larger = Buffer.allocUnsafeSlow(Math.max(4096, 2 * kept.length, keptLength + part.length))
      kept.copy(larger, 0, 0, keptLength)
      kept = larger
    }
    part.copy(kept, keptLength)
    keptLength += part.length
  }

  function finish(): void {
    if (long !== undefined) {
      sink.tooLong({ bytes: long.bytes, head: long.head, tail: long.tail.toString('utf8') })
      long = undefined
      return
    }
    const text = kept.toString('utf8', 0, keptLength)
    forget()
    sink.line(text)
  }

  function forget(): void {
    keptLength = 0
    if (kept.length > KEPT_BETWEEN_LINES) kept = Buffer.alloc(0)
  }

  return {
    push(chunk) {
      let start = 0
      while (keptLength > 0 || long !== undefined || chunk.length > maxLineBytes) {
        const end = chunk.indexOf(NEWLINE, start)
        if (end < 0) return keep(chunk.subarray(start))
        keep(chunk.subarray(start, end))
        finish()
        start = end + 1
        if (start === chunk.length) return
      }
      // The usual case: all of it at once into text, since the lines in it can't be too long.
      const last = chunk.lastIndexOf(NEWLINE)
      if (last >= start) {
        const text = chunk.toString('utf8', start, last)
        let from = 0
        for (let to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
          sink.line(text.slice(from, to))
          from = to + 1
        }
        sink.line(from === 0 ? text : text.slice(from))
        start = last + 1
      }
      keep(chunk.subarray(start))
    },
  }
}

function passOver(long: { bytes: number; tail: Buffer }, part: Buffer): void {
  long.bytes += part.length
  const tail = Buffer.concat([long.tail, part.subarray(Math.max(0, part.length - TAIL_BYTES))])
  long.tail = tail.subarray(Math.max(0, tail.length - TAIL_BYTES))
}

const NEWLINE = 0x0a
const HEAD_BYTES = 4096
const TAIL_BYTES = 64
const KEPT_BETWEEN_LINES = 64 * 1024
